"""Leaving the table and deadlines: PO-360 … PO-366."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import Pass, Reassign, Recruit, Ship, StartDrill, TakeAction, TakeOilField
from events.peak_oil.facts import (
    ActionDeclared,
    AgentReassigned,
    BarrelPulled,
    BarrelsPutBack,
    PhaseOpened,
    TurnStarted,
    WindowClosed,
)
from events.peak_oil.steps import (
    ChooseMarketSlot,
    ChooseOption,
    DrillPull,
    PeakOption,
    PeakReassign,
    Step1Choose,
    Step2Reassign,
)
from events.table import DecisionExpired, GameFinished, SeatResigned
from projections.chance import seed_commit
from projections.peak_oil.state import Held
from tests.rules.peak_oil.tables import a_start, a_table, at_final_reassign, at_opportunity, where


@pytest.mark.rule("PO-360")
def test_a_seat_that_left_is_asked_no_more() -> None:
    table = a_start(3, first_player=0).resigns(1).then(SeatResigned(1, "command")).waits_for(Step1Choose, 0)
    table.refuses(1, Reassign("HQ", "DEV"), "PO-360", "not_a_player")


@pytest.mark.rule("PO-361")
def test_its_agents_go_to_the_reserve_and_the_rest_stays() -> None:
    hq = {1: {"black": 4, "security": 2, "agents": 0, "held": (Held("PR2-2", 0, 1),), "pr_up": ("PR2-2",)}}
    table = a_table(spots={"DEV": [0, 1], "GUL": [0, 1]}, hq=hq).resigns(1)
    left = table.board.seats[1]
    assert (left.reserve, left.black, left.security, where(table.board, 1)) == (4, 4, 2, {})
    assert (left.pr_up, left.held) == (("PR2-2",), (Held("PR2-2", 0, 0),))
    crude = a_table(options={"variant": "crude"}, track=[1, 0, None, None]).resigns(1)
    assert crude.board.track == (None, 0, None, None)
    assert (crude.board.seats[1].agents, crude.board.seats[1].reserve) == (0, 4)


@pytest.mark.rule("PO-361", "PO-362")
def test_a_barrel_in_hand_goes_back_and_the_next_seat_is_on_turn() -> None:
    table = a_table(bag=(9, 0, 0), pulled="b", spots={"DEV": [1, 1]}).when(0, TakeAction("DEV"))
    table.waits_for(ChooseMarketSlot, 0).resigns(0)
    table.then(BarrelsPutBack(0, 1, 0, None), WindowClosed(0, 0, 0), SeatResigned(0, "command"), TurnStarted(10, 1))
    assert (table.board.bag_black, table.board.pulled) == (9, 0)
    table.waits_for(Step1Choose, 1)
    assert len(table.game.steps) == 4, "nothing of the turn that was cut short is left below the new one"


@pytest.mark.rule("PO-361")
def test_a_cargo_in_hand_goes_back_to_its_region() -> None:
    table = a_table(spots={"GUL": [1]}, regions={"GUL": 5}, risks={"MAL": ("RC05", 0)}).when(0, TakeAction("GUL"))
    table.when(0, Ship("R10")).waits_for(ChooseMarketSlot, 0).resigns(0)
    table.then_among_others(BarrelsPutBack(0, 0, 4, "GUL"))
    assert (table.board.regions["GUL"], table.board.cargo, table.board.cargo_from) == (5, 0, None)


@pytest.mark.rule("PO-170", "PO-361")
def test_who_leaves_while_drilling_leaves_no_gap_in_the_display() -> None:
    """Three open cards for the next seat; in the Peak Oil phase none comes up, as ever."""
    shown = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-SPM")
    cards: dict[str, Any] = {"field_display": shown, "field_deck": ("OF-GUL-ETH", "OF-GUL-SPM")}
    table = a_table(seats=3, spots={"DEV": [1]}, **cards).when(0, TakeAction("DEV")).when(0, StartDrill())
    table.when(0, TakeOilField("OF-RUS-AGR")).waits_for(DrillPull, 0).resigns(0)
    assert table.board.field_display == ("OF-RUS-SPM", "OF-LIB-SPM", "OF-GUL-ETH")
    peak = at_opportunity("DEV", 0, seats=4, spots={"DEV": [1]}, **cards).when(0, StartDrill())
    peak.when(0, TakeOilField("OF-RUS-AGR")).waits_for(DrillPull, 0).resigns(0)
    assert peak.board.field_display == ("OF-RUS-SPM", "OF-LIB-SPM")


@pytest.mark.rule("PO-362")
def test_after_the_trigger_the_endgame_begins_instead() -> None:
    table = a_table(seats=3, marker=0, trigger="bag_empty").resigns(0)
    table.then_among_others(PhaseOpened("final_reassign")).waits_for(PeakReassign, 1)
    table.when(1, Pass()).waits_for(PeakReassign, 2)


@pytest.mark.rule("PO-363")
def test_in_the_endgame_it_is_passed_over() -> None:
    table = at_final_reassign(1, 2, seats=4, spots={"DEV": [0, 1]}).resigns(1).waits_for(PeakReassign, 2)
    later = at_final_reassign(1, 2, seats=4).resigns(2).waits_for(PeakReassign, 1).when(1, Pass())
    assert later.game.ended, "nobody is on the board"
    table.when(2, Pass())
    assert table.game.ended


@pytest.mark.rule("PO-363")
def test_an_opportunity_it_had_is_over() -> None:
    table = at_opportunity("GUL", 0, 1, seats=3, spots={"GUL": [2, 1]}, regions={"GUL": 3}).resigns(0)
    table.waits_for(PeakOption, 1)
    assert table.board.spots["GUL"] == (0, 1, 0)


@pytest.mark.rule("PO-364")
def test_who_alone_is_left_has_won() -> None:
    table = a_start(3).resigns(0).resigns(2).ends("last_active", 1)
    (end,) = [event for event in table.happened if isinstance(event, GameFinished)]
    assert end.standings == ((1,), (0, 2))


@pytest.mark.rule("PO-353")
def test_the_seed_that_is_opened_at_the_end_is_the_one_committed_before_play() -> None:
    table = a_start(3).resigns(0).resigns(2)
    (end,) = [event for event in table.happened if isinstance(event, GameFinished)]
    assert seed_commit(table.game.id, bytes.fromhex(end.server_seed)) == table.game.seed_commit


@pytest.mark.rule("PO-364")
def test_seats_that_left_stand_last_whatever_they_score() -> None:
    table = at_opportunity("GRY", 0, seats=3, spots={"GRY": [1]}, hq={1: {"consultants": ("CN1-1",)}})
    table.resigns(1).when(0, Pass())
    assert table.game.result is not None
    assert table.game.result.standings[-1] == (1,)


@pytest.mark.rule("PO-366")
def test_at_a_deadline_the_most_cautious_answer_is_given() -> None:
    """AMB-73: home to HQ where nothing else will do; the first answer where not even that is possible."""
    table = a_table(spots={"DEV": [1]}, field_display=("OF-RUS-AGR",)).expires(0)
    table.then_among_others(DecisionExpired(0, "turns")).waits_for(Step2Reassign, 0)
    assert where(table.board) == {"HQ": 2}
    table = a_table(spots={"EXP": [1]}).when(0, TakeAction("EXP")).waits_for(ChooseOption, 0).expires(0)
    table.waits_for(Step2Reassign, 0)
    table = a_table(bag=(9, 0, 0), pulled="b", spots={"DEV": [1, 1]}).when(0, TakeAction("DEV")).expires(0)
    assert table.board.market["ETH"] == 1
    at_final_reassign(1, seats=2).expires(1).ends("peak_oil", *range(2))


@pytest.mark.rule("PO-366")
def test_where_nobody_may_go_home_an_agent_moves_and_no_action_is_taken() -> None:
    """PR1-4 keeps agents from HQ: acting, here with the pull of a tie, is not what caution does."""
    table = a_table(bag=(0, 1, 0), spots={"EXP": [1, 1]}, hq={0: {"pr_up": ("PR1-4",), "agents": 0}}).expires(0)
    table.then_among_others(AgentReassigned(0, "EXP", "DEV")).then_none(ActionDeclared, BarrelPulled)


@pytest.mark.rule("PO-366")
def test_a_deadline_uses_up_no_security_chip() -> None:
    table = a_table(hq={0: {"security": 1}}).expires(0)
    assert table.board.seats[0].security == 1


@pytest.mark.rule("PO-050", "PO-362")
def test_turns_pass_over_a_seat_that_left() -> None:
    table = a_start(3, first_player=0).resigns(1).when(0, Reassign("HQ", "DEV")).when(0, Reassign("HQ", "INV"))
    table.counts(TurnStarted, 1).waits_for(Step1Choose, 2)
    table.when(2, Reassign("HQ", "DEV")).resigns(2).ends("last_active", 0)
    a_start(4, first_player=0).resigns(1).resigns(0).waits_for(Step1Choose, 2)


@pytest.mark.rule("PO-360")
def test_a_seat_off_turn_may_leave_without_disturbing_the_one_on_turn() -> None:
    table = a_table(seats=3, spots={"EXP": [1]}).when(0, TakeAction("EXP")).resigns(2).waits_for(ChooseOption, 0)
    table.when(0, Recruit())
