"""What-if copies of games in Postgres, in a table of their own that the log knows nothing of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg

from service.store.connections import patiently
from service.store.protocol import BranchRow

if TYPE_CHECKING:
    from service.store.connections import Pool

_ADD = """
INSERT INTO branches (game_id, id, owner, fingerprint, created_at, expires_at, version, content)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
"""
_EXPIRED = "DELETE FROM branches WHERE expires_at <= $1"
_TOO_MANY = """
DELETE FROM branches WHERE (game_id, id) IN (
    SELECT game_id, id FROM branches WHERE owner = $1 ORDER BY created_at DESC, id DESC OFFSET $2
)
"""


class PostgresBranches:
    """The `Branches` of a store."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds

    async def add_branch(self, branch: BranchRow, most: int) -> BranchRow:
        async with patiently(self._seconds), self._pool.acquire() as connection, connection.transaction():
            await connection.execute(_EXPIRED, branch.created_at)
            await connection.execute(
                _ADD,
                branch.game,
                branch.id,
                branch.owner,
                branch.fingerprint,
                branch.created_at,
                branch.expires_at,
                branch.version,
                branch.content,
            )
            await connection.execute(_TOO_MANY, branch.owner, most)
            found = await connection.fetchrow(
                "SELECT * FROM branches WHERE game_id = $1 AND id = $2", branch.game, branch.id
            )
        return branch if found is None else _row(found)

    async def branch(self, game: str, branch: str, now: int) -> BranchRow | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(
                "SELECT * FROM branches WHERE game_id = $1 AND id = $2 AND expires_at > $3", game, branch, now
            )
        return None if found is None else _row(found)

    async def move_branch(self, branch: BranchRow, before: int) -> bool:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(
                "UPDATE branches SET version = $4, content = $5 WHERE game_id = $1 AND id = $2 AND version = $3 "
                "RETURNING id",
                branch.game,
                branch.id,
                before,
                branch.version,
                branch.content,
            )
        return found is not None

    async def drop_branch(self, game: str, branch: str) -> None:
        async with patiently(self._seconds):
            await self._pool.execute("DELETE FROM branches WHERE game_id = $1 AND id = $2", game, branch)


def _row(found: asyncpg.Record) -> BranchRow:
    return BranchRow(
        game=str(found["game_id"]),
        id=str(found["id"]),
        owner=str(found["owner"]),
        fingerprint=found["fingerprint"],
        created_at=found["created_at"],
        expires_at=found["expires_at"],
        version=found["version"],
        content=found["content"],
    )
