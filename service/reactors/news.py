"""News for accounts, by the feed: your move, started, finished, and what else happens at the own tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from service.store.feed import FeedItem
from service.store.news import YOUR_MOVE, told_by
from service.store.postgres_news import CHANNEL

if TYPE_CHECKING:
    from service.store.connections import Connection

# One round trip per batch. Words and seats come as texts, as an array of arrays has no rows of different lengths.
_TELL: Final = "SELECT tell_news($1, $2, $3, $4, $5, $6, $7, $8)"


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
            await connection.execute(_TELL, *zip(*rows, strict=True), YOUR_MOVE, CHANNEL)

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM news")
