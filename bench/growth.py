"""What a command costs in a log of millions of entries with ten thousand games open: beside a small log, in turns.

`python -m bench.growth --full` fills a log with 5 million entries and keeps what it found in `growth.json`, which is a
part of the page from then on. It takes half an hour, and 12 GB for that long. Without `--full`, a log of 400,000.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final

import asyncpg
import msgspec
import uvloop
from msgspec import Struct

from bench import lengths, made
from bench.copies import Original
from bench.figures import Figure, Say, Section, Target, ratio
from bench.logs import Kept, keep, moves
from bench.page import Clock, section_lines
from bench.servers import Servers, servers
from bench.stage import DRIVER, PEOPLE, Stage
from bench.tables import SEATS, Person, Table, Tables, people
from projections.game import AnyGame
from rules.catalogue import rulesets
from rules.playout import Move as Played
from rules.ruleset import Ruleset
from service.handling.checkpoints import EVERY
from service.store.opening import open_postgres

KEPT: Final = Path(__file__).parent / "growth.json"

OPEN: Final = {"oil-and-gas": range(20, 180, 12), "petroleo": range(10, 50, 4), "peak-oil": range(20, 500, 30)}
"""How many entries the open games have: each could go on for a while."""
ENDED: Final = {"oil-and-gas": 12, "petroleo": 18, "peak-oil": 8}
"""How many games are over."""
SETTINGS: Final = {"GUSHER_HOT_GAMES": "16384", "GUSHER_SNAPSHOT_EVERY": "1000000"}
"""All open games are in memory, and none is due for a snapshot: it would be at every sixteenth move of a table, and the
tables of the small log move more often.
"""
SMALL: Final = 9
"""Copies in the small log. As many tables move in a round as it has open."""
MOST_DEARER: Final = 1.10


class Size(Struct, frozen=True):
    """How many copies the large log has, and how many rounds are played then."""

    copies: int
    rounds: int


DEFAULT: Final = (Size(19, 6),)
FULL: Final = (Size(49, 6), Size(124, 6), Size(256, 24))


def grown(sizes: Sequence[Size], folder: Path, say: Say) -> Section:
    """A small log, and one that grows beside it to these sizes."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(sizes, folder, say))


async def _measure(sizes: Sequence[Size], folder: Path, say: Say) -> Section:
    figures: list[Figure] = []
    costs: list[Figure] = []
    async with AsyncExitStack() as stack:
        numbers = count()
        games = [
            (ruleset, moves(ruleset, next(numbers), most))
            for name, ruleset in rulesets().items()
            for most in (*OPEN[name], *[None] * ENDED[name])
        ]
        small = await stack.enter_async_context(_log(folder / "small", games, say))
        large = await stack.enter_async_context(_log(folder / "large", games, say))
        await small.grow(SMALL, say)
        for size in sizes:
            await large.grow(size.copies, say)
            cost, others = await _beside(small, large, size.rounds, say)
            costs.append(cost)
            figures += others
        say("growth: looking back")
        back = await lengths.look_back(small.on.database, small.longest.id, rulesets()["peak-oil"].projection)
        database = await _kib(large)
        open_games, entries = large.open_games, large.entries
    async with servers(folder / "lengths") as on:
        say("growth: appends to short logs and to long ones")
        append, *appends = await lengths.appends(on)
    return Section(
        title="Growth",
        figures=[*costs, append, *figures, *appends, *back, database],
        targets=[
            Target(what=costs[-1].name, value=costs[-1].middle, most=MOST_DEARER, unit="×"),
            Target(what=append.name, value=append.middle, most=MOST_DEARER, unit="×"),
            Target(what=back[0].name, value=max(back[0].rounds), most=EVERY, unit=" entries"),
        ],
        notes=[
            f"a small log beside a large one, a round at each in turns: a move at {small.open_games} tables",
            f"small: {small.entries:,} entries, {small.open_games:,} games open; one worker, all of them in memory",
            f"large: grew to {entries:,} entries, {open_games:,} games open; one worker, all of them in memory",
            "real games, open and ended, and their copies under new ids with chains, feed, news and results",
            "a move's cost is processor time of the worker and of Postgres, with all that follows from the move",
        ],
    )


_Games = list[tuple[Ruleset, list[Played]]]


