"""A server as it is run, in a process of its own with two workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from service.embedded import Embedded

SERVE = "from service.app import serve; import sys; serve('127.0.0.1', int(sys.argv[1]), 2)"
COUNTED = f"from tests.service.http.counted import install; install(); {SERVE}"
"""The same, with an address more at which a worker says what it holds."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A running server and what it has said."""

    def __init__(self, environment: dict[str, str], log: Path, code: str = SERVE) -> None:
        self._code = code
        self.port, self.log = free_port(), log
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {**os.environ, **environment}
        self.start()

    def start(self) -> None:
        """Run it, for the first time or again."""
        with self.log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self._code, str(self.port)], env=self._environment, stdout=said, stderr=said
            )

    def wait(self) -> None:
        """Until it is ready; on a busy machine that takes its time."""
        with httpx.Client() as client:
            for _ in range(1200):
                try:
                    if client.get(f"{self.url}/health/ready").status_code == 200:
                        return
                except httpx.TransportError:
                    assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def stop(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(400)


@contextmanager
def running(environment: dict[str, str], log: Path, code: str = SERVE) -> Iterator[Server]:
    """A server that is ready, stopped afterwards if it still runs."""
    server = Server(environment, log, code)
    try:
        server.wait()
        yield server
    finally:
        if server.process.poll() is None:
            server.stop(signal.SIGTERM)


def settings_for(servers: Embedded, database_url: str, data: Path) -> dict[str, str]:
    """The environment of a server over the suite's database and Valkey."""
    assert servers.redis_url is not None
    return {
        "DATABASE_URL": database_url,
        "REDIS_URL": servers.redis_url,
        # A busy machine takes its time: nothing here depends on how much.
        "GUSHER_REDIS_PATIENCE": "60000",
        "GUSHER_STREAM_PATIENCE": "300",
        "GUSHER_GRACE": "300",
        "GUSHER_DATA": str(data),
        "GUSHER_UNSAFE_DATABASE": "fsync full_page_writes",
        "GUSHER_LIMITS": "off",
    }
