"""How games ended, by the feed. Ratings and standings count these rows, so a verdict on a result changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.store.postgres_results import keep_result, kept_result
from service.store.results import result_after, tells_a_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.store.connections import Connection
    from service.store.feed import FeedItem


class Results:
    """Writes the table `results`."""

    name = "results"

    async def take(self, connection: Connection, items: Sequence[FeedItem]) -> None:
        for item in items:
            if tells_a_result(item.body):
                result = result_after(await kept_result(connection, item.game), item.body)
                if result is not None:
                    await keep_result(connection, result)

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM results")
