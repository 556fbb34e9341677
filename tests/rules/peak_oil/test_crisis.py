"""PR Crises of the base game: PO-120 … PO-131."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import Pull, StopPulling, TakeAction, Whitewash
from events.peak_oil.facts import (
    CrisisSuffered,
    HeldOnCard,
    PrCardDrawn,
    PrCardFlipped,
    PrCardWhitewashed,
    ReleasedFromCard,
)
from projections.peak_oil.state import Held
from tests.rules.peak_oil.tables import a_table, black_of
from tests.scenario import Scenario

DECKS = (("PR1-1", "PR1-2"), ("PR2-3", "PR2-4"), ("PR3-3", "PR3-5"))


def tied(pulled: str, decks: Any = DECKS, **hq: Any) -> Scenario:
    """A tie on Develop that pulls these barrels, seat 0 having such an HQ."""
    fields = ("OF-RUS-AGR",)
    return a_table(
        bag=(10, 3, 2), spots={"DEV": [1, 1]}, pulled=pulled, hq={0: hq}, pr_decks=decks, field_display=fields
    ).when(0, TakeAction("DEV"))


@pytest.mark.rule("PO-121")
@pytest.mark.parametrize(("black", "loss"), [(0, 0), (1, 0), (2, 1), (3, 1), (5, 2), (7, 3)])
def test_the_first_crisis_costs_half_of_hq_rounded_down(black: int, loss: int) -> None:
    """AMB-10."""
    table = tied("r", black=black)
    table.then_among_others(CrisisSuffered(0, loss, first=True))
    assert black_of(table.board) == black - loss


@pytest.mark.rule("PO-120", "PO-122", "PO-123", "PO-124")
def test_a_second_crisis_costs_nothing_and_turns_the_card() -> None:
    """T-32."""
    table = tied("rr", black=7).then_among_others(CrisisSuffered(0, 3, first=True), PrCardDrawn(0, 1, "PR1-1"))
    assert black_of(table.board) == 4
    table.when(0, Pull()).then_among_others(CrisisSuffered(0, 0, first=False), PrCardFlipped(0, "PR1-1"))
    assert black_of(table.board) == 4
    hq = table.board.seats[0]
    assert (hq.pr_up, hq.pr_down, hq.pr_down_level) == (("PR1-1",), None, 0)


@pytest.mark.rule("PO-122")
def test_a_loss_of_nothing_uses_up_the_first_crisis() -> None:
    """T-33."""
    table = tied("rr", black=1).then_among_others(CrisisSuffered(0, 0, first=True))
    table.when(0, Pull()).then_among_others(CrisisSuffered(0, 0, first=False))


@pytest.mark.rule("PO-124", "PO-131")
def test_the_next_level_is_one_above_the_highest_held() -> None:
    """T-34: level 1 was whitewashed, level 2 lies there. Level 1 alone gives level 2."""
    tied("r", pr_up=("PR2-3",)).then_among_others(PrCardDrawn(0, 3, "PR3-3"))
    tied("r", pr_up=("PR1-2",)).then_among_others(PrCardDrawn(0, 2, "PR2-3"))


@pytest.mark.rule("PO-124")
def test_after_level_three_comes_level_three() -> None:
    """T-35."""
    tied("r", pr_up=("PR1-2", "PR2-4", "PR3-1")).then_among_others(PrCardDrawn(0, 3, "PR3-3"))


@pytest.mark.rule("PO-125")
def test_from_an_empty_deck_nothing_is_drawn() -> None:
    """T-36."""
    table = tied("r", (*DECKS[:2], ()), pr_up=("PR3-3",), black=4)
    table.then_among_others(CrisisSuffered(0, 2, first=True)).counts(PrCardDrawn, 0)


@pytest.mark.rule("PO-123", "PO-126")
def test_a_card_face_down_turns_up_and_none_is_drawn() -> None:
    """T-37."""
    table = tied("r", pr_up=("PR1-2",), pr_down="PR2-3", pr_down_level=2)
    table.then_among_others(PrCardFlipped(0, "PR2-3")).counts(PrCardDrawn, 0)


@pytest.mark.rule("PO-127")
def test_a_card_works_from_the_flip_on_and_not_before() -> None:
    """PR2-1 face down leaves both options; face up, one."""
    table = a_table(spots={"DEV": [1]}, hq={0: {"pr_down": "PR2-1", "pr_down_level": 2, "pr_up": ("PR1-1",)}})
    table.when(0, TakeAction("DEV")).refuses(0, Whitewash("PR2-1"), "PO-174", "card_not_face_up")


@pytest.mark.rule("PO-128")
def test_the_owner_knows_the_card_and_the_others_its_level() -> None:
    """T-173."""
    table = tied("r")
    for viewer, knows in ((0, True), (1, False), (None, False)):
        (drawn,) = [event for event in table.sees(viewer) if event["type"] == "pr_card_drawn"]
        assert ("card" in drawn) is knows
        assert drawn["level"] == 1
        hq = table.view(viewer).seats[0]
        assert (hq.pr_face_down, hq.pr_face_down_level) == ("PR1-1" if knows else None, 1)


@pytest.mark.rule("PO-129")
def test_what_lies_on_a_card_is_out_of_the_game() -> None:
    """T-152: the second crisis of the window turns PR3-4 up; half of HQ, rounded up, goes on it."""
    table = tied("yr", pr_up=("PR1-1", "PR2-3"), pr_down=None, black=10, decks=(*DECKS[:2], ("PR3-4",)))
    table.when(0, Pull()).then_among_others(PrCardFlipped(0, "PR3-4"), HeldOnCard(0, "PR3-4", 3))
    assert black_of(table.board) == 2
    assert table.board.seats[0].held == (Held("PR3-4", 3, 0),)


@pytest.mark.rule("PO-130")
def test_whitewash_brings_home_what_lay_on_the_card() -> None:
    """T-152."""
    hq = {"pr_up": ("PR3-4", "PR2-2"), "black": 2, "held": (Held("PR3-4", 3, 0), Held("PR2-2", 0, 1))}
    table = a_table(spots={"DEV": [1]}, hq={0: {**hq, "agents": 0}}, pr_decks=DECKS).when(0, TakeAction("DEV"))
    table.when(0, Whitewash("PR3-4"))
    table.then_among_others(PrCardWhitewashed(0, "PR3-4", 3, 2), ReleasedFromCard(0, "PR3-4", 3, 0))
    assert (black_of(table.board), table.board.seats[0].held) == (3, (Held("PR2-2", 0, 1),))
    poor = a_table(spots={"DEV": [1]}, hq={0: {**hq, "black": 1, "agents": 0}}).when(0, TakeAction("DEV"))
    poor.refuses(0, Whitewash("PR3-4"), "PO-173", "insufficient_barrels")


@pytest.mark.rule("PO-130")
def test_an_agent_comes_home_from_its_card() -> None:
    hq = {"pr_up": ("PR2-2",), "black": 1, "held": (Held("PR2-2", 0, 1),), "agents": 0}
    table = a_table(spots={"DEV": [1]}, hq={0: hq}, pr_decks=DECKS).when(0, TakeAction("DEV"))
    table.when(0, Whitewash("PR2-2")).then_among_others(ReleasedFromCard(0, "PR2-2", 0, 1))
    assert table.board.seats[0].agents == 1 + 1


@pytest.mark.rule("PO-107")
def test_the_extra_pull_is_offered_after_the_card() -> None:
    table = tied("r")
    table.when(0, StopPulling())
    assert table.board.window.first_crisis_used
