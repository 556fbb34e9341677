"""Reading from memory while the board says that nothing has moved: never older than what anybody was told."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.auth.caller import Caller
from service.failures import Refused, Unavailable
from service.handling.access import readable
from service.handling.desk import Desk
from service.handling.read_view import read_view
from service.store.board import SharedBoard
from service.store.protocol import Changes, InvitationSpent, Move, MovedOn, Outcome, Since, StoreUnavailable
from service.store.relay import Relay, open_relay
from service.store.sheet import Sheet, open_sheet
from tests.boards import Alone
from tests.desks import a_desk, a_game, a_move, a_person
from tests.memory_store import MemoryStore


class Counting(MemoryStore):
    """Counts what it is asked; each question takes a while, now longer and now shorter, before and after it is done."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._dice = random.Random(seed)
        self.asked = 0
        self.slow = False

    async def since(self, game: str, seq: int) -> Since:
        self.asked += 1
        await self._while()
        found = await super().since(game, seq)
        await self._while()
        return found

    async def append(self, move: Move) -> Outcome:
        await self._while()
        outcome = await super().append(move)
        # Now and then long enough for others to append and tell before we hear that ours is there.
        await self._while(self._dice.choice((1, 100)))
        return outcome

    async def append_with(self, move: Move, changes: Changes) -> Outcome:
        await self._while()
        outcome = await super().append_with(move, changes)
        await self._while()
        return outcome

    async def _while(self, most: int = 6) -> None:
        for _ in range(self._dice.randrange(most) if self.slow else 0):
            await asyncio.sleep(0)


@pytest.fixture
def sheets(tmp_path: Path) -> Iterator[list[Sheet]]:
    found = [open_sheet(tmp_path) for _ in range(3)]
    sheets = [sheet for sheet in found if sheet is not None]
    assert len(sheets) == 3
    yield sheets
    for sheet in sheets:
        sheet.close()


@pytest.fixture
def relays(tmp_path: Path, sheets: list[Sheet]) -> Iterator[list[Relay | None]]:
    relays = [open_relay(tmp_path, sheet.column) for sheet in sheets]
    assert None not in relays
    yield relays
    for relay in relays:
        assert relay is not None
        relay.close()


def worker(store: MemoryStore, sheet: Sheet, relay: Relay | None = None) -> Desk:
    desk = a_desk(store)
    desk.games.board = SharedBoard(sheet, Alone(), relay)
    return desk


