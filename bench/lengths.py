"""Whether the length of a log matters: for appending to it, and for looking back at an earlier version of its game."""

from __future__ import annotations

import asyncio
import os
import random
import time
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid4

import asyncpg
from msgspec import Struct
from uuid6 import uuid7

from bench.figures import Figure, Series, ratio
from bench.logs import NO_FINGERPRINT
from bench.processes import family_seconds
from bench.servers import Servers
from events.chain import ENTRY_TAG
from projections.projection import Projection
from service.handling.checkpoints import Checkpoints
from service.handling.folding import fold_rows
from service.store.opening import open_postgres
from service.store.postgres import PostgresStore
from service.store.protocol import Appended, Move, Row

LONG: Final = 10_000
SHORT: Final = 10
LOGS: Final = 64
ROUNDS: Final = 40
APPENDS: Final = 10
"""To each log in a round."""
LOOKS: Final = 200
BODY: Final = 800

APPEND: Final = f"cost of an append: log of {LONG:,} entries : log of {SHORT}"
FOLDED: Final = "entries folded for a view at version n"


class _Log(Struct):
    game: str
    seq: int
    head: bytes


async def appends(on: Servers) -> list[Figure]:
    """What Postgres spends on an append to long logs and to short ones, in turns. No service runs on this database."""
    store = await open_postgres(on.database)
    kinds = await _filled(on)
    spent: dict[int, list[float]] = {SHORT: [], LONG: []}
    series = {length: Series(f"appends to a log of {length:,} entries") for length in kinds}
    for logs in kinds.values():
        await asyncio.gather(*(_append(store, log) for log in logs))
    for number in range(ROUNDS):
        for length in (SHORT, LONG) if number % 2 == 0 else (LONG, SHORT):
            used, began = family_seconds(on.postgres), time.perf_counter()
            times = await asyncio.gather(*(_append(store, log) for log in kinds[length]))
            taken, used = time.perf_counter() - began, family_seconds(on.postgres) - used
            single = [seconds for one in times for seconds in one]
            series[length].add(len(single), taken, single, {"Postgres": used})
            spent[length].append(used / len(single) * 1e6)
    await store.close()
    costs = {length: Figure(name=str(length), rounds=tuple(rounds), unit=" µs") for length, rounds in spent.items()}
    return [ratio(APPEND, costs[LONG], costs[SHORT]), *(one.figure() for one in series.values())]


async def look_back(database: str, game: str, projection: Projection) -> list[Figure]:
    """How many entries are folded for a view at an earlier version of a game that was looked back at before."""
    store = await open_postgres(database)
    counting = _Counting(store.pool)
    head = await store.head(game)
    assert head is not None, "kept before"
    kept = Checkpoints(counting, fold_rows, most=2 * head.seq)
    await kept.at(game, head.seq, projection)
    dice = random.Random(game)
    folded, times = [], []
    for _ in range(LOOKS):
        counting.read, began = 0, time.perf_counter()
        await kept.at(game, dice.randint(1, head.seq), projection)
        times.append(1000 * (time.perf_counter() - began))
        folded.append(float(counting.read))
    await store.close()
    name = f"state at version n of a game of {head.seq:,} entries"
    return [
        Figure(name=FOLDED, rounds=tuple(folded), unit=" entries"),
        Figure(name=name, rounds=tuple(times), unit=" ms"),
    ]


class _Counting(PostgresStore):
    """Counts the rows that are read."""

    read = 0

    async def rows(self, game: str, after: int, limit: int) -> list[Row]:
        found = await super().rows(game, after, limit)
        self.read += len(found)
        return found


async def _append(store: PostgresStore, log: _Log) -> list[float]:
    """Some entries, one after the other: the seconds of each."""
    times = []
    for _ in range(APPENDS):
        body, hashed = _entry()
        began = time.perf_counter()
        move = Move(log.game, log.seq + 1, str(uuid4()), NO_FINGERPRINT, log.head.hex(), hashed.hex(), body)
        assert await store.append(move) == Appended(), "nobody else appends"
        times.append(time.perf_counter() - began)
        log.seq, log.head = log.seq + 1, hashed
    return times


async def _filled(on: Servers) -> dict[int, list[_Log]]:
    """Logs of both lengths, made in turns: the short ones do not share a page that the long ones had to themselves."""
    kinds: dict[int, list[_Log]] = {SHORT: [], LONG: []}
    connection = await asyncpg.connect(on.database)
    for _ in range(LOGS):
        for length, logs in kinds.items():
            logs.append(await _one_filled(connection, length))
    for statement in ("VACUUM (ANALYZE) moves", "CHECKPOINT"):
        await connection.execute(statement)
    await connection.close()
    return kinds


async def _one_filled(connection: asyncpg.Connection[asyncpg.Record], length: int) -> _Log:
    """A log of so many entries of a usual size."""
    game, hashed = uuid7(), b""
    rows = []
    for seq in range(1, length + 1):
        body, hashed = _entry()
        rows.append((UUID(bytes=game.bytes), seq, uuid4(), NO_FINGERPRINT, hashed, body))
    columns = ("game_id", "seq", "command_id", "fingerprint", "hash", "body")
    await connection.copy_records_to_table("moves", columns=columns, records=rows)
    return _Log(str(game), length, hashed)


def _entry() -> tuple[bytes, bytes]:
    body = b'{"filler":"%s"}' % os.urandom(BODY // 2).hex().encode()
    return body, sha256(ENTRY_TAG + body).digest()
