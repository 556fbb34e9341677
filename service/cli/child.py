"""A service as `gusher serve` starts it, as a child of this process: for the demo, the tests and the bench."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from msgspec import Struct

PATIENCE = 180.0


class Served(Struct, frozen=True):
    """A running service: its process, its address, the administrator's token."""

    process: subprocess.Popen[str]
    url: str
    admin: str


class NoService(Exception):
    """The service did not start; the message is what it said."""


@contextmanager
def serving(data: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A service that is ready, on a free port, stopped with SIGINT afterwards unless it has ended already."""
    command = [sys.executable, "-m", "service.cli.main", "serve", "--data", str(data), "--port", "0", *options]
    with (data.parent / f"{data.name}.log").open("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, text=True, env=environment)  # noqa: S603
        try:
            yield _ready(process, Path(log.name))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.wait(timeout=PATIENCE)


def _ready(process: subprocess.Popen[str], log: Path) -> Served:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        said = _said(log.read_text())
        if "admin" in said and _answers(said["Gusher"]):
            return Served(process, said["Gusher"], said["admin"])
        time.sleep(0.05)
    raise NoService(log.read_text())


def _said(text: str) -> dict[str, str]:
    """What follows the first word of each line. The last line may be half written."""
    whole = text[: text.rfind("\n") + 1]
    return {first: rest.strip() for first, _, rest in (line.partition(" ") for line in whole.splitlines())}


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/ready").is_success
    except httpx.TransportError:
        return False
