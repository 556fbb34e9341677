"""Stores in the Postgres of the suite."""

from __future__ import annotations

from typing import Final

from service.store.opening import open_postgres
from service.store.postgres import PostgresStore

FORGETFUL: Final = ("fsync", "full_page_writes")
"""What is switched off there: tests of behaviour need a real server, not a disk."""


async def a_store(url: str, owner_url: str | None = None) -> PostgresStore:
    """A store in this database, which may be slow to answer on a busy machine."""
    return await open_postgres(url, owner_url=owner_url, unsafe_allowed=FORGETFUL, seconds=120)
