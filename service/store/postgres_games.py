"""What is known about games beside their logs, in Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import asyncpg
import msgspec

from service.store.connections import patiently
from service.store.protocol import (
    Changes,
    DisputeRead,
    GameQuery,
    GameRow,
    Invitation,
    InvitationSpent,
    Listed,
    NewGame,
    Player,
)

if TYPE_CHECKING:
    from service.store.connections import Connection, Pool

_MOMENT: Final = 0.01

_players_decoder = msgspec.json.Decoder(tuple[Player, ...])

_CREATE = """
INSERT INTO games (id, created_by, command_id, fingerprint, ruleset, edition, visibility, seats, created_at, status,
                   on_dispute)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
_ONCE = """
INSERT INTO creations (created_by, command_id, game_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING game_id
"""
_KEPT = """
SELECT count(*) FROM creations c JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS w (created_by, command_id, game_id)
ON c.created_by = w.created_by AND c.command_id = w.command_id AND c.game_id = w.game_id
"""
_MADE = "SELECT game_id FROM creations WHERE created_by = $1 AND command_id = ANY($2)"
_SEED = "INSERT INTO secrets (game_id, server_seed) VALUES ($1, $2)"
_SEAT = """
INSERT INTO players (game_id, seat, account, bot) VALUES ($1, $2, $3, $4)
ON CONFLICT (game_id, seat) DO UPDATE SET account = excluded.account, bot = excluded.bot
"""
_USE_UP = """
UPDATE invitations SET used_by = $3 WHERE game_id = $1 AND id = $2 AND used_by IS NULL AND NOT revoked RETURNING id
"""
_LISTED = """
SELECT g.*, (SELECT max(seq) FROM moves m WHERE m.game_id = g.id) AS version,
    (SELECT coalesce(json_agg(json_build_object('seat', p.seat, 'account', p.account, 'bot', p.bot) ORDER BY p.seat),
                     '[]')
     FROM players p WHERE p.game_id = g.id) AS players
FROM games g WHERE
"""
_VISIBLE = """
(g.visibility = 'public' OR g.created_by = $1
 OR EXISTS (SELECT FROM players p WHERE p.game_id = g.id AND p.account = $1))
"""
_MINE = """
g.id IN (SELECT game_id FROM players WHERE account = $1 UNION ALL SELECT game_id FROM creations WHERE created_by = $1)
"""
_OF_BOTS = """
SELECT g.id FROM games g
WHERE g.status = 'running' AND EXISTS (SELECT FROM players p WHERE p.game_id = g.id AND p.bot IS NOT NULL)
ORDER BY g.id
"""
_INVITE = """
INSERT INTO invitations (game_id, id, code_hash, created_by, created_at, seat) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
"""

_READ = "INSERT INTO dispute_reads (game_id, dispute, id, token, version, at) VALUES ($1, $2, $3, $4, $5, $6)"
_READS = """
SELECT r.*, t.label FROM dispute_reads r JOIN tokens t ON t.id = r.token
WHERE r.game_id = $1 AND r.dispute = $2 ORDER BY r.at, r.id
"""


