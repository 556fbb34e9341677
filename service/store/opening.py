"""Opening the database: its schema up to date, its settings safe, its tables where they belong."""

from __future__ import annotations

from collections.abc import Collection

import asyncpg

from service.store.citus import PLANNING, CitusStore, check_nodes
from service.store.connections import NotPermitted, check_durability, open_pool, owner_connection, patiently
from service.store.migrations import is_coordinator, migrate
from service.store.postgres import PostgresStore


async def open_postgres(
    url: str,
    *,
    owner_url: str | None = None,
    pool_size: int = 10,
    seconds: float = 10,
    unsafe_allowed: Collection[str] = (),
) -> PostgresStore:
    """The store, its schema up to date; where the database is a coordinator of Citus, its tables distributed.

    Raises `UnsafeDatabase`, `NotPermitted`, `SchemaMismatch`, `CannotDistribute`, `StoreUnavailable`. `owner_url`
    migrates, where the service's own login may not. An answer that takes longer than `seconds` is none.
    """
    try:
        async with owner_connection(owner_url or url) as owner:
            await migrate(owner)
            distributed = await is_coordinator(owner)
        pool = await open_pool(url, size=pool_size, seconds=seconds, settings=PLANNING if distributed else {})
    except asyncpg.InsufficientPrivilegeError as error:
        raise NotPermitted(error) from error
    try:
        async with patiently(seconds):
            await check_durability(pool, unsafe_allowed)
            if distributed:
                await check_nodes(pool, unsafe_allowed)
    except BaseException:
        await pool.close()
        raise
    return (CitusStore if distributed else PostgresStore)(pool, seconds)
