"""Scoring: PO-270 … PO-277, PO-237, PO-319, PO-320."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.codes import SeatScore
from events.peak_oil.commands import Pass
from events.peak_oil.facts import Scored
from rules.peak_oil.book import Sight
from rules.peak_oil.scoring import places, score_of, value_of
from tests.rules.peak_oil.tables import a_table, at_opportunity, book


def scored(seat: int = 0, options: dict[str, Any] | None = None, **table: Any) -> SeatScore:
    """What a seat of such a table scores."""
    board = a_table(**table, options=options).board
    return score_of(Sight(board, book(len(board.seats), **(options or {}))), seat)


def alba(**hq: Any) -> SeatScore:
    """T-120, the rulebook's example."""
    cards = {
        "portfolio": "PP6",
        "start_ups": ("SU-HYD-1", "SU-HYD-2", "SU-ETH-1", "SU-SPM-1"),
        "fields": ("OF-RUS-HYD", "OF-RUS-TID", "OF-RUS-AGR", "OF-LIB-AGR"),
        "consultants": ("CN1-1",),
        "pr_up": ("PR1-1",),
        "pr_down": "PR2-1",
        "pr_down_level": 2,
    }
    return scored(technologies={"HYD": 2, "SPM": 2, "TID": 1}, hq={0: {**cards, **hq}})


@pytest.mark.rule("PO-270", "PO-271", "PO-273", "PO-274", "PO-275")
def test_alba_scores_fifteen() -> None:
    """T-120: a face-down card costs nothing."""
    score = alba()
    assert (score.start_up_score, score.consultant_score, score.pr_score, score.total) == (15, 1, -1, 15)


@pytest.mark.rule("PO-237", "PO-275")
def test_barrels_agents_and_security_chips_score_nothing() -> None:
    assert alba(black=9, security=3, agents=4).total == 15


@pytest.mark.rule("PO-272")
def test_a_field_with_two_symbols_counts_for_both() -> None:
    """T-124, AMB-64."""
    options = {"dual_fields": True}
    board = a_table(hq={0: {"fields": ("OF-GUL-ETH+AGR",)}}, options=options).board
    at = Sight(board, book(5, **options))
    assert [value_of(at, 0, one) for one in ("ETH", "AGR", "SPM")] == [1, 1, 0]


@pytest.mark.rule("PO-273")
def test_consultants_of_all_levels() -> None:
    """T-127."""
    assert scored(hq={0: {"consultants": ("CN1-1", "CN2-1", "CN3-1")}}).consultant_score == 4


@pytest.mark.rule("PO-274", "PO-275")
def test_a_total_may_be_negative() -> None:
    assert scored(hq={0: {"pr_up": ("PR1-1", "PR2-1", "PR3-1")}}).total == -9


def a_score(seat: int, total: int, pr: int, start_ups: int) -> SeatScore:
    """A score of which only these figures matter."""
    return SeatScore(seat, start_ups, total - pr - start_ups, pr, total, "PP1", (), None)


@pytest.mark.rule("PO-276")
def test_ties_go_to_who_lost_less_then_to_start_ups_then_are_shared() -> None:
    """T-121, T-122, AMB-45."""
    seats = (0, 1)
    assert places((a_score(0, 20, -1, 18), a_score(1, 20, -3, 20)), seats) == [(0,), (1,)]
    assert places((a_score(0, 20, -1, 16), a_score(1, 20, -1, 17)), seats) == [(1,), (0,)]
    assert places((a_score(0, 20, -1, 17), a_score(1, 20, -1, 17)), seats) == [(0, 1)]
    assert places((a_score(0, 3, 0, 1), a_score(1, 20, 0, 17), a_score(2, 9, 0, 9)), (0, 1, 2)) == [(1,), (2,), (0,)]


@pytest.mark.rule("PO-277")
def test_everything_is_turned_up() -> None:
    hq = {1: {"start_ups": ("SU-ETH-1",), "pr_down": "PR1-2", "pr_down_level": 1}}
    table = at_opportunity("GRY", 0, spots={"GRY": [1]}, hq=hq)
    assert table.view(None).scores is None
    table.when(0, Pass())
    (event,) = [event for event in table.happened if isinstance(event, Scored)]
    assert (event.scores[1].portfolio, event.scores[1].start_ups, event.scores[1].face_down) == (
        "PP2",
        ("SU-ETH-1",),
        "PR1-2",
    )
    assert table.view(None).seats[1].portfolio == "PP2"
    assert (table.view(None).phase, table.view(None).scores) == ("finished", event.scores)
    assert table.game.result is not None
    assert table.game.result.scores == tuple(score.total for score in event.scores)


@pytest.mark.rule("PO-319", "PO-320")
def test_agents_on_the_track_cost_two_each() -> None:
    score = scored(options={"variant": "crude"}, track=[0, None, 0, 0])
    assert (score.pr_score, score.consultant_score) == (-6, 0)
    assert scored(1, options={"variant": "crude"}, track=[0, None, 0, 0]).pr_score == 0
