"""Copies of everything in a database, under new ids of games: a log grows by millions of entries within minutes.

An entry of a copy is the original's with the new id and the hash of the entry before it in their places, so the chain
holds and Postgres checks each row as it checks any other. What follows from entries is copied beside them: games, who
sits where, feed, news, results.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import asyncpg
from uuid6 import uuid7

from events.chain import ENTRY_TAG

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

BESIDE: Final = ("games", "secrets", "players", "results", "feed", "news")
"""The tables that have rows for each game, beside the log."""

_Rows = list[tuple[Any, ...]]


class Original:
    """What the database holds, to be copied. Nothing else may write to it from `read` or `resume` to `settle`."""

    def __init__(self, log: list[asyncpg.Record], beside: dict[str, list[asyncpg.Record]]) -> None:
        self._log, self._beside = log, beside
        self._numbered = max(row["pos"] for row in beside["feed"])
        self._last = self._numbered
        self.entries = len(log)

    @classmethod
    async def read(cls, connection: Connection) -> Original:
        """Everything there is."""
        # In the order of the feed: games in play grow side by side, each from its first entry to its last.
        log = await connection.fetch("SELECT m.* FROM moves m JOIN feed_entries f USING (game_id, seq) ORDER BY f.pos")
        beside = {name: await connection.fetch(f"SELECT * FROM {name}") for name in BESIDE}  # noqa: S608 - constants
        return cls(log, beside)

    async def resume(self, connection: Connection) -> None:
        """Others have written meanwhile: the feed goes on behind them."""
        self._last = await connection.fetchval("SELECT last FROM feed_sequencer")

    async def copy(self, connection: Connection) -> dict[str, str]:
        """One more of each game; the new ids by the old ones."""
        named = {row["id"]: UUID(bytes=uuid7().bytes) for row in self._beside["games"]}
        async with connection.transaction():
            await _write(connection, "moves", self._log, list(_rechained(self._log, named)))
            for table, rows in self._beside.items():
                shifted = [self._moved(dict(row), named) for row in rows]
                await _write(connection, table, rows, shifted)
        self._last += self._numbered
        return {str(old): str(new) for old, new in named.items()}

    async def settle(self, connection: Connection) -> None:
        """The feed goes on after the last copy, and its readers have read it all; the planner knows of the new rows."""
        await connection.execute("UPDATE feed_sequencer SET last = $1", self._last)
        await connection.execute("UPDATE feed_readers SET pos = $1", self._last)
        for table in ("moves", *BESIDE):
            await connection.execute(f"VACUUM (ANALYZE) {table}")
        await connection.execute("CHECKPOINT")

    def _moved(self, row: dict[str, Any], named: dict[Any, UUID]) -> tuple[Any, ...]:
        for name in row.keys() & {"id", "game_id"}:
            row[name] = named[row[name]]
        if "games" in row:
            row["games"] = [named[game] for game in row["games"]]
        if "pos" in row:
            row["pos"] += self._last
        if "command_id" in row:
            row["command_id"] = uuid7()
        return tuple(row.values())


def _rechained(log: list[asyncpg.Record], named: dict[Any, UUID]) -> Iterator[tuple[Any, ...]]:
    """The rows of the log under new names."""
    names = {old: (str(old).encode(), str(new).encode()) for old, new in named.items()}
    heads: dict[Any, tuple[bytes, bytes]] = {}
    for row in log:
        fields = dict(row)
        game = fields["game_id"]
        body = fields["body"].replace(*names[game])
        if game in heads:
            body = body.replace(*heads[game], 1)
        hashed = sha256(ENTRY_TAG + body).digest()
        heads[game] = fields["hash"].hex().encode(), hashed.hex().encode()
        fields["game_id"], fields["body"], fields["hash"] = named[game], body, hashed
        yield tuple(fields.values())


async def _write(connection: Connection, table: str, like: list[asyncpg.Record], rows: _Rows) -> None:
    if rows:
        await connection.copy_records_to_table(table, columns=list(like[0].keys()), records=rows)
