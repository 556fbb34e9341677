"""Reassigning an agent: PO-063 … PO-075."""

from __future__ import annotations

import pytest

from events.peak_oil.commands import EndAction, Reassign, TakeAction
from events.peak_oil.facts import AgentReassigned, AgentsReturned
from events.peak_oil.steps import Step2Reassign
from tests.rules.peak_oil.tables import a_table, answers, at_step_two, where


@pytest.mark.rule("PO-063", "PO-074")
def test_one_agent_moves_and_nothing_else_happens() -> None:
    table = a_table(spots={"DEV": [1, 2]}).when(0, Reassign("DEV", "GUL"))
    table.then(AgentReassigned(0, "DEV", "GUL"))
    assert where(table.board) == {"HQ": 1, "GUL": 1}
    assert where(table.board, 1) == {"DEV": 2}


@pytest.mark.rule("PO-063")
def test_from_where_no_agent_is_none_can_go() -> None:
    a_table().refuses(0, Reassign("DEV", "INV"), "PO-063", "no_agent_there")


@pytest.mark.rule("PO-064")
def test_an_agent_must_move() -> None:
    a_table(spots={"DEV": [1]}).refuses(0, Reassign("DEV", "DEV"), "PO-064", "same_place")
    a_table().refuses(0, Reassign("HQ", "HQ"), "PO-064", "same_place")


@pytest.mark.rule("PO-065")
def test_a_spot_holds_five() -> None:
    table = a_table(spots={"DEV": [0, 2, 2, 1]})
    table.refuses(0, Reassign("HQ", "DEV"), "PO-065", "spot_full")
    assert "reassign:HQ:DEV" not in answers(table)


@pytest.mark.rule("PO-065")
def test_hq_has_no_limit() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"agents": 3}})
    table.when(0, Reassign("DEV", "HQ"))
    assert where(table.board) == {"HQ": 4}


@pytest.mark.rule("PO-066")
def test_a_spot_that_was_left_is_closed_to_all_own_agents() -> None:
    """T-11."""
    table = a_table(spots={"DEV": [1]}).when(0, Reassign("DEV", "INV"))
    table.refuses(0, Reassign("HQ", "DEV"), "PO-066", "spot_vacated")
    table.when(0, Reassign("HQ", "INV"))


@pytest.mark.rule("PO-066")
def test_hq_may_be_entered_again() -> None:
    table = a_table(spots={"DEV": [1]}).when(0, Reassign("HQ", "INV")).when(0, Reassign("DEV", "HQ"))
    assert where(table.board) == {"HQ": 1, "INV": 1}


@pytest.mark.rule("PO-068")
def test_a_spot_acted_on_is_left() -> None:
    """T-28."""
    table = a_table(spots={"DEV": [2]}, field_display=("OF-RUS-AGR",)).when(0, TakeAction("DEV")).when(0, EndAction())
    table.then_among_others(AgentsReturned(0, "DEV", 2)).waits_for(Step2Reassign, 0)
    table.refuses(0, Reassign("HQ", "DEV"), "PO-066", "spot_vacated")
    table.when(0, Reassign("HQ", "EXP"))


@pytest.mark.rule("PO-069")
def test_an_agent_moves_once_a_turn() -> None:
    """T-12."""
    table = a_table(spots={"INV": [1]}).when(0, Reassign("HQ", "DEV"))
    table.refuses(0, Reassign("DEV", "GRY"), "PO-069", "agent_locked")


@pytest.mark.rule("PO-069")
def test_another_agent_on_the_same_spot_may_move() -> None:
    """T-12."""
    table = a_table(spots={"INV": [1], "DEV": [1]}, hq={0: {"agents": 1}}).when(0, Reassign("HQ", "DEV"))
    table.when(0, Reassign("DEV", "GRY"))
    assert where(table.board) == {"INV": 1, "DEV": 1, "GRY": 1}


@pytest.mark.rule("PO-069")
def test_an_agent_that_came_to_hq_by_reassign_is_locked_there() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"agents": 0, "reserve": 3}}).when(0, Reassign("DEV", "HQ"))
    assert table.game.awaited == (1,), "step 2 is skipped: the only agent has moved"


@pytest.mark.rule("PO-070")
def test_agents_that_come_home_from_an_action_are_free() -> None:
    table = a_table(spots={"DEV": [2]}, field_display=("OF-RUS-AGR",)).when(0, TakeAction("DEV")).when(0, EndAction())
    assert "reassign:HQ:INV" in answers(table)


@pytest.mark.rule("PO-071")
def test_regions_are_spots_like_others() -> None:
    assert "reassign:HQ:VEN" in answers(a_table())


@pytest.mark.rule("PO-009")
def test_a_closed_region_is_no_place() -> None:
    table = a_table(seats=3)
    table.refuses(0, Reassign("HQ", "VEN"), "PO-009", "spot_closed")
    table.refuses(0, Reassign("VEN", "HQ"), "PO-009", "spot_closed")
    table.refuses(0, TakeAction("VEN"), "PO-009", "spot_closed")


@pytest.mark.rule("PO-072")
def test_agents_in_the_reserve_do_not_move() -> None:
    table = a_table(hq={0: {"agents": 0, "reserve": 3}}, spots={"DEV": [1]})
    table.refuses(0, Reassign("HQ", "INV"), "PO-063", "no_agent_there")


@pytest.mark.rule("PO-073")
def test_step_two_may_not_restore_the_start_of_the_turn() -> None:
    """T-13."""
    table = a_table(spots={"DEV": [1]}, hq={0: {"agents": 1}}).when(0, Reassign("HQ", "DEV"))
    table.refuses(0, Reassign("DEV", "HQ"), "PO-073", "null_turn")
    assert "reassign:DEV:HQ" not in answers(table)
    table.when(0, Reassign("DEV", "INV"))


@pytest.mark.rule("PO-073")
def test_step_one_is_free_of_it() -> None:
    table = at_step_two(spots={"DEV": [1]})
    assert "reassign:DEV:HQ" in answers(table)
