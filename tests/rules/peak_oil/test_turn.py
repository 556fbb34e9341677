"""Turns and their three steps: PO-050 … PO-062, PO-370, PO-371."""

from __future__ import annotations

import pytest

from events.peak_oil.commands import EndAction, EndTurn, PayReassign, Reassign, TakeAction, UseSecurity
from events.peak_oil.facts import AgentReassigned, ChoiceDeclined, StepSkipped, TurnStarted, WindowClosed
from events.peak_oil.steps import Step1Choose, Step2Reassign, Step3Optional
from projections.peak_oil.state import Window
from tests.rules.peak_oil.tables import DECISION, a_start, a_table, answers, at_step_three, at_step_two, black_of


@pytest.mark.rule("PO-050")
def test_turns_go_clockwise() -> None:
    table = a_start(3, first_player=2)
    for seat in (2, 0, 1, 2):
        table.waits_for(Step1Choose, seat).when(seat, Reassign("HQ", "DEV")).when(seat, Reassign("HQ", "INV"))
        if seat != 2:
            continue
        table.then(AgentReassigned(2, "HQ", "INV"), WindowClosed(2, 0, 0), TurnStarted(table.board.turn, 0))
        break
    table.waits_for(Step1Choose, 0)


@pytest.mark.rule("PO-051", "PO-052")
def test_step_one_comes_before_step_two_and_both_before_step_three() -> None:
    table = a_table(hq={0: {"black": 2, "agents": 3}})
    table.refuses(0, PayReassign("HQ", "DEV"), "PO-051", "wrong_phase")
    table.when(0, Reassign("HQ", "DEV")).waits_for(Step2Reassign, 0)
    table.when(0, Reassign("HQ", "INV")).waits_for(Step3Optional, 0)
    table.when(0, PayReassign("HQ", "GRY")).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-053")
def test_who_could_act_may_reassign_instead() -> None:
    table = a_table(spots={"DEV": [1]}, field_display=("OF-RUS-AGR",))
    assert "take_action:DEV" in answers(table)
    table.when(0, Reassign("HQ", "INV")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-054")
def test_who_does_not_act_must_reassign() -> None:
    table = a_table()
    assert answers(table)
    assert all(answer.startswith("reassign:HQ:") for answer in answers(table))
    assert all(option.costs == {} for option in table.options(0))


@pytest.mark.rule("PO-055", "PO-059")
def test_step_two_is_a_reassign_and_nothing_else() -> None:
    table = at_step_two(spots={"DEV": [1]})
    assert all(answer.startswith("reassign:") for answer in answers(table))
    table.refuses(0, EndTurn(), "PO-051", "wrong_phase")


@pytest.mark.rule("PO-056")
def test_the_third_step_costs_two_and_moves_one_agent() -> None:
    """T-15."""
    table = at_step_three(hq={0: {"black": 2, "agents": 3}}, window=Window(start=(2, *[0] * 9)))
    costs = {option.id: option.costs for option in table.options(0)}
    assert (costs["end_turn"], costs["pay_reassign:HQ:DEV"]) == ({}, {"black": 2})
    box = table.board.box_black
    table.when(0, PayReassign("HQ", "DEV"))
    table.then_among_others(AgentReassigned(0, "HQ", "DEV", 2))
    assert (black_of(table.board), table.board.box_black) == (0, box + 2)
    table.waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-056")
def test_the_third_step_is_optional() -> None:
    table = at_step_three(hq={0: {"black": 2}})
    table.when(0, EndTurn()).then_among_others(ChoiceDeclined(0, "step3_optional")).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-056")
def test_with_one_barrel_a_paid_reassign_is_refused() -> None:
    table = at_step_three(hq={0: {"black": 1, "security": 1}})
    table.refuses(0, PayReassign("HQ", "DEV"), "PO-056", "step3_too_poor")


@pytest.mark.rule("PO-057", "PO-058")
def test_no_action_is_taken_in_step_two() -> None:
    """T-18."""
    at_step_two(spots={"DEV": [1]}).refuses(0, TakeAction("DEV"), "PO-057", "wrong_phase")
    third = at_step_three(spots={"DEV": [1]}, hq={0: {"black": 2}})
    third.refuses(0, TakeAction("DEV"), "PO-057", "wrong_phase")


@pytest.mark.rule("PO-060")
def test_a_turn_that_ends_gives_aside_barrels_back_and_forgets_its_marks() -> None:
    window = Window(first_black_used=True, aside_black=2, aside_red=1, vacated=("DEV",), start=(2, *[0] * 9))
    table = at_step_two(bag=(10, 1, 2), window=window).when(0, Reassign("HQ", "INV"))
    table.then_among_others(WindowClosed(0, 2, 1))
    assert (table.board.bag_black, table.board.bag_red) == (12, 2)
    assert table.board.window == Window(start=(2, *[0] * 9))
    assert table.board.active == 1


@pytest.mark.rule("PO-061")
def test_a_step_without_a_legal_reassign_is_skipped_and_logged() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"agents": 0, "reserve": 3}}, seats=2)
    table.when(0, Reassign("DEV", "INV")).then_among_others(StepSkipped(0, 2)).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-061")
def test_without_any_agent_both_steps_are_skipped() -> None:
    table = at_step_two(seats=2, hq={1: {"agents": 0, "reserve": 4}}).when(0, Reassign("HQ", "DEV"))
    table.then_among_others(TurnStarted(10, 1), StepSkipped(1, 1), StepSkipped(1, 2), TurnStarted(11, 0))
    table.waits_for(Step1Choose, 0)


@pytest.mark.rule("PO-062")
def test_the_third_step_is_not_offered_to_the_poor() -> None:
    """T-16."""
    at_step_two(hq={0: {"black": 1}}).when(0, Reassign("HQ", "DEV")).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-062")
def test_nor_where_all_agents_have_moved() -> None:
    """T-17."""
    table = a_table(hq={0: {"black": 5}}).when(0, Reassign("HQ", "DEV")).when(0, Reassign("HQ", "INV"))
    table.waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-062")
def test_a_usable_security_chip_is_worth_asking_for_and_only_as_long_as_it_is_there() -> None:
    table = at_step_two(hq={0: {"security": 1}}).when(0, Reassign("HQ", "DEV")).waits_for(Step3Optional, 0)
    table.when(0, UseSecurity("flip_refinery", ("ROT",))).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-370")
def test_exactly_one_seat_is_awaited() -> None:
    table = a_table().waits_for(Step1Choose, 0)
    table.refuses(1, Reassign("HQ", "DEV"), "PO-370", "not_awaited")
    assert table.options(1) == []


@pytest.mark.rule("PO-371")
def test_an_answer_to_another_question_is_stale() -> None:
    """T-177."""
    table = a_table().when(0, Reassign("HQ", "DEV", decision_id=DECISION))
    table.refuses(0, Reassign("HQ", "INV", decision_id=DECISION), "PO-371", "stale_decision")
    table.when(0, Reassign("HQ", "INV", decision_id=DECISION + 1))


@pytest.mark.rule("PO-058")
def test_an_action_declared_cannot_be_declared_again() -> None:
    table = a_table(spots={"DEV": [1], "INV": [1]}, technologies={"ETH": 1}, hq={0: {"black": 1}})
    table.when(0, TakeAction("INV")).refuses(0, TakeAction("DEV"), "PO-058", "wrong_phase")
    table.when(0, EndAction()).waits_for(Step2Reassign, 0)
