"""What a game weighs: an entry on disk, an open game in memory, and how long it takes to read one that nobody knows."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from itertools import count, islice
from pathlib import Path
from statistics import mean
from typing import Final

import asyncpg
import uvloop
from msgspec import Struct

from bench import processes
from bench.figures import Figure, Say, Section, Series, Target
from bench.logs import Kept, keep, moves
from bench.page import show
from bench.servers import servers
from bench.stage import Stage
from bench.tables import SEATS, people
from bench.wire import request
from rules.catalogue import rulesets
from rules.playout import Move
from rules.ruleset import Ruleset
from service.handling.folding import fold_rows
from service.store.opening import open_postgres
from service.store.postgres import PostgresStore

LOADED: Final = 500
"""Entries of the game whose cold load is told."""
WHOLE: Final = "petroleo"
"""Its games do not last that long: a whole one is loaded."""
MIDDLE: Final = {"oil-and-gas": 200, "petroleo": 50, "peak-oil": 350}
"""Entries of the open games whose memory is told: about half of what a game lasts."""
TABLES: Final = ("moves", "feed", "feed_pending", "news")
KIB: Final = 1024


class Scale(Struct, frozen=True):
    """Entries of whole games put on disk, games held in memory, games loaded; of each ruleset."""

    entries: int
    hot: int
    loaded: int


QUICK: Final = Scale(2_000, 10, 3)
FULL: Final = Scale(10_000, 100, 12)


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Whole games go to disk, then open ones into memory, then long ones are loaded."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(QUICK if quick else FULL, folder, say))


async def _measure(scale: Scale, folder: Path, say: Say) -> Section:
    async with AsyncExitStack() as stack:
        on = await stack.enter_async_context(servers(folder))
        stage = await stack.enter_async_context(Stage.open(folder, 1, on))
        stage.people = await people(stage.line, SEATS)
        store = await open_postgres(on.database)
        stack.push_async_callback(store.close)
        weigh = _Scales(stage, store)
        disk, hot, cold = [], [], []
        for ruleset in rulesets().values():
            say(f"weight: entries of {ruleset.name} on disk")
            disk.append(await weigh.disk(ruleset, scale.entries))
        for ruleset in rulesets().values():
            say(f"weight: games of {ruleset.name} in memory")
            hot.append(await weigh.memory(ruleset, scale.hot))
            say(f"weight: cold loads of {ruleset.name}")
            cold.append(await weigh.cold(ruleset, scale.loaded))
    shares = [figure for figures in disk for figure in figures]
    return Section(
        title="Weight",
        figures=[*shares, *hot, *cold],
        targets=[
            *(Target(what=one.name, value=one.middle, most=10, unit=" ms") for one in cold[:1]),
            *(Target(what=one.name, value=one.middle, most=30, unit=" KiB") for one in hot),
            *(Target(what=figures[0].name, value=figures[0].middle, most=1, unit=" KiB") for figures in disk),
            _mean("memory of an open game, mean", hot, 30),
            _mean("disk of an entry, mean", [figures[0] for figures in disk], 1),
        ],
        notes=[
            "disk: whole games, appended side by side; the log with its indexes, and the feed's rows; news beside it",
            f"memory: games half played, in one worker, after each of the {SEATS} seats has asked for options and view",
            "cold load: entries read from the log and folded, no snapshot; a whole game of Petróleo has about 90",
        ],
    )


class _Scales:
    def __init__(self, stage: Stage, store: PostgresStore) -> None:
        self._stage, self._store = stage, store
        self._numbers = count()

    async def disk(self, ruleset: Ruleset, entries: int) -> list[Figure]:
        """Whole games of so many entries together: KiB of an entry, in the log and the feed, and in the news."""
        games: list[list[Move]] = []
        while sum(map(len, games)) < entries:
            games.append(moves(ruleset, next(self._numbers)))
        before = await self._sizes()
        await self._keep(ruleset, games)
        await self._stage.settle()
        after = await self._sizes()
        whole = sum(map(len, games))
        grown = {table: (after[table] - before[table]) / KIB / whole for table in TABLES}
        told = {"disk of an entry": grown["moves"] + grown["feed"], "news of an entry": grown["news"]}
        return [Figure(name=f"{what}, {ruleset.name}", rounds=(kib,), unit=" KiB") for what, kib in told.items()]

    async def memory(self, ruleset: Ruleset, games: int) -> Figure:
        """KiB of the worker for each game that it has just come to know.

        As many come before, uncounted: for them code and caches come into memory, and they take the room that loading
        had for a moment.
        """
        middle = MIDDLE[ruleset.name]
        kept = await self._keep(ruleset, [moves(ruleset, next(self._numbers), middle) for _ in range(2 * games)])
        await self._stage.settle()
        await self._seen(kept[:games])
        before = self._stage.service.memory()
        await self._seen(kept[games:])
        each = (self._stage.service.memory() - before) / games / KIB
        return Figure(name=f"memory of an open game, {ruleset.name}", rounds=(each,), unit=" KiB")

    async def cold(self, ruleset: Ruleset, games: int) -> Figure:
        """Milliseconds to read and fold a game: what a worker does that has never heard of it."""
        long = (moves(ruleset, number, LOADED) for number in self._numbers)
        enough = islice((one for one in long if len(one) == LOADED or ruleset.name == WHOLE), games)
        kept = await self._keep(ruleset, list(enough))
        await self._stage.settle()
        times: list[float] = []
        spent = Series("")
        for one in kept:
            began, used = time.perf_counter(), self._used()
            rows = (await self._store.since(one.game.id, 0)).rows
            fold_rows(rows, ruleset.projection)
            times.append(1000 * (time.perf_counter() - began))
            after = self._used()
            spent.add(1, 1.0, spent={who: after[who] - used[who] for who in used})
        what = "a whole game" if ruleset.name == WHOLE else f"{LOADED} entries"
        name = f"cold load of {what}, {ruleset.name}"
        return Figure(name=name, rounds=tuple(times), unit=" ms", cost=spent.figure().cost)

    async def _keep(self, ruleset: Ruleset, games: list[list[Move]]) -> list[Kept]:
        return await asyncio.gather(*(keep(self._store, ruleset, played, self._stage.people) for played in games))

    async def _seen(self, games: list[Kept]) -> None:
        wanted = [
            request("GET", f"/v1/games/{one.game.id}/{what}", token=person.token)
            for one in games
            for person in one.people
            for what in ("options", "view")
        ]
        answers = (await self._stage.line.ask(wanted)).answers
        assert {answer.status for answer in answers} == {200}, "players see their games"

    async def _sizes(self) -> dict[str, int]:
        connection = await asyncpg.connect(self._stage.on.database)
        await connection.execute(f"VACUUM {', '.join(TABLES)}")
        found = {table: await connection.fetchval(f"SELECT pg_total_relation_size('{table}')") for table in TABLES}
        await connection.close()
        return found

    def _used(self) -> dict[str, float]:
        return {"server": time.process_time(), "Postgres": processes.family_seconds(self._stage.on.postgres)}


def _mean(what: str, figures: list[Figure], most: float) -> Target:
    return Target(what=what, value=mean(one.middle for one in figures), most=most, unit=" KiB")


if __name__ == "__main__":
    show(measure)