class _Log:
    """A log that grows while no service runs on it."""

    def __init__(self, folder: Path, on: Servers) -> None:
        self.folder, self.on = folder, on
        self._copies = 0
        self._people: list[Person] = []
        self._kept: list[Kept] = []
        self._original: Original | None = None
        self._open: list[Table] = []

    @property
    def entries(self) -> int:
        """Entries in the log, but for the moves made since it last grew."""
        assert self._original is not None, "it began"
        return self._original.entries * (1 + self._copies)

    @property
    def open_games(self) -> int:
        """Games in play."""
        return len(self._open)

    @property
    def longest(self) -> AnyGame:
        """The longest of the games."""
        return max((one.game for one in self._kept), key=lambda game: game.version)

    async def begin(self, games: _Games, say: Say) -> None:
        """These games, appended as the service appends."""
        say(f"growth: {self.folder.name} log: real games")
        async with self.playing() as stage:
            self._people = await people(stage.line, PEOPLE)
            store = await open_postgres(self.on.database)
            seats = count(step=SEATS)
            self._kept = await asyncio.gather(
                *(keep(store, ruleset, game, self._seated(next(seats))) for ruleset, game in games)
            )
            await store.close()
            await stage.settle()
        connection = await asyncpg.connect(self.on.database)
        self._original = await Original.read(connection)
        await connection.close()
        self._add({one.game.id: one.game.id for one in self._kept})

    async def grow(self, copies: int, say: Say) -> None:
        """As many copies as that."""
        assert self._original is not None, "it began"
        connection = await asyncpg.connect(self.on.database)
        await self._original.resume(connection)
        while self._copies < copies:
            self._add(await self._original.copy(connection))
            self._copies += 1
            if self._copies % 10 == 0:
                say(f"growth: {self.folder.name} log: {self.entries:,} entries, {self.open_games:,} games open")
        await self._original.settle(connection)
        await connection.close()

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[Stage]:
        """A service on this log."""
        async with Stage.open(self.folder, 1, self.on, SETTINGS) as stage:
            yield stage

    def groups(self, stage: Stage, size: int) -> list[Tables]:
        """The open games in groups that move together."""
        found = []
        for first in range(0, len(self._open), size):
            tables = Tables(f"from {first}", stage.line, self._people)
            tables.tables = self._open[first : first + size]
            found.append(tables)
        return found

    def _seated(self, first: int) -> list[Person]:
        return [self._people[(first + seat) % len(self._people)] for seat in range(SEATS)]

    def _add(self, named: dict[str, str]) -> None:
        going_on = (one for one in self._kept if not one.game.ended)
        self._open += [Table(named[one.game.id], one.people, one.game.awaited) for one in going_on]


@asynccontextmanager
async def _log(folder: Path, games: _Games, say: Say) -> AsyncIterator[_Log]:
    async with servers(folder) as on:
        log = _Log(folder, on)
        await log.begin(games, say)
        yield log


async def _beside(small: _Log, large: _Log, rounds: int, say: Say) -> tuple[Figure, list[Figure]]:
    """Rounds at both in turns: how much dearer a move is in the large log, and what came out beside that."""
    many = f"{large.entries:,} entries"
    costs: dict[str, list[float]] = {"small": [], many: []}
    rates: list[Figure] = []
    async with small.playing() as one, large.playing() as other:
        groups = large.groups(other, small.open_games)
        before = other.service.memory()
        for tables in groups:
            other.keep(f"first options of a game, {many}", *await other.timed(other.service, tables.ask))
            await tables.move()
        held = (other.service.memory() - before) / large.open_games / 1024
        same = small.groups(one, small.open_games)[0]
        await same.ask()
        await same.move()
        for number in range(rounds):
            say(f"growth: {many}, round {number + 1} of {rounds}")
            sides = [("small", one, same), (many, other, groups[number % len(groups)])]
            for name, stage, tables in sides if number % 2 == 0 else sides[::-1]:
                tables.tables = [table for table in tables.tables if table.awaits]
                for work in (tables.ask, tables.look):
                    await work()
                burst, spent = await stage.timed(stage.service, tables.move, settled=True)
                stage.keep(f"moves, {'small log beside it' if name == 'small' else name}", burst, spent)
                used = sum(seconds for who, seconds in spent.items() if who != DRIVER)
                costs[name].append(used / len(burst.answers) * 1e6)
        rates = [series.figure() for stage in (other, one) for series in stage.series.values()]
    dear = {
        name: Figure(name=f"core µs of a move, {name}", rounds=tuple(each), unit=" µs") for name, each in costs.items()
    }
    cost = ratio(f"cost of a move: {many}, {large.open_games:,} open : small log", dear[many], dear["small"])
    memory = Figure(name=f"memory of an open game, {many}", rounds=(held,), unit=" KiB")
    return cost, [*rates, memory]


async def _kib(log: _Log) -> Figure:
    connection = await asyncpg.connect(log.on.database)
    size = await connection.fetchval("SELECT pg_database_size(current_database())")
    entries = await connection.fetchval("SELECT count(*) FROM moves")
    await connection.close()
    return Figure(name="the whole database, for each entry", rounds=(size / entries / 1024,), unit=" KiB")


def main() -> int:
    """Measure and print; keep what was found of the full size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="5 million entries, kept in growth.json")
    full = parser.parse_args().full
    with tempfile.TemporaryDirectory(prefix="gusher-bench-") as folder:
        section = grown(FULL if full else DEFAULT, Path(folder), Clock())
    if full:
        how = f"Measured apart from the rest: commit {made.commit()}, `python -m bench.growth --full`, {made.now()}; "
        section = msgspec.structs.replace(section, made_with=how + made.machine() + ".")
        KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(section), indent=1))
    print("\n".join(section_lines(section)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
