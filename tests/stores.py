"""Stores in the Postgres of the suite."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from uuid6 import uuid7

from service.store.postgres import PostgresStore, open_postgres

FORGETFUL: Final = ("fsync", "full_page_writes")
"""What is switched off there: tests of behaviour need a real server, not a disk."""


async def a_store(url: str) -> PostgresStore:
    """A store in this database, which may be slow to answer on a busy machine."""
    return await open_postgres(url, unsafe_allowed=FORGETFUL, seconds=120)


@contextmanager
def a_database(server_url: str) -> Iterator[str]:
    """An empty database on this server, dropped afterwards."""
    name = f"test_{uuid7().hex}"
    asyncio.run(_execute(server_url, f"CREATE DATABASE {name}"))
    try:
        yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    finally:
        asyncio.run(_execute(server_url, f"DROP DATABASE {name} WITH (FORCE)"))


async def _execute(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
