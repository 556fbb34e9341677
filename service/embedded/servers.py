"""Both servers over one data folder, as one thing to start and stop."""

import atexit
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from urllib.parse import quote

from service.embedded.account import account_for
from service.embedded.failures import EmbeddedFailure
from service.embedded.folder import FolderLock
from service.embedded.postgres import make_database, start_postgres, stop_postgres
from service.embedded.process import Server
from service.embedded.valkey import SOCKET, start_valkey

# A socket's path has room for 103 bytes on macOS, 107 on Linux; this leaves some for the file's own name.
LONGEST_FOLDER = 80

GLANCE = 0.5
"""Seconds between two looks at whether the servers run."""

logger = logging.getLogger(__name__)


class Embedded(NamedTuple):
    """Where the running servers are: the addresses to give to asyncpg and redis, and the process ids by name."""

    database_url: str | None
    redis_url: str | None
    pids: Mapping[str, int]


class EmbeddedServers:
    """The servers of one data folder. As a context manager, sync or async, it gives an `Embedded` and stops them after.

    Nothing outlives us: if we are killed, the kernel tells the servers to stop, or else the next start does.
    Start it from a thread that lives as long as the servers: on Linux they end with that thread.
    """

    def __init__(
        self,
        data: Path,
        *,
        postgres: bool = True,
        valkey: bool = True,
        postgres_settings: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data.absolute()
        self._wanted = {"postgres": postgres, "valkey": valkey}
        self._settings = dict(postgres_settings or {})
        self._servers: dict[str, Server] = {}
        self._lock: FolderLock | None = None
        self._reach: Path | None = None
        self._starter = os.getpid()

    def start(self) -> Embedded:
        """Every wanted server runs and answers. Called again, it starts those that died meanwhile."""
        self._take_folder()
        try:
            self._start_missing()
        except BaseException:
            self.stop()
            raise
        return self._found()

    @contextmanager
    def kept(self) -> Iterator[Embedded]:
        """Start them, and start again what dies meanwhile; stop them afterwards.

        A thread of its own looks after them. Whoever is asked while one is away says so, and goes on with the one that
        comes back.
        """
        over = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(over,), name="embedded servers", daemon=True)
        with self as found:
            keeper.start()
            try:
                yield found
            finally:
                over.set()
                keeper.join()

    def _keep(self, over: threading.Event) -> None:
        while not over.wait(GLANCE):
            try:
                self._start_missing()
            except (EmbeddedFailure, OSError):
                logger.exception("a server that died cannot be started again yet")

    def stop(self) -> None:
        """No process is left, and the folder is free. Called again, or in a fork of the starter, it does nothing."""
        if os.getpid() != self._starter:
            return
        if (postgres := self._servers.pop("postgres", None)) is not None:
            stop_postgres(postgres)
        if (valkey := self._servers.pop("valkey", None)) is not None:
            valkey.stop()
        self._leave_folder()

    def __enter__(self) -> Embedded:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    async def __aenter__(self) -> Embedded:
        """Start, in this thread and not in a passing one: see the class."""
        return self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def _take_folder(self) -> None:
        if self._lock is not None:
            return
        self.data.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(self.data)
        lock.take()
        self._lock = lock
        self._reach = _short_name(self.data)
        atexit.register(self.stop)

    def _leave_folder(self) -> None:
        if self._lock is None:
            return
        atexit.unregister(self.stop)
        if self._reach is not None:
            _forget(self._reach, self.data)
        self._lock.release()
        self._lock = self._reach = None

    def _start_missing(self) -> None:
        assert self._reach is not None
        pgdata = self.data / "postgres"
        account = account_for(self.data, pgdata)
        for name in self._servers:
            if not self._runs(name):
                logger.error("%s died, and is started again", self._servers[name].name)
        if self._wanted["postgres"] and not self._runs("postgres"):
            make_database(pgdata, account)
            self._servers["postgres"] = start_postgres(pgdata, self.data / "postgres.log", account, self._settings)
        if self._wanted["valkey"] and not self._runs("valkey"):
            folder = self.data / "valkey"
            reach = self._reach / "valkey"
            self._servers["valkey"] = start_valkey(folder, reach, self.data / "valkey.log", account)

    def _runs(self, name: str) -> bool:
        return name in self._servers and self._servers[name].runs

    def _found(self) -> Embedded:
        assert self._reach is not None
        return Embedded(
            database_url=_address(self._reach / "postgres") if self._wanted["postgres"] else None,
            redis_url=f"unix://{quote(str(self._reach / 'valkey' / SOCKET))}" if self._wanted["valkey"] else None,
            pids={name: server.pid for name, server in self._servers.items()},
        )


@contextmanager
def running_database(data: Path) -> Iterator[str | None]:
    """The address of the Postgres that another process runs in this folder; None where none does."""
    data = data.absolute()
    if not (data / "postgres" / "postmaster.pid").exists():
        yield None
        return
    reach = _short_name(data)
    try:
        yield _address(reach / "postgres")
    finally:
        _forget(reach, data)


def _address(folder: Path) -> str:
    return f"postgresql://postgres@/postgres?host={quote(str(folder))}"


def _short_name(data: Path) -> Path:
    """The folder itself, or, where its path is too long for a socket's, a link to it in a folder only we may enter."""
    if len(str(data).encode()) <= LONGEST_FOLDER:
        return data
    link = Path(tempfile.mkdtemp(prefix="gusher-")) / "data"
    link.symlink_to(data)
    return link


def _forget(reach: Path, data: Path) -> None:
    if reach != data:
        shutil.rmtree(reach.parent, ignore_errors=True)
