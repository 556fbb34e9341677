"""Peak Oil, final reassigns and the Peak Oil phase: PO-245 … PO-266, PO-365."""

from __future__ import annotations

import pytest

from events.peak_oil.commands import (
    ActHere,
    Dispatch,
    EndAction,
    HireConsultant,
    Pass,
    PayReassign,
    PlaceEntry,
    PlaceOnMarket,
    PlaceTechnology,
    Pull,
    Reassign,
    Recruit,
    RefreshOilFields,
    Ship,
    StartDrill,
    StopPulling,
    TakeAction,
    TakeOilField,
    UseSecurity,
    Whitewash,
)
from events.peak_oil.facts import (
    AgentReassigned,
    AgentsDispatched,
    AgentsReturned,
    BarrelPulled,
    ChoiceDeclined,
    CrisisSuffered,
    DisplayRefilled,
    OpportunityOpened,
    PeakOilTriggered,
    PhaseOpened,
    Scored,
    SpotChecked,
    WindowClosed,
)
from events.peak_oil.steps import (
    ChooseOption,
    PeakEntry,
    PeakOption,
    PeakReassign,
    Step2Reassign,
    Step3Optional,
)
from tests.rules.peak_oil.tables import (
    TRIGGERED,
    a_table,
    answers,
    at_final_reassign,
    at_opportunity,
    at_step_two,
    black_of,
    where,
)

FIELDS = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-SPM")


@pytest.mark.rule("PO-245", "PO-246")
def test_the_last_black_that_leaves_the_bag_triggers_at_once() -> None:
    """AMB-04: also when it is only put aside; recorded before a slot is chosen."""
    table = a_table(seats=2, bag=(1, 0, 0), pulled="b", spots={"DEV": [1, 1]}, field_display=FIELDS)
    table.when(0, TakeAction("DEV")).then_among_others(PeakOilTriggered(0, "bag_empty"))
    assert table.board.pulled == 1
    assert (table.view(1).marker, table.view(1).trigger) == (0, "bag_empty")


@pytest.mark.rule("PO-245")
def test_it_happens_once_and_is_never_undone() -> None:
    """Black that returned may leave the bag again."""
    table = at_opportunity(
        "GUL", 1, bag=(1, 0, 0), pulled="b", spots={"GUL": [0, 1]}, risks={"MAL": ("RC02", 0)}, regions={"GUL": 1}
    )
    table.when(1, Ship("R10")).counts(PeakOilTriggered, 0)
    assert table.board.marker == 0


@pytest.mark.rule("PO-247", "PO-248")
def test_the_turn_is_finished_and_no_other_follows() -> None:
    """PO-261: refills included; after the third step the final reassigns begin with the left neighbour."""
    table = a_table(
        seats=3, bag=(2, 0, 0), spots={"DEV": [1]}, field_display=FIELDS, field_deck=FIELDS[:1], hq={0: {"black": 2}}
    )
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-RUS-SPM"))
    table.then_among_others(PeakOilTriggered(0, "bag_empty")).counts(DisplayRefilled, 1)
    table.waits_for(Step2Reassign, 0).when(0, Reassign("HQ", "GUL")).waits_for(Step3Optional, 0)


@pytest.mark.rule("PO-250", "PO-251")
def test_everybody_but_the_marker_player_may_reassign_once() -> None:
    table = at_step_two(seats=3, marker=0, trigger="bag_empty").when(0, Reassign("HQ", "DEV"))
    table.then_among_others(WindowClosed(0, 0, 0), PhaseOpened("final_reassign")).waits_for(PeakReassign, 1)
    table.when(1, Reassign("HQ", "DEV")).then_among_others(AgentReassigned(1, "HQ", "DEV")).waits_for(PeakReassign, 2)
    table.when(2, Pass()).then_among_others(ChoiceDeclined(2, "peak_reassign"), PhaseOpened("peak_oil"))
    table.waits_for(PeakOption, 0)


@pytest.mark.rule("PO-252")
def test_the_final_reassign_obeys_room_and_openness_and_costs_nothing() -> None:
    table = at_final_reassign(1, spots={"DEV": [2, 0, 2, 1], "INV": [0, 1]})
    table.refuses(1, Reassign("HQ", "DEV"), "PO-065", "spot_full")
    table.refuses(1, Reassign("INV", "INV"), "PO-064", "same_place")
    table.refuses(1, TakeAction("INV"), "PO-252", "wrong_phase")
    table.refuses(1, PayReassign("HQ", "INV"), "PO-252", "wrong_phase")
    table.when(1, Reassign("INV", "HQ"))
    assert where(table.board, 1) == {"HQ": 2}


@pytest.mark.rule("PO-255")
def test_spots_are_checked_from_left_to_right_closed_ones_skipped() -> None:
    spots = {"EXP": [1], "RUS": [1], "LIB": [1], "GRY": [1]}
    table = at_final_reassign(1, seats=2, spots=spots, hq={0: {"agents": 0, "reserve": 0}}).when(1, Pass())
    checked = []
    while not table.game.ended:
        checked += [event.spot for event in table.happened if isinstance(event, SpotChecked)]
        table.when(table.game.awaited[0], Pass())
    assert checked == ["EXP", "LIB", "RUS", "GRY"]


