"""Results in Postgres: the table `results`, kept by the feed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from service.store.connections import patiently
from service.store.protocol import FoundResult, Player
from service.store.results import GameResult, ResultQuery

if TYPE_CHECKING:
    import asyncpg

    from service.store.connections import Connection, Pool

_FOUND: Final = """
SELECT r.*, g.status,
    (SELECT coalesce(json_agg(json_build_object('seat', p.seat, 'account', p.account, 'bot', p.bot) ORDER BY p.seat),
                     '[]')
     FROM players p WHERE p.game_id = r.game_id) AS players
FROM results r JOIN games g ON g.id = r.game_id WHERE
"""
_MAY_KNOW: Final = """
(g.visibility = 'public' OR g.created_by = $1
 OR EXISTS (SELECT FROM players p WHERE p.game_id = r.game_id AND p.account = $1))
"""
_SITS: Final = "EXISTS (SELECT FROM players p WHERE p.game_id = r.game_id AND p.account = {})"
_KEEP: Final = """
INSERT INTO results (game_id, ruleset, outcome, reason, winners, standings, scores, corrected, at, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (game_id) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason, winners = excluded.winners,
    standings = excluded.standings, scores = excluded.scores, corrected = excluded.corrected, at = excluded.at,
    seq = excluded.seq
"""
_players = msgspec.json.Decoder(tuple[Player, ...])
_standings = msgspec.json.Decoder(tuple[tuple[int, ...], ...])
_scores = msgspec.json.Decoder(tuple[int, ...])


class PostgresResults:
    """The part of the store that reads results."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds

    async def results(self, query: ResultQuery) -> list[FoundResult]:
        sql, arguments = _query(query)
        async with patiently(self._seconds):
            rows = await self._pool.fetch(sql, *arguments)
        found = [
            FoundResult(_result(row), row["ruleset"], row["status"], _players.decode(row["players"])) for row in rows
        ]
        return found[::-1] if query.before else found


async def kept_result(connection: Connection, game: str) -> GameResult | None:
    """The result of a game as it is kept, within a transaction."""
    row = await connection.fetchrow("SELECT * FROM results WHERE game_id = $1", game)
    return None if row is None else _result(row)


async def keep_result(connection: Connection, result: GameResult) -> None:
    """Keep the result of a game, within a transaction."""
    ruleset = await connection.fetchval("SELECT ruleset FROM games WHERE id = $1", result.game)
    await connection.execute(
        _KEEP,
        result.game,
        ruleset,
        result.outcome,
        result.reason,
        result.winners,
        msgspec.json.encode(result.standings).decode(),
        msgspec.json.encode(result.scores).decode(),
        result.corrected,
        result.at,
        result.seq,
    )


def _query(query: ResultQuery) -> tuple[str, list[Any]]:
    arguments: list[Any] = [query.viewer]
    # $1 has a type even where no condition below uses it.
    conditions = ["($1::uuid IS NULL OR true)"]
    if not query.everything:
        conditions.append("g.visibility = 'public'" if query.viewer is None else _MAY_KNOW)
    compared = (
        ("r.game_id = {}", query.game),
        ("r.ruleset = {}", query.ruleset),
        (_SITS, query.account),
        ("r.at >= {}", query.since),
    )
    for condition, value in compared:
        if value is not None:
            arguments.append(value)
            conditions.append(condition.format(f"${len(arguments)}"))
    for comparison, place in (("<", query.after), (">", query.before)):
        if place is not None:
            arguments += [place.at, place.game]
            conditions.append(
                f"(r.at, r.game_id) {comparison} (${len(arguments) - 1}::bigint, ${len(arguments)}::uuid)"
            )
    arguments.append(query.limit)
    direction = "ASC" if query.before else "DESC"
    order = f"ORDER BY r.at {direction}, r.game_id {direction} LIMIT ${len(arguments)}"
    return f"{_FOUND} {' AND '.join(conditions)} {order}", arguments


def _result(row: asyncpg.Record) -> GameResult:
    return GameResult(
        game=str(row["game_id"]),
        outcome=row["outcome"],
        reason=row["reason"],
        winners=tuple(row["winners"]),
        standings=_standings.decode(row["standings"]),
        scores=_scores.decode(row["scores"]),
        at=row["at"],
        seq=row["seq"],
        corrected=row["corrected"],
    )
