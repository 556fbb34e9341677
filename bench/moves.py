"""How many moves per second go durably into Postgres: through the use cases, and the store alone.

Server, database and client share the machine. `python -m bench.moves [seconds]` starts servers of its own.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from uuid import uuid4

import msgspec
from msgspec import Struct
from uuid6 import uuid7

from events import chain
from rules.ruleset import options_for
from service.composition import compose
from service.embedded import EmbeddedServers
from service.handling.caller import Caller
from service.handling.create_game import Table, create_game
from service.handling.desk import Desk
from service.handling.start_game import start_game
from service.handling.submit_command import submit_command
from service.handling.take_seat import take_seat
from service.settings import Settings
from service.store.protocol import Appended, GameRow, Move

GAMES = 32
SEATS = 3
RULESET = "oil-and-gas"


class Rate(Struct, frozen=True):
    """Done per second, and how long one took: median and 99th percentile in milliseconds."""

    name: str
    per_second: float
    median_ms: float
    p99_ms: float

    def __str__(self) -> str:
        return f"{self.name:<44}{self.per_second:>9,.0f}/s   {self.median_ms:6.2f} ms   p99 {self.p99_ms:6.2f} ms"


async def main(seconds: float) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedServers(Path(folder) / "data") as found:
            settings = Settings(
                data=Path(folder), database_url=found.database_url, redis_url=found.redis_url, database_connections=8
            )
            async with compose(settings) as desk:
                print(await _measure("store alone, 32 games", [_appender(desk) for _ in range(GAMES)], seconds))
                print(await _measure("store alone, 256 games", [_appender(desk) for _ in range(256)], seconds))
                tables = [await _table(desk, number) for number in range(GAMES)]
                print(await _measure("moves through the use cases, 32 games", tables, seconds))
                print(await _measure("moves through the use cases, 1 game", tables[:1], seconds))


async def _measure(name: str, workers: Sequence[Callable[[], Awaitable[float]]], seconds: float) -> Rate:
    """`workers` do one thing each time they are called, and say how long it took, preparations left out."""
    taken: list[float] = []
    end = time.perf_counter() + seconds

    async def work(one: Callable[[], Awaitable[float]]) -> None:
        while time.perf_counter() < end:
            taken.append(await one())

    began = time.perf_counter()
    await asyncio.gather(*map(work, workers))
    passed = time.perf_counter() - began
    taken.sort()
    return Rate(name, len(taken) / passed, median(taken) * 1000, taken[len(taken) * 99 // 100] * 1000)


def _appender(desk: Desk) -> Callable[[], Awaitable[float]]:
    """Appends entries of a usual size to a log of its own."""
    game, last, filler = str(uuid7()), Move("", 0, "", b"", "", chain.GENESIS, b""), "x" * 900

    def next_move() -> Move:
        body = msgspec.json.encode({"game": game, "seq": last.seq + 1, "filler": filler})
        hashed = chain.entry_hash(body)
        return Move(game, last.seq + 1, str(uuid4()), sha256(body).digest(), last.hash, hashed, body)

    async def append() -> float:
        nonlocal last
        move = next_move()
        began = time.perf_counter()
        if move.seq == 1:
            row = GameRow(game, game, move.command_id, move.fingerprint, RULESET, "standard", "public", SEATS, 0)
            await desk.store.create_game(row, bytes(32), move)
        else:
            assert await desk.store.append(move) == Appended()
        last = move
        return time.perf_counter() - began

    return append


async def _table(desk: Desk, number: int) -> Callable[[], Awaitable[float]]:
    """A table where each call is one move; a new game begins when one is over."""
    dice = random.Random(number)
    people = [Caller(str(uuid7()), frozenset({"play", "organize"})) for _ in range(SEATS)]
    game = await _started(desk, people)

    async def move() -> float:
        nonlocal game
        hot = await desk.games.get(game)
        if hot.game.ended:
            game = await _started(desk, people)
            hot = await desk.games.get(game)
        seat = dice.choice(hot.game.awaited)
        options = options_for(hot.game, hot.book, seat)
        command = options[dice.randrange(len(options))].pick(dice.randrange)
        began = time.perf_counter()
        await submit_command(desk, people[seat], game, str(uuid4()), command)
        return time.perf_counter() - began

    return move


async def _started(desk: Desk, people: Sequence[Caller]) -> str:
    game = (await create_game(desk, people[0], str(uuid4()), Table(ruleset=RULESET, seats=SEATS))).game
    for person in people:
        await take_seat(desk, person, game, str(uuid4()))
    await start_game(desk, people[0], game, str(uuid4()))
    return game


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5))
