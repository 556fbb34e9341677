"""News in Postgres: read by their account, announced when they are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from service.store.connections import patiently
from service.store.news import News

if TYPE_CHECKING:
    from service.store.connections import Pool

CHANNEL: Final = "gusher_news"
"""Notified with the ids of accounts that there are news for. The reader does so, once per batch: never the append."""

_NEWS = """
SELECT pos, game_id, seq, at, what, seats FROM news WHERE account = $1 AND pos > $2 ORDER BY pos LIMIT $3
"""
_NEWS_OF_GAME = """
SELECT pos, game_id, seq, at, what, seats FROM news
WHERE account = $1 AND game_id = $4 AND pos > $2 ORDER BY pos LIMIT $3
"""
_NEWEST = """
SELECT a.id, last.pos FROM unnest($1::uuid[]) AS a (id)
CROSS JOIN LATERAL (SELECT pos FROM news WHERE account = a.id ORDER BY pos DESC LIMIT 1) AS last
"""


class PostgresNews:
    """The part of the store that reads news."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds

    async def news(self, account: str, after: int, limit: int, game: str | None = None) -> list[News]:
        query, more = (_NEWS, ()) if game is None else (_NEWS_OF_GAME, (game,))
        async with patiently(self._seconds):
            found = await self._pool.fetch(query, account, after, limit, *more)
        return [
            News(row["pos"], str(row["game_id"]), row["seq"], row["at"], tuple(row["what"]), tuple(row["seats"]))
            for row in found
        ]

    async def newest(self, accounts: Sequence[str]) -> dict[str, int]:
        async with patiently(self._seconds):
            return {str(row["id"]): row["pos"] for row in await self._pool.fetch(_NEWEST, accounts)}
