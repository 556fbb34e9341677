"""What holds after every single event of random games: PO-002, PO-004, PO-065, PO-073, PO-126, PO-340 … PO-343."""

from __future__ import annotations

from itertools import pairwise

import pytest

from events.peak_oil.facts import StepSkipped, WindowClosed
from projections.fold import Folding
from projections.peak_oil.state import Board, agents_by_place, bag_total
from tests.playouts import created, played
from tests.rules.peak_oil.playing import PLAYING, agents_in_all, black_in_all, play
from tests.rules.peak_oil.tables import RULESET, edition
from tests.scenario import Scenario, Script

SETUPS = range(len(PLAYING.setups))


def a_game(number: int) -> list[Scenario]:
    """A random game of one of the setups, entry by entry; only what happened in each is looked at."""
    scenario = created(RULESET, PLAYING.setups[number], Script(number.to_bytes(4, "big")))
    return [_snapshot(moment) for moment in played(scenario, number, play)]


def _snapshot(moment: Scenario) -> Scenario:
    kept = Scenario(moment.ruleset, moment.game)
    kept.entry = moment.entry
    return kept


@pytest.mark.rule("PO-340", "PO-341", "PO-342", "PO-343")
@pytest.mark.parametrize("number", SETUPS)
def test_nothing_is_lost_or_made_after_any_event(number: int) -> None:
    """T-178: also in the middle of an entry, and nothing comes back from the box."""
    for before, after in pairwise(a_game(number)):
        _check_events(before, after)


def _check_events(before: Scenario, after: Scenario) -> None:
    assert after.entry is not None
    folding: Folding[Board] = Folding(before.game, RULESET.projection)
    extra = before.game.options["extra_barrels"]
    for event in after.entry.events:
        boxes = _boxes(folding.board)
        folding.apply(event)
        board: Board = folding.board
        if board.phase == "setup":
            continue
        assert black_in_all(board) == edition().barrels.black + extra["black"], event
        assert board.bag_red + board.window.aside_red + board.box_red == edition().barrels.red + extra["red"]
        assert board.bag_yellow + board.box_yellow == edition().barrels.yellow + extra["yellow"]
        assert all(now >= then for now, then in zip(_boxes(board), boxes, strict=True)), event
        assert all(agents_in_all(board, seat) == edition().agents for seat in range(len(board.seats)))
        assert board.security + sum(hq.security for hq in board.seats) == edition().security_chips
        assert all(sum(agents) <= edition().agents_per_spot for agents in board.spots.values())
        assert bag_total(board) >= 0
    assert folding.board == after.board


def _boxes(board: Board) -> tuple[int, int, int]:
    return board.box_black, board.box_red, board.box_yellow


@pytest.mark.rule("PO-073")
@pytest.mark.parametrize("number", SETUPS)
def test_no_turn_with_a_second_step_ends_as_it_began(number: int) -> None:
    """T-182: a crisis that moves an agent to a card or to the track may, and is left out."""
    skipped = False
    for before, after in pairwise(a_game(number)):
        assert after.entry is not None
        folding: Folding[Board] = Folding(before.game, RULESET.projection)
        for event in after.entry.events:
            board = folding.board
            skipped |= isinstance(event, StepSkipped)
            ends = isinstance(event, WindowClosed) and board.phase == "turns"
            crisis = bool(board.window.first_crisis_used)
            if ends and not skipped and not crisis:
                assert agents_by_place(board, event.seat) != board.window.start
            folding.apply(event)
            skipped &= not isinstance(event, WindowClosed)


def test_the_setups_cover_both_variants_and_all_seats() -> None:
    assert {setup.seats for setup in PLAYING.setups} == {2, 3, 4, 5}
    assert {setup.options.get("variant", "base") for setup in PLAYING.setups} == {"base", "crude"}
