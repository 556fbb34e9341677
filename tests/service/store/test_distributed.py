"""Where tables lie past one machine, and what keeps the service from starting there.

On a coordinator of Citus the tables are where `deploy/citus/` says; on one machine the statements are only read.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.store.citus import CitusStore
from service.store.migrations import CannotDistribute, distributing, is_coordinator, migrate
from service.store.postgres import PostgresStore
from tests.databases import connected

OURS_ALONE = {"schema_versions"}
"""What nobody asks but who migrates."""

LIES = re.compile(r"(create_distributed_table|create_reference_table|citus_add_local_table_to_metadata)\('(\w+)'")
LOGGED = re.compile(r"ALTER TABLE (\w+) SET LOGGED")
KINDS = {
    "create_distributed_table": "distributed",
    "create_reference_table": "reference",
    "citus_add_local_table_to_metadata": "local",
}


@pytest.fixture
async def owner(postgres_store: PostgresStore, database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection with every right."""
    async with connected(database_url) as connection:
        yield connection


@pytest.fixture
async def empty(one_machine_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A database without a schema, for what a test puts there; it is taken back afterwards."""
    async with connected(one_machine_url) as connection:
        transaction = connection.transaction()
        await transaction.start()
        yield connection
        await transaction.rollback()


def decided() -> dict[str, str]:
    """The kind of each table that the statements name."""
    return {table: KINDS[how] for one in distributing() for how, table in LIES.findall(one.sql)}


async def test_of_every_table_it_is_decided_where_it_lies(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    tables = await owner.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    )
    assert {row["relname"] for row in tables} - OURS_ALONE == decided().keys()


async def test_the_store_is_the_one_for_where_the_tables_lie(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    lying = {}
    if await is_coordinator(owner):
        found = await owner.fetch("SELECT table_name::text AS name, citus_table_type AS kind FROM citus_tables")
        lying = {row["name"]: row["kind"] for row in found}
    assert isinstance(postgres_store, CitusStore) == bool(lying)
    assert lying in ({}, decided())


async def test_whatever_is_distributed_can_be_moved_to_another_node(owner: asyncpg.Connection[asyncpg.Record]) -> None:
    """Which a table cannot that the write-ahead log does not have, nor whatever lies together with it."""
    found = await owner.fetch("SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r'")
    made_logged = {table for one in distributing() for table in LOGGED.findall(one.sql)}
    assert {row["relname"] for row in found} == (set() if await is_coordinator(owner) else made_logged)


async def test_nothing_is_asked_about_each_row_of_the_catalogue(postgres_store: PostgresStore) -> None:
    """As it would be to hide shards. The driver reads all tables for each type that a connection learns."""
    plan = await postgres_store.pool.fetch("EXPLAIN SELECT FROM pg_class")
    assert "Filter" not in str(plan)


@pytest.mark.parametrize(
    ("group", "said"),
    [(0, "001_roles.sql: .* It must own the tables and may make roles"), (1, "a worker node .* name its coordinator")],
    ids=["a coordinator that does not let us", "a worker node"],
)
async def test_what_cannot_be_distributed_is_refused_in_words(
    empty: asyncpg.Connection[asyncpg.Record], group: int, said: str
) -> None:
    await empty.execute("CREATE TABLE pg_dist_local_group (groupid int)")
    await empty.execute("INSERT INTO pg_dist_local_group VALUES ($1)", group)
    with pytest.raises(CannotDistribute, match=said):
        await migrate(empty)
