"""The feed across games: one sequencer numbers what was appended, readers follow it and keep their place.

A reader's place moves in the transaction of the rows it writes, from the place it began at: so each entry is taken
once, whatever is killed when, and however many processes run the same reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol
from uuid import UUID

from msgspec import Struct

from service.store.connections import is_away, patiently

if TYPE_CHECKING:
    from service.store.connections import Connection, Pool

LEASE: Final = 10.0
"""Seconds after which a sequencer that does nothing any more may be replaced."""

Place = tuple[str, int]
_FIRST: Final[Place] = ("00000000-0000-0000-0000-000000000000", 0)
"""Before every entry."""
_LAST: Final[Place] = ("ffffffff-ffff-ffff-ffff-ffffffffffff", 2**63 - 1)
"""After every entry."""

_MOST_ERROR: Final = 500

_ACQUIRE = """
UPDATE feed_sequencer SET epoch = epoch + 1, expires = now() + make_interval(secs => $1)
WHERE expires < now() RETURNING epoch
"""
_HOLD = "SELECT last FROM feed_sequencer WHERE epoch = $1 FOR UPDATE"
# From where the last batch ended, so that a busy game of a low id does not keep the others waiting.
_END = """
SELECT game_id, seq FROM feed_pending WHERE (game_id, seq) > ($1, $2) ORDER BY game_id, seq OFFSET $3 - 1 LIMIT 1
"""
# What lies between two places, and not a list of entries: past one machine each shard would read the list. An entry is
# seen only where those before it in its game are seen too: each was committed before the next was appended.
_NUMBER = """
WITH taken AS (
    DELETE FROM feed_pending WHERE (game_id, seq) > ($2, $3) AND (game_id, seq) <= ($4, $5) RETURNING game_id, seq
)
INSERT INTO feed (pos, games, entries)
SELECT $1 + count(*), array_agg(game_id ORDER BY game_id, seq), array_agg(seq::int ORDER BY game_id, seq) FROM taken
HAVING count(*) > 0 RETURNING cardinality(games)
"""
_MOVE = """
UPDATE feed_sequencer SET last = last + $2, expires = now() + make_interval(secs => $3) WHERE epoch = $1
"""
# Positions have no gaps, so this reads what is wanted and the rest of one batch, whatever there is behind it.
_READ = """
SELECT * FROM (
    (SELECT pos, games, entries FROM feed WHERE pos > $1 AND pos <= $1 + $2)
    UNION ALL (SELECT pos, games, entries FROM feed WHERE pos > $1 + $2 ORDER BY pos LIMIT 1)
) AS batches ORDER BY pos
"""
# A question of its own: past one machine the feed and the log are on different nodes.
_BODIES = "SELECT game_id, seq, body FROM bodies_of($1, $2)"
_PARK = """
INSERT INTO feed_parked (reader, pos, game_id, seq, error) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
"""


class Deposed(Exception):
    """Another sequencer has taken over meanwhile; nothing was numbered."""


class Overtaken(Exception):
    """Another process has moved this reader meanwhile; nothing was written."""


class EntryGone(Exception):
    """The feed names an entry that is not in the log any more."""


class FeedItem(Struct, frozen=True):
    """An entry at its place in the feed. `body` is its canonical bytes; none are there if the entry is gone."""

    pos: int
    game: str
    seq: int
    body: bytes


class Parked(Struct, frozen=True):
    """An entry that a reader could not digest, and why."""

    pos: int
    game: str
    seq: int
    error: str


class Standing(Struct, frozen=True):
    """How far things are: the last position, what is still to be numbered, the readers' places."""

    last: int
    pending: int
    readers: dict[str, int]


class Handler(Protocol):
    """What a reader does. Both work on the given connection, within its transaction."""

    name: str

    async def take(self, connection: Connection, items: Sequence[FeedItem]) -> None:
        """Write what follows from these entries, in few statements: they are taken by the hundred."""
        ...

    async def reset(self, connection: Connection) -> None:
        """Delete everything written: the feed is read from its start again."""
        ...


class Sequencer:
    """Moves what was appended into the feed. Any number may run; one works, the others stand by.

    The work is fenced: each batch locks the sequencer's row under the epoch it was acquired with, so one that was
    paused for hours and wakes up numbers nothing.
    """

    def __init__(self, pool: Pool, *, seconds: float = 10, lease: float = LEASE, most: int = 10_000) -> None:
        self._pool, self._seconds, self._lease, self._most = pool, seconds, lease, most
        self._epoch: int | None = None
        self._from = _FIRST

    @property
    def works(self) -> bool:
        """Whether this one held the row when it last looked."""
        return self._epoch is not None

    async def acquire(self) -> bool:
        """Become the one that works, if nobody does."""
        async with patiently(self._seconds):
            self._epoch = await self._pool.fetchval(_ACQUIRE, self._lease)
        return self.works

    async def number(self) -> int:
        """Number one batch; how many. Raises `Deposed`, and then stands by."""
        begun, self._from = self._from, _FIRST
        try:
            async with patiently(self._seconds), self._pool.acquire() as connection, connection.transaction():
                numbered, reached = await self._batch(connection, begun)
        except Deposed:
            self._epoch = None
            raise
        # Only now is it certain: what was taken and undone comes before what follows it in its game.
        self._from = reached
        return numbered

    async def resign(self) -> None:
        """Let another one take over at once."""
        if self._epoch is not None:
            async with patiently(self._seconds):
                await self._pool.execute(
                    "UPDATE feed_sequencer SET expires = '-infinity' WHERE epoch = $1", self._epoch
                )
            self._epoch = None

    async def _batch(self, connection: Connection, after: Place) -> tuple[int, Place]:
        """How many were numbered, and from where to go on."""
        last = await connection.fetchval(_HOLD, self._epoch)
        if last is None:
            raise Deposed
        end = await connection.fetchrow(_END, *after, self._most)
        numbered: int = await connection.fetchval(_NUMBER, last, *after, *(end or _LAST)) or 0
        await connection.execute(_MOVE, self._epoch, numbered, self._lease)
        if not numbered and after != _FIRST:
            return await self._batch(connection, _FIRST)
        return numbered, (str(end["game_id"]), end["seq"]) if end else _FIRST


