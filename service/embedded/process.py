"""A server as a child process: started, found again, ended."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL, Signals

import psutil

from service.embedded import leash
from service.embedded.account import Account
from service.embedded.failures import ServerDied

# Postgres and Valkey read some of these, and the caller's must not change what they do here.
PLAIN_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


class Server:
    """A running child process.

    It is in a session of its own, so that Ctrl-C in the terminal reaches only us, and we end the servers in order.
    On Linux it gets its stop signal when the *thread* that started it ends, however that comes.
    """

    def __init__(
        self, name: str, command: list[str], *, folder: Path, log: Path, account: Account, stop: Signals
    ) -> None:
        self.name = name
        self.log = log
        self._stop = stop
        lead = (leash.__file__, os.getpid(), account.uid, account.gid, stop.value)
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", *map(str, lead), *command],
                cwd=folder,
                env=PLAIN_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """The process has not ended."""
        return self._process.poll() is None

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """It is ready; or `ServerDied`, and then nothing of it is left."""
        try:
            self._poll(ready, time.monotonic() + seconds)
        except BaseException:
            self.stop()
            raise

    def _poll(self, ready: Callable[[], bool], give_up: float) -> None:
        while not ready():
            if not self.runs or time.monotonic() > give_up:
                raise ServerDied(self.name, self.log)
            time.sleep(0.01)

    def stop(self, force: Signals = SIGKILL, patience: float = 30) -> None:
        """The process has ended: on its own stop signal, else by force."""
        for signal in (self._stop, force, SIGKILL):
            if not self.runs:
                return
            self._process.send_signal(signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)


def end_leftovers(name: str, folder: Path, stop: Signals) -> None:
    """No server of this name has this folder as its working folder any more.

    An earlier owner was killed, and its servers may still be on their way out. Name and folder identify them: a number
    from a pid file could by now be anyone's.
    """
    leftovers = _running_in(name, folder)
    for process in leftovers:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(stop)
    _, stubborn = psutil.wait_procs(leftovers, timeout=20)
    for process in stubborn:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(stubborn, timeout=10)


def _running_in(name: str, folder: Path) -> list[psutil.Process]:
    place = str(folder.resolve())
    found = psutil.process_iter(["name", "cwd"])
    return [process for process in found if process.info["name"] == name and process.info["cwd"] == place]
