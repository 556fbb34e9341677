"""What workers share through a cluster of Redis, when one of its primaries dies: real processes, each test its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from redis.asyncio import RedisCluster

from service.store.budgets import Budget, RedisBudgets
from service.store.leases import Leases, NoneLeft
from service.store.shared import CLUSTER_SCHEME, Shared
from service.store.wakeups import RedisWakeups
from tests.service.store.test_shared import Heard
from tests.valkeys import Valkeys, valkeys

pytestmark = [pytest.mark.slow]

PATIENCE = 5
TOPICS = 24


@pytest.fixture
def six(tmp_path: Path) -> Iterator[Valkeys]:
    """A cluster of which a primary may be killed; its replica takes over."""
    with valkeys(tmp_path) as found:
        yield found


async def test_a_cluster_is_known_by_any_of_its_nodes_and_by_its_scheme(cluster: Valkeys) -> None:
    for port in cluster.ports:
        for url in (f"redis://127.0.0.1:{port}", f"{CLUSTER_SCHEME}127.0.0.1:{port}"):
            shared = Shared(url)
            client = await shared.client()
            assert isinstance(client, RedisCluster)
            assert len(client.get_primaries()) == 3
            await shared.close()


async def test_keys_of_many_slots_are_set_in_one_go(cluster: Valkeys) -> None:
    """What is given back and renewed together, and what is told together, lies on different nodes."""
    leases, keys = Leases(cluster.url, patience=PATIENCE), [uuid4().hex for _ in range(TOPICS)]
    await leases.open()
    assert len({cluster.owner_of(f"{{{key}}}:streams") for key in keys}) == 3
    for key in keys:
        async with leases.hold(key, 1):
            pass
    await leases.close()
    again = Leases(cluster.url, patience=PATIENCE)
    await again.open()
    for key in keys:
        async with again.hold(key, 1):
            pass
    await again.close()


async def test_every_topic_is_heard_again_when_its_node_has_died(six: Valkeys) -> None:
    here, there, heard = RedisWakeups(six.url), RedisWakeups(six.url), Heard()
    topics = [str(uuid4()) for _ in range(TOPICS)]
    here.listen(heard)
    for topic in topics:
        here.watch(topic)
    assert {await heard.next() for _ in topics} == {(topic, None) for topic in topics}
    await told(there, heard, topics, 1)
    assert here.reliable

    dying = six.owner_of(f"{{{topics[0]}}}:moves")
    moved = {topic for topic in topics if six.owner_of(f"{{{topic}}}:moves") == dying}
    assert 0 < len(moved) < TOPICS
    await asyncio.to_thread(six.kill, dying)
    # Each of those that lay there is woken once when it is heard again, as something may have been missed.
    woken: set[str] = set()
    while not moved <= woken:
        topic, version = await heard.next()
        assert version is None
        woken.add(topic)
    assert here.reliable
    await told(there, heard, topics, 2)
    await here.close()
    await there.close()


async def told(teller: RedisWakeups, heard: Heard, topics: list[str], version: int) -> None:
    """All of them are told and heard; what cannot be told while a node is away is told again."""
    missing = {(topic, version) for topic in topics}
    for _ in range(60):
        for topic, _version in missing:
            teller.send(topic, version)
        await asyncio.sleep(0.5)
        while not heard.told.empty():
            missing.discard(heard.told.get_nowait())
        if not missing:
            return
    raise AssertionError(f"not heard: {missing}")


async def test_budgets_and_leases_count_on_when_a_node_has_died(six: Valkeys) -> None:
    """Each worker counts for itself for a while, which lets nobody down; then they count together again."""
    budgets = [RedisBudgets(six.url, patience=PATIENCE) for _ in range(2)]
    leases = [Leases(six.url, patience=PATIENCE) for _ in range(2)]
    shared: tuple[RedisBudgets | Leases, ...] = (*budgets, *leases)
    for one in shared:
        await one.open()
    key, budget = uuid4().hex, Budget(3, 3600)
    await asyncio.to_thread(six.kill, six.owner_of(f"{{{key}}}:budget"))
    assert (await budgets[0].spend(key, budget)).granted
    async with leases[0].hold(key, 1):
        pass
    await asyncio.to_thread(six.wait)
    heir = six.owner_of(f"{{{key}}}:budget")
    await sooner_or_later(lambda: shared_by(budgets, key_of(six, heir), budget))
    await sooner_or_later(lambda: held_by_one(leases, key_of(six, heir)))
    for one in shared:
        await one.close()


def key_of(six: Valkeys, port: int) -> str:
    """A new key that lies on this node."""
    return next(key for key in iter(lambda: uuid4().hex, "") if six.owner_of(f"{{{key}}}") == port)


async def shared_by(budgets: list[RedisBudgets], key: str, budget: Budget) -> bool:
    """Whether both count the same requests."""
    spent = [(await budgets[number % 2].spend(key, budget)).granted for number in range(6)]
    return spent == [True] * 3 + [False] * 3


async def held_by_one(leases: list[Leases], key: str) -> bool:
    """Whether what one holds the other cannot have."""
    async with leases[0].hold(key, 1):
        try:
            async with leases[1].hold(key, 1):
                return False
        except NoneLeft:
            return True


async def sooner_or_later(holds: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(60):
        if await holds():
            return
        await asyncio.sleep(0.5)
    raise AssertionError("it never holds")
