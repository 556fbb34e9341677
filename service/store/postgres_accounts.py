"""Accounts and tokens in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import asyncpg

from service.store.connections import patiently
from service.store.protocol import Account, NameTaken, Token

if TYPE_CHECKING:
    from service.store.connections import Connection, Pool

_ADD = """
INSERT INTO tokens (id, account, secret_hash, scopes, label, created_at, game_id, seat, read_only, expires_at,
                    revoked_at, dispute)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
"""
_FIND = """
SELECT t.*, a.name, a.kind, a.created_at AS account_created_at
FROM tokens t JOIN accounts a ON a.id = t.account WHERE t.secret_hash = $1
"""
_REVOKE = """
UPDATE tokens SET revoked_at = coalesce(revoked_at, $3) WHERE account = $1 AND id = $2 RETURNING id
"""


class PostgresAccounts:
    """The `Accounts` of a store."""

    def __init__(self, pool: Pool, seconds: float) -> None:
        self._pool, self._seconds = pool, seconds

    async def create_account(self, account: Account, token: Token) -> None:
        async with patiently(self._seconds), self._pool.acquire() as connection, connection.transaction():
            try:
                await connection.execute(
                    "INSERT INTO accounts (id, name, kind, created_at) VALUES ($1, $2, $3, $4)",
                    account.id,
                    account.name,
                    account.kind,
                    account.created_at,
                )
            except asyncpg.UniqueViolationError as error:
                raise NameTaken(account.name) from error
            await _add_token(connection, token)

    async def account(self, account: str) -> Account | None:
        return (await self.accounts([account])).get(account)

    async def accounts(self, ids: Sequence[str]) -> dict[str, Account]:
        async with patiently(self._seconds):
            found = await self._pool.fetch("SELECT * FROM accounts WHERE id = ANY($1::uuid[])", list(ids))
        return {str(row["id"]): Account(str(row["id"]), row["name"], row["kind"], row["created_at"]) for row in found}

    async def add_token(self, token: Token) -> None:
        async with patiently(self._seconds), self._pool.acquire() as connection:
            await _add_token(connection, token)

    async def token(self, secret_hash: bytes) -> tuple[Token, Account] | None:
        async with patiently(self._seconds):
            found = await self._pool.fetchrow(_FIND, secret_hash)
        if found is None:
            return None
        account = Account(str(found["account"]), found["name"], found["kind"], found["account_created_at"])
        return _token(found), account

    async def tokens(self, account: str) -> list[Token]:
        async with patiently(self._seconds):
            found = await self._pool.fetch("SELECT * FROM tokens WHERE account = $1 ORDER BY created_at, id", account)
        return [_token(row) for row in found]

    async def revoke_token(self, account: str, token: str, at: int) -> bool:
        async with patiently(self._seconds):
            return await self._pool.fetchval(_REVOKE, account, token, at) is not None

    async def revoked_since(self, at: int) -> list[bytes]:
        async with patiently(self._seconds):
            found = await self._pool.fetch("SELECT secret_hash FROM tokens WHERE revoked_at >= $1", at)
        return [row["secret_hash"] for row in found]

    async def has_admin(self) -> bool:
        async with patiently(self._seconds):
            found: bool = await self._pool.fetchval(
                "SELECT EXISTS (SELECT FROM tokens WHERE 'admin' = ANY(scopes) AND revoked_at IS NULL)"
            )
        return found


async def _add_token(connection: Connection, token: Token) -> None:
    await connection.execute(
        _ADD,
        token.id,
        token.account,
        token.secret_hash,
        list(token.scopes),
        token.label,
        token.created_at,
        token.game,
        token.seat,
        token.read_only,
        token.expires_at,
        token.revoked_at,
        token.dispute,
    )


def _token(found: asyncpg.Record) -> Token:
    return Token(
        id=str(found["id"]),
        account=str(found["account"]),
        secret_hash=found["secret_hash"],
        scopes=tuple(found["scopes"]),
        label=found["label"],
        created_at=found["created_at"],
        game=None if found["game_id"] is None else str(found["game_id"]),
        seat=found["seat"],
        read_only=found["read_only"],
        expires_at=found["expires_at"],
        revoked_at=found["revoked_at"],
        dispute=found["dispute"],
    )