@pytest.mark.rule("PO-256", "PO-259")
def test_a_lone_majority_goes_first_then_clockwise_from_the_marker() -> None:
    """T-104: nobody has it, so the order is 3, 0, 1, and nobody pulls for the tie."""
    spots = {"DEV": [2, 2, 0, 1]}
    table = at_final_reassign(2, spots=spots, marker=3, field_display=FIELDS).when(2, Pass())
    table.then_among_others(SpotChecked("DEV", (3, 0, 1)), OpportunityOpened(3, "DEV")).counts(BarrelPulled, 0)
    majority = at_final_reassign(2, spots={"DEV": [1, 2, 0, 1]}, marker=3, field_display=FIELDS).when(2, Pass())
    majority.then_among_others(SpotChecked("DEV", (1, 3, 0)))


@pytest.mark.rule("PO-257")
def test_who_has_no_agent_left_on_the_spot_is_skipped() -> None:
    """AMB-33: a crisis took the agent in a window of its own; seat 1 has none there any more."""
    table = at_opportunity("DEV", 0, 1, 2, spots={"DEV": [1, 0, 1]}, field_display=FIELDS).when(0, Pass())
    table.waits_for(PeakOption, 2)


@pytest.mark.rule("PO-258")
def test_one_option_and_home() -> None:
    """T-113: even with the majority."""
    hq = {0: {"pr_up": ("PR1-1",)}}
    table = at_opportunity("DEV", 0, 1, spots={"DEV": [2, 1]}, field_display=FIELDS, hq=hq)
    table.when(0, Whitewash("PR1-1")).then_among_others(AgentsReturned(0, "DEV", 2), WindowClosed(0, 0, 0))
    table.waits_for(PeakOption, 1).refuses(0, StartDrill(), "PO-370", "not_awaited")


@pytest.mark.rule("PO-258")
def test_or_none() -> None:
    table = at_opportunity("DEV", 0, 1, spots={"DEV": [2, 1]}, field_display=FIELDS).when(0, Pass())
    table.then_among_others(ChoiceDeclined(0, "peak_option"), AgentsReturned(0, "DEV", 2))


@pytest.mark.rule("PO-258")
def test_card_effects_on_the_number_of_options_change_nothing() -> None:
    """AMB-56: CN3-2 gives no second one."""
    hq = {0: {"pr_up": ("PR1-1",), "consultants": ("CN1-1", "CN2-1", "CN3-2")}}
    table = at_opportunity("DEV", 0, 1, spots={"DEV": [1, 1]}, field_display=FIELDS, hq=hq)
    table.when(0, Whitewash("PR1-1")).waits_for(PeakOption, 1)


@pytest.mark.rule("PO-260")
def test_displays_are_neither_refilled_nor_replaced() -> None:
    """T-106, nested case 12: the fourth driller finds none."""
    table = at_opportunity(
        "DEV", 0, 1, 2, 3, spots={"DEV": [1, 1, 1, 1]}, field_display=FIELDS, field_deck=("OF-GUL-ETH",)
    )
    for seat, card in enumerate(("OF-RUS-SPM", "OF-LIB-SPM", "OF-RUS-AGR")):
        table.when(seat, StartDrill())
        table.refuses(seat, RefreshOilFields(), "PO-260", "no_refresh")
        table.when(seat, TakeOilField(card)).counts(DisplayRefilled, 0)
    table.when(2, StopPulling()).waits_for(PeakOption, 3)
    assert answers(table) == ["pass"]


@pytest.mark.rule("PO-261")
def test_entry_payments_pulls_and_security_are_as_usual() -> None:
    table = at_opportunity("GRY", 0, spots={"GRY": [1]}, hq={0: {"black": 2, "security": 1}}, consultants=("CN1-1",))
    table.when(0, UseSecurity("flip_risk", ("MAL",))).when(0, PlaceEntry("ETH", "HQ")).waits_for(ChooseOption, 0)
    table.when(0, HireConsultant("CN1-1"))
    assert black_of(table.board) == 1
    assert table.game.ended


@pytest.mark.rule("PO-261")
def test_without_a_barrel_grey_ops_can_only_be_passed() -> None:
    """T-109."""
    table = at_opportunity("GRY", 0, spots={"GRY": [1]}).waits_for(PeakEntry, 0)
    assert answers(table) == ["pass"]
    table.refuses(0, PlaceEntry("ETH", "HQ"), "PO-196", "cannot_pay_entry")
    table.when(0, Pass()).then_among_others(AgentsReturned(0, "GRY", 1))


