"""News for accounts, by the feed: your move, started, finished, and what else happens at the own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from service.store.feed import FeedItem
from service.store.news import YOUR_MOVE, told_by
from service.store.postgres_news import CHANNEL

if TYPE_CHECKING:
    from service.store.connections import Connection

# One round trip per entry. Who sits at the table, or made it, is told; who is asked is asked.
_TELL: Final = f"""
WITH seated AS (
    SELECT account, seat FROM players WHERE game_id = $2 AND account IS NOT NULL
    UNION ALL SELECT created_by, NULL FROM games WHERE id = $2
), concerned AS (
    SELECT account, coalesce(array_agg(seat ORDER BY seat) FILTER (WHERE seat = ANY ($6::int[])), '{{}}') AS seats
    FROM seated GROUP BY account
), added AS (
    INSERT INTO news (account, pos, game_id, seq, at, what, seats)
    SELECT account, $1, $2, $3, $4,
           CASE WHEN cardinality(seats) > 0 THEN $5::text[] || '{YOUR_MOVE}'::text ELSE $5::text[] END, seats
    FROM concerned WHERE cardinality(seats) > 0 OR cardinality($5::text[]) > 0
    ON CONFLICT DO NOTHING RETURNING account
)
SELECT pg_notify('{CHANNEL}', account::text) FROM added
"""  # noqa: S608 - constants


class NewsReader:
    """Writes the table `news`."""

    name = "news"

    async def take(self, connection: Connection, item: FeedItem) -> None:
        at, told = told_by(item.body)
        if told.what or told.asked:
            await connection.execute(_TELL, item.pos, item.game, item.seq, at, list(told.what), list(told.asked))

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM news")
