"""Databases of their own for tests, on whatever server the suite was given: on Citus, one on each node."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from uuid6 import uuid7

_WATCH = "; ".join(
    f"ALTER TABLE moves ENABLE ALWAYS TRIGGER {name}" for name in ("only_erasure", "never_deleted", "never_truncated")
)
_NODES = "SELECT groupid, nodename, nodeport FROM pg_dist_node WHERE isactive AND noderole = 'primary' ORDER BY groupid"


@contextmanager
def a_database(url: str) -> Iterator[str]:
    """An empty database on this server, dropped afterwards."""
    name = f"test_{uuid7().hex}"
    try:
        yield asyncio.run(make_database(url, name))
    finally:
        asyncio.run(drop_database(url, name))


async def on_each_node(url: str) -> list[str]:
    """The addresses of this database: on Citus, where a service may also ask, the coordinator's first."""
    return [_at(url, node, urlsplit(url).path[1:]) for node in await _nodes(url)] or [url]


async def is_citus(url: str) -> bool:
    """Whether the server is a coordinator of Citus."""
    async with connected(url) as connection:
        return await connection.fetchval("SELECT to_regclass('pg_dist_node')") is not None


async def make_database(url: str, name: str) -> str:
    """An empty database of that name; its address. The extension and the nodes are those of the database at `url`."""
    await drop_database(url, name)
    nodes = await _nodes(url)
    for node in nodes[1:]:
        await _execute(_at(url, node, urlsplit(url).path[1:]), f"CREATE DATABASE {name}")
        await _execute(_at(url, node, name), "CREATE EXTENSION citus")
    await _execute(url, f"CREATE DATABASE {name}")
    made = _named(url, name)
    if nodes:
        await _execute(made, "CREATE EXTENSION citus")
    async with connected(url) as turn, connected(made) as connection:
        # A node that is added is told all roles again, and they are the server's: of two workers of the suite that do
        # so at the same moment one would fail.
        await turn.execute("SELECT pg_advisory_lock(hashtext('adding nodes'))")
        for number, node in enumerate(nodes):
            add = "citus_add_node" if number else "citus_set_coordinator_host"
            await connection.execute(f"SELECT {add}($1, $2)", node["nodename"], node["nodeport"])
    return made


async def drop_database(url: str, name: str) -> None:
    """It is gone, from every node."""
    await _drop(url, name)
    for node in (await _nodes(url))[1:]:
        await _drop(_at(url, node, urlsplit(url).path[1:]), name)


async def _drop(url: str, name: str) -> None:
    """On this server. Who is thrown out may take longer to go than the five seconds that it waits."""
    there = True
    while there:
        with suppress(asyncpg.ObjectInUseError):
            await _execute(url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            there = False


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection with every right."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def damage(connection: asyncpg.Connection[asyncpg.Record], sql: str) -> None:
    """What somebody does who has every right: where triggers watch the log, they are switched off meanwhile."""
    watched = "SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'moves'::regclass AND tgname = 'only_erasure')"
    if await connection.fetchval(watched):
        sql = f"ALTER TABLE moves DISABLE TRIGGER USER; {sql}; {_WATCH}"
    await connection.execute(sql)


async def _nodes(url: str) -> list[asyncpg.Record]:
    """The coordinator of Citus and its workers; none where it is one machine."""
    if not await is_citus(url):
        return []
    async with connected(url) as connection:
        return await connection.fetch(_NODES)


async def _execute(url: str, sql: str) -> None:
    async with connected(url) as connection:
        await connection.execute(sql)


def _named(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _at(url: str, node: asyncpg.Record, name: str) -> str:
    login, _, _ = urlsplit(url).netloc.rpartition("@")
    netloc = f"{login}@{node['nodename']}:{node['nodeport']}"
    return urlunsplit(urlsplit(url)._replace(netloc=netloc, path=f"/{name}"))
