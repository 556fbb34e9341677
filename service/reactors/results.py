"""How games ended, by the feed. Ratings and standings count these rows, so a verdict on a result changes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from events.entry import read_body
from service.store.feed import FeedItem

if TYPE_CHECKING:
    from service.store.connections import Connection

_ENDED: Final = """
INSERT INTO results (game_id, ruleset, outcome, reason, winners, standings, scores, corrected, at, seq)
VALUES ($1, $9, $2, $3, $4, $5, $6, false, $7, $8)
ON CONFLICT (game_id) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason, winners = excluded.winners,
    standings = excluded.standings, scores = excluded.scores, at = excluded.at, seq = excluded.seq
"""
_CORRECTED: Final = """
UPDATE results SET winners = $2, standings = $3, scores = $4, corrected = true, at = $5, seq = $6 WHERE game_id = $1
"""
_OUTCOMES: Final = {"game_finished": "finished", "game_aborted": "aborted", "game_annulled": "annulled"}
# Nearly no entry says anything of a result, and those that do not are not read. A text that looks like it costs little.
_TELLING: Final = re.compile(rb'"(?:game_finished|game_aborted|game_annulled|result_corrected)"').search


class Results:
    """Writes the table `results`."""

    name = "results"

    async def take(self, connection: Connection, items: Sequence[FeedItem]) -> None:
        for item in items:
            if _TELLING(item.body):
                await self._take(connection, item)

    async def _take(self, connection: Connection, item: FeedItem) -> None:
        body = read_body(item.body)
        for event in body.events:
            kind = event["type"]
            if kind in _OUTCOMES:
                ruleset = await connection.fetchval("SELECT ruleset FROM games WHERE id = $1", item.game)
                await connection.execute(
                    _ENDED,
                    item.game,
                    _OUTCOMES[kind],
                    event["reason"],
                    event.get("winners", []),
                    _json(event.get("standings", [])),
                    _json(event.get("scores", [])),
                    body.at,
                    item.seq,
                    ruleset,
                )
            elif kind == "result_corrected":
                standings, scores = _json(event["standings"]), _json(event["scores"])
                await connection.execute(_CORRECTED, item.game, event["winners"], standings, scores, body.at, item.seq)

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM results")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
