"""The service over HTTP beside bare endpoints of the same framework, the same server and the same Postgres."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import mean
from typing import Final

import asyncpg
import msgspec
import uvloop
from msgspec import Struct

from bench import processes
from bench.bare import COMMITTERS, Commits, Syncs
from bench.control import SIZES, TABLE, Sizes
from bench.figures import Figure, Series
from bench.processes import Running
from bench.tables import SEATS, Tables, people
from bench.wire import Burst, Line, request
from rules.catalogue import rulesets
from service.embedded import EmbeddedServers
from service.handling.hot import fold_rows
from service.store.postgres import open_postgres

CONNECTIONS: Final = 64
BODY: Final = msgspec.json.encode({"type": "a_command_of_usual_length", "decision_id": 12, "choice": ["a", "b", "c"]})
LOADED: Final = 500
"""Entries of the game whose cold load is told."""

Say = Callable[[str], None]


class Scale(Struct, frozen=True):
    """How much is measured: tables in play of each ruleset, rounds, workers of the service."""

    tables: int
    rounds: int
    workers: int


class Measured(Struct, frozen=True):
    """Everything measured with one number of workers."""

    workers: int
    figures: dict[str, Figure]
    hot_bytes: float
    disk_bytes: float
    cold_ms: tuple[float, ...]


def measure(scale: Scale, folder: Path, say: Say) -> Measured:
    """Start servers of our own in this folder, measure, stop them."""
    folder.mkdir()
    with EmbeddedServers(folder / "data") as found:
        assert found.database_url is not None
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_measure(scale, folder, found.database_url, found.redis_url or "", say))


async def _measure(scale: Scale, folder: Path, database: str, redis: str, say: Say) -> Measured:
    environment = {
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        SIZES: msgspec.json.encode(Sizes()).decode(),
    }
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(
            asyncpg.create_pool(database, min_size=COMMITTERS, max_size=COMMITTERS)
        )
        await pool.execute(TABLE)
        ports = processes.free_port(), processes.free_port()
        command = processes.gusher(ports[0], scale.workers, folder / "gusher")
        service = stack.enter_context(processes.server("gusher", command, ports[0], folder, environment))
        command = processes.control(ports[1], scale.workers)
        control = stack.enter_context(processes.server("control", command, ports[1], folder, environment))
        stage = _Stage(scale, folder, pool, service, control)
        await stage.open(say)
        for number in range(scale.rounds):
            say(f"{scale.workers} workers, round {number + 1} of {scale.rounds}")
            await stage.round(number)
        return await stage.result(database)


class _Stage:
    """Both servers with their lines, and the series of what is measured."""

    def __init__(
        self, scale: Scale, folder: Path, pool: asyncpg.Pool[asyncpg.Record], service: Running, control: Running
    ) -> None:
        self._scale, self._pool = scale, pool
        self._service, self._control = service, control
        self._line, self._bare_line = Line(service.port, CONNECTIONS), Line(control.port, CONNECTIONS)
        self._commits, self._syncs = Commits(pool, Sizes().row), Syncs(folder)
        self._series: dict[str, Series] = {}
        self._tables: list[Tables] = []
        self._hot_bytes = 0.0

    async def open(self, say: Say) -> None:
        """Everybody sits down."""
        say(f"{self._scale.workers} workers, {len(rulesets()) * self._scale.tables} tables")
        seated = await people(self._line, SEATS * CONNECTIONS)
        before = self._service.memory()
        for name in rulesets():
            tables = Tables(name, self._line, seated)
            await tables.open(self._scale.tables)
            self._tables.append(tables)
        self._hot_bytes = (self._service.memory() - before) / (len(self._tables) * self._scale.tables)

    async def round(self, number: int) -> None:
        """Everything once; the service first and the bare endpoints second, and the next time the other way round."""
        for tables in self._tables:
            await tables.open(self._scale.tables)
        halves = [self._play, self._bare]
        for half in halves if number % 2 == 0 else halves[::-1]:
            await half()

    async def result(self, database: str) -> Measured:
        """What came out."""
        figures = {name: series.figure() for name, series in self._series.items()}
        figures["commits"] = self._commits.series.figure()
        figures["syncs"] = self._syncs.series.figure()
        disk = await self._pool.fetchval(
            "SELECT (pg_total_relation_size('moves') + pg_total_relation_size('feed_pending'))::float8 / count(*) "
            "FROM moves"
        )
        cold = await _cold_loads(database, self._pool)
        self._line.close()
        self._bare_line.close()
        return Measured(self._scale.workers, figures, self._hot_bytes, disk, cold)

    async def _play(self) -> None:
        moved, moving, cores = 0, 0.0, 0.0
        single: list[float] = []
        for tables in self._tables:
            self._keep(f"options {tables.ruleset}", await self._timed(self._service, tables.ask))
            self._keep(f"view {tables.ruleset}", await self._timed(self._service, tables.look))
            burst, used = await self._timed(self._service, tables.move)
            self._keep(f"move {tables.ruleset}", (burst, used))
            moved += len(burst.answers)
            moving, cores = moving + burst.seconds, cores + used
            single += [answer.seconds for answer in burst.answers]
        self._one("move").add(moved, moving, single, cores)

    async def _bare(self) -> None:
        count = len(self._tables) * self._scale.tables
        for name, method, path in (("get", "GET", "/bare"), ("post", "POST", "/bare"), ("insert", "POST", "/insert")):
            wanted = [request(method, path, body=BODY if method == "POST" else b"")] * count

            async def ask(wanted: list[bytes] = wanted) -> Burst:
                return await self._bare_line.ask(wanted)

            burst, used = await self._timed(self._control, ask)
            assert {answer.status for answer in burst.answers} == {200}, "the bare endpoints answer"
            self._keep(name, (burst, used))
        await self._commits.round(count)
        self._syncs.round()

    async def _timed(self, server: Running, work: Callable[[], asyncio.Future[Burst]]) -> tuple[Burst, float]:
        before = server.cpu()
        burst = await work()
        return burst, server.cpu() - before

    def _keep(self, name: str, done: tuple[Burst, float]) -> None:
        burst, cores = done
        single = [answer.seconds for answer in burst.answers]
        self._one(name).add(len(burst.answers), burst.seconds, single, cores)

    def _one(self, name: str) -> Series:
        return self._series.setdefault(name, Series(NAMES.get(name, name.replace(" ", ", ", 1))))


NAMES: Final = {
    "move": "moves, all games",
    "get": "bare Litestar: GET",
    "post": "bare Litestar: POST",
    "insert": "bare Litestar: POST with one INSERT",
}


async def _cold_loads(database: str, pool: asyncpg.Pool[asyncpg.Record]) -> tuple[float, ...]:
    """Milliseconds to read and fold the longest games of the log, told for a game of `LOADED` entries."""
    longest = await pool.fetch(
        "SELECT m.game_id, g.ruleset, count(*) AS entries FROM moves m JOIN games g ON g.id = m.game_id "
        "GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 30"
    )
    store = await open_postgres(database, pool_size=2)
    taken = []
    for one in longest:
        began = time.perf_counter()
        rows = (await store.since(str(one["game_id"]), 0)).rows
        fold_rows(rows, rulesets()[one["ruleset"]].projection)
        taken.append((time.perf_counter() - began) * 1000 * LOADED / len(rows))
    await store.close()
    return tuple(taken[1:])
