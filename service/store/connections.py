"""Connections to Postgres: in the role that may only read and append, planned for keys, safe settings or none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg
from asyncpg import exceptions as errors

from service.store.protocol import StoreUnavailable

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Pool = asyncpg.Pool[asyncpg.Record]
    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]

APP_ROLE = "gusher_app"
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")

# A cached plan made while a table was small would scan it for ever after; every query of ours has an index to go by.
_PLANNING = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off"}

_AWAY = (
    OSError,
    TimeoutError,
    errors.InterfaceError,
    errors.InternalClientError,  # what asyncpg says of a connection that dies between two of its own questions
    errors.PostgresConnectionError,
    errors.OperatorInterventionError,
    errors.InsufficientResourcesError,
    errors.ReadOnlySQLTransactionError,
)


class UnsafeDatabase(Exception):
    """The database may forget what it has acknowledged; `settings` are the names of what makes it so."""

    def __init__(self, settings: Collection[str]) -> None:
        self.settings = tuple(settings)
        named = ", ".join(f"{name} = off" for name in settings)
        super().__init__(
            f"The database would lose acknowledged moves in a crash: {named}. "
            f"Turn it on, or allow it by name: GUSHER_UNSAFE_DATABASE={','.join(settings)}"
        )


class NotPermitted(Exception):
    """The database does not let its login do what the service needs; the message says what."""

    def __init__(self, refusal: asyncpg.PostgresError) -> None:
        super().__init__(
            f"The database refuses its login: {refusal}. The first start makes tables and roles; OWNER_DATABASE_URL "
            f"may name another login for that. The service's own must be in the role it works in: GRANT {APP_ROLE} TO …"
        )


def is_away(error: BaseException) -> bool:
    """Whether the error says that the database cannot be reached or cannot write now."""
    return isinstance(error, _AWAY) and not isinstance(error, ValueError)


@asynccontextmanager
async def patiently(seconds: float) -> AsyncIterator[None]:
    """A database that is away, or has no answer after so many seconds, is `StoreUnavailable`.

    Waiting for a free connection counts too: whoever waits longer is better told so than queued.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except _AWAY as error:
        if not is_away(error):
            raise
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


async def _keep(_connection: Connection) -> None:
    """Nothing is reset between uses: we change no session state, and a reset would cost a round trip each time."""


async def open_pool(url: str, *, size: int, seconds: float, settings: Mapping[str, str] | None = None) -> Pool:
    """Connections in the role of the service, with these settings of the server beside ours."""
    async with patiently(2 * seconds):
        return await asyncpg.create_pool(
            url,
            min_size=min(2, size),
            max_size=size,
            command_timeout=seconds,
            timeout=seconds,
            reset=_keep,
            server_settings={**_PLANNING, **(settings or {}), "role": APP_ROLE, "application_name": "gusher"},
        )


@asynccontextmanager
async def owner_connection(url: str, *, seconds: float = 30) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection of the schema's owner, for migrating."""
    async with patiently(2 * seconds):
        connection = await asyncpg.connect(url, timeout=seconds)
    try:
        yield connection
    finally:
        await connection.close()


async def check_durability(pool: Pool, allowed: Collection[str]) -> None:
    """Raise `UnsafeDatabase` where a setting lets the database forget, unless it is allowed by name."""
    off = [name for name in DURABLE if await pool.fetchval(f"SHOW {name}") == "off"]
    refused = [name for name in off if name not in allowed]
    if refused:
        raise UnsafeDatabase(refused)
