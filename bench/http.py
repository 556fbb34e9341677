"""The service over HTTP beside bare endpoints of the same framework, the same server and the same Postgres."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final
from uuid import uuid4

import asyncpg
import msgspec
import uvloop
from msgspec import Struct
from uuid6 import uuid7

from bench import engine, processes
from bench.bare import COMMITTERS, Commits, Syncs
from bench.control import SIZES, TABLE, Sizes
from bench.figures import Figure, Series
from bench.processes import Running
from bench.tables import SEATS, Tables, people
from bench.wire import Burst, Line, request
from events import chain
from events.entry import write
from rules import playout
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.embedded import EmbeddedServers
from service.handling.hot import fold_rows
from service.store.opening import open_postgres
from service.store.postgres import PostgresStore
from service.store.protocol import GameRow, Move

CONNECTIONS: Final = 64
BODY: Final = msgspec.json.encode({"type": "a_command_of_usual_length", "decision_id": 12, "choice": ["a", "b", "c"]})
LOADED: Final = 500
"""Entries of the game whose cold load is told."""
LONG_GAMES: Final = "oil-and-gas"
COLD_LOADS: Final = 5

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
        pool = await stack.enter_async_context(asyncpg.create_pool(database, min_size=COMMITTERS, max_size=COMMITTERS))
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
        before = 0
        for name in rulesets():
            tables = Tables(name, self._line, seated)
            await tables.open(self._scale.tables)
            self._tables.append(tables)
            # The first tables bring code and caches into memory; the others only themselves.
            before = before or self._service.memory()
        opened = (len(self._tables) - 1) * self._scale.tables
        self._hot_bytes = (self._service.memory() - before) / opened / self._scale.workers

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
        store = await open_postgres(database, pool_size=2)
        cold = tuple([await _cold_load(store, rulesets()[LONG_GAMES]) for _ in range(COLD_LOADS)])
        await store.close()
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

    async def _timed(self, server: Running, work: Callable[[], Awaitable[Burst]]) -> tuple[Burst, float]:
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


async def _cold_load(store: PostgresStore, ruleset: Ruleset) -> float:
    """Milliseconds to read and fold a game of `LOADED` entries: what a worker does that has never heard of it."""
    game = await _long_game(store, ruleset)
    began = time.perf_counter()
    rows = (await store.since(game, 0)).rows
    fold_rows(rows, ruleset.projection)
    return (time.perf_counter() - began) * 1000


async def _long_game(store: PostgresStore, ruleset: Ruleset) -> str:
    """A game of so many entries in the log, whether or not it has ended by then."""
    for number in range(100):
        game = str(uuid7())
        moves = list(islice(engine.a_game(ruleset, number, game), LOADED))
        if len(moves) == LOADED:
            await _append_all(store, ruleset, moves)
            return game
    raise AssertionError("no game is that long")


async def _append_all(store: PostgresStore, ruleset: Ruleset, moves: Sequence[playout.Move]) -> None:
    prev = chain.GENESIS
    for one in moves:
        written = write(one.entry, prev, partial(secrets.token_bytes, chain.SALT_BYTES), one.shown)
        game, seq, key = one.entry.game, one.entry.seq, str(uuid4())
        move = Move(game, seq, key, bytes(32), prev, written.hash, written.body, written.sealed)
        if seq == 1:
            row = GameRow(game, str(uuid4()), key, bytes(32), ruleset.name, one.after.edition, "public", SEATS, 0)
            await store.create_game(row, bytes(32), move)
        else:
            await store.append(move)
        prev = written.hash