async def test_the_log_is_asked_where_something_moved_and_else_twice_a_minute(
    sheets: list[Sheet], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("service.handling.hot_games.time.monotonic", lambda: now)
    store, people = Counting(1), (a_person(), a_person())
    here, there = worker(store, sheets[0]), worker(store, sheets[1])
    game = await a_game(here, *people)

    async def asked(desk: Desk) -> int:
        before = store.asked
        await readable(desk, people[0], game)
        return store.asked - before

    async def moved(desk: Desk) -> None:
        assert await a_move(desk, game, people, lambda _: 0) is not None

    assert [await asked(there) for _ in range(3)] == [1, 0, 0]
    # Who appends knows what is there.
    await moved(here)
    assert [await asked(here), await asked(there), await asked(there)] == [0, 1, 0]
    await moved(there)
    assert [await asked(there), await asked(here), await asked(here)] == [0, 1, 0]
    now += 29.9
    assert await asked(here) == 0
    now += 0.2
    assert [await asked(here), await asked(here)] == [1, 0]


async def test_what_was_passed_on_needs_no_question(
    sheets: list[Sheet], relays: list[Relay | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to four entries of each other worker; the log is asked twice a minute all the same, for reads."""
    now = 1000.0
    monkeypatch.setattr("service.handling.hot_games.time.monotonic", lambda: now)
    store, people = Counting(1), (a_person(), a_person(), a_person())
    desks = [worker(store, *both) for both in zip(sheets, relays, strict=True)]
    here, there, third = desks
    game = await a_game(here, *people)
    for desk in desks:
        await readable(desk, people[0], game)

    async def asked(desk: Desk) -> int:
        before = store.asked
        version = (await readable(desk, people[0], game)).version
        assert version == (await store.versions([game]))[game]
        return store.asked - before

    async def moved(*movers: Desk) -> None:
        before = store.asked
        for desk in movers:
            assert await a_move(desk, game, people, lambda _: 0) is not None
        assert store.asked == before

    await moved(here)
    assert [await asked(desk) for desk in desks] == [0, 0, 0]
    await moved(here, there, here, there, here, here, there)
    assert [await asked(desk) for desk in desks] == [0, 0, 0]
    # What was passed on is no word of the log; what was appended is.
    now += 20
    await moved(here)
    assert [await asked(desk) for desk in desks] == [0, 0, 0]
    now += 10.1
    assert [await asked(desk) for desk in desks] == [0, 1, 1]
    now += 30.1
    assert [await asked(desk) for desk in desks] == [1, 1, 1]
    # Too many to be passed on.
    await moved(*[here] * 30)
    assert [await asked(desk) for desk in desks] == [0, 1, 1]
    await moved(third, there)
    assert [await asked(desk) for desk in desks] == [0, 0, 0]


async def test_where_one_game_was_rewritten_all_are_asked_for(sheets: list[Sheet]) -> None:
    """As where a backup was put back."""
    store, people = Counting(1), (a_person(), a_person())
    here, there = worker(store, sheets[0]), worker(store, sheets[1])
    games = [await a_game(here, *people) for _ in range(3)]

    async def asked(game: str) -> int:
        before = store.asked
        await readable(there, people[0], game)
        return store.asked - before

    assert [await asked(game) for game in games * 2] == [1, 1, 1, 0, 0, 0]
    known = there.games.known(games[0])
    assert known is not None
    known.head = "0" * 64
    assert await a_move(here, games[0], people, lambda _: 0) is not None
    # It is asked what is new, and then for all of the log.
    assert [await asked(game) for game in games * 2] == [2, 1, 1, 0, 0, 0]


async def test_what_does_not_follow_is_not_taken(sheets: list[Sheet], relays: list[Relay | None]) -> None:
    """As after a backup was put back: what was passed on follows an entry that is not the one known here."""
    store, people = Counting(1), (a_person(), a_person())
    here, there = worker(store, sheets[0], relays[0]), worker(store, sheets[1], relays[1])
    game = await a_game(here, *people)
    hot = await readable(there, people[0], game)
    assert await a_move(here, game, people, lambda _: 0) is not None
    hot.head = "0" * 64
    before = store.asked
    await readable(there, people[0], game)
    assert store.asked > before
    assert there.games.counts["head_not_in_log"] == 1


async def test_a_worker_that_is_behind_knows_it_before_it_decides(sheets: list[Sheet]) -> None:
    store, people = Counting(1), (a_person(), a_person())
    here, there = worker(store, sheets[0]), worker(store, sheets[1])
    game = await a_game(here, *people)
    await readable(there, people[0], game)
    for _ in range(10):
        assert await a_move(here, game, people, lambda _: 0) is not None
        refused = there.games.counts.copy()
        assert await a_move(there, game, people, lambda _: 0) is not None
        assert there.games.counts == refused


class Late(Counting):
    """Keeps an entry when it is told to: long after whoever appended it was told of no answer, or has gone."""

    def __init__(self) -> None:
        super().__init__(1)
        self.late: list[Move] = []
        self.fails: BaseException | MovedOn | None = None

    async def append(self, move: Move) -> Outcome:
        if self.fails is None:
            return await super().append(move)
        self.late.append(move)
        if isinstance(self.fails, MovedOn):
            return self.fails
        raise self.fails

    async def come(self) -> None:
        for move in self.late:
            await super().append(move)


@pytest.mark.parametrize(
    "fails", [StoreUnavailable("no answer"), asyncio.CancelledError(), InvitationSpent(), MovedOn()]
)
async def test_what_comes_to_be_there_unheard_is_read_all_the_same(
    sheets: list[Sheet],
    relays: list[Relay | None],
    fails: BaseException | MovedOn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what is known not to be there is neither waited for nor passed on."""
    monkeypatch.setattr("service.handling.act.ATTEMPTS", 1)
    store, people = Late(), (a_person(), a_person())
    here, there = worker(store, sheets[0], relays[0]), worker(store, sheets[1], relays[1])
    game = await a_game(here, *people)
    version = (await readable(there, people[0], game)).version
    store.fails = fails
    with pytest.raises(BaseException):  # noqa: B017, PT011 - whatever each is told
        await a_move(here, game, people, lambda _: 0)
    for _ in range(2):
        assert (await readable(there, people[0], game)).version == version
    await store.come()
    unheard = not isinstance(fails, InvitationSpent | MovedOn)
    assert isinstance(here.games.board, SharedBoard)
    assert bool(here.games.board._unheard) == unheard, "else it would be waited for until the worker ends"
    assert (await readable(there, people[0], game)).version == version + unheard


async def test_who_follows_is_told_of_what_was_appended_behind_the_board(sheets: list[Sheet]) -> None:
    """By somebody who is not at it: the slow poll of the log finds it."""
    store, people = Counting(1), (a_person(), a_person())
    desk, stranger = worker(store, sheets[0]), a_desk(store)
    game = await a_game(desk, *people)
    hot = await readable(desk, people[0], game)
    assert await a_move(stranger, game, people, lambda _: 0) is not None
    with desk.live.watch(game, hot.version) as watched:
        before = watched.version
        desk.live._heard(game, (await store.versions([game]))[game])
        assert await watched.beyond(before, 10)
    assert hot.version == before + 1
    await desk.live.close()


@pytest.mark.parametrize("passing_on", [False, True])
@pytest.mark.parametrize("seed", range(6))
async def test_nobody_reads_less_than_somebody_was_told(
    sheets: list[Sheet], relays: list[Relay | None], seed: int, *, passing_on: bool
) -> None:
    """Three workers, rival movers and readers at all of them, questions that take turns at random: who begins to read
    sees at least the last version that anybody was told of by then, by a move or by a read.
    """
    store, dice = Counting(seed), random.Random(seed)
    desks = [worker(store, *both) for both in zip(sheets, relays if passing_on else 3 * [None], strict=True)]
    people = [a_person(), a_person(), a_person()]
    game = await a_game(desks[0], *people)
    told, reads, over = 0, 0, False
    store.slow = True

    async def move() -> None:
        nonlocal told
        for _ in range(60):
            try:
                accepted = await a_move(dice.choice(desks), game, people, dice.randrange)
            except (Refused, Unavailable):
                # Rivals were quicker.
                continue
            if accepted is None:
                return
            told = max(told, accepted.version)

    async def read(person: Caller) -> None:
        nonlocal told, reads
        while not over:
            least = told
            seen = await read_view(dice.choice(desks), person, game)
            assert seen.version >= least
            told = max(told, seen.version)
            reads += 1
            for _ in range(dice.randrange(4)):
                await asyncio.sleep(0)

    reading = [asyncio.create_task(read(person)) for person in people * 2]
    await asyncio.gather(*(move() for _ in range(3)))
    over = True
    await asyncio.gather(*reading)
    assert told > 20
    # Reads that needed no question are what this is about.
    assert reads > 20
    assert store.asked > 20
