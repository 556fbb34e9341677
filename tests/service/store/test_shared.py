"""What workers share through Redis and may lose: wake-ups, budgets, leases. Real Valkey, two workers each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from redis.asyncio import RedisCluster

from service.embedded import EmbeddedServers
from service.store.budgets import Budget, ProcessBudgets, RedisBudgets
from service.store.leases import Leases, NoneLeft
from service.store.shared import Client, Shared
from service.store.wakeups import RedisWakeups

NOWHERE = "redis://127.0.0.1:1"
PATIENCE = 30.0
"""Seconds in which Redis answers however busy the machine is; whoever waits less counts alone meanwhile."""


class Heard:
    """What a worker was told."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[tuple[str, int | None]] = asyncio.Queue()

    def __call__(self, topic: str, version: int | None) -> None:
        self.told.put_nowait((topic, version))

    async def next(self) -> tuple[str, int | None]:
        async with asyncio.timeout(300):
            return await self.told.get()


@pytest.fixture
async def wakeups(each_redis_url: str) -> AsyncIterator[tuple[RedisWakeups, RedisWakeups]]:
    """Two workers' wake-ups."""
    one, other = RedisWakeups(each_redis_url), RedisWakeups(each_redis_url)
    yield one, other
    await one.close()
    await other.close()


async def test_a_worker_hears_of_what_it_watches_and_of_nothing_else(
    wakeups: tuple[RedisWakeups, RedisWakeups],
) -> None:
    here, there = wakeups
    heard = Heard()
    here.listen(heard)
    game, second, other = (str(uuid4()) for _ in range(3))
    here.watch(game)
    assert await heard.next() == (game, None), "what is newly watched may just have moved"
    there.send(other, 3)
    there.send(game, 7)
    assert await heard.next() == (game, 7)
    here.watch(second)
    assert await heard.next() == (second, None)
    here.unwatch(game)
    there.send(second, 2)
    assert await heard.next() == (second, 2)
    assert here.reliable
    assert not there.reliable, "who watches nothing hears nothing"


async def test_only_the_last_version_is_told_of_what_moves_fast(wakeups: tuple[RedisWakeups, RedisWakeups]) -> None:
    here, there = wakeups
    heard, game = Heard(), str(uuid4())
    here.listen(heard)
    here.watch(game)
    await heard.next()
    for version in range(1, 200):
        there.send(game, version)
    assert await heard.next() == (game, 199)


async def test_whoever_hears_again_after_a_break_is_woken_once(
    wakeups: tuple[RedisWakeups, RedisWakeups], each_redis_url: str
) -> None:
    """What was told in between is lost, so that everything watched counts as moved."""
    here, there = wakeups
    heard, game = Heard(), str(uuid4())
    here.listen(heard)
    here.watch(game)
    await heard.next()
    await cut_off_listeners(each_redis_url)
    assert await heard.next() == (game, None)
    there.send(game, 9)
    assert await heard.next() == (game, 9)


async def cut_off_listeners(url: str) -> None:
    shared = Shared(url)
    client = await shared.client()
    names = [node.name for node in client.get_primaries()] if isinstance(client, RedisCluster) else [None]
    for name in names:
        async with shared.node(name) as operator:
            await operator.client_kill_filter(_type="pubsub")
    await shared.close()


