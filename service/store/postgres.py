"""The store in Postgres: the log and what is known about games."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg
from msgspec import Struct

from events.seals import Seals
from service.store import connections
from service.store.appending import AboutGame, GroupCommit, by_game
from service.store.connections import patiently
from service.store.postgres_accounts import PostgresAccounts
from service.store.postgres_branches import PostgresBranches
from service.store.postgres_games import CreatedBefore, PostgresGames, apply_changes, insert_game, insert_games
from service.store.postgres_news import PostgresNews
from service.store.postgres_results import PostgresResults
from service.store.protocol import (
    Appended,
    Changes,
    Duplicate,
    GameRow,
    Head,
    Move,
    MovedOn,
    NewGame,
    Outcome,
    Row,
    Since,
)

if TYPE_CHECKING:
    from service.store.connections import Connection, Pool


# That a hash has 32 bytes is true of each, and taken to be true of few: so the planner expects one row whatever came,
# and plans once for all groups, not anew for each, which costs more than the inserting.
# One statement, one round trip, one commit. Rows are taken in the order of their games, so that two groups with rivals
# in them wait for one another in one direction only.
# Whoever sees the entry before sees all of its game: each was committed before the next was appended. So a command that
# was done is seen here. It is looked for by its hash in words that leave the planner no other index, since by the game
# it would read the whole log.
_APPEND = """
WITH wanted AS (
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[],
                         $8::json[])
    AS w (game_id, seq, command_id, fingerprint, prev, hash, body, sealed)
), added AS (
    INSERT INTO moves (game_id, seq, command_id, fingerprint, hash, body, sealed)
    SELECT w.game_id, w.seq, w.command_id, w.fingerprint, w.hash, w.body, w.sealed
    FROM wanted w JOIN moves p ON p.game_id = w.game_id AND p.seq = w.seq - 1 AND p.hash = w.prev
    WHERE octet_length(w.hash) = 32 AND NOT EXISTS (
        SELECT FROM moves d WHERE uuid_hash_extended(d.command_id, 0) = uuid_hash_extended(w.command_id, 0)
        AND (d.game_id, d.command_id) IS NOT DISTINCT FROM (w.game_id, w.command_id)
    )
    ORDER BY w.game_id
    ON CONFLICT DO NOTHING
    RETURNING game_id, seq
), pending AS (
    INSERT INTO feed_pending (game_id, seq) SELECT game_id, seq FROM added ON CONFLICT DO NOTHING
)
SELECT game_id FROM added
"""

_FIRST = """
WITH added AS (
    INSERT INTO moves (game_id, seq, command_id, fingerprint, hash, body, sealed)
    VALUES ($1, 1, $2, $3, $4, $5, $6)
    RETURNING game_id, seq
)
INSERT INTO feed_pending (game_id, seq) SELECT game_id, seq FROM added ON CONFLICT DO NOTHING
"""

_COLUMNS = "seq, command_id, fingerprint, hash, body, sealed"
_ROWS = f"SELECT {_COLUMNS} FROM moves WHERE game_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"  # noqa: S608 - constants
_FIRSTS = f"SELECT game_id, {_COLUMNS} FROM moves WHERE game_id = ANY($1) AND seq = 1"  # noqa: S608 - constants
_ROW_OF = f"""
SELECT {_COLUMNS} FROM moves WHERE uuid_hash_extended(command_id, 0) = uuid_hash_extended($2, 0)
AND (game_id, command_id) IS NOT DISTINCT FROM ($1::uuid, $2::uuid)
"""  # noqa: S608 - constants
# The anchor's body is known to whoever asks; only its hash is fetched. Each number is whole, which the planner takes to
# be rare: so it plans once here too.
_SINCE = """
SELECT w.game_id, m.seq, m.command_id, m.fingerprint, m.hash, CASE WHEN m.seq > w.seq THEN m.body END AS body, m.sealed
FROM unnest($1::uuid[], $2::bigint[]) AS w (game_id, seq)
JOIN moves m ON m.game_id = w.game_id AND m.seq >= w.seq
WHERE w.seq % 1 = 0
ORDER BY m.game_id, m.seq
"""
_HEAD = "SELECT seq, hash FROM moves WHERE game_id = $1 ORDER BY seq DESC LIMIT 1"
_VERSIONS = """
SELECT g.id, last.seq FROM unnest($1::uuid[]) AS g (id)
CROSS JOIN LATERAL (SELECT seq FROM moves WHERE game_id = g.id ORDER BY seq DESC LIMIT 1) AS last
"""

_MISSING = """
SELECT w.game_id FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS w (game_id, seq, hash)
WHERE NOT EXISTS (SELECT FROM moves m WHERE m.game_id = w.game_id AND m.seq = w.seq AND m.hash = w.hash)
"""


T = TypeVar("T", bound=AboutGame)
R = TypeVar("R")

_ALL = 2**31
"""More entries than a game has."""


class Place(Struct, frozen=True):
    """A position in a game's log, after which something may have come."""

    game: str
    seq: int


