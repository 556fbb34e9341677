"""Postgres and Valkey for what is measured."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from service.embedded import EmbeddedServers


class Servers(Struct, frozen=True):
    """Where a stage's databases are."""

    database: str
    environment: dict[str, str]
    postgres: int


@asynccontextmanager
async def servers(folder: Path) -> AsyncIterator[Servers]:
    """A Postgres and a Valkey for this stage alone, with connections enough for everybody who is compared."""
    async with EmbeddedServers(folder / "data", postgres_settings={"max_connections": "200"}) as found:
        assert found.database_url is not None, "wanted"
        environment = {"DATABASE_URL": found.database_url, "REDIS_URL": found.redis_url or ""}
        yield Servers(found.database_url, environment, found.pids["postgres"])