@pytest.mark.rule("PO-262")
def test_each_opportunity_is_a_window_of_its_own() -> None:
    """T-108: 8 to 4 in the first, 4 to 2 in the second; reds return after each."""
    table = at_opportunity(
        "LIB",
        0,
        bag=(5, 1, 0),
        pulled="r|r",
        spots={"LIB": [1], "NIG": [1]},
        risks={"GIB": ("RC02", 0), "CAR": ("RC03", 0), "SUE": ("RC06", 1), "ADE": ("RC09", 1)},
        hq={0: {"black": 8}},
    )
    table.when(0, Ship("R04")).then_among_others(CrisisSuffered(0, 4, first=True)).when(0, StopPulling())
    table.then_among_others(WindowClosed(0, 0, 1), OpportunityOpened(0, "NIG"))
    table.when(0, Ship("R07")).then_among_others(CrisisSuffered(0, 2, first=True)).when(0, StopPulling())
    assert (black_of(table.board), table.board.bag_red) == (2, 1)


@pytest.mark.rule("PO-263")
def test_a_dispatch_waits_for_its_spot_to_be_checked() -> None:
    table = at_opportunity("EXP", 0, spots={"EXP": [2]}, technologies={"ETH": 0}, hq={0: {"black": 1}})
    table.when(0, Dispatch("INV")).then_among_others(AgentsDispatched(0, "INV", 2), SpotChecked("INV", (0,)))
    assert table.view(None).checking == "INV"
    table.refuses(0, ActHere(), "PO-051", "wrong_phase")
    table.when(0, PlaceTechnology("ETH"))
    assert table.board.technologies["ETH"] == 1


@pytest.mark.rule("PO-264")
def test_recruit_is_legal_and_useless() -> None:
    """T-114."""
    table = at_opportunity("EXP", 0, spots={"EXP": [1]}).when(0, Recruit())
    assert (table.board.seats[0].reserve, table.board.seats[0].agents) == (1, 3)


@pytest.mark.rule("PO-265", "PO-266")
def test_after_grey_ops_nobody_is_on_the_board_and_all_is_scored() -> None:
    table = at_opportunity("GRY", 0, spots={"GRY": [1]}).when(0, Pass())
    assert [type(event) for event in table.happened[-2:]] == [Scored, type(table.happened[-1])]
    assert not any(any(agents) for agents in table.board.spots.values())
    table.refuses(0, Pass(), "PO-265", "game_over")


def test_nested_case_14_a_region_that_was_emptied_can_still_be_shipped_from() -> None:
    """PO-219, PO-258."""
    table = at_opportunity("GUL", 0, 1, spots={"GUL": [2, 1]}, regions={"GUL": 2}).when(0, Ship("R10"))
    table.waits_for(PeakOption, 1).when(1, Ship("R10"))
    assert (black_of(table.board), black_of(table.board, 1)) == (2, 0)


def test_nested_case_15_a_distribution_may_refill_a_region_that_is_being_checked() -> None:
    """PO-142, PO-261."""
    table = at_opportunity(
        "GUL",
        0,
        1,
        bag=(5, 0, 0),
        pulled="b",
        spots={"GUL": [2, 1]},
        market="ETH SPM AGR TID",
        risks={"MAL": ("RC04", 0), "CGH": ("RC01", 1), "CAR": ("RC07", 0), "ADE": ("RC05", 1), "SUE": ("RC02", 1)},
    )
    table.when(0, Ship("R10"))
    assert black_of(table.board) == 1, "distributed before loading, and shipped"
    assert table.board.regions["RUS"] == 1


@pytest.mark.rule("PO-365")
def test_max_turns_triggers_at_the_end_of_that_turn() -> None:
    """AMB-72."""
    table = at_step_two(seats=2, options={"max_turns": 9}).when(0, Reassign("HQ", "DEV"))
    table.then_among_others(PeakOilTriggered(0, "max_turns"), PhaseOpened("final_reassign"))
    earlier = at_step_two(seats=2, options={"max_turns": 10}).when(0, Reassign("HQ", "DEV"))
    earlier.counts(PeakOilTriggered, 0)
    once = at_step_two(seats=2, options={"max_turns": 9}, **TRIGGERED).when(0, Reassign("HQ", "DEV"))
    once.counts(PeakOilTriggered, 0).counts(PhaseOpened, 1)


@pytest.mark.rule("PO-261")
def test_a_question_mark_may_be_pulled_for() -> None:
    table = at_opportunity(
        "DEV", 0, bag=(5, 0, 0), pulled=[2, "b"], spots={"DEV": [1]}, field_display=FIELDS, then=("INV",)
    )
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    assert table.board.regions["RUS"] == 3


@pytest.mark.rule("PO-261")
def test_the_first_black_of_an_opportunity_goes_on_the_market() -> None:
    table = at_opportunity(
        "GUL", 0, bag=(5, 0, 0), pulled="bb", spots={"GUL": [1]}, risks={"MAL": ("RC01", 0), "BEL": ("RC05", 1)}
    )
    table.when(0, Ship("R10")).when(0, PlaceOnMarket("ETH"))
    table.then_among_others(WindowClosed(0, 1, 0))


@pytest.mark.rule("PO-248")
def test_an_action_in_the_triggering_turn_is_finished() -> None:
    table = a_table(seats=2, bag=(1, 0, 0), pulled="b", spots={"DEV": [1, 1]}, field_display=FIELDS)
    table.when(0, TakeAction("DEV")).when(0, PlaceOnMarket("ETH")).when(0, EndAction()).waits_for(Step2Reassign, 0)