class NotAppended(Exception):
    """Undoes the transaction of an entry that did not follow."""


class PostgresStore(PostgresGames, PostgresNews, PostgresResults, PostgresAccounts, PostgresBranches):
    """The store of a running service. Made by `open_postgres`."""

    _row_of = _ROW_OF

    def __init__(self, pool: Pool, seconds: float = 10) -> None:
        super().__init__(pool, seconds)
        self._group = self._in_groups(self._insert)
        self._questions = self._in_groups(self._since, shared=True)

    def _in_groups(
        self, work: Callable[[Sequence[T]], Awaitable[dict[str, R]]], *, shared: bool = False, **limits: int
    ) -> GroupCommit[T, R]:
        async def work_patiently(items: Sequence[T]) -> dict[str, R]:
            async with patiently(self._seconds):
                return await work(items)

        return GroupCommit(
            work_patiently, can_be_one_rows_fault, by=by_game, seconds=self._seconds, shared=shared, **limits
        )

    @property
    def pool(self) -> Pool:
        """The connections, for what follows the log beside the use cases."""
        return self._pool

    @property
    def group_sizes(self) -> Counter[int]:
        return self._group.sizes

    async def append(self, move: Move) -> Outcome:
        return Appended() if await self._group.append(move) else await self._why_not(move)

    async def append_with(self, move: Move, changes: Changes) -> Outcome:
        async with patiently(self._seconds):
            try:
                async with self._pool.acquire() as connection, connection.transaction():
                    await self._append_alone(connection, move)
                    await apply_changes(connection, move.game, changes)
            except NotAppended:
                return await self._why_not(move)
            return Appended()

    async def create_game(self, game: GameRow, server_seed: bytes, move: Move) -> GameRow | None:
        async with patiently(self._seconds):
            async with self._pool.acquire() as connection, connection.transaction():
                if await insert_game(connection, game, server_seed):
                    await _insert_first(connection, move)
                    return None
            return (await self._created_before(game.created_by, [game.command_id]))[0]

    async def create_games(self, games: Sequence[NewGame]) -> list[GameRow] | None:
        async with patiently(self._seconds):
            try:
                async with self._pool.acquire() as connection, connection.transaction():
                    await insert_games(connection, games)
                    await connection.executemany(_FIRST, [_first(new.move) for new in games])
            except CreatedBefore:
                return await self._created_before(games[0].row.created_by, [new.row.command_id for new in games])
            return None

    async def first_rows(self, games: Sequence[str]) -> dict[str, Row]:
        async with patiently(self._seconds):
            found = await self._pool.fetch(_FIRSTS, games)
            return {str(row["game_id"]): _row(row) for row in found}

    async def since(self, game: str, seq: int) -> Since:
        if seq == 0:
            return Since(None, await self.rows(game, 0, _ALL))
        return await self._questions.append(Place(game, seq)) or Since(None, [])

    async def rows(self, game: str, after: int, limit: int) -> list[Row]:
        async with patiently(self._seconds):
            return [_row(one) for one in await self._pool.fetch(_ROWS, game, after, limit)]

    async def row_of(self, game: str, command_id: str) -> Row | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(self._row_of, game, command_id)
        return None if found is None else _row(found)

    async def head(self, game: str) -> Head | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(_HEAD, game)
        return None if found is None else Head(found["seq"], found["hash"].hex())

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        async with patiently(self._seconds):
            return {str(row["id"]): row["seq"] for row in await self._pool.fetch(_VERSIONS, games)}

    async def missing(self, heads: Sequence[tuple[str, Head]]) -> list[str]:
        games, seqs, hashes = [], [], []
        for game, head in heads:
            games.append(game)
            seqs.append(head.seq)
            hashes.append(bytes.fromhex(head.hash))
        async with patiently(self._seconds):
            return [str(row["game_id"]) for row in await self._pool.fetch(_MISSING, games, seqs, hashes)]

    async def ready(self) -> None:
        async with patiently(self._seconds):
            await self._pool.fetchval("SELECT 1")

    async def close(self) -> None:
        await self._group.close()
        await self._questions.close()
        try:
            async with asyncio.timeout(self._seconds):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    async def _insert(self, moves: Sequence[Move]) -> dict[str, bool]:
        return {str(row["game_id"]): True for row in await self._pool.fetch(_APPEND, *columns(moves))}

    async def _append_alone(self, connection: Connection, move: Move) -> None:
        """Append in the transaction of this connection. Raises `NotAppended`."""
        if not await connection.fetch(_APPEND, *columns([move])):
            raise NotAppended

    async def _since(self, places: Sequence[Place]) -> dict[str, Since]:
        seqs = {one.game: one.seq for one in places}
        found: dict[str, list[asyncpg.Record]] = {}
        for row in await self._pool.fetch(_SINCE, list(seqs), list(seqs.values())):
            found.setdefault(str(row["game_id"]), []).append(row)
        return {game: read_since(rows, seqs[game]) for game, rows in found.items()}

    async def _why_not(self, move: Move) -> Outcome:
        row = await self.row_of(move.game, move.command_id)
        return MovedOn() if row is None else Duplicate(row)


