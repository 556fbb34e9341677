"""The board of one machine's workers, and who may trust it."""

from __future__ import annotations

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.seals import Seals
from service.store import board
from service.store import sheet as sheets
from service.store.board import SharedBoard, open_board
from service.store.postgres import PostgresStore
from service.store.presence import ARRIVAL, LAPSE, PROMPT, Presence
from service.store.protocol import Move, StoreUnavailable
from service.store.relay import open_relay
from service.store.sheet import WORKERS, Sheet, changed, idle, open_sheet
from tests.databases import on_each_node
from tests.stores import a_store

GAME = "0198ac5d-0d5e-7d0a-9f1e-0123456789ab"
SAME_ROW = "0198ac5d-0d5e-7d0a-9f1e-01234fff09ab"
MOVE = Move(GAME, 7, GAME, b"f", "aa", "bb", b"{}", Seals())
SLOT = "0198ac5d-0d5e-7d0a-9f1e-01234567ffff"


def opened(folder: Path) -> Sheet:
    sheet = open_sheet(folder)
    assert sheet is not None
    return sheet


def moved(sheet: Sheet) -> bytes:
    """One entry more; this worker's cell then."""
    sheet.begin(GAME)
    return sheet.end(GAME)


def test_what_one_worker_adds_the_others_see(tmp_path: Path) -> None:
    here, there = opened(tmp_path), opened(tmp_path)
    assert here.name == there.name
    seen = [there.row(GAME)]
    for _ in range(300):
        here.begin(GAME)
        seen.append(there.row(GAME))
        here.end(GAME)
        seen.append(there.row(GAME))
    assert len(set(seen)) == 601
    assert [idle(row) for row in seen] == [True, *(300 * (False, True))]
    assert there.row(GAME) == here.row(GAME)
    assert there.row(SLOT) == bytes(len(seen[0]))
    here.close()
    there.close()


def test_a_note_follows_what_one_adds_oneself_and_nothing_else(tmp_path: Path) -> None:
    here, there = opened(tmp_path), opened(tmp_path)
    noted = here.row(GAME)
    noted = here.with_own(noted, moved(here))
    assert noted == here.row(GAME)
    moved(there)
    noted = here.with_own(noted, moved(here))
    assert noted != here.row(GAME)
    here.close()
    there.close()


@given(st.sets(st.integers(0, WORKERS - 1)), st.data())
def test_the_columns_that_changed_are_told_with_their_cells(columns: set[int], data: st.DataObject) -> None:
    noted = data.draw(st.binary(min_size=4 * WORKERS, max_size=4 * WORKERS))
    row = bytearray(noted)
    for column in columns:
        row[4 * column + data.draw(st.integers(0, 3))] ^= data.draw(st.integers(1, 255))
    assert changed(noted, bytes(row)) == [(one, bytes(row[4 * one : 4 * one + 4])) for one in sorted(columns)]


def test_a_cell_is_told_before_it_is_written(tmp_path: Path) -> None:
    here, there = opened(tmp_path), opened(tmp_path)
    for _ in range(300):
        noted = there.row(GAME)
        here.begin(GAME)
        cell = here.after(GAME)
        assert here.end(GAME) == cell
        assert changed(noted, there.row(GAME)) == [(here.column, cell)]
    here.close()
    there.close()


async def test_what_is_appended_while_one_looks_is_not_in_the_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = [opened(tmp_path) for _ in range(2)]
    relays = [open_relay(tmp_path, sheet.column) for sheet in sheets]
    here, there = [SharedBoard(sheet, Alone(), relay) for sheet, relay in zip(sheets, relays, strict=True)]
    noted = there.note(GAME)
    here.moving(GAME)
    here.moved(GAME, None, MOVE)
    taker = relays[1]
    assert taker is not None
    get = taker.get

    def slowly(column: int, game: str, stamp: bytes) -> list[Move] | None:
        found = get(column, game, stamp)
        here.moving(GAME)
        here.moved(GAME, None, replace(MOVE, seq=8))
        return found

    monkeypatch.setattr(taker, "get", slowly)
    told = there.passed_on(GAME, noted)
    assert told is not None
    assert told.moves == [MOVE]
    assert not there.shows(GAME, told.note)
    for board_ in (here, there):
        await board_.close()


async def test_what_is_appended_is_passed_on_once_nothing_is_under_way(nobody: PostgresStore, tmp_path: Path) -> None:
    here = await open_board(tmp_path, nobody.pool)
    there = await open_board(tmp_path, nobody.pool)
    noted = there.note(GAME)
    here.moving(GAME)
    assert there.passed_on(GAME, noted) is None
    here.moved(GAME, None, MOVE)
    assert there.passed_on(GAME, None) is None
    assert there.passed_on(GAME, noted) == (there.note(GAME), [MOVE])
    # What came of it was not heard.
    here.moving(GAME)
    here.moved(GAME, None)
    assert there.passed_on(GAME, noted) is None
    # The other game has the same place on the board.
    here.moving(GAME)
    here.moving(SAME_ROW)
    here.moved(GAME, None, MOVE)
    assert there.passed_on(GAME, noted) is None
    here.moved(SAME_ROW, None, replace(MOVE, game=SAME_ROW))
    assert there.passed_on(GAME, noted) is None
    here.moving(GAME)
    here.moved(GAME, None, MOVE)
    # The log was rewritten since.
    there.doubt()
    assert there.passed_on(GAME, noted) is None
    assert there.passed_on(GAME, there.note(GAME)) == (there.note(GAME), [])
    noted = there.note(GAME)
    elsewhere = await open_board(tmp_path / "elsewhere", nobody.pool)
    await there._presence.arrive()
    assert there.passed_on(GAME, noted) is None
    for board_ in (here, there, elsewhere):
        await board_.close()
    assert here.passed_on(GAME, noted) is None