async def test_whatever_goes_wrong_a_worker_hears_again(
    wakeups: tuple[RedisWakeups, RedisWakeups], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("service.store.ears.PAUSE", 0.0)
    here, there = wakeups
    heard, game = Heard(), str(uuid4())

    def stumbling(topic: str, version: int | None) -> None:
        if version == 3:
            raise ValueError("nobody foresaw this")
        heard(topic, version)

    here.listen(stumbling)
    here.watch(game)
    assert await heard.next() == (game, None)
    there.send(game, 3)
    assert await heard.next() == (game, None), "it hears anew, and something may have been missed"
    assert "nobody foresaw this" in caplog.text
    there.send(game, 4)
    assert await heard.next() == (game, 4)


async def test_without_redis_nothing_is_heard_and_nothing_fails() -> None:
    alone = RedisWakeups(NOWHERE)
    alone.watch("game")
    alone.send("game", 1)
    await asyncio.sleep(0.1)
    alone.send("game", 2)
    assert not alone.reliable
    await alone.close()


async def test_wake_ups_come_back_with_redis(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path, postgres=False, valkey=True) as servers:
        assert servers.redis_url is not None
        url = servers.redis_url
        here, heard = RedisWakeups(url), Heard()
        here.listen(heard)
        here.watch("game")
        assert await heard.next() == ("game", None)
    assert await unreliable(here)
    with EmbeddedServers(tmp_path, postgres=False, valkey=True) as servers:
        assert servers.redis_url == url
        assert await heard.next() == ("game", None)
        await here.close()


async def unreliable(wakeups: RedisWakeups) -> bool:
    for _ in range(100):
        if not wakeups.reliable:
            return True
        await asyncio.sleep(0.05)
    return False


# ---- budgets


@pytest.fixture
async def budgets(each_redis_url: str) -> AsyncIterator[tuple[RedisBudgets, RedisBudgets]]:
    one, other = (RedisBudgets(each_redis_url, patience=PATIENCE) for _ in range(2))
    await one.open()
    await other.open()
    yield one, other
    await one.close()
    await other.close()


async def test_a_budget_is_one_over_all_workers(budgets: tuple[RedisBudgets, RedisBudgets]) -> None:
    key, budget = uuid4().hex, Budget(6, 600)
    spent = [await budgets[number % 2].spend(key, budget) for number in range(8)]
    assert [one.granted for one in spent] == [True] * 6 + [False] * 2
    assert [one.left for one in spent][:6] == [5, 4, 3, 2, 1, 0]
    assert 0 < spent[-1].wait <= 100_000_000


async def test_an_ample_budget_seldom_needs_redis_and_is_never_exceeded(
    budgets: tuple[RedisBudgets, RedisBudgets], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, budget = uuid4().hex, Budget(1200, 10**9)
    taken: list[int] = []
    for one in budgets:
        real = one._ask

        async def counted(asked: Any, real: Any = real) -> Any:
            answers = await real(asked)
            taken.extend(answer[0] for answer in answers)
            return answers

        monkeypatch.setattr(one, "_ask", counted)
    spent = [await budgets[number % 2].spend(key, budget) for number in range(1300)]
    granted = [one.granted for one in spent].count(True)
    assert 1200 - 2 <= granted <= 1200
    assert all(one.left >= 0 for one in spent)
    assert taken[0] == max(taken) == 1200 // 32
    assert len(taken) < 400


async def test_nothing_is_lost_when_many_ask_at_once(budgets: tuple[RedisBudgets, RedisBudgets]) -> None:
    key, budget = uuid4().hex, Budget(1200, 10**9)
    granted = 0
    for _ in range(15):
        spent = await asyncio.gather(*(budgets[number % 2].spend(key, budget) for number in range(100)))
        granted += [one.granted for one in spent].count(True)
    # Either worker may still hold a share that only it can spend.
    assert 1200 - 2 * 1200 // 32 <= granted <= 1200


async def test_who_waits_as_long_as_redis_says_is_let_in(budgets: tuple[RedisBudgets, RedisBudgets]) -> None:
    key, budget = uuid4().hex, Budget(5, 5)
    while (spent := await budgets[0].spend(key, budget)).granted:
        pass
    await asyncio.sleep(spent.wait / 1_000_000)
    assert (await budgets[1].spend(key, budget)).granted


async def test_without_redis_the_process_counts() -> None:
    alone, budget = RedisBudgets(NOWHERE), Budget(3, 60)
    assert [(await alone.spend("key", budget)).granted for _ in range(4)] == [True, True, True, False]
    await alone.close()


async def test_a_process_forgets_budgets_that_are_whole_again() -> None:
    now = 0

    def clock() -> int:
        return now

    budgets = ProcessBudgets(clock)
    for number in range(10_001):
        now += 1_000_000
        await budgets.spend(str(number), Budget(1000, 1))
    assert len(budgets._whole) < 10


# ---- leases


async def test_leases_are_counted_over_all_workers_and_come_back(each_redis_url: str) -> None:
    here, there, third = (Leases(each_redis_url, patience=PATIENCE) for _ in range(3))
    key = uuid4().hex
    for one in (here, there, third):
        await one.open()
    async with here.hold(key, 2), there.hold(key, 2):
        for worker in (here, there):
            with pytest.raises(NoneLeft):
                async with worker.hold(key, 2):
                    pass
    await here.close()
    await there.close()
    async with third.hold(key, 1):
        assert third.held == 1
    assert third.held == 0
    await third.close()


async def test_what_a_killed_worker_held_comes_back_by_itself(each_redis_url: str) -> None:
    """It renews no more; a living one does, though its lease is as short."""
    key = uuid4().hex
    killed, living = (Leases(each_redis_url, seconds=1, patience=PATIENCE) for _ in range(2))
    await killed.open()
    await living.open()
    shared = Shared(each_redis_url)
    operator = await shared.client()
    async with living.hold(key, 2):
        ((renewed, first),) = await ends_of(operator, key)
        holding = killed.hold(key, 2)
        await holding.__aenter__()
        assert killed._renewing is not None
        killed._renewing.cancel()
        for _ in range(600):
            await taken(lambda: Leases(each_redis_url, patience=PATIENCE), key, 2)
            left = await ends_of(operator, key)
            if len(left) == 1 and left[0][0] == renewed and left[0][1] > first:
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail(f"{left} are left, not {renewed!r} with an end after {first}")
    await shared.close()
    await holding.__aexit__(None, None, None)
    await killed.close()
    await living.close()


async def ends_of(operator: Client, key: str) -> list[tuple[bytes, float]]:
    """The leases of a key, and when each of them ends."""
    found: Any = await operator.zrange(f"{{{key}}}:streams", 0, -1, withscores=True)
    return list(found)


async def taken(make: Callable[[], Leases], key: str, most: int) -> None:
    """One can be had, now or in a moment."""
    for _ in range(100):
        fresh = make()
        await fresh.open()
        try:
            async with fresh.hold(key, most):
                return
        except NoneLeft:
            await asyncio.sleep(0.1)
        finally:
            await fresh.close()
    raise AssertionError("the lease did not come back")


async def test_without_redis_the_process_counts_leases() -> None:
    alone = Leases(NOWHERE)
    async with alone.hold("key", 1):
        with pytest.raises(NoneLeft):
            async with alone.hold("key", 1):
                pass
    async with alone.hold("key", 1):
        pass
    assert alone.held == 0
    await alone.close()
