"""Snapshots: fast where they fit, left aside where they do not, and never missed where Redis is gone."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP
from typing import Any

import msgspec
import pytest

from service.auth.caller import Caller
from service.embedded import EmbeddedServers
from service.handling.desk import Desk
from service.handling.read_view import read_view
from service.settings import Settings
from service.store.breaker import PATIENCE, Breaker
from service.store.shared import Client, Shared
from service.store.snapshots import LEISURE, RedisSnapshots, Snapshot, folding_fingerprint
from tests.desks import a_desk, a_game, a_move, a_person
from tests.memory_store import MemoryStore

KEY = b"snapshots"
EVERY_MOVE = Settings(snapshot_every=1)


@pytest.fixture
async def redis(each_redis_url: str) -> AsyncIterator[Client]:
    shared = Shared(each_redis_url)
    yield await shared.client()
    await shared.close()


async def _kept(redis: Client, name: str) -> bytes:
    data = await redis.get(name)
    assert isinstance(data, bytes)
    return data


class Played:
    """A game of some moves, whose snapshot is in Redis."""

    def __init__(self, store: MemoryStore, url: str) -> None:
        self.store, self.url = store, url
        self.people: tuple[Caller, ...] = (a_person(), a_person())
        self.game = ""
        self.below = random.Random(11).randrange

    async def play(self, moves: int) -> None:
        desk = await self.worker()
        if not self.game:
            self.game = await a_game(desk, *self.people)
        for _ in range(moves):
            await a_move(desk, self.game, self.people, self.below)
        await desk.close()

    async def worker(self, fingerprint: bytes | None = None) -> Desk:
        snapshots = RedisSnapshots(self.url, key=KEY, fingerprint=fingerprint, patience=60)
        await snapshots.open()
        return a_desk(self.store, snapshots, settings=EVERY_MOVE)

    @property
    def name(self) -> str:
        return f"{{{self.game}}}:snap"

    async def seen(self, desk: Desk) -> bytes:
        return msgspec.json.encode([await read_view(desk, person, self.game) for person in self.people])


@pytest.fixture
async def played(memory_store: MemoryStore, each_redis_url: str) -> Played:
    game = Played(memory_store, each_redis_url)
    await game.play(12)
    return game


async def test_a_game_is_loaded_from_its_snapshot_and_what_came_after(played: Played, redis: Client) -> None:
    before = await _kept(redis, played.name)
    await played.play(3)
    await redis.set(played.name, before)
    asked: list[int] = []
    since = played.store.since

    async def spied(game: str, seq: int) -> object:
        asked.append(seq)
        return await since(game, seq)

    played.store.since = spied  # type: ignore[method-assign, assignment]
    desk = await played.worker()
    assert await played.seen(desk) == await played.seen(a_desk(played.store))
    assert desk.snapshots.counts == {"hit": 1}
    assert asked[0] == msgspec.msgpack.decode(before, type=Snapshot).seq > 1
    await desk.close()


async def _flip(redis: Client, name: str, dice: random.Random) -> None:
    data = bytearray(await _kept(redis, name))
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    await redis.set(name, bytes(data))


@pytest.mark.parametrize("time", range(20))
async def test_a_flipped_bit_is_caught(played: Played, redis: Client, time: int) -> None:
    truth = await played.seen(a_desk(played.store))
    await _flip(redis, played.name, random.Random(time))
    desk = await played.worker()
    assert await played.seen(desk) == truth
    assert desk.snapshots.counts.keys() & {"checksum", "unreadable"}
    await desk.close()


async def test_a_snapshot_of_other_folding_code_is_left_aside_and_replaced(played: Played, redis: Client) -> None:
    desk = await played.worker(fingerprint=b"tomorrow")
    await played.seen(desk)
    assert desk.snapshots.counts["fingerprint"] == 1
    await desk.close()
    assert msgspec.msgpack.decode(await _kept(redis, played.name), type=Snapshot).fingerprint == b"tomorrow"


async def test_a_snapshot_ahead_of_the_log_is_left_aside(played: Played) -> None:
    for row in played.store._logs[played.game][-4:]:
        del played.store._by_command[played.game, row.command_id]
    del played.store._logs[played.game][-4:]
    desk = await played.worker()
    answer = await a_move(desk, played.game, played.people, played.below)
    assert answer is not None
    assert answer.version == len(played.store._logs[played.game])
    assert desk.snapshots.counts["ahead_of_log"] == 1
    await desk.close()


async def test_a_snapshot_of_another_past_is_left_aside(played: Played, redis: Client) -> None:
    kept = await _kept(redis, played.name)
    for row in played.store._logs[played.game][-4:]:
        del played.store._by_command[played.game, row.command_id]
    del played.store._logs[played.game][-4:]
    await played.play(6)
    await redis.set(played.name, kept)
    desk = await played.worker()
    assert await played.seen(desk) == await played.seen(a_desk(played.store))
    assert desk.snapshots.counts["not_in_log"] == 1
    await desk.close()


async def test_a_snapshot_of_another_game_is_left_aside(played: Played, redis: Client, each_redis_url: str) -> None:
    other = Played(played.store, each_redis_url)
    await other.play(5)
    await redis.set(played.name, await _kept(redis, other.name))
    desk = await played.worker()
    assert await played.seen(desk) == await played.seen(a_desk(played.store))
    assert desk.snapshots.counts["misplaced"] == 1
    await desk.close()


async def test_a_snapshot_signed_with_another_key_is_left_aside(played: Played) -> None:
    desk = a_desk(played.store, RedisSnapshots(played.url, key=b"other", patience=60))
    await played.seen(desk)
    assert desk.snapshots.counts["checksum"] == 1
    await desk.close()


async def test_a_game_over_has_its_last_state_kept(
    memory_store: MemoryStore, each_redis_url: str, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine one of some hundred writes takes longer, and the last ones are left out then.
    monkeypatch.setattr("service.store.snapshots.LEISURE", 60)
    game = Played(memory_store, each_redis_url)
    await game.play(10_000)
    assert msgspec.msgpack.decode(await _kept(redis, game.name), type=Snapshot).seq == len(
        memory_store._logs[game.game]
    )


def test_the_fingerprint_is_of_the_code_and_the_same_everywhere() -> None:
    assert folding_fingerprint() == folding_fingerprint.__wrapped__()
    assert len(folding_fingerprint()) == 32


# ---- Redis itself


async def _moves(desk: Desk, game: Played, moves: int) -> None:
    """So many moves, before each of which the game is forgotten: each asks Redis for it."""
    for _ in range(moves):
        desk.games._games.clear()
        await a_move(desk, game.game, game.people, game.below)


async def test_where_there_is_no_redis_play_goes_on(memory_store: MemoryStore, tmp_path: Path) -> None:
    snapshots = RedisSnapshots(f"unix://{tmp_path}/none.sock", key=KEY)
    game = Played(memory_store, "")
    desk = a_desk(memory_store, snapshots, settings=EVERY_MOVE)
    game.game = await a_game(desk, *game.people)
    await _moves(desk, game, 10)
    assert snapshots.counts["failed"] >= 1
    assert snapshots.counts["left_alone"] >= 5
    await desk.close()


class Watched(RedisSnapshots):
    """Knows how long each load was ready to wait, and the time that its breaker goes by."""

    def __init__(self, url: str) -> None:
        self.seconds, self.waits = 0.0, list[float]()
        super().__init__(url, key=KEY, breaker=Breaker(now=lambda: self.seconds))

    async def _ask(self, question: Callable[[], Awaitable[Any]], patience: float) -> Any:
        async def asked() -> Any:
            if patience != LEISURE:
                self.waits.append(patience)
            return await question()

        return await super()._ask(asked, patience)


@pytest.mark.slow
async def test_a_redis_that_hangs_or_dies_costs_little_time_and_no_error(
    memory_store: MemoryStore, tmp_path: Path
) -> None:
    """Of all the loads while it hangs one waits, and that not long; the others do not even ask."""
    async with EmbeddedServers(tmp_path / "data", postgres=False) as found:
        assert found.redis_url is not None
        snapshots = Watched(found.redis_url)
        game = Played(memory_store, found.redis_url)
        desk = a_desk(memory_store, snapshots, settings=EVERY_MOVE)
        game.game = await a_game(desk, *game.people)
        await _sooner_or_later(desk, game)
        os.kill(found.pids["valkey"], SIGSTOP)
        snapshots.waits.clear()
        await _moves(desk, game, 20)
        assert snapshots.waits in ([PATIENCE], []), "none, where a write under way has noticed before"
        assert snapshots.counts["left_alone"] >= 19
        os.kill(found.pids["valkey"], SIGCONT)
        await _sooner_or_later(desk, game)
        os.kill(found.pids["valkey"], SIGKILL)
        await _moves(desk, game, 10)
        await desk.close()


async def _sooner_or_later(desk: Desk, game: Played) -> None:
    """A load finds its snapshot: on a busy machine the first few may be given up."""
    snapshots = desk.snapshots
    assert isinstance(snapshots, Watched)
    hits = snapshots.counts["hit"]
    for _ in range(100):
        snapshots.seconds += 60
        await _moves(desk, game, 1)
        if snapshots.counts["hit"] > hits:
            return
        await asyncio.sleep(0.1)
    pytest.fail(str(snapshots.counts))


def test_a_breaker_waits_longer_each_time_and_tries_once() -> None:
    now = [100.0]
    breaker = Breaker(first=1, longest=4, now=lambda: now[0])
    tried = [breaker.closed]
    for pause in (1, 2, 4, 4):
        breaker.failed()
        for wait in (pause - 0.1, 0.2, 0):
            now[0] += wait
            tried.append(breaker.closed)
    breaker.worked()
    assert [*tried, breaker.closed, breaker.closed] == [True, *(False, True, False) * 4, True, True]
