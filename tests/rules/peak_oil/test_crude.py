"""The Crude rules: PO-300 … PO-321."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import (
    ActHere,
    ChooseOwnAgent,
    CrudeWhitewash,
    Dispatch,
    EndAction,
    HireConsultant,
    MarketMove,
    MarketPlace,
    MoveBlackMarket,
    PlaceEntry,
    PlaceTechnology,
    Pull,
    Reassign,
    Recruit,
    RefreshOilFields,
    RefreshStartUps,
    Research,
    SkipDrill,
    StartDrill,
    StartStartUps,
    StopPulling,
    TakeAction,
    Whitewash,
)
from events.peak_oil.facts import (
    AgentBumped,
    AgentToTrack,
    BarrelPulled,
    ConsultantsOffered,
    CrisisSuffered,
    DisplayRefreshed,
    PrCardDrawn,
    StepSkipped,
    TechnologyMoved,
    TechnologyPlaced,
    TrackCleared,
    TurnStarted,
)
from events.peak_oil.steps import ChooseOption, CrudeCrisisAgent, ExtraPull, Step1Choose, Step2Reassign
from tests.rules.peak_oil.tables import a_start, a_table, answers, at_opportunity, at_step_two, black_of, refused, where
from tests.scenario import Scenario

CRUDE = {"variant": "crude"}
FIELDS = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-SPM")
DECK = ("OF-GUL-ETH", "OF-GUL-SPM", "OF-GUL-AGR", "OF-GUL-TID")
OPEN = ("SU-ETH-1", "SU-SPM-1", "SU-AGR-1")
UNDER = ("SU-TID-1", "SU-TID-2", "SU-TID-3")
CARDS: dict[str, Any] = {
    "field_display": FIELDS,
    "field_deck": DECK,
    "start_up_display": OPEN,
    "start_up_deck": UNDER,
}


def crude(**table: Any) -> Scenario:
    """A table with the Crude rules."""
    return a_table(**{"options": CRUDE, **CARDS, **table})


@pytest.mark.rule("PO-300")
def test_neither_pr_cards_nor_consultants_are_in_the_game() -> None:
    table = a_start(4, variant="crude").counts(ConsultantsOffered, 0)
    assert table.board.pr_decks == ((), (), ())
    assert table.board.consultants == ()


@pytest.mark.rule("PO-301")
def test_the_bag_has_two_red_at_any_number_of_seats() -> None:
    """AMB-49: yellow and black follow the table."""
    for seats, black in ((2, 18), (5, 25)):
        board = a_start(seats, variant="crude").board
        assert (board.bag_black, board.bag_red, board.bag_yellow, board.box_red) == (black, 2, seats, 3)
    refusal = ("PO-301", "extra_red_with_crude", "/options/extra_barrels/red")
    assert refused(3, variant="crude", extra_barrels={"red": 1}) == refusal


@pytest.mark.rule("PO-302")
def test_one_option_even_with_the_majority_freely_chosen() -> None:
    """T-131."""
    table = crude(spots={"DEV": [2, 1]}).when(0, TakeAction("DEV")).counts(BarrelPulled, 0)
    assert answers(table) == ["end_action", "start_drill", "research"]
    table.when(0, StartDrill()).when(0, SkipDrill()).waits_for(Step2Reassign, 0)
    table.refuses(0, Research(), "PO-051", "wrong_phase")


@pytest.mark.rule("PO-302")
def test_a_tie_still_takes_its_pull() -> None:
    table = crude(spots={"DEV": [1, 1]}, pulled="b", market="ETH SPM AGR TID").when(0, TakeAction("DEV"))
    table.counts(BarrelPulled, 1).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-303")
def test_one_option_on_the_spot_dispatched_to() -> None:
    """AMB-55; and none is left on Expand."""
    table = crude(spots={"EXP": [1]}).when(0, TakeAction("EXP")).when(0, Dispatch("DEV")).when(0, ActHere())
    table.when(0, Research()).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-304", "PO-306")
def test_a_crisis_costs_an_agent_and_nothing_else() -> None:
    """AMB-47: each of them, not the first alone."""
    table = crude(bag=(9, 2, 0), pulled="rr", spots={"DEV": [1, 1]}, hq={0: {"black": 6, "agents": 2}})
    table.when(0, TakeAction("DEV")).then_among_others(CrisisSuffered(0, 0, first=True)).counts(PrCardDrawn, 0)
    table.waits_for(CrudeCrisisAgent, 0)
    assert answers(table) == ["choose_own_agent:HQ", "choose_own_agent:DEV"]
    table.refuses(0, ChooseOwnAgent("INV"), "PO-304", "no_agent_there")
    table.when(0, ChooseOwnAgent("HQ")).then_among_others(AgentToTrack(0, "HQ", 1)).waits_for(ExtraPull, 0)
    table.when(0, Pull()).when(0, ChooseOwnAgent("HQ"))
    table.then_among_others(AgentBumped(0, 1, 2), AgentToTrack(0, "HQ", 1))
    assert (black_of(table.board), table.board.track) == (6, (0, 0, None, None))


@pytest.mark.rule("PO-305")
def test_a_full_track_pushes_the_last_agent_home() -> None:
    table = crude(bag=(9, 2, 0), pulled="r", spots={"DEV": [1, 1]}, hq={0: {"agents": 0}}, track=[2, 3, 2, 1])
    table.when(0, TakeAction("DEV"))
    table.then_among_others(
        AgentBumped(1, 4, None),
        AgentBumped(2, 3, 4),
        AgentBumped(3, 2, 3),
        AgentBumped(2, 1, 2),
        AgentToTrack(0, "DEV", 1),
    )
    assert table.board.track == (0, 2, 3, 2)
    assert where(table.board, 1) == {"HQ": 1, "DEV": 1}


@pytest.mark.rule("PO-305")
def test_pushing_stops_at_the_first_gap() -> None:
    table = crude(bag=(9, 2, 0), pulled="r", spots={"DEV": [1, 1]}, hq={0: {"agents": 0}}, track=[1, None, 2, None])
    table.when(0, TakeAction("DEV"))
    assert table.board.track == (0, 1, 2, None)


@pytest.mark.rule("PO-305")
def test_an_own_agent_may_be_pushed_home() -> None:
    """AMB-74."""
    table = crude(bag=(9, 2, 0), pulled="r", spots={"DEV": [1, 1]}, hq={0: {"agents": 0}}, track=[2, 3, 2, 0])
    table.when(0, TakeAction("DEV"))
    assert table.board.track.count(0) == 1
    assert where(table.board) == {"HQ": 1}


@pytest.mark.rule("PO-307")
def test_agents_on_the_track_do_nothing() -> None:
    table = crude(track=[0, 0, None, None], hq={0: {"agents": 0}}, spots={"INV": [1]})
    assert all(answer.startswith(("reassign:INV", "take_action:INV")) for answer in answers(table))


@pytest.mark.rule("PO-308")
def test_with_nobody_in_play_a_crisis_has_no_effect() -> None:
    """T-135: the extra pull is offered all the same."""
    table = crude(seats=2, bag=(9, 2, 0), pulled="rr", spots={"DEV": [1, 1]}, hq={0: {"agents": 0, "reserve": 3}})
    table.when(0, TakeAction("DEV")).when(0, Pull()).then_among_others(CrisisSuffered(0, 0, first=False))
    table.counts(AgentToTrack, 0).waits_for(ExtraPull, 0)


@pytest.mark.rule("PO-309")
def test_who_begins_a_turn_with_all_agents_stuck_gets_them_back() -> None:
    """T-134."""
    table = at_step_two(options=CRUDE, seats=2, track=[1, 1, None], hq={1: {"agents": 0, "reserve": 2}}).when(
        0, Reassign("HQ", "DEV")
    )
    table.then_among_others(TurnStarted(10, 1), TrackCleared(1, 2, "stuck")).waits_for(Step1Choose, 1)
    assert (table.board.seats[1].agents, table.board.seats[1].reserve) == (2, 2)
    assert table.board.window.start[0] == 2, "PO-073 counts from here"


@pytest.mark.rule("PO-309")
@pytest.mark.parametrize(("hq", "spots"), [(1, {}), (0, {"DEV": [0, 1]})])
def test_who_has_an_agent_in_hq_or_on_a_spot_gets_none_back(hq: int, spots: dict[str, list[int]]) -> None:
    table = at_step_two(options=CRUDE, seats=2, track=[1, 1, None], spots=spots, hq={1: {"agents": hq}})
    table.when(0, Reassign("HQ", "INV")).counts(TrackCleared, 0)
    assert table.board.track == (1, 1, None)


@pytest.mark.rule("PO-309")
def test_where_nobody_is_stuck_nothing_is_cleared() -> None:
    table = at_step_two(options=CRUDE, seats=2, hq={1: {"agents": 0, "reserve": 4}}).when(0, Reassign("HQ", "DEV"))
    table.counts(TrackCleared, 0)


@pytest.mark.rule("PO-310", "PO-311")
def test_with_three_seats_the_first_of_four_spaces_is_left_out() -> None:
    """T-133."""
    table = crude(seats=3, bag=(9, 2, 0), pulled="r", spots={"DEV": [1, 1]}, hq={0: {"agents": 0, "reserve": 3}})
    table.when(0, TakeAction("DEV")).then_among_others(AgentToTrack(0, "DEV", 2))
    assert (table.board.track_spaces, table.board.track) == ((2, 3, 4), (0, None, None))
    assert a_start(4, variant="crude").board.track_spaces == (1, 2, 3, 4)


@pytest.mark.rule("PO-312")
def test_drill_and_start_ups_have_no_refresh() -> None:
    """T-144."""
    table = crude(spots={"DEV": [1]}).when(0, TakeAction("DEV")).when(0, StartDrill())
    assert "refresh_oil_fields" not in answers(table)
    table.refuses(0, RefreshOilFields(), "PO-312", "no_refresh")
    table = crude(spots={"INV": [1]}).when(0, TakeAction("INV")).when(0, StartStartUps())
    table.refuses(0, RefreshStartUps(), "PO-312", "no_refresh")


@pytest.mark.rule("PO-313")
def test_research_replaces_both_displays() -> None:
    """T-141, AMB-50."""
    table = crude(spots={"DEV": [1]}).when(0, TakeAction("DEV")).when(0, Research())
    table.then_among_others(
        DisplayRefreshed(0, "oil_fields", FIELDS, DECK[:3]), DisplayRefreshed(0, "start_ups", OPEN, UNDER)
    )
    assert table.board.start_up_deck == OPEN
    peak = at_opportunity("DEV", 0, spots={"DEV": [1]}, options=CRUDE, **CARDS)
    assert answers(peak) == ["pass", "start_drill"]
    peak.refuses(0, Research(), "PO-260", "no_refresh")
    elsewhere = crude(spots={"INV": [1]}).when(0, TakeAction("INV"))
    elsewhere.refuses(0, Research(), "PO-082", "not_on_this_spot")


@pytest.mark.rule("PO-314")
def test_whitewash_on_invest_brings_all_own_agents_home_free() -> None:
    """T-138, AMB-53."""
    table = crude(spots={"INV": [1]}, track=[0, 1, 0, None], hq={0: {"agents": 0, "black": 3}})
    table.when(0, TakeAction("INV")).when(0, CrudeWhitewash()).then_among_others(TrackCleared(0, 2, "whitewash"))
    assert (where(table.board), black_of(table.board), table.board.track) == ({"HQ": 3}, 3, (None, 1, None, None))
    none = crude(spots={"INV": [1]}).when(0, TakeAction("INV"))
    none.refuses(0, CrudeWhitewash(), "PO-314", "no_agent_there")
    none.refuses(0, PlaceTechnology("ETH"), "PO-082", "not_on_this_spot")


@pytest.mark.rule("PO-315", "PO-318")
def test_grey_ops_has_no_entry_and_the_same_black_market() -> None:
    table = crude(spots={"GRY": [1]}, market="ETH").when(0, TakeAction("GRY")).waits_for(ChooseOption, 0)
    table.refuses(0, HireConsultant("CN1-1"), "PO-082", "not_on_this_spot")
    table.refuses(0, PlaceEntry("SPM", "HQ"), "PO-315", "wrong_phase")
    table.when(0, MoveBlackMarket())
    assert table.board.technologies["ETH"] == 1


@pytest.mark.rule("PO-316")
def test_marketing_places_a_barrel() -> None:
    table = crude(spots={"GRY": [1]}, hq={0: {"black": 1}}).when(0, TakeAction("GRY")).when(0, MarketPlace("TID"))
    table.then_among_others(TechnologyPlaced(0, "TID")).waits_for(Step2Reassign, 0)
    poor = crude(spots={"GRY": [1]}, technologies={"ETH": 2}, market="ETH").when(0, TakeAction("GRY"))
    assert answers(poor) == ["end_action", "move_black_market"]
    poor.refuses(0, MarketPlace("TID"), "PO-316", "insufficient_barrels")


@pytest.mark.rule("PO-316", "PO-317")
def test_or_moves_one_for_what_the_target_then_holds() -> None:
    """T-136, AMB-51."""
    table = crude(spots={"GRY": [1]}, technologies={"ETH": 2, "AGR": 1}, hq={0: {"black": 2}})
    box = table.board.box_black
    table.when(0, TakeAction("GRY"))
    empty = ("SPM", "TID", "HYD")
    assert {answer.id: answer.costs for answer in table.options(0)} == {
        "end_action": {},
        **{f"market_place:{technology}": {"black": 1} for technology in ("ETH", *empty, "AGR")},
        **{f"market_move:{origin}:{technology}": {"black": 1} for origin in ("ETH", "AGR") for technology in empty},
        "market_move:ETH:AGR": {"black": 2},
    }
    table.when(0, MarketMove("ETH", "AGR")).then_among_others(TechnologyMoved(0, "ETH", "AGR", 2))
    assert (table.board.technologies["ETH"], table.board.technologies["AGR"]) == (1, 2)
    assert (black_of(table.board), table.board.box_black) == (0, box + 2)
    poor = crude(spots={"GRY": [1]}, technologies={"ETH": 2, "AGR": 1}, hq={0: {"black": 1}})
    poor.when(0, TakeAction("GRY")).refuses(0, MarketMove("ETH", "AGR"), "PO-317", "insufficient_barrels")
    poor.refuses(0, MarketMove("ETH", "ETH"), "PO-316", "same_position")
    poor.refuses(0, MarketMove("TID", "SPM"), "PO-316", "insufficient_barrels")


@pytest.mark.rule("PO-316")
def test_a_move_to_an_empty_technology_costs_one() -> None:
    """T-137."""
    table = crude(spots={"GRY": [1]}, technologies={"ETH": 2}, hq={0: {"black": 1}}).when(0, TakeAction("GRY"))
    table.when(0, MarketMove("ETH", "TID")).then_among_others(TechnologyMoved(0, "ETH", "TID", 1))


@pytest.mark.rule("PO-316")
def test_only_open_technologies() -> None:
    table = crude(seats=2, spots={"GRY": [1]}, technologies={"ETH": 2}, hq={0: {"black": 3}})
    table.when(0, TakeAction("GRY")).refuses(0, MarketMove("ETH", "HYD"), "PO-009", "tech_closed")
    table.refuses(0, MarketMove("HYD", "ETH"), "PO-009", "tech_closed")
    table.refuses(0, MarketPlace("HYD"), "PO-009", "tech_closed")


@pytest.mark.rule("PO-318")
def test_expand_is_unchanged_but_for_one_option() -> None:
    table = crude(spots={"EXP": [1]}).when(0, TakeAction("EXP")).when(0, Recruit()).waits_for(Step2Reassign, 0)
    table.refuses(0, Whitewash("PR1-1"), "PO-051", "wrong_phase")


@pytest.mark.rule("PO-321")
def test_a_single_free_agent_moves_once() -> None:
    """T-142."""
    table = crude(track=[0, None, None, None], hq={0: {"agents": 1}}, seats=4).when(0, Reassign("HQ", "DEV"))
    table.then_among_others(StepSkipped(0, 2)).waits_for(Step1Choose, 1)


@pytest.mark.rule("PO-067", "PO-068")
def test_an_agent_taken_by_a_crisis_vacates_nothing_by_itself() -> None:
    """T-143: the last agent goes from the acting spot; only the action vacates it."""
    table = crude(bag=(9, 1, 0), pulled="r", spots={"DEV": [1, 1], "INV": [1]}).when(0, TakeAction("DEV"))
    table.when(0, ChooseOwnAgent("DEV")).when(0, StopPulling()).waits_for(ChooseOption, 0)
    assert table.board.window.vacated == ()
    table.when(0, EndAction())
    assert table.board.window.vacated == ("DEV",)


@pytest.mark.rule("PO-075")
def test_a_locked_agent_goes_first() -> None:
    """T-146."""
    table = crude(
        bag=(9, 1, 0),
        pulled="r",
        spots={"EXP": [1], "INV": [1, 2]},
        hq={0: {"agents": 0, "reserve": 2}},
    )
    table.when(0, TakeAction("EXP")).when(0, Dispatch("INV")).when(0, ActHere())
    assert table.board.window.locks["INV"] == 0, "one place only: the dispatched, locked agent was taken"
    table.when(0, StopPulling()).when(0, EndAction()).waits_for(Step2Reassign, 0)
    assert (where(table.board), table.board.track[0]) == ({"HQ": 1}, 0)
    table.when(0, Reassign("HQ", "DEV"))