class PostgresGames:
    """The `Games` of a store but `create_game`, which is the log's business too."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds

    async def game(self, game: str) -> GameRow | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow("SELECT * FROM games WHERE id = $1", game)
        return None if found is None else _game(found)

    async def server_seed(self, game: str) -> bytes:
        async with patiently(self._seconds):
            seed: bytes = await self._pool.fetchval("SELECT server_seed FROM secrets WHERE game_id = $1", game)
        return seed

    async def players(self, game: str) -> tuple[Player, ...]:
        async with patiently(self._seconds):
            found = await self._pool.fetch(
                "SELECT seat, account, bot FROM players WHERE game_id = $1 ORDER BY seat", game
            )
        return tuple(Player(row["seat"], _text(row["account"]), row["bot"]) for row in found)

    async def games(self, query: GameQuery) -> list[Listed]:
        sql, arguments = _list_query(query)
        async with patiently(self._seconds):
            found = await self._pool.fetch(sql, *arguments)
        listed = [Listed(_game(row), row["version"], _players_decoder.decode(row["players"])) for row in found]
        return listed[::-1] if query.before else listed

    async def games_of_bots(self) -> list[str]:
        async with patiently(self._seconds):
            return [str(row["id"]) for row in await self._pool.fetch(_OF_BOTS)]

    async def invite(self, invitation: Invitation) -> Invitation:
        new = invitation
        async with patiently(self._seconds):
            await self._pool.execute(_INVITE, new.game, new.id, new.code_hash, new.created_by, new.created_at, new.seat)
            kept = await self._pool.fetchrow(
                "SELECT * FROM invitations WHERE game_id = $1 AND id = $2", new.game, new.id
            )
        assert kept is not None, "invitations are never deleted"
        return _invitation(kept)

    async def invitation(self, game: str, code_hash: bytes) -> Invitation | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(
                "SELECT * FROM invitations WHERE game_id = $1 AND code_hash = $2", game, code_hash
            )
        return None if found is None else _invitation(found)

    async def invitations(self, game: str) -> list[Invitation]:
        async with patiently(self._seconds):
            found = await self._pool.fetch("SELECT * FROM invitations WHERE game_id = $1 ORDER BY created_at, id", game)
        return [_invitation(row) for row in found]

    async def revoke_invitation(self, game: str, invitation: str) -> bool:
        async with patiently(self._seconds):
            found = await self._pool.fetchval(
                "UPDATE invitations SET revoked = true WHERE game_id = $1 AND id = $2 RETURNING id", game, invitation
            )
        return found is not None

    async def record_read(self, read: DisputeRead) -> None:
        async with patiently(self._seconds):
            await self._pool.execute(_READ, read.game, read.dispute, read.id, read.token, read.version, read.at)

    async def reads(self, game: str, dispute: int) -> list[DisputeRead]:
        async with patiently(self._seconds):
            found = await self._pool.fetch(_READS, game, dispute)
        return [
            DisputeRead(game, dispute, str(row["id"]), str(row["token"]), row["version"], row["at"], row["label"])
            for row in found
        ]

    async def _created_before(self, account: str, command_ids: Sequence[str]) -> list[GameRow]:
        """The games that the account has created by some of these commands; at least one is there or about to be."""
        made = await self._pool.fetch(_MADE, account, command_ids)
        assert made, "games are never deleted"
        games = [one["game_id"] for one in made]
        while True:
            found = await self._pool.fetch("SELECT * FROM games WHERE id = ANY($1::uuid[])", games)
            if len(found) == len(games):
                return [_game(one) for one in found]
            # Past one machine the parts of one transaction appear one after the other.
            await asyncio.sleep(_MOMENT)


async def insert_game(connection: Connection, game: GameRow, server_seed: bytes) -> bool:
    """Whether the account had not created a game with this command id; then the game and its seed are kept."""
    if await connection.fetchval(_ONCE, game.created_by, game.command_id, game.id) is None:
        return False
    await connection.execute(_CREATE, *_columns(game))
    await connection.execute(_SEED, game.id, server_seed)
    return True


class CreatedBefore(Exception):
    """Undoes the transaction of games of which the account has created one before."""


async def insert_games(connection: Connection, games: Sequence[NewGame]) -> None:
    """Keep games and their seeds, within a transaction. Raises `CreatedBefore`."""
    rows = [new.row for new in games]
    once = [(row.created_by, row.command_id, row.id) for row in rows]
    await connection.executemany(_ONCE, once)
    kept = await connection.fetchval(
        _KEPT, [row.created_by for row in rows], [row.command_id for row in rows], [row.id for row in rows]
    )
    if kept < len(games):
        raise CreatedBefore
    await connection.executemany(_CREATE, [_columns(row) for row in rows])
    await connection.executemany(_SEED, [(new.row.id, new.server_seed) for new in games])


def _columns(game: GameRow) -> tuple[Any, ...]:
    return (
        game.id,
        game.created_by,
        game.command_id,
        game.fingerprint,
        game.ruleset,
        game.edition,
        game.visibility,
        game.seats,
        game.created_at,
        game.status,
        game.on_dispute,
    )


async def apply_changes(connection: Connection, game: str, changes: Changes) -> None:
    """Keep what an entry changes beside the log, within its transaction. Raises `InvitationSpent`."""
    seated = changes.seated
    if changes.invitation is not None:
        assert seated is not None, "an invitation is used up by somebody who sits down"
        if await connection.fetchval(_USE_UP, game, changes.invitation, seated.account) is None:
            raise InvitationSpent
    if changes.status is not None:
        await connection.execute("UPDATE games SET status = $2 WHERE id = $1", game, changes.status)
    if changes.vacated is not None:
        await connection.execute("DELETE FROM players WHERE game_id = $1 AND seat = $2", game, changes.vacated)
    if seated is not None:
        await connection.execute(_SEAT, game, seated.seat, seated.account, seated.bot)


def _list_query(query: GameQuery) -> tuple[str, list[Any]]:
    arguments: list[Any] = [query.viewer]
    # $1 has a type even where no condition below uses it.
    conditions = ["($1::uuid IS NULL OR true)"]
    if query.mine:
        conditions.append(_MINE)
    elif not query.everything:
        conditions.append("g.visibility = 'public'" if query.viewer is None else _VISIBLE)
    compared = (
        ("g.id =", query.game),
        ("g.ruleset =", query.ruleset),
        ("g.status =", query.status),
        ("g.id <", query.after),
        ("g.id >", query.before),
    )
    for comparison, value in compared:
        if value is not None:
            arguments.append(value)
            conditions.append(f"{comparison} ${len(arguments)}")
    arguments.append(query.limit)
    direction = "ASC" if query.before else "DESC"
    return f"{_LISTED} {' AND '.join(conditions)} ORDER BY g.id {direction} LIMIT ${len(arguments)}", arguments


def _game(found: asyncpg.Record) -> GameRow:
    return GameRow(
        id=str(found["id"]),
        created_by=str(found["created_by"]),
        command_id=str(found["command_id"]),
        fingerprint=found["fingerprint"],
        ruleset=found["ruleset"],
        edition=found["edition"],
        visibility=found["visibility"],
        seats=found["seats"],
        created_at=found["created_at"],
        status=found["status"],
        on_dispute=found["on_dispute"],
    )


def _invitation(found: asyncpg.Record) -> Invitation:
    return Invitation(
        id=str(found["id"]),
        game=str(found["game_id"]),
        code_hash=found["code_hash"],
        created_by=str(found["created_by"]),
        created_at=found["created_at"],
        seat=found["seat"],
        used_by=_text(found["used_by"]),
        revoked=found["revoked"],
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
