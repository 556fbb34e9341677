"""Entries that a worker passes on to the others of its machine."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.seals import Sealed, Seals
from service.store import relay
from service.store.protocol import Move
from service.store.relay import Relay, open_relay

GAME = "0198ac5d-0d5e-7d0a-9f1e-0123456789ab"
SAME_CELL = "0198ac5d-0d5e-7d0a-9f1e-0123456769ab"
STAMP, LATER = b"\0\1\0\0", b"\0\2\0\0"


def opened(folder: Path, column: int) -> Relay:
    found = open_relay(folder, column)
    assert found is not None
    return found


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Relay, Relay]]:
    """Who passes on, in the third column, and who takes."""
    giver, taker = opened(tmp_path, 2), opened(tmp_path, 0)
    yield giver, taker
    giver.close()
    taker.close()


def entry(seq: int, size: int = 700, game: str = GAME, sealed: str = "g") -> Move:
    body = b"%d" % seq * size
    kept = Seals(b'[["%b",[0,2],"c2FsdA","card","well"]]' % sealed.encode()) if sealed else Seals()
    return Move(game, seq, GAME, b"f" * 12, "aa", sha256(body).hexdigest(), body[:size], kept)


def test_what_is_put_is_got_whole(two: tuple[Relay, Relay]) -> None:
    giver, taker = two
    giver.put(entry(7), STAMP)
    assert taker.get(2, GAME, STAMP) == [entry(7)]
    bare = entry(8, sealed="")
    giver.put(bare, LATER)
    assert taker.get(2, GAME, LATER) == [bare, entry(7)]


def test_the_last_entries_stand_there_as_many_as_there_is_room_for(two: tuple[Relay, Relay]) -> None:
    giver, taker = two
    for seq in range(2, 30):
        giver.put(entry(seq), b"%4d" % seq)
        found = taker.get(2, GAME, b"%4d" % seq)
        assert found == [entry(one) for one in range(seq, max(seq - 4, 1), -1)]


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 4200), min_size=1, max_size=12))
def test_of_entries_of_any_size_the_newest_are_there_or_nothing(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("relay")
    giver, taker = opened(folder, 2), opened(folder, 0)
    put: list[Move] = []
    for seq, size in enumerate(sizes, 2):
        put.append(entry(seq, size))
        giver.put(put[-1], STAMP)
        found = taker.get(2, GAME, STAMP)
        if found is None:
            assert size > 3800
            put.clear()
        else:
            assert found == put[::-1][: len(found)]
    giver.close()
    taker.close()


def test_another_stamp_says_that_more_may_have_happened(two: tuple[Relay, Relay]) -> None:
    giver, taker = two
    giver.put(entry(7), STAMP)
    assert taker.get(2, GAME, LATER) is None


def test_a_cell_is_of_the_game_that_moved_last(two: tuple[Relay, Relay]) -> None:
    giver, taker = two
    giver.put(entry(7), STAMP)
    giver.put(entry(3, game=SAME_CELL), STAMP)
    assert taker.get(2, GAME, STAMP) is None
    giver.put(entry(8), STAMP)
    assert taker.get(2, GAME, STAMP) == [entry(8)]


def test_nothing_that_a_person_said_is_passed_on(two: tuple[Relay, Relay], tmp_path: Path) -> None:
    giver, taker = two
    giver.put(entry(7), STAMP)
    giver.put(entry(8, sealed="p"), STAMP)
    assert taker.get(2, GAME, STAMP) is None
    giver.put(entry(9), STAMP)
    assert taker.get(2, GAME, STAMP) == [entry(9)]
    told = Sealed("digest", (), "p", "WyJzYWx0IiwibmFtZSIsIkFkYSJd")
    giver.put(Move(GAME, 9, GAME, b"", "aa", "bb", b"{}", (told,)), STAMP)
    assert taker.get(2, GAME, STAMP) is None
    assert b"Ada" not in (tmp_path / "relay.2").read_bytes()


def test_hidden_cards_stand_there_for_nobody_else(two: tuple[Relay, Relay], tmp_path: Path) -> None:
    assert (tmp_path / "relay.2").stat().st_mode & 0o777 == 0o600


def test_a_half_written_cell_is_none(two: tuple[Relay, Relay], tmp_path: Path) -> None:
    giver, taker = two
    giver.put(entry(7), STAMP)
    written = (tmp_path / "relay.2").read_bytes()
    start = 0x9AB * relay.CELL
    for at in (start, start + 10, start + 41, start + 57, start + 70, start + 500):
        with (tmp_path / "relay.2").open("r+b") as file:
            file.write(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
        assert taker.get(2, GAME, STAMP) is None
    # Only the stamp has come through of what is written next.
    with (tmp_path / "relay.2").open("r+b") as file:
        file.write(written[:start] + LATER + written[start + len(LATER) :])
    assert taker.get(2, GAME, LATER) is None


def test_who_takes_a_column_over_does_not_build_on_what_stands_there(tmp_path: Path) -> None:
    killed, taker = opened(tmp_path, 2), opened(tmp_path, 0)
    killed.put(entry(7), STAMP)
    killed.close()
    comes = opened(tmp_path, 2)
    # The board may come to that stamp again: after a power cut it is older than what stands here.
    assert taker.get(2, GAME, STAMP) is None
    comes.put(entry(8), LATER)
    assert taker.get(2, GAME, LATER) == [entry(8)]
    comes.close()
    taker.close()


def test_a_worker_without_a_file_passes_nothing_on(tmp_path: Path) -> None:
    taker = opened(tmp_path, 0)
    assert taker.get(1, GAME, STAMP) is None
    (tmp_path / "relay.1").write_bytes(b"short")
    assert taker.get(1, GAME, STAMP) is None
    taker.close()
    (tmp_path / "relay.3").mkdir()
    assert open_relay(tmp_path, 3) is None
