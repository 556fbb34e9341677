"""Real servers for the suite: one Postgres and one Valkey per run and worker, one database per test module.

`DATABASE_URL` and `REDIS_URL` put servers that run already in their place.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest

from service.embedded import Embedded, EmbeddedServers
from service.handling.desk import Desk
from service.store.postgres import PostgresStore
from service.store.protocol import Store
from tests.course import on_course
from tests.databases import a_database, is_citus
from tests.desks import a_desk
from tests.effort import register
from tests.memory_store import MemoryStore
from tests.stores import a_store
from tests.valkeys import Valkeys, valkeys

# Tests of behaviour need a real server, not a disk: those of durability start servers of their own.
FAST = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}


register()

# A shell that starts us in the background has us ignore Ctrl-C, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """A test and its fixtures find the same ids, seeds and times in every run."""
    with on_course(item.nodeid):
        return (yield)


@pytest.fixture(scope="session")
def servers(given: dict[str, str | None], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """The servers of this worker."""
    database, redis = given["DATABASE_URL"], given["REDIS_URL"]
    data: Path = tmp_path_factory.mktemp("servers")
    embedded = EmbeddedServers(data, postgres=not database, valkey=not redis, postgres_settings=FAST)
    with embedded as found:
        yield Embedded(database or found.database_url, redis or found.redis_url, found.pids)


@pytest.fixture(scope="module")
def database_url(servers: Embedded) -> Iterator[str]:
    """An empty database of this test module's own."""
    assert servers.database_url is not None
    with a_database(servers.database_url) as url:
        yield url


@pytest.fixture(scope="session")
def one_machine(servers: Embedded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Postgres that is one machine: the suite's, or where that is a coordinator of Citus one of this worker's own."""
    assert servers.database_url is not None
    if not asyncio.run(is_citus(servers.database_url)):
        yield servers.database_url
        return
    with EmbeddedServers(tmp_path_factory.mktemp("one"), valkey=False, postgres_settings=FAST) as found:
        assert found.database_url is not None
        yield found.database_url


@pytest.fixture(scope="module")
def one_machine_url(one_machine: str) -> Iterator[str]:
    """An empty database there, for what only one machine does: triggers, and plans without nodes."""
    with a_database(one_machine) as url:
        yield url


@pytest.fixture
async def one_machine_store(one_machine_url: str) -> AsyncIterator[PostgresStore]:
    """A store there, which other tests of the module may have filled."""
    store = await a_store(one_machine_url)
    yield store
    await store.close()


@pytest.fixture
def redis_url(servers: Embedded) -> str:
    """A Valkey that the tests of this worker share: keys are of games, and games are new in each test."""
    assert servers.redis_url is not None
    return servers.redis_url


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkeys]:
    """Six Valkeys that are one cluster, of this worker. None of them is stopped by a test."""
    with valkeys(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(params=["one server", "cluster"])
def each_redis_url(request: pytest.FixtureRequest) -> str:
    """One Valkey, and a node of a cluster."""
    if request.param == "cluster":
        cluster: Valkeys = request.getfixturevalue("cluster")
        return cluster.url
    url: str = request.getfixturevalue("redis_url")
    return url


@pytest.fixture
def memory_store() -> MemoryStore:
    """An empty store without a server."""
    return MemoryStore()


@pytest.fixture
async def postgres_store(database_url: str) -> AsyncIterator[PostgresStore]:
    """A store in Postgres, which other tests of the module may have filled."""
    store = await a_store(database_url)
    yield store
    await store.close()


@pytest.fixture
async def stores(database_url: str) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two stores on one database, as two worker processes have them."""
    first = await a_store(database_url)
    second = await a_store(database_url)
    yield first, second
    await first.close()
    await second.close()


@pytest.fixture(params=["memory", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """Each kind of store in turn."""
    found: Store = request.getfixturevalue(f"{request.param}_store")
    return found


@pytest.fixture
def desk(memory_store: MemoryStore) -> Desk:
    """A worker without servers, bots and snapshots."""
    return a_desk(memory_store)
