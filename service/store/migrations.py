"""The schema: numbered SQL files, applied once each, in order, by one process at a time; a changed file is noticed."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

import asyncpg
from msgspec import Struct

_LOCK = 0x6775_7368  # "gush"; advisory locks are per database

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


@cache
def migrations() -> tuple[Migration, ...]:
    """Our SQL files in order."""
    found = (file for file in files("service.store").joinpath("schema").iterdir() if file.name.endswith(".sql"))
    read = (Migration(int(file.name[:3]), file.name, file.read_text("utf-8")) for file in found)
    return tuple(sorted(read, key=lambda one: one.number))


async def migrate(owner: asyncpg.Connection) -> list[str]:
    """Bring the database up to our schema; the names of the files applied. Raises `SchemaMismatch`."""
    await owner.execute("SELECT pg_advisory_lock($1)", _LOCK)
    try:
        await owner.execute(_KEPT)
        return await _apply_missing(owner)
    finally:
        await owner.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _apply_missing(owner: asyncpg.Connection) -> list[str]:
    applied = {row["number"]: row for row in await owner.fetch("SELECT * FROM schema_versions")}
    _check(applied)
    missing = [one for one in migrations() if one.number not in applied]
    for one in missing:
        async with owner.transaction():
            await owner.execute(one.sql)
            await owner.execute(
                "INSERT INTO schema_versions (number, name, checksum) VALUES ($1, $2, $3)",
                one.number,
                one.name,
                one.checksum,
            )
    return [one.name for one in missing]


def _check(applied: dict[int, asyncpg.Record]) -> None:
    ours = {one.number: one for one in migrations()}
    for number, row in applied.items():
        if number not in ours:
            raise SchemaMismatch(f"the database has {row['name']}, which this version does not know: it is newer")
        if ours[number].checksum != row["checksum"]:
            raise SchemaMismatch(f"{row['name']} is not the file that was applied to this database")