def test_a_column_goes_on_where_its_last_worker_left_it(tmp_path: Path) -> None:
    keeper, gone = opened(tmp_path), opened(tmp_path)
    moved(gone)
    noted = keeper.row(GAME)
    gone.close()
    comes = opened(tmp_path)
    moved(comes)
    assert keeper.row(GAME) not in (noted, bytes(len(noted)))
    keeper.close()
    comes.close()


def test_what_a_killed_worker_had_under_way_ends_a_while_after_the_next_one_came(tmp_path: Path) -> None:
    keeper, killed = opened(tmp_path), opened(tmp_path)
    moved(killed)
    before = keeper.row(GAME)
    killed.begin(GAME)
    killed.begin(GAME)
    killed.close()
    noted = keeper.row(GAME)
    assert not idle(noted)
    comes = opened(tmp_path)
    moved(comes)
    assert not idle(keeper.row(GAME))
    comes.end_what_was_left()
    assert idle(keeper.row(GAME))
    assert keeper.row(GAME) not in (before, noted)
    keeper.close()
    comes.close()


class Alone:
    """Nobody has another board."""

    alone = known = True
    era = 0

    def doubt(self) -> None:
        self.era += 1

    async def arrive(self) -> None: ...

    async def close(self) -> None: ...


async def test_what_was_left_and_what_was_not_heard_of_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that was stuck may commit it when the worker has been killed, or has lost patience."""
    gone = opened(tmp_path)
    gone.begin(SLOT)
    gone.close()
    killed, there = SharedBoard(opened(tmp_path), Alone()), opened(tmp_path)
    await asyncio.sleep(0.001)
    await killed.close()
    monkeypatch.setattr(board, "UNHEARD", 0)
    here = SharedBoard(opened(tmp_path), Alone())
    noted = there.row(GAME)
    for _ in range(300):
        here.moving(GAME)
        here.unheard(GAME)
        assert not idle(there.row(GAME))
    assert not idle(there.row(SLOT)), "nobody waited for it long enough"
    await asyncio.sleep(0.001)
    assert idle(there.row(SLOT))
    assert idle(there.row(GAME))
    assert there.row(GAME) != noted
    here.moving(GAME)
    here.unheard(GAME)
    await here.close()
    await asyncio.sleep(0.001)
    assert not idle(there.row(GAME))
    there.close()
    here.unheard(GAME)
    assert not caplog.records, "each is given up once, and none where nobody waits any more"


def test_a_cell_that_is_full_begins_anew(tmp_path: Path) -> None:
    here, there = opened(tmp_path), opened(tmp_path)
    here._cells[(sheets.start_of(GAME) + here._own) // sheets._CELL] = 0xFFFF_FF00
    here.begin(GAME)
    assert not idle(there.row(GAME))
    here.end(GAME)
    assert there.row(GAME) == bytes(len(there.row(GAME)))
    here.close()
    there.close()


def test_no_more_workers_than_columns(tmp_path: Path) -> None:
    sheets = [opened(tmp_path) for _ in range(WORKERS)]
    assert open_sheet(tmp_path) is None
    sheets.pop().close()
    sheets.append(opened(tmp_path))
    for sheet in sheets:
        sheet.close()


def test_each_folder_has_a_board_of_its_own(tmp_path: Path) -> None:
    here, there = opened(tmp_path / "here"), opened(tmp_path / "there")
    assert here.name != there.name
    here.close()
    there.close()


def test_a_copy_is_another_board(tmp_path: Path) -> None:
    here = opened(tmp_path / "here")
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    there = opened(tmp_path / "there")
    assert here.name != there.name
    here.close()
    there.close()


def test_where_no_file_can_be_there_is_no_board(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert open_sheet(tmp_path / "file") is None


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


@pytest.fixture
async def nobody(postgres_store: PostgresStore) -> PostgresStore:
    """A database in which nobody is there."""
    await postgres_store.pool.execute("DELETE FROM boards")
    return postgres_store


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


async def test_a_board_is_trusted_until_somebody_has_another(
    stores: tuple[PostgresStore, PostgresStore], tmp_path: Path
) -> None:
    await stores[0].pool.execute("DELETE FROM boards")
    here = await open_board(tmp_path / "here", stores[0].pool)
    await here.may_append()
    noted = here.note(GAME)
    assert here.shows(GAME, noted)
    assert not here.shows(GAME, None)
    here.moving(GAME)
    assert not here.shows(GAME, noted)
    assert not here.shows(GAME, here.note(GAME))
    assert here.moved(GAME, None) is None
    assert not here.shows(GAME, noted)
    noted = here.note(GAME)
    here.moving(GAME)
    noted = here.moved(GAME, noted)
    assert here.shows(GAME, noted)
    there = await open_board(tmp_path / "there", stores[1].pool)
    assert not here.shows(GAME, noted)
    assert not there.shows(GAME, there.note(GAME))
    await there.close()
    await here.close()
    assert here.note(GAME) is None


async def test_without_a_place_on_a_board_others_are_told_all_the_same(
    stores: tuple[PostgresStore, PostgresStore], tmp_path: Path
) -> None:
    await stores[0].pool.execute("DELETE FROM boards")
    (tmp_path / "file").touch()
    homeless = await open_board(tmp_path / "file", stores[0].pool)
    await homeless.may_append()
    assert homeless.note(GAME) is None
    homeless.moving(GAME)
    assert homeless.moved(GAME, None) is None
    assert not homeless.shows(GAME, None)
    here = await open_board(tmp_path / "here", stores[1].pool)
    assert not here.shows(GAME, here.note(GAME))
    await homeless.close()
    await here.close()


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
