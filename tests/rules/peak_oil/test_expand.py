"""Expand: PO-150 … PO-160."""

from __future__ import annotations

import pytest

from events.peak_oil.commands import ActHere, Dispatch, EndAction, HoldPosition, Reassign, Recruit, Ship, TakeAction
from events.peak_oil.facts import ActionDeclared, AgentRecruited, AgentsDispatched, ChoiceDeclined
from events.peak_oil.steps import ChooseOption, DispatchFollowUp, Step2Reassign
from projections.peak_oil.state import Window
from tests.rules.peak_oil.tables import a_table, answers, where


@pytest.mark.rule("PO-150")
def test_an_agent_comes_from_the_reserve() -> None:
    table = a_table(spots={"EXP": [1]}).when(0, TakeAction("EXP")).when(0, Recruit()).then(AgentRecruited(0))
    assert (table.board.seats[0].agents, table.board.seats[0].reserve) == (2, 1)


@pytest.mark.rule("PO-003", "PO-150")
def test_an_empty_reserve_gives_nobody() -> None:
    """T-50."""
    table = a_table(spots={"EXP": [2]}, hq={0: {"agents": 2}}).when(0, TakeAction("EXP"))
    assert "recruit" not in answers(table)
    table.refuses(0, Recruit(), "PO-150", "reserve_empty")


@pytest.mark.rule("PO-151")
def test_a_recruit_may_move_at_once() -> None:
    table = a_table(spots={"EXP": [1, 1]}, pulled="b", hq={0: {"agents": 0, "reserve": 3}}, market="ETH SPM AGR TID")
    table.when(0, TakeAction("EXP")).when(0, Recruit()).waits_for(Step2Reassign, 0)
    table.when(0, Reassign("HQ", "DEV"))
    assert where(table.board) == {"HQ": 1, "DEV": 1}


@pytest.mark.rule("PO-152")
def test_all_agents_on_expand_go_together() -> None:
    table = a_table(spots={"EXP": [3, 1]}, hq={0: {"agents": 1}}).when(0, TakeAction("EXP")).when(0, Dispatch("DEV"))
    table.then_among_others(AgentsDispatched(0, "DEV", 3))
    assert where(table.board) == {"HQ": 1, "DEV": 3}


@pytest.mark.rule("PO-152")
def test_with_nobody_on_expand_there_is_no_dispatch() -> None:
    """Nested case 8, T-151: the only agent on Expand went on a card."""
    table = a_table(
        bag=(9, 1, 0), pulled="r", spots={"EXP": [1, 1]}, hq={0: {"agents": 1, "pr_down": "PR2-2", "pr_down_level": 2}}
    ).when(0, TakeAction("EXP"))
    assert answers(table) == ["choose_own_agent:HQ", "choose_own_agent:EXP"]


@pytest.mark.rule("PO-153")
def test_the_target_needs_room_for_all() -> None:
    table = a_table(spots={"EXP": [2], "DEV": [0, 2, 2]}).when(0, TakeAction("EXP"))
    table.refuses(0, Dispatch("DEV"), "PO-153", "no_room_for_all")
    assert "dispatch:DEV" not in answers(table)
    table = a_table(spots={"EXP": [2], "DEV": [0, 2, 1]}).when(0, TakeAction("EXP")).when(0, Dispatch("DEV"))
    assert sum(table.board.spots["DEV"]) == 5


@pytest.mark.rule("PO-158")
def test_the_target_acted_on_is_left_for_this_turn() -> None:
    table = a_table(spots={"EXP": [1], "INV": [1]}, start_up_display=("SU-ETH-1",)).when(0, TakeAction("EXP"))
    table.when(0, Dispatch("INV")).when(0, ActHere()).when(0, EndAction())
    assert set(table.board.window.vacated) == {"EXP", "INV"}
    table.when(0, Recruit()).refuses(0, Reassign("HQ", "INV"), "PO-066", "spot_vacated")


