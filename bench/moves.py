"""What a move costs below HTTP, in microseconds of a core: in the service, in Postgres, in Valkey.

Everything shares the machine, and wall time says as much about its other guests as about us; processor time is ours,
and told as of a quiet machine: a fixed loop of plain Python, timed all along, says by how much its guests slow us down.
`python -m bench.moves [seconds]` starts servers of its own, and plays the use cases with 64 tables at once.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec
import psutil
import uvloop
from msgspec import Struct
from uuid6 import uuid7

from events import chain
from rules.catalogue import rulesets
from rules.ruleset import options_for
from service.auth.caller import Caller
from service.composition import compose
from service.embedded import EmbeddedServers
from service.handling.create_game import Table, create_game
from service.handling.desk import Desk
from service.handling.start_game import start_game
from service.handling.submit_command import submit_command
from service.handling.take_seat import take_seat
from service.settings import Settings
from service.store.protocol import FINGERPRINT_BYTES, Appended, GameRow, Move

TABLES: Final = 64
SEATS: Final = 3
EACH: Final = 25
"""Moves between two looks at the machine's pace."""

TIMED: Final = 16

WARM: Final = 20
"""Moves at each table before it counts: connections, statements, caches."""

Mover = Callable[[], Awaitable[int]]
"""Does one thing; says how many nanoseconds of the core went into what is no part of it."""


class Pace:
    """How fast the machine is. The least that a loop has ever taken is a quiet core's."""

    def __init__(self) -> None:
        self.least = float("inf")
        self._taken: list[int] = []

    def look(self) -> int:
        """Time the loop; how many nanoseconds that took."""
        began = time.thread_time_ns()
        for number in range(10_000):
            _ = number * number % 7
        taken = time.thread_time_ns() - began
        self._taken.append(taken)
        self.least = min(self.least, taken)
        return taken

    def factor(self) -> float:
        """What a quiet core would have needed of what was needed since the last call."""
        factor = self.least * len(self._taken) / sum(self._taken)
        self._taken = []
        return factor


class Cost(Struct, frozen=True):
    """Microseconds of a core for each, by process; and how many were done per second of the clock."""

    name: str
    done: int
    per_second: float
    service: float
    servers: Mapping[str, float]

    def __str__(self) -> str:
        servers = "".join(f"{name:>12} {cost:4.0f}" for name, cost in self.servers.items())
        return f"{self.name:<44} service {self.service:4.0f}{servers} µs   {self.per_second:7,.0f}/s ({self.done})"


async def main(seconds: float) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedServers(Path(folder) / "data") as found:
        async with AsyncExitStack() as stack:
            desks = []
            for number in range(2):
                settings = Settings(
                    data=Path(folder) / str(number), database_url=found.database_url, redis_url=found.redis_url
                )
                desks.append(await stack.enter_async_context(compose(settings)))
            pace = Pace()
            for _ in range(100):
                pace.look()
            appenders = [_appender(desks[0]) for _ in range(TABLES)]
            print(await _measure("store alone", appenders, seconds, found.pids, pace))
            for name in rulesets():
                for workers in (desks[:1], desks):
                    tables = [await _table(workers, name, number) for number in range(TABLES)]
                    title = f"{name}, seats on {len(workers)} workers"
                    print(await _measure(title, tables, seconds, found.pids, pace))


async def _measure(name: str, movers: Sequence[Mover], seconds: float, servers: Mapping[str, int], pace: Pace) -> Cost:
    for mover in movers:
        for _ in range(WARM):
            await mover()
    done = beside = 0

    async def work(mover: Mover) -> None:
        nonlocal done, beside
        while time.perf_counter() < end:
            beside += await mover()
            done += 1
            if done % EACH == 0:
                beside += pace.look()

    pace.look()
    pace.factor()
    before, used_before = {name: _used(pid) for name, pid in servers.items()}, time.process_time_ns()
    began = time.perf_counter()
    end = began + seconds
    await asyncio.gather(*map(work, movers))
    # What follows the log has a moment to come after: it belongs to what was done.
    await asyncio.sleep(1)
    factor = pace.factor()
    ours = (time.process_time_ns() - used_before - beside) / done / 1000 * factor
    costs = {name: (_used(pid) - before[name]) * 1e6 / done * factor for name, pid in servers.items()}
    return Cost(name, done, done / seconds, ours, costs)


def _used(pid: int) -> float:
    """Seconds of a core that a server has used, with all its processes, those that have ended included."""
    server = psutil.Process(pid)
    times = server.cpu_times()
    used = times.user + times.system + times.children_user + times.children_system
    for child in server.children():
        times = child.cpu_times()
        used += times.user + times.system
    return used


def _appender(desk: Desk) -> Mover:
    """Appends entries of a usual size to a log of its own."""
    game, last, filler = str(uuid7()), Move("", 0, "", b"", "", chain.GENESIS, b""), "x" * 700

    def next_move() -> Move:
        body = msgspec.json.encode({"game": game, "seq": last.seq + 1, "filler": filler})
        hashed = chain.entry_hash(body)
        return Move(
            game, last.seq + 1, str(uuid4()), sha256(body).digest()[:FINGERPRINT_BYTES], last.hash, hashed, body
        )

    async def append() -> int:
        nonlocal last
        began = time.thread_time_ns()
        move = next_move()
        prepared = time.thread_time_ns() - began
        if move.seq == 1:
            row = GameRow(game, game, move.command_id, move.fingerprint, "oil-and-gas", "standard", "public", SEATS, 0)
            await desk.store.create_game(row, bytes(32), move)
        else:
            assert await desk.store.append(move) == Appended()
        last = move
        return prepared

    return append


async def _table(desks: Sequence[Desk], ruleset: str, number: int) -> Mover:
    """A table where each call is one move, each seat at a worker of its own; a new game begins when one is over."""
    dice = random.Random(number)
    people = [Caller(str(uuid7()), frozenset({"play", "organize"})) for _ in range(SEATS)]
    game = await _started(desks[0], ruleset, people)
    newest = desks[0]

    async def move() -> int:
        nonlocal game, newest
        hot = await newest.games.get(game)
        if hot.game.ended:
            game = await _started(newest, ruleset, people)
            hot = await newest.games.get(game)
        # Looking at the clock costs as much as a part of a move: one choice in some is timed, for all of them.
        timed = dice.randrange(TIMED) == 0
        began = time.thread_time_ns() if timed else 0
        seat = dice.choice(hot.game.awaited)
        options = options_for(hot.game, hot.book, seat)
        command = options[dice.randrange(len(options))].pick(dice.randrange)
        prepared = TIMED * (time.thread_time_ns() - began) if timed else 0
        newest = desks[seat % len(desks)]
        await submit_command(newest, people[seat], game, str(uuid4()), command)
        return prepared

    return move


async def _started(desk: Desk, ruleset: str, people: Sequence[Caller]) -> str:
    game = (await create_game(desk, people[0], str(uuid4()), Table(ruleset=ruleset, seats=SEATS))).game
    for person in people:
        await take_seat(desk, person, game, str(uuid4()))
    await start_game(desk, people[0], game, str(uuid4()))
    return game


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5))
