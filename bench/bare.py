"""What the machine itself can do: commits of a bare Postgres, and how often a file can be made durable."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import asyncpg

from bench.control import INSERT, Rows
from bench.figures import Series

COMMITTERS = 20


class Commits:
    """Single rows inserted one per commit over as many connections as the service has."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], size: int) -> None:
        self._pool, self._rows = pool, Rows(size)
        self.series = Series("Postgres: one row per commit, from one client process")

    async def round(self, count: int) -> None:
        """So many commits."""
        left = iter(range(count))
        single: list[float] = []

        async def committer() -> None:
            async with self._pool.acquire() as connection:
                for _ in left:
                    began = time.perf_counter()
                    await connection.execute(INSERT, *next(self._rows))
                    single.append(time.perf_counter() - began)

        began = time.perf_counter()
        await asyncio.gather(*(committer() for _ in range(COMMITTERS)))
        self.series.add(count, time.perf_counter() - began, single)


class Syncs:
    """Pages written and made durable, one after the other, where the database has its files."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "sync.probe"
        self.series = Series("fdatasync of one page, one after the other")

    def round(self, count: int = 50) -> None:
        """So many pages."""
        single: list[float] = []
        began = time.perf_counter()
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            for _ in range(count):
                start = time.perf_counter()
                os.pwrite(file, os.urandom(8192), 0)
                os.fdatasync(file)
                single.append(time.perf_counter() - start)
        finally:
            os.close(file)
        self.series.add(count, time.perf_counter() - began, single)
