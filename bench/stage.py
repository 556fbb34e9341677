"""A service in play, and bare endpoints beside it: same framework, server, workers, Postgres; requests of one size."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import mean
from typing import Final

import asyncpg
import msgspec

from bench import processes
from bench.control import SIZES, TABLE, Sizes, padded
from bench.figures import Series
from bench.processes import Running
from bench.servers import Servers
from bench.tables import SEATS, Person, Tables, people
from bench.wire import Burst, Line, request
from rules.catalogue import rulesets
from service.store.feed import standing

CONNECTIONS: Final = 64
PEOPLE: Final = SEATS * CONNECTIONS
POOL: Final = 20
"""Connections of this client to Postgres: as many as two workers have."""
PATIENCE: Final = 60.0

DRIVER: Final = "client"


class Stage:
    """A service with so many workers; tables are opened at it, everything is timed, and told to `series`."""

    def __init__(
        self,
        folder: Path,
        workers: int,
        on: Servers,
        pool: asyncpg.Pool[asyncpg.Record],
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.workers, self.on, self.pool = folder, workers, on, pool
        self.series: dict[str, Series] = {}
        self.tables: list[Tables] = []
        self.people: list[Person] = []
        self._stack = AsyncExitStack()
        self.service, self.line = self._served("gusher", settings or {})

    @classmethod
    @asynccontextmanager
    async def open(
        cls, folder: Path, workers: int, on: Servers, settings: Mapping[str, str] | None = None
    ) -> AsyncIterator[Stage]:
        """The stage with its service running. `settings` are the service's, as variables of the environment."""
        async with asyncpg.create_pool(on.database, min_size=POOL, max_size=POOL) as pool:
            stage = cls(folder, workers, on, pool, settings)
            async with stage._stack:
                yield stage

    async def seat(self, count: int) -> None:
        """So many tables of each ruleset, everybody seated and the first moves made: nothing is new to the service."""
        self.people = await people(self.line, PEOPLE)
        for name in rulesets():
            tables = Tables(name, self.line, self.people)
            await tables.open(count)
            for work in (tables.ask, tables.look, tables.move):
                await work()
            self.tables.append(tables)

    async def sizes(self) -> Sizes:
        """How large things are, as far as the games in play have come."""
        views, answers = {}, []
        for tables in self.tables:
            await tables.ask()
            views[tables.ruleset] = round(mean(len(one.body) for one in (await tables.look()).answers))
            answers += [len(one.body) for one in (await tables.move()).answers]
        row = await self.pool.fetchval(
            "SELECT avg(octet_length(body) + coalesce(pg_column_size(sealed), 0))::float8 FROM moves WHERE seq > $1",
            SEATS + 2,
        )
        return Sizes(round(row), round(mean(answers)), views)

    async def bare(self, sizes: Sizes) -> Bare:
        """The bare endpoints, with as many workers."""
        await self.pool.execute(TABLE)
        server, line = self._served("control", {SIZES: msgspec.json.encode(sizes).decode()})
        body = round(mean(len(table.command) for tables in self.tables for table in tables.tables))
        token, key = self.tables[0].tables[0].people[0].token, "7f3b0a52-7d5e-4a39-9d1c-5a7c9f3e2b10"
        wanted = {f"view {name}": request("GET", f"/view/{name}", token=token) for name in sizes.views} | {
            what: request("POST", f"/{what}", token=token, key=key, body=padded(body)) for what in ("answer", "insert")
        }
        return Bare(self, server, line, wanted)

    async def play(self, tables: Tables) -> tuple[Burst, dict[str, float]]:
        """A move at each table, after everybody asked and looked twice: what the moves took."""
        name = tables.ruleset
        self.keep(f"options, {name}", *await self.timed(self.service, tables.ask))
        self.keep(f"view, {name}", *await self.timed(self.service, tables.look))
        self.keep(f"view again, {name}", *await self.timed(self.service, tables.look))
        burst, spent = await self.timed(self.service, tables.move, settled=True)
        self.keep(f"move, {name}", burst, spent)
        return burst, spent

    async def timed(
        self, server: Running, work: Callable[[], Awaitable[Burst]], *, settled: bool = False
    ) -> tuple[Burst, dict[str, float]]:
        """What was done, and the seconds of a core that it took of everybody. With `settled` what follows from it is
        waited for and counted too: the feed has its entries, and its readers have read them.
        """
        began = server.spent(), processes.family_seconds(self.on.postgres)
        burst = await work()
        if settled:
            await self.settle()
        ended = server.spent(), processes.family_seconds(self.on.postgres)
        return burst, {"server": ended[0] - began[0], "Postgres": ended[1] - began[1], DRIVER: burst.busy}

    async def settle(self) -> None:
        """Wait until nothing follows any more from what was appended."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            now = await standing(self.pool)
            if now.pending == 0 and all(pos >= now.last for pos in now.readers.values()):
                return
            await asyncio.sleep(0.02)
        raise processes.DidNotStart("the feed's readers do not get to the end of the feed")

    def keep(self, name: str, burst: Burst, spent: dict[str, float]) -> None:
        """One more round of a series."""
        single = [answer.seconds for answer in burst.answers]
        self.one(name).add(len(burst.answers), burst.seconds, single, spent)

    def one(self, name: str) -> Series:
        """The series of this name."""
        return self.series.setdefault(name, Series(name))

    def _served(self, name: str, environment: Mapping[str, str]) -> tuple[Running, Line]:
        port = processes.free_port()
        command = (
            processes.gusher(port, self.workers, self.folder / "gusher")
            if name == "gusher"
            else processes.control(port, self.workers)
        )
        whole = {**self.on.environment, **environment}
        server = self._stack.enter_context(processes.server(name, command, port, self.folder, whole))
        line = Line(port, CONNECTIONS)
        self._stack.callback(line.close)
        return server, line


class Bare:
    """The bare endpoints of a stage: `view <ruleset>`, `answer`, `insert`."""

    def __init__(self, stage: Stage, server: Running, line: Line, wanted: dict[str, bytes]) -> None:
        self._stage, self._server, self._line, self._wanted = stage, server, line, wanted

    async def round(self, what: str, count: int, name: str) -> None:
        """So many requests, told to the series of this name."""
        wanted = [self._wanted[what]] * count
        burst, spent = await self._stage.timed(self._server, lambda: self._line.ask(wanted))
        assert {answer.status for answer in burst.answers} == {200}, "the bare endpoints answer"
        self._stage.keep(name, burst, spent)
