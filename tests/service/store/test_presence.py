"""Who else appends, and whether the database is what it was."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.store.board import SharedBoard
from service.store.postgres import PostgresStore
from service.store.presence import ARRIVAL, LAPSE, PROMPT, Presence
from service.store.protocol import StoreUnavailable
from tests.boards import GAME, opened
from tests.databases import on_each_node
from tests.stores import a_store


class World:
    """A clock that goes when told to, and pauses that end when told to."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []
        self.pausing, self.over = asyncio.Event(), asyncio.Event()

    def presence(self, store: PostgresStore, name: UUID) -> Presence:
        return Presence(store.pool, name, now=lambda: self.now, pause=self._pause)

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.pausing.set()
        await self.over.wait()


async def test_who_is_alone_waits_for_nobody_and_trusts_for_a_second(nobody: PostgresStore) -> None:
    world, name = World(), uuid4()
    one, other = world.presence(nobody, name), world.presence(nobody, name)
    for worker in (one, other):
        assert not worker.known
        await worker.arrive()
        assert worker.alone
        assert worker.known
    assert world.pauses == []
    world.now += PROMPT
    assert not one.alone
    assert one.known


async def test_of_two_who_arrive_in_the_same_moment_one_sees_the_other(nobody: PostgresStore) -> None:
    """Neither saw the other when it first said that it is there."""
    one_world, other_world = World(), World()
    one, other = one_world.presence(nobody, uuid4()), other_world.presence(nobody, uuid4())
    first = other._say

    async def unseen() -> tuple[float, int]:
        said_at, _ = await first()
        other._say = first  # type: ignore[method-assign]
        await one.arrive()
        return said_at, 0

    other._say = unseen  # type: ignore[method-assign]
    one_world.over.set()
    arriving = asyncio.create_task(other.arrive())
    await other_world.pausing.wait()
    assert other_world.pauses == [ARRIVAL]
    other_world.over.set()
    await arriving
    assert not other.alone


async def test_a_newcomer_waits_until_everybody_has_heard(nobody: PostgresStore) -> None:
    """Who trusts has asked before the newcomer said that it is there, and trusts no longer than the newcomer waits."""
    old, new = World(), World()
    first, second = old.presence(nobody, uuid4()), new.presence(nobody, uuid4())
    await first.arrive()
    arriving = asyncio.create_task(second.arrive())
    await new.pausing.wait()
    assert new.pauses == [ARRIVAL]
    assert ARRIVAL > PROMPT
    assert (first.alone, second.known) == (True, False)
    new.over.set()
    await arriving
    assert (second.alone, second.known) == (False, True)
    old.over.set()
    await first.arrive()
    assert (first.alone, first.known) == (False, True)


async def test_who_was_not_heard_of_for_long_is_a_newcomer_again(nobody: PostgresStore) -> None:
    world = World()
    worker = world.presence(nobody, uuid4())
    await worker.arrive()
    world.now += LAPSE
    assert not worker.known


async def test_an_era_ends_where_the_database_is_not_what_it_was(nobody: PostgresStore, tmp_path: Path) -> None:
    """A backup was put back: what this worker said last is older there, or not there at all."""
    world = World()
    worker = world.presence(nobody, uuid4())
    eras = []
    for change in (
        None,
        None,
        "UPDATE boards SET seen_at = now() - interval '3 seconds'",
        None,
        "UPDATE boards SET seen_at = now() - interval '6 seconds'",
        None,
        "DELETE FROM boards",
        None,
    ):
        if change is not None:
            await nobody.pool.execute(change)
        await worker.arrive()
        eras.append(worker.era)
    assert eras == [0, 0, 1, 1, 2, 2, 3, 3]
    # Another server took over, or it was started anew.
    assert worker._found is not None
    worker._found = worker._found._replace(started=worker._found.started + timedelta(seconds=1))
    await worker.arrive()
    assert worker.era == 4
    sheet = opened(tmp_path)
    shared = SharedBoard(sheet, worker)
    noted = shared.note(GAME)
    assert shared.shows(GAME, noted)
    shared.doubt()
    assert not shared.shows(GAME, noted)
    assert shared.shows(GAME, shared.note(GAME))
    sheet.close()


async def test_what_this_worker_says_anew_ends_no_era(nobody: PostgresStore) -> None:
    world = World()
    worker = world.presence(nobody, uuid4())
    await worker.arrive()
    found = worker._found
    for _ in range(3):
        # Five seconds pass, for the database too.
        assert worker._found is not None
        worker._found = worker._found._replace(said=worker._found.said - timedelta(seconds=6))
        await nobody.pool.execute("UPDATE boards SET seen_at = $1", worker._found.said)
        await worker.arrive()
        assert worker._found != found
        found = worker._found
    assert worker.era == 0


async def test_any_node_may_be_asked_and_it_is_one_server_that_tells(nobody: PostgresStore, database_url: str) -> None:
    """Also where an answer may hold what was only just told."""
    started = set()
    for url in await on_each_node(database_url):
        store, world = await a_store(url, database_url), World()
        worker = world.presence(store, uuid4())
        await worker.arrive()
        assert worker._found is not None
        before = worker._found.said - timedelta(seconds=6)
        worker._found = worker._found._replace(said=before)
        await store.pool.execute("UPDATE boards SET seen_at = $1", before)
        await worker.arrive()
        assert (worker.alone, worker.era) == (True, 0)
        assert worker._found.said > before
        started.add(worker._found.started)
        await worker.close()
        await store.close()
    assert len(started) == 1


async def test_who_leaves_is_gone(nobody: PostgresStore) -> None:
    world = World()
    world.over.set()
    first, second = world.presence(nobody, uuid4()), world.presence(nobody, uuid4())
    await first.arrive()
    await second.arrive()
    assert not second.alone
    await first.close()
    await second.arrive()
    assert second.alone


async def test_a_database_that_cannot_say_is_asked_again(
    nobody: PostgresStore, caplog: pytest.LogCaptureFixture
) -> None:
    world = World()
    worker = world.presence(nobody, uuid4())
    await worker.start()
    await world.pausing.wait()
    said, asked = worker._say, 0

    async def broken() -> tuple[float, int]:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise StoreUnavailable("away")
        if asked == 2:
            raise ValueError("strange")
        heard.set()
        return await said()

    heard = asyncio.Event()
    worker._say = broken  # type: ignore[method-assign]
    world.over.set()
    await heard.wait()
    assert "who else appends" in caplog.text
    await worker.close()
