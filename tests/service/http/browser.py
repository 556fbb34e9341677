"""A real Chromium without a window, spoken to over its own pipe (the DevTools protocol).

It comes from Debian's packages (`apt-get install chromium`); nothing here installs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_QUIET = ("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")
_HEADLESS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")

_PIPED = """
import fcntl, os, sys
asked, told = (fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3])
os.dup2(asked, 3)
os.dup2(told, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Becomes the browser, which reads what it is asked from its descriptor 3, and answers on 4."""


class Page:
    """One tab: what it asked for, and what it complained about."""

    def __init__(self, place: int, answers: int) -> None:
        self.requested: list[str] = []
        self.complaints: list[str] = []
        self._place, self._answers, self._rest = place, answers, b""
        self._number, self._session = 0, ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def open(self, url: str, width: int = 1100) -> None:
        """Go there, and wait until it has loaded."""
        self.requested, self.complaints = [], []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=url)
        while self._read().get("method") != "Page.loadEventFired":
            pass

    def value(self, script: str) -> Any:
        """What an expression is in the page."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser, and wait for its answer."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        sent = msgspec.json.encode({"id": self._number, "method": method, "params": parameters, **session})
        os.write(self._place, sent + b"\0")
        while True:
            told = self._read()
            if told.get("id") == self._number:
                assert "error" not in told, told
                result: dict[str, Any] = told["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._answers, 65536)
            assert piece, "the browser has ended"
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = msgspec.json.decode(message)
        self._note(told.get("method", ""), told.get("params", {}))
        return told

    def _note(self, method: str, about: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requested.append(about["request"]["url"])
        elif method in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.complaints.append(str(about))
        elif method == "Network.loadingFailed":
            self.complaints.append(about["errorText"])


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A browser with one tab, ended afterwards."""
    assert CHROMIUM is not None
    asked, place = os.pipe()
    answers, told = os.pipe()
    command = [CHROMIUM, *_HEADLESS, *_QUIET, f"--user-data-dir={profile}"]
    piped = [sys.executable, "-c", _PIPED, str(asked), str(told), *command]
    process = subprocess.Popen(piped, pass_fds=(asked, told), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(asked)
    os.close(told)
    try:
        yield Page(place, answers)
    finally:
        process.terminate()
        process.wait(300)
        os.close(place)
        os.close(answers)