class Reader:
    """Follows the feed for one handler, batch by batch."""

    def __init__(self, pool: Pool, handler: Handler, *, seconds: float = 10, most: int = 2000) -> None:
        self._pool, self._handler, self._seconds, self.most = pool, handler, seconds, most

    async def read(self) -> int:
        """Take one batch; how many entries. Raises `Overtaken`.

        An entry that the handler cannot digest is parked with its position, and the others are taken.
        """
        name = self._handler.name
        async with patiently(self._seconds), self._pool.acquire() as connection, connection.transaction():
            old = await connection.fetchval("SELECT pos FROM feed_readers WHERE name = $1", name)
            if old is None:
                old = 0
                await connection.execute("INSERT INTO feed_readers (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
            items = await _items(connection, old, self.most)
            if not items:
                return 0
            await self._take(connection, items)
            new = items[-1].pos
            moved = await connection.execute(
                "UPDATE feed_readers SET pos = $3 WHERE name = $1 AND pos = $2", name, old, new
            )
            if moved != "UPDATE 1":
                raise Overtaken(name)
        return len(items)

    async def rebuild(self) -> int:
        """Write everything anew, from the start of the feed to where it stands; how many entries.

        One transaction: others see the old rows until the new ones are complete, and this reader waits.
        """
        name = self._handler.name
        async with self._pool.acquire() as connection, connection.transaction():
            await _place(connection, name)
            await self._handler.reset(connection)
            await connection.execute("DELETE FROM feed_parked WHERE reader = $1", name)
            pos = taken = 0
            while items := await _items(connection, pos, self.most):
                await self._take(connection, items)
                pos, taken = items[-1].pos, taken + len(items)
            await connection.execute("UPDATE feed_readers SET pos = $2 WHERE name = $1", name, pos)
        return taken

    async def parked(self) -> list[Parked]:
        """What could not be digested, oldest first."""
        sql = "SELECT pos, game_id, seq, error FROM feed_parked WHERE reader = $1 ORDER BY pos"
        async with patiently(self._seconds):
            found = await self._pool.fetch(sql, self._handler.name)
        return [Parked(row["pos"], str(row["game_id"]), row["seq"], row["error"]) for row in found]

    async def _take(self, connection: Connection, items: list[FeedItem]) -> None:
        """All at once; where one of them spoils it each half by itself, down to the one, which is parked."""
        try:
            async with connection.transaction():
                await self._take_all(connection, items)
        except Exception as error:
            if is_away(error):
                raise
            half = len(items) // 2
            if half:
                await self._take(connection, items[:half])
                await self._take(connection, items[half:])
            else:
                await self._park(connection, items[0], error)

    async def _park(self, connection: Connection, item: FeedItem, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"[:_MOST_ERROR]
        await connection.execute(_PARK, self._handler.name, item.pos, item.game, item.seq, why)

    async def _take_all(self, connection: Connection, items: list[FeedItem]) -> None:
        gone = next((item for item in items if not item.body), None)
        if gone is not None:
            raise EntryGone(f"entry {gone.seq} of game {gone.game} is not in the log")
        await self._handler.take(connection, items)


async def standing(pool: Pool) -> Standing:
    """How far the feed and its readers are."""
    last = await pool.fetchval("SELECT last FROM feed_sequencer")
    pending = await pool.fetchval("SELECT count(*) FROM feed_pending")
    readers = await pool.fetch("SELECT name, pos FROM feed_readers")
    return Standing(last, pending, {row["name"]: row["pos"] for row in readers})


async def _place(connection: Connection, name: str) -> None:
    """Hold the reader's place: nobody else moves it before this transaction ends."""
    await connection.execute("INSERT INTO feed_readers (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
    await connection.execute("SELECT pos FROM feed_readers WHERE name = $1 FOR UPDATE", name)


async def _items(connection: Connection, after: int, limit: int) -> list[FeedItem]:
    found: list[tuple[UUID, int]] = []
    for pos, games, entries in await connection.fetch(_READ, after, limit):
        taken = max(after - (pos - len(games)), 0)
        found += zip(games[taken:], entries[taken:], strict=True)
    del found[limit:]
    if not found:
        return []
    bodies = {(game, seq): body for game, seq, body in await connection.fetch(_BODIES, *zip(*found, strict=True))}
    return [
        FeedItem(pos, str(entry[0]), entry[1], bodies.get(entry, b"")) for pos, entry in enumerate(found, after + 1)
    ]
