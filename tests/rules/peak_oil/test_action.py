"""Standing, declaring and ending an action: PO-080 … PO-095."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.codes import OptionName, Spot
from events.peak_oil.commands import (
    CrudeWhitewash,
    Dispatch,
    EndAction,
    EndTurn,
    HireConsultant,
    MarketMove,
    MoveBlackMarket,
    PlaceEntry,
    PlaceOnMarket,
    PlaceTechnology,
    Reassign,
    Recruit,
    Research,
    Ship,
    SkipDrill,
    StartDrill,
    StartStartUps,
    StopPulling,
    TakeAction,
    Whitewash,
)
from events.peak_oil.facts import ActionDeclared, AgentsReturned, BarrelPulled, ChoiceDeclined, CrisisSuffered
from events.peak_oil.steps import (
    ChooseMarketSlot,
    ChooseOption,
    CloseTurn,
    ExtraPull,
    LeaveSpot,
    Step2Reassign,
    StepTwo,
)
from events.words import Command
from rules.peak_oil.book import Sight
from rules.peak_oil.spots import options_on
from tests.rules.peak_oil.tables import DECISION, a_table, answers, black_of, book, where

OPEN: dict[str, Any] = {"field_display": ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-ETH")}


@pytest.mark.rule("PO-080")
def test_without_an_agent_there_is_no_action() -> None:
    a_table(spots={"DEV": [0, 1]}).refuses(0, TakeAction("DEV"), "PO-080", "no_agents_before_turn")


@pytest.mark.rule("PO-080", "PO-057")
def test_an_agent_that_arrives_this_turn_does_not_act_this_turn() -> None:
    table = a_table().when(0, Reassign("HQ", "DEV"))
    table.refuses(0, TakeAction("DEV"), "PO-057", "wrong_phase")


@pytest.mark.rule("PO-081", "PO-084")
def test_two_tied_for_majority_may_act_the_third_may_not() -> None:
    """T-21."""
    spots = {"DEV": [2, 2, 1]}
    assert "take_action:DEV" in answers(a_table(spots=spots, active=0, **OPEN))
    assert "take_action:DEV" in answers(a_table(spots=spots, active=1, **OPEN))
    table = a_table(spots=spots, active=2, **OPEN)
    assert "take_action:DEV" not in answers(table)
    table.refuses(2, TakeAction("DEV"), "PO-084", "no_standing")


@pytest.mark.rule("PO-081", "PO-082")
def test_majority_pulls_nothing_and_may_use_both_options() -> None:
    """T-22."""
    table = a_table(spots={"DEV": [2, 1, 1]}, hq={0: {"pr_up": ("PR1-1",)}}, **OPEN).when(0, TakeAction("DEV"))
    table.then(ActionDeclared(0, "DEV", "majority")).waits_for(ChooseOption, 0)
    table.when(0, StartDrill()).when(0, SkipDrill()).waits_for(ChooseOption, 0)
    table.refuses(0, StartDrill(), "PO-082", "option_used")
    table.when(0, Whitewash("PR1-1")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-082")
def test_the_options_may_come_in_either_order() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"pr_up": ("PR1-1",)}}, **OPEN).when(0, TakeAction("DEV"))
    table.when(0, Whitewash("PR1-1")).when(0, StartDrill()).when(0, SkipDrill()).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-082")
def test_an_option_of_another_spot_is_not_to_be_had() -> None:
    table = a_table(spots={"DEV": [1]}, **OPEN).when(0, TakeAction("DEV"))
    table.refuses(0, Recruit(), "PO-082", "not_on_this_spot")
    table.refuses(0, Ship("R11"), "PO-082", "not_on_this_spot")


OPTION_COMMANDS: dict[OptionName, Command] = {
    "recruit": Recruit(),
    "dispatch": Dispatch("LIB"),
    "drill": StartDrill(),
    "whitewash": Whitewash("PR1-1"),
    "research": Research(),
    "start_ups": StartStartUps(),
    "technologies": PlaceTechnology("ETH"),
    "crude_whitewash": CrudeWhitewash(),
    "black_market": MoveBlackMarket(),
    "consultants": HireConsultant("CN1-1"),
    "marketing": MarketMove("ETH", "SPM"),
    "ship": Ship("R10"),
}


@pytest.mark.rule("PO-082", "PO-088")
@pytest.mark.parametrize("variant", ["base", "crude"])
@pytest.mark.parametrize("spot", ["EXP", "DEV", "GUL", "INV", "GRY"])
def test_every_option_is_to_be_had_on_its_own_spot_alone(variant: str, spot: Spot) -> None:
    asked = ChooseOption(spot, "majority", awaits=(0,), decision=DECISION)
    steps = (asked, LeaveSpot(spot), StepTwo(), CloseTurn())
    table = a_table(steps=steps, spots={spot: [1]}, technologies={"ETH": 1}, options={"variant": variant})
    for name, command in OPTION_COMMANDS.items():
        if name not in options_on(Sight(table.board, book(variant=variant)), spot):
            table.refuses(0, command, "PO-082", "not_on_this_spot")


@pytest.mark.rule("PO-083")
def test_a_tie_takes_one_pull_and_leaves_one_option() -> None:
    """T-26: four are tied, and it is one pull all the same."""
    table = a_table(spots={"DEV": [1, 1, 1, 1]}, pulled="b", hq={0: {"pr_up": ("PR1-1",)}}, **OPEN)
    table.when(0, TakeAction("DEV")).counts(BarrelPulled, 1).waits_for(ChooseMarketSlot, 0)
    table.when(0, PlaceOnMarket("AGR")).when(0, Whitewash("PR1-1")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-083", "PO-085", "PO-092")
def test_a_crisis_in_the_tie_pull_does_not_stop_the_action() -> None:
    """T-24."""
    table = a_table(bag=(10, 1, 1), spots={"DEV": [1, 1]}, pulled="r", hq={0: {"black": 5}}, **OPEN)
    box = table.board.box_black
    table.when(0, TakeAction("DEV")).then_among_others(CrisisSuffered(0, 2, first=True)).waits_for(ExtraPull, 0)
    assert (black_of(table.board), table.board.box_black) == (3, box + 2)
    table.when(0, StopPulling()).waits_for(ChooseOption, 0)
    assert "start_drill" in answers(table)
    table.when(0, EndAction()).when(0, Reassign("HQ", "GUL")).when(0, EndTurn())
    assert (table.board.bag_black, table.board.bag_red, table.board.bag_yellow) == (10, 1, 1)


@pytest.mark.rule("PO-086")
def test_the_standing_is_settled_when_the_action_is_declared() -> None:
    """An agent that leaves the spot later takes nothing away: PR2-2 takes one, and both options remain."""
    table = a_table(
        bag=(5, 5, 0),
        pulled="r",
        spots={"DEV": [2, 1]},
        hq={0: {"agents": 0, "pr_down": "PR2-2", "pr_down_level": 2, "pr_up": ("PR1-1",)}},
        field_display=("OF-RUS-ETH",),
    )
    table.when(0, TakeAction("DEV"))
    assert table.game.waiting == ChooseOption("DEV", "majority", awaits=(0,), decision=8)


@pytest.mark.rule("PO-087")
def test_a_tie_cannot_be_broken_out_of_an_empty_bag() -> None:
    """AMB-06; reached only after Peak Oil was triggered, T-101."""
    table = a_table(bag=(0, 0, 0), spots={"DEV": [1, 1]}, marker=0, trigger="bag_empty", **OPEN)
    table.refuses(0, TakeAction("DEV"), "PO-087", "bag_empty_no_tiebreak")


@pytest.mark.rule("PO-088")
def test_a_region_has_one_option() -> None:
    table = a_table(spots={"GUL": [1]}, regions={"GUL": 3}).when(0, TakeAction("GUL"))
    table.when(0, Ship("R10")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-089")
def test_agents_beyond_the_majority_have_no_effect() -> None:
    table = a_table(spots={"EXP": [4, 1]}, hq={0: {"agents": 0}}, seats=2)
    table.when(0, TakeAction("EXP")).when(0, EndAction()).waits_for(Step2Reassign, 0)
    assert where(table.board) == {"HQ": 4}


@pytest.mark.rule("PO-090", "PO-091")
def test_an_action_may_be_wasted_and_all_agents_go_home() -> None:
    """T-27: the barrel stays on the market."""
    table = a_table(spots={"DEV": [2, 2]}, pulled="b", **OPEN).when(0, TakeAction("DEV"))
    table.when(0, PlaceOnMarket("TID")).when(0, EndAction())
    table.then(ChoiceDeclined(0, "choose_option"), AgentsReturned(0, "DEV", 2))
    assert table.board.market["TID"] == 1
    assert where(table.board) == {"HQ": 2}


@pytest.mark.rule("PO-093")
def test_grey_ops_needs_the_entry_barrel() -> None:
    """T-45."""
    table = a_table(spots={"GRY": [1]})
    table.refuses(0, TakeAction("GRY"), "PO-196", "cannot_pay_entry")
    assert "take_action:GRY" not in answers(table)


@pytest.mark.rule("PO-094")
def test_an_option_is_judged_when_it_is_chosen() -> None:
    """Nested case 6: HQ 3 before the crisis, 2 after it, so a Start-Up of price 3 is out of reach."""
    table = a_table(
        bag=(10, 1, 0),
        spots={"INV": [1, 1]},
        pulled="r",
        hq={0: {"black": 3}},
        technologies={"ETH": 3},
        start_up_display=("SU-ETH-1",),
    )
    table.when(0, TakeAction("INV")).when(0, StopPulling())
    assert black_of(table.board) == 2
    assert "start_start_ups" not in answers(table)
    assert "place_technology:ETH" in answers(table)


@pytest.mark.rule("PO-095")
def test_an_option_limit_may_fall_in_mid_action() -> None:
    """T-164: Drill first, with PR2-1 face up, ends the action."""
    table = a_table(spots={"DEV": [1]}, hq={0: {"black": 3, "pr_up": ("PR2-1",)}}, **OPEN)
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, SkipDrill()).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-095")
def test_and_it_may_rise() -> None:
    """T-164: Whitewash of PR2-1 first leaves Drill open."""
    table = a_table(spots={"DEV": [1]}, hq={0: {"black": 3, "pr_up": ("PR2-1",)}}, **OPEN)
    box = table.board.box_black
    table.when(0, TakeAction("DEV")).when(0, Whitewash("PR2-1")).waits_for(ChooseOption, 0)
    assert (black_of(table.board), table.board.box_black) == (2, box + 1)
    table.when(0, StartDrill())


@pytest.mark.rule("PO-095")
def test_hiring_the_shadow_director_while_tied_opens_the_second_option() -> None:
    """T-165."""
    table = a_table(
        spots={"GRY": [1, 1]},
        pulled="b",
        hq={0: {"black": 1, "consultants": ("CN1-1", "CN2-1")}},
        consultants=("CN3-2",),
    )
    table.when(0, TakeAction("GRY")).when(0, PlaceOnMarket("ETH")).when(0, PlaceEntry("SPM", "HQ"))
    table.when(0, HireConsultant("CN3-2")).waits_for(ChooseOption, 0)
    assert black_of(table.board) == 0
    assert "move_black_market" in answers(table)


@pytest.mark.rule("PO-090")
def test_an_action_with_nothing_left_to_use_ends_by_itself() -> None:
    table = a_table(spots={"INV": [1]}, hq={0: {"black": 1}}).when(0, TakeAction("INV"))
    table.when(0, PlaceTechnology("ETH")).waits_for(Step2Reassign, 0)
