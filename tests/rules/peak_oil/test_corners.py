"""Rules where they meet: cards with cards, crises inside actions inside actions, leaving in the middle of the end."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import (
    ActHere,
    ChooseOwnAgent,
    Dispatch,
    EndAction,
    HireConsultant,
    LoadCargo,
    Pass,
    PlaceEntry,
    PlaceOnMarket,
    Pull,
    Recruit,
    Ship,
    StartDrill,
    StopPulling,
    TakeAction,
    TakeOilField,
    UseSecurity,
)
from events.peak_oil.facts import (
    BarrelPulled,
    BarrelsBoxed,
    ChipsFlipped,
    CrisisSuffered,
    MarketDistributed,
    OpportunityOpened,
    PeakOilTriggered,
    PrCardFlipped,
    Shipped,
    SpotChecked,
    StepSkipped,
)
from events.peak_oil.steps import (
    ChooseMarketSlot,
    ChooseOption,
    CrudeCrisisAgent,
    DispatchFollowUp,
    ExtraPull,
    GreyEntry,
    PeakOption,
    PeakReassign,
    Step1Choose,
    Step2Reassign,
)
from tests.rules.peak_oil.tables import a_start, a_table, answers, at_final_reassign, at_opportunity, black_of, where


@pytest.mark.rule("PO-083", "PO-112")
def test_the_second_pull_of_a_watched_tie_falls_away_with_the_bag() -> None:
    """PR2-5 with a bag of one barrel."""
    table = a_table(bag=(1, 0, 0), spots={"EXP": [1, 1]}, hq={0: {"pr_up": ("PR2-5",)}}).when(0, TakeAction("EXP"))
    table.counts(BarrelPulled, 1).then_among_others(PeakOilTriggered(0, "bag_empty")).waits_for(ChooseMarketSlot, 0)
    table.when(0, PlaceOnMarket("ETH")).counts(BarrelPulled, 0).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-083", "PO-111")
def test_a_watched_tie_owes_its_second_pull_after_the_crisis_of_the_first() -> None:
    """PR2-5: the extra pull of the first barrel is no part of what is owed."""
    hq = {0: {"pr_up": ("PR2-5",), "black": 3}}
    table = a_table(bag=(5, 1, 0), pulled="rb", spots={"EXP": [1, 1]}, hq=hq, pr_decks=((), (), ("PR3-1",)))
    table.when(0, TakeAction("EXP")).counts(BarrelPulled, 1).waits_for(ExtraPull, 0)
    table.when(0, StopPulling()).counts(BarrelPulled, 1).waits_for(ChooseMarketSlot, 0)


@pytest.mark.rule("PO-081")
def test_a_field_marshal_in_a_mass_walkout_counts_what_is_there() -> None:
    """CN3-4 and PR3-5: one more and one less on a Region, one less elsewhere."""
    hq = {0: {"consultants": ("CN3-4",), "pr_up": ("PR3-5",), "agents": 0}}
    table = a_table(spots={"GUL": [1], "DEV": [1]}, hq=hq)
    assert [answer for answer in answers(table) if answer.startswith("take_action")] == ["take_action:GUL"]
    table.refuses(0, TakeAction("DEV"), "PO-084", "no_standing")


@pytest.mark.rule("PO-091")
def test_a_class_action_costs_for_the_follow_up_and_for_expand() -> None:
    """PR3-6: two actions end, so two barrels go, as far as there are any."""
    hq = {0: {"pr_up": ("PR3-6",), "black": 2}}
    table = a_table(spots={"EXP": [1]}, hq=hq).when(0, TakeAction("EXP")).when(0, Dispatch("GUL")).when(0, ActHere())
    table.when(0, EndAction()).then_among_others(BarrelsBoxed(0, 1, "action_end")).waits_for(ChooseOption, 0)
    table.when(0, EndAction()).then_among_others(BarrelsBoxed(0, 1, "action_end"))
    assert black_of(table.board) == 0


@pytest.mark.rule("PO-195", "PO-198")
def test_two_entry_barrels_from_regions_with_a_distribution_in_between() -> None:
    """CN2-5 and PR2-6: the first fills the market, the second finds it empty."""
    hq = {0: {"consultants": ("CN1-4", "CN2-5"), "pr_up": ("PR2-6",), "black": 0}}
    table = a_table(seats=3, spots={"GRY": [1]}, hq=hq, regions={"LIB": 2, "NIG": 1}, market="ETH SPM AGR")
    table.when(0, TakeAction("GRY")).waits_for(GreyEntry, 0)
    table.when(0, PlaceEntry("TID", "LIB")).then_among_others(MarketDistributed(("LIB", "NIG", "GUL", "RUS")))
    table.when(0, PlaceEntry("SPM", "RUS")).waits_for(ChooseOption, 0)
    assert table.board.regions == {"LIB": 2, "NIG": 2, "GUL": 1, "RUS": 0}
    assert (sum(table.board.market.values()), black_of(table.board)) == (1, 0)


@pytest.mark.rule("PO-095")
def test_strained_resources_in_a_follow_up_end_the_outer_action_too() -> None:
    """PR2-1 turns up while the dispatched agents drill: neither Whitewash there nor Recruit afterwards."""
    hq = {0: {"pr_down": "PR2-1", "pr_down_level": 2, "black": 2}}
    table = a_table(bag=(9, 1, 0), pulled=[2, "r"], spots={"EXP": [1]}, hq=hq, field_display=("OF-RUS-AGR",))
    table.when(0, TakeAction("EXP")).when(0, Dispatch("DEV")).waits_for(DispatchFollowUp, 0).when(0, ActHere())
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    table.then_among_others(PrCardFlipped(0, "PR2-1"))
    table.when(0, StopPulling()).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-095")
def test_the_shadow_director_hired_in_a_follow_up_opens_recruit_afterwards() -> None:
    """CN3-2 works for the tied action on Expand that is not finished yet."""
    hq = {0: {"consultants": ("CN1-4", "CN2-1"), "black": 2}}
    spots = {"EXP": [1, 1]}
    table = a_table(bag=(9, 0, 0), pulled="b", spots=spots, hq=hq, consultants=("CN3-2",)).when(0, TakeAction("EXP"))
    table.when(0, PlaceOnMarket("ETH")).when(0, Dispatch("GRY")).when(0, ActHere()).when(0, PlaceEntry("SPM", "HQ"))
    table.when(0, HireConsultant("CN3-2")).when(0, EndAction()).waits_for(ChooseOption, 0)
    table.when(0, Recruit()).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-107", "PO-109")
def test_red_as_the_last_barrel_offers_nothing_and_comes_back() -> None:
    table = a_table(bag=(1, 1, 0), pulled="br", spots={"GUL": [1]}, risks={"MAL": ("RC01", 0)}, regions={"GUL": 1})
    table.when(0, TakeAction("GUL")).when(0, Ship("R10")).then_among_others(PeakOilTriggered(0, "bag_empty"))
    table.when(0, PlaceOnMarket("ETH")).then_among_others(CrisisSuffered(0, 0, first=True)).waits_for(Step2Reassign, 0)
    assert (table.board.window.aside_red, black_of(table.board)) == (1, 1)


@pytest.mark.rule("PO-230", "PO-234")
def test_a_chip_turned_while_the_pirates_are_paid_changes_only_what_is_turned_at_the_end() -> None:
    """Skulls and Demand were read at loading; the face turned by Security is turned once more after shipping."""
    hq = {0: {"security": 2}}
    table = a_table(spots={"GUL": [1]}, hq=hq, regions={"GUL": 3}, risks={"MAL": ("RC05", 0)})
    table.when(0, TakeAction("GUL")).when(0, Ship("R10")).when(0, LoadCargo()).waits_for(ChooseMarketSlot, 0)
    table.when(0, UseSecurity("flip_risk", ("MAL",))).waits_for(ChooseMarketSlot, 0)
    table.when(0, UseSecurity("flip_refinery", ("SIN",))).when(0, PlaceOnMarket("TID"))
    table.then_among_others(Shipped(0, "R10", 4, 3, 1, 0, 2), ChipsFlipped("SIN", ("MAL",)))
    assert (table.board.risks["MAL"].face, table.board.refineries["SIN"].face) == (0, 0)


@pytest.mark.rule("PO-061")
def test_who_has_no_agent_that_can_move_skips_both_steps() -> None:
    """AMB-03: no agent in play, and the third step is not asked for either, though it could be paid."""
    hq: dict[int, dict[str, Any]] = {1: {"agents": 0, "black": 5}}
    table = a_table(seats=3, spots={"DEV": [1]}, hq=hq).expires(0).expires(0)
    table.then_among_others(StepSkipped(1, 1), StepSkipped(1, 2)).waits_for(Step1Choose, 2)


@pytest.mark.rule("PO-256", "PO-363")
def test_the_order_is_the_markers_even_after_its_player_has_left() -> None:
    spots = {"EXP": [1, 1, 1, 1]}
    table = at_final_reassign(3, 0, 1, seats=4, spots=spots, marker=2).resigns(2).waits_for(PeakReassign, 3)
    for seat in (3, 0, 1):
        table.when(seat, Pass())
    table.then_among_others(SpotChecked("EXP", (3, 0, 1)), OpportunityOpened(3, "EXP")).waits_for(PeakOption, 3)


@pytest.mark.rule("PO-364")
def test_in_the_peak_oil_phase_too_who_alone_is_left_has_won() -> None:
    table = at_opportunity("GUL", 0, 1, seats=2, spots={"GUL": [1, 2]}, regions={"GUL": 3})
    table.resigns(0).ends("last_active", 1)


@pytest.mark.rule("PO-365")
def test_a_last_turn_cut_short_by_leaving_is_made_up_for_by_the_next() -> None:
    table = a_start(3, first_player=0, max_turns=1).resigns(0).waits_for(Step1Choose, 1).expires(1).expires(1)
    table.then_among_others(PeakOilTriggered(1, "max_turns")).waits_for(PeakReassign, 2)


@pytest.mark.rule("PO-304", "PO-305")
def test_a_dispatched_agent_on_the_track_leaves_the_others_unlocked() -> None:
    """PO-075: the locked one goes; the pushed agent of another seat is home at once."""
    table = a_table(
        bag=(9, 1, 0),
        pulled="r",
        spots={"EXP": [1], "INV": [1, 2]},
        track=[1, 1, 1, 2],
        hq={0: {"agents": 1}},
        options={"variant": "crude"},
    )
    table.when(0, TakeAction("EXP")).when(0, Dispatch("INV")).when(0, ActHere()).waits_for(CrudeCrisisAgent, 0)
    assert answers(table) == ["choose_own_agent:HQ", "choose_own_agent:INV"]
    table.when(0, ChooseOwnAgent("INV")).when(0, StopPulling())
    assert table.board.track == (0, 1, 1, 1)
    assert where(table.board, 2) == {"HQ": 2}
    assert table.board.window.locks.get("INV", 0) == 0
