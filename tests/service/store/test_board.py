"""Where games have moved, as one machine's workers tell each other, and how far that is trusted."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.store import board
from service.store.board import SharedBoard, open_board
from service.store.postgres import PostgresStore
from service.store.protocol import Move
from service.store.relay import open_relay
from service.store.sheet import idle
from tests.boards import GAME, MOVE, SAME_ROW, SLOT, Alone, opened


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
