"""The schema: numbered SQL files, applied once each, in order, by one process at a time; a changed file is noticed.

Where the database is a coordinator of Citus, the files of `deploy/citus/` follow: they say where each table lies.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import asyncpg
from msgspec import Struct

_LOCK = 0x6775_7368  # "gush"; advisory locks are per database

_DISTRIBUTING: Final = 1000
"""Added to the numbers of the files in `deploy/citus/`."""

_PLACES: Final[tuple[Traversable, ...]] = (
    files("service.store") / "citus_files",
    Path(__file__).parents[2] / "deploy" / "citus",
)
"""Where those files are: in the package, or in the repository."""

_KEPT = """
CREATE TABLE IF NOT EXISTS schema_versions (
    number     int         PRIMARY KEY,
    name       text        NOT NULL,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


class Migration(Struct, frozen=True):
    """One numbered SQL file."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """What tells whether an applied file has been changed since."""
        return sha256(self.sql.encode()).hexdigest()


class SchemaMismatch(Exception):
    """The database was made by other SQL files than ours; the message says which."""


class CannotDistribute(Exception):
    """The database is one of Citus, and the tables cannot be distributed; the message says why."""


@cache
def migrations() -> tuple[Migration, ...]:
    """Our SQL files in order."""
    return _read(files("service.store") / "schema")


@cache
def distributing() -> tuple[Migration, ...]:
    """The SQL files that follow them where the database is a coordinator of Citus."""
    return _read(next(place for place in _PLACES if place.is_dir()), after=_DISTRIBUTING)


async def is_coordinator(owner: asyncpg.Connection) -> bool:
    """Whether tables can be distributed here. Raises `CannotDistribute` on a node that only holds some of them."""
    if await owner.fetchval("SELECT to_regclass('pg_dist_local_group')") is None:
        return False
    if await owner.fetchval("SELECT groupid FROM pg_dist_local_group") != 0:
        raise CannotDistribute("this database is a worker node of Citus; name its coordinator")
    return True


def _read(folder: Traversable, after: int = 0) -> tuple[Migration, ...]:
    found = (file for file in folder.iterdir() if file.name.endswith(".sql"))
    read = (Migration(after + int(file.name[:3]), file.name, file.read_text("utf-8")) for file in found)
    return tuple(sorted(read, key=lambda one: one.number))


async def migrate(owner: asyncpg.Connection) -> list[str]:
    """Bring the database up to our schema; the names of the files applied.

    Raises `SchemaMismatch`, `CannotDistribute`.
    """
    distributed = await is_coordinator(owner)
    await owner.execute("SELECT pg_advisory_lock($1)", _LOCK)
    try:
        await owner.execute(_KEPT)
        return await _apply_missing(owner, distributed=distributed)
    finally:
        await owner.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _apply_missing(owner: asyncpg.Connection, *, distributed: bool) -> list[str]:
    applied = {row["number"]: row for row in await owner.fetch("SELECT * FROM schema_versions")}
    _check(applied)
    missing = [one for one in migrations() if one.number not in applied]
    for one in missing:
        await _apply(owner, one)
    return [one.name for one in missing] + (await _distribute(owner, applied) if distributed else [])


async def _distribute(owner: asyncpg.Connection, applied: Container[int]) -> list[str]:
    missing = [one for one in distributing() if one.number not in applied]
    for one in missing:
        try:
            await _apply(owner, one)
        except asyncpg.PostgresError as error:
            login, why = await owner.fetchval("SELECT current_user"), str(error).partition("\n")[0]
            raise CannotDistribute(
                f"the database is a coordinator of Citus, and {login} cannot apply deploy/citus/{one.name}: {why}. "
                "It must own the tables and may make roles on every node; OWNER_DATABASE_URL names such a login"
            ) from error
    return [one.name for one in missing]


async def _apply(owner: asyncpg.Connection, one: Migration) -> None:
    async with owner.transaction():
        await owner.execute(one.sql)
        await owner.execute(
            "INSERT INTO schema_versions (number, name, checksum) VALUES ($1, $2, $3)",
            one.number,
            one.name,
            one.checksum,
        )


def _check(applied: dict[int, asyncpg.Record]) -> None:
    ours = {one.number: one for one in (*migrations(), *distributing())}
    for number, row in applied.items():
        if number not in ours:
            raise SchemaMismatch(f"the database has {row['name']}, which this version does not know: it is newer")
        if ours[number].checksum != row["checksum"]:
            raise SchemaMismatch(f"{row['name']} is not the file that was applied to this database")
