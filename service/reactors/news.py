"""News for accounts, by the feed: your move, started, finished, and what else happens at the own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from service.store.feed import FeedItem
from service.store.news import YOUR_MOVE, told_by
from service.store.postgres_news import CHANNEL

if TYPE_CHECKING:
    from service.store.connections import Connection

_TELL: Final = "SELECT tell_news($1, $2, $3, $4, $5, $6, $7, $8)"


class NewsReader:
    """Writes the table `news`."""

    name = "news"

    async def take(self, connection: Connection, item: FeedItem) -> None:
        at, told = told_by(item.body)
        if told.what or told.asked:
            what, asked = list(told.what), list(told.asked)
            await connection.execute(_TELL, item.pos, item.game, item.seq, at, what, asked, YOUR_MOVE, CHANNEL)

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM news")
