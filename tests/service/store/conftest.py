"""Databases for tests of the store."""

from __future__ import annotations

import pytest

from service.store.postgres import PostgresStore


@pytest.fixture
async def nobody(postgres_store: PostgresStore) -> PostgresStore:
    """A database in which nobody is there."""
    await postgres_store.pool.execute("DELETE FROM boards")
    return postgres_store
