"""News for accounts, by the feed: your move, started, finished, and what else happens at the own tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from service.store.feed import FeedItem
from service.store.news import YOUR_MOVE, told_by
from service.store.postgres_news import CHANNEL

if TYPE_CHECKING:
    from service.store.connections import Connection

# One round trip per batch. Who sits at the table, or made it, is told; who is asked is asked. Words and seats come as
# texts, as an array of arrays has no rows of different lengths. A notification has room for 8,000 bytes.
_TELL: Final = f"""
WITH told AS (
    SELECT pos, game_id, seq, at, string_to_array(what, ' ') AS what, string_to_array(asked, ' ')::int[] AS asked
    FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
    AS t (pos, game_id, seq, at, what, asked)
), seated AS (
    SELECT t.pos, p.account, p.seat FROM told t JOIN players p ON p.game_id = t.game_id WHERE p.account IS NOT NULL
    UNION ALL SELECT t.pos, g.created_by, NULL FROM told t JOIN games g ON g.id = t.game_id
), concerned AS (
    SELECT s.pos, s.account, coalesce(array_agg(s.seat ORDER BY s.seat) FILTER (WHERE s.seat = ANY (t.asked)), '{{}}')
           AS seats
    FROM seated s JOIN told t ON t.pos = s.pos GROUP BY s.pos, s.account
), added AS (
    INSERT INTO news (account, pos, game_id, seq, at, what, seats)
    SELECT c.account, t.pos, t.game_id, t.seq, t.at,
           CASE WHEN cardinality(c.seats) > 0 THEN t.what || '{YOUR_MOVE}'::text ELSE t.what END, c.seats
    FROM concerned c JOIN told t ON t.pos = c.pos WHERE cardinality(c.seats) > 0 OR cardinality(t.what) > 0
    ON CONFLICT DO NOTHING RETURNING account
), heard AS (
    SELECT account, row_number() OVER () / 200 AS part FROM (SELECT DISTINCT account FROM added) AS once
)
SELECT pg_notify('{CHANNEL}', string_agg(account::text, ' ')) FROM heard GROUP BY part
"""  # noqa: S608 - constants


class NewsReader:
    """Writes the table `news`."""

    name = "news"

    async def take(self, connection: Connection, items: Sequence[FeedItem]) -> None:
        rows = []
        for item in items:
            at, told = told_by(item.body)
            if told.what or told.asked:
                rows.append((item.pos, item.game, item.seq, at, " ".join(told.what), " ".join(map(str, told.asked))))
        if rows:
            await connection.execute(_TELL, *zip(*rows, strict=True))

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM news")
