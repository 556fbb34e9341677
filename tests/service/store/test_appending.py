"""Group commit: who waits for whom, and who is told what."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from service.store.appending import GroupCommit, by_game
from service.store.protocol import Move, StoreUnavailable
from tests.contract.moves import FINGERPRINT


def _move(game: str) -> Move:
    return Move(game, 2, f"command of {game}", FINGERPRINT, "0" * 64, "1" * 64, b"{}")


class Database:
    """Inserts when told to, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.open = asyncio.Event()
        self.spoiled_by = ""
        self.error: Exception = ValueError("row")

    async def insert(self, moves: Sequence[Move]) -> dict[str, bool]:
        self.asked.append([move.game for move in moves])
        await self.open.wait()
        if any(move.game == self.spoiled_by for move in moves):
            raise self.error
        return {move.game: True for move in moves}


def _is_of_a_row(error: Exception) -> bool:
    return isinstance(error, ValueError)


async def test_what_arrives_meanwhile_goes_together() -> None:
    database = Database()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1, most=3)
    first = asyncio.create_task(group.append(_move("a")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    others = [asyncio.create_task(group.append(_move(name))) for name in "bcbde"]
    await asyncio.sleep(0)
    database.open.set()
    assert await first
    assert await asyncio.gather(*others) == [True] * 5
    # The second move of b waits for the first one, and does not lose its place.
    assert database.asked == [["a"], ["b", "c", "d"], ["b", "e"]]


async def test_who_asks_the_same_while_it_waits_is_answered_with_it() -> None:
    """But not with what was asked before they came."""
    database = Database()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1, most=2, shared=True)
    first = asyncio.create_task(group.append(_move("a")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    others = [asyncio.create_task(group.append(_move(name))) for name in "aabaca"]
    await asyncio.sleep(0)
    other = asyncio.create_task(group.append(replace(_move("b"), seq=3)))
    await asyncio.sleep(0)
    others[0].cancel()
    database.open.set()
    assert await first
    assert await asyncio.gather(*others[1:], other) == [True] * 6
    assert database.asked == [["a"], ["a", "b"], ["c", "b"]]
    database.spoiled_by, database.error = "a", OSError("gone")
    outcomes = await asyncio.gather(*(group.append(_move("a")) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(outcome, OSError) for outcome in outcomes)


async def test_a_row_that_spoils_its_group_is_told_alone() -> None:
    database = Database()
    database.spoiled_by = "b"
    database.open.set()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1)
    outcomes = await asyncio.gather(*(group.append(_move(name)) for name in "abc"), return_exceptions=True)
    assert [outcomes[0], outcomes[2]] == [True, True]
    assert isinstance(outcomes[1], ValueError)


async def test_an_error_of_the_database_is_told_to_all() -> None:
    database = Database()
    database.spoiled_by, database.error = "b", OSError("gone")
    database.open.set()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1)
    outcomes = await asyncio.gather(*(group.append(_move(name)) for name in "abc"), return_exceptions=True)
    assert all(isinstance(outcome, OSError) for outcome in outcomes)
    assert database.asked == [["a", "b", "c"]]
    database.spoiled_by = ""
    assert await group.append(_move("a"))


async def test_who_gives_up_waiting_disturbs_nobody() -> None:
    database = Database()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1)
    tasks = [asyncio.create_task(group.append(_move(name))) for name in "ab"]
    await asyncio.sleep(0)
    tasks[0].cancel()
    database.open.set()
    with pytest.raises(asyncio.CancelledError):
        await tasks[0]
    assert await tasks[1]
    await group.close()


async def test_who_has_waited_too_long_for_a_lane_is_told_so() -> None:
    database = Database()
    group = GroupCommit(database.insert, _is_of_a_row, by=by_game, lanes=1)
    first = asyncio.create_task(group.append(_move("a")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    second, third = (asyncio.create_task(group.append(_move(name))) for name in "bc")
    await asyncio.sleep(0)
    group._waiting[0] = group._waiting[0]._replace(until=0)
    database.open.set()
    assert await first
    assert await third
    with pytest.raises(StoreUnavailable):
        await second
    assert database.asked == [["a"], ["c"]]
