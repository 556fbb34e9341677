"""Servers under measurement, each a process of its own; what is started here is stopped here, by its pid."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from msgspec import Struct

from service.embedded import leash

PATIENCE = 60.0


class DidNotStart(Exception):
    """A server that was to be measured does not answer; the message has the end of its output."""


class Running(Struct, frozen=True):
    """A server that answers: its port, its process, where its output goes."""

    port: int
    pid: int
    log: Path

    def workers(self) -> list[psutil.Process]:
        """The processes that do the work: the youngest generation of the family."""
        family = psutil.Process(self.pid).children(recursive=True)
        return [one for one in family if one.is_running() and "postgres" not in one.name()] or [
            psutil.Process(self.pid)
        ]

    def memory(self) -> int:
        """Bytes that the workers have for themselves alone."""
        return sum(worker.memory_full_info().uss for worker in self.workers())

    def spent(self) -> float:
        """Seconds of a core that the workers have used so far."""
        return sum(core_seconds(worker.pid) for worker in self.workers())


def core_seconds(pid: int) -> float:
    """Seconds of a core that a process has used in all its threads: what `clock_getcpuclockid` is for, which Python
    does not have. Exact to the nanosecond on Linux, where times in `/proc` are counted in hundredths.
    """
    return time.clock_gettime((~pid << 3) | 2)


def family_seconds(pid: int) -> float:
    """Seconds of a core that a process and its living children have used so far."""
    family = [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]
    spent = 0.0
    for one in family:
        with suppress(OSError):
            spent += core_seconds(one)
    return spent


@contextmanager
def server(
    name: str, command: Sequence[str], port: int, folder: Path, environment: Mapping[str, str]
) -> Iterator[Running]:
    """The server of this command while the block lasts, and no longer than this process."""
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            leashed(command),
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait_for(process, port, log)
        yield Running(port, process.pid, log)
    finally:
        _stop(process)


def leashed(command: Sequence[str]) -> list[str]:
    """The command, told to end when this process does, however it ends."""
    lead = (leash.__file__, os.getpid(), os.geteuid(), os.getegid(), signal.SIGTERM.value)
    return [sys.executable, "-I", "-S", *map(str, lead), *command]


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def gusher(port: int, workers: int, data: Path) -> list[str]:
    """The command that serves Gusher."""
    return [sys.executable, "-m", "service.cli.main", "serve", *_options(port, workers), "--data", str(data)]


def control(port: int, workers: int) -> list[str]:
    """The command that serves the bare endpoints."""
    return [sys.executable, "-m", "bench.control", str(port), str(workers)]


def _options(port: int, workers: int) -> list[str]:
    return ["--port", str(port), "--workers", str(workers)]


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise DidNotStart(f"{log.name}: {log.read_text(errors='replace')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