def can_be_one_rows_fault(error: Exception) -> bool:
    """Whether an error may be that of one row alone, so that the others can go without it."""
    return isinstance(error, asyncpg.PostgresError) and not connections.is_away(error)


async def _insert_first(connection: Connection, move: Move) -> None:
    await connection.execute(_FIRST, *_first(move))


def _first(move: Move) -> tuple[Any, ...]:
    return (move.game, move.command_id, move.fingerprint, bytes.fromhex(move.hash), move.body, _sealed(move))


def columns(moves: Sequence[Move]) -> tuple[list[Any], ...]:
    """What of each entry is appended: game, seq, command id, fingerprint, previous hash, hash, body, sealed fields."""
    return (
        [move.game for move in moves],
        [move.seq for move in moves],
        [move.command_id for move in moves],
        [move.fingerprint for move in moves],
        [bytes.fromhex(move.prev) for move in moves],
        [bytes.fromhex(move.hash) for move in moves],
        [move.body for move in moves],
        [_sealed(move) for move in moves],
    )


def _sealed(move: Move) -> str | None:
    return Seals.of(move.sealed).kept.decode() or None


def read_since(found: Sequence[asyncpg.Record], seq: int) -> Since:
    """What follows a position, from the entry at it on, if there is such a one."""
    if not found or found[0]["seq"] != seq:
        return Since(None, [_row(one) for one in found])
    return Since(found[0]["hash"].hex(), [_row(one) for one in found[1:]])


def _row(found: asyncpg.Record) -> Row:
    sealed = found["sealed"]
    return Row(
        seq=found["seq"],
        command_id=str(found["command_id"]),
        fingerprint=found["fingerprint"],
        hash=found["hash"].hex(),
        body=found["body"],
        sealed=() if sealed is None else Seals(sealed.encode()),
    )