@pytest.mark.rule("PO-155", "PO-156")
def test_dispatched_agents_that_hold_are_locked() -> None:
    """T-53."""
    table = a_table(spots={"EXP": [2]}, hq={0: {"agents": 1}}, technologies={"ETH": 1}).when(0, TakeAction("EXP"))
    table.when(0, Dispatch("INV")).waits_for(DispatchFollowUp, 0)
    table.when(0, HoldPosition()).then(ChoiceDeclined(0, "dispatch_follow_up")).when(0, EndAction())
    table.refuses(0, Reassign("INV", "DEV"), "PO-069", "agent_locked")
    table.refuses(0, Reassign("HQ", "EXP"), "PO-066", "spot_vacated")
    table.when(0, Reassign("HQ", "INV"))
    assert where(table.board) == {"INV": 3}


@pytest.mark.rule("PO-157")
def test_act_here_counts_all_own_agents_there() -> None:
    table = a_table(spots={"EXP": [1], "DEV": [1, 2]}, pulled="b", market="ETH SPM AGR TID", field_deck=("OF-RUS-AGR",))
    table.when(0, TakeAction("EXP")).when(0, Dispatch("DEV")).when(0, ActHere())
    table.then_among_others(ActionDeclared(0, "DEV", "tied", dispatched=True)).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-157")
def test_without_a_standing_there_is_no_follow_up() -> None:
    """T-55."""
    table = a_table(spots={"EXP": [1], "DEV": [0, 2]}).when(0, TakeAction("EXP")).when(0, Dispatch("DEV"))
    table.waits_for(ChooseOption, 0)
    assert where(table.board) == {"HQ": 1, "DEV": 1}


@pytest.mark.rule("PO-158", "PO-159")
def test_recruit_dispatch_ship_and_home() -> None:
    """T-52."""
    table = a_table(spots={"EXP": [2], "GUL": [0, 1]}, regions={"GUL": 3}).when(0, TakeAction("EXP"))
    table.when(0, Recruit()).when(0, Dispatch("GUL")).when(0, ActHere()).when(0, Ship("R10"))
    table.waits_for(Step2Reassign, 0)
    assert where(table.board) == {"HQ": 3}
    assert not any(table.board.window.locks.values())
    assert set(table.board.window.vacated) == {"EXP", "GUL"}
    table.refuses(0, Reassign("HQ", "EXP"), "PO-066", "spot_vacated")
    table.refuses(0, Reassign("HQ", "GUL"), "PO-066", "spot_vacated")
    table.when(0, Reassign("HQ", "DEV"))


@pytest.mark.rule("PO-159")
def test_a_dispatch_first_is_finished_before_recruit() -> None:
    """T-56."""
    table = a_table(spots={"EXP": [1], "GUL": [0]}, hq={0: {"agents": 0, "reserve": 3}}, regions={"GUL": 3})
    table.when(0, TakeAction("EXP")).when(0, Dispatch("GUL")).when(0, ActHere()).when(0, Ship("R10"))
    table.waits_for(ChooseOption, 0).when(0, Recruit()).waits_for(Step2Reassign, 0)
    assert "reassign:HQ:DEV" in answers(table)


@pytest.mark.rule("PO-160")
def test_expand_is_no_target_of_its_own_dispatch() -> None:
    table = a_table(spots={"EXP": [1]}).when(0, TakeAction("EXP"))
    table.refuses(0, Dispatch("EXP"), "PO-160", "same_place")


@pytest.mark.rule("PO-009")
def test_a_closed_region_is_no_target() -> None:
    table = a_table(seats=2, spots={"EXP": [1]}).when(0, TakeAction("EXP"))
    table.refuses(0, Dispatch("VEN"), "PO-009", "spot_closed")


@pytest.mark.rule("PO-154")
def test_a_spot_vacated_before_is_refused() -> None:
    window = Window(vacated=("DEV",), start=(1, 1, *[0] * 8))
    table = a_table(spots={"EXP": [1]}, window=window).when(0, TakeAction("EXP"))
    table.refuses(0, Dispatch("DEV"), "PO-154", "spot_vacated")
