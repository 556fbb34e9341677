"""The file in memory that is the board of one machine's workers."""

from __future__ import annotations

import shutil
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from service.store import sheet as sheets
from service.store.sheet import WORKERS, Sheet, changed, idle, open_sheet
from tests.boards import GAME, SLOT, opened


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
