"""Consultants and PR Crisis cards at their hooks: register 6.7, 6.8, 6.9."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.peak_oil.codes import Spot, Technology, TechnologyBarrels
from events.peak_oil.commands import (
    ActHere,
    BuyStartUp,
    ChooseOwnAgent,
    Decline,
    Dispatch,
    EndAction,
    EndTurn,
    HireConsultant,
    MoveBlackMarket,
    Pass,
    PayReassign,
    PlaceEntry,
    PlaceOnMarket,
    PlaceTechnology,
    Pull,
    Reassign,
    Recruit,
    Ship,
    SkipDrill,
    StartDrill,
    StartStartUps,
    StopPulling,
    TakeAction,
    TakeOilField,
    UseSecurity,
    Whitewash,
)
from events.peak_oil.facts import (
    AgentReassigned,
    BarrelPulled,
    BarrelsBoxed,
    ChoiceDeclined,
    CrisisSuffered,
    EntryPlaced,
    HeldOnCard,
    MarketMoved,
    PrCardFlipped,
    PrCardWhitewashed,
    Shipped,
    StartUpBought,
)
from events.peak_oil.steps import (
    ChooseMarketSlot,
    ChooseOption,
    CloseTurn,
    CustodyAgent,
    DrillPull,
    ExtraPull,
    GreyEntry,
    LeaveSpot,
    SecondTechnology,
    Step2Reassign,
    StepTwo,
)
from events.words import Command
from rules.peak_oil.effects import Forbidden, Forbids
from tests.rules.peak_oil.tables import (
    DECISION,
    a_table,
    answers,
    at_final_reassign,
    at_opportunity,
    at_step_three,
    at_step_two,
    black_of,
    book,
    edition,
    where,
)
from tests.scenario import Scenario

FIELDS = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-SPM")


def hired(*cards: str, **hq: Any) -> dict[int, dict[str, Any]]:
    """Seat 0 with these Consultants."""
    return {0: {"consultants": cards, **hq}}


def disgraced(*cards: str, **hq: Any) -> dict[int, dict[str, Any]]:
    """Seat 0 with these PR Crisis cards face up."""
    return {0: {"pr_up": cards, **hq}}


def in_the_gulf(**table: Any) -> Scenario:
    """Seat 0 takes the action of the Gulf Region."""
    return a_table(**{"spots": {"GUL": [1]}, "regions": {"GUL": 5}, **table}).when(0, TakeAction("GUL"))


# ---- Consultants


@pytest.mark.rule("PO-056")
def test_headhunter_cn1_1_the_third_step_costs_one() -> None:
    table = at_step_three(hq=hired("CN1-1", black=1)).when(0, PayReassign("HQ", "DEV"))
    table.then_among_others(AgentReassigned(0, "HQ", "DEV", 1))


@pytest.mark.rule("PO-173")
def test_spin_doctor_cn1_2_whitewash_costs_one_less() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"consultants": ("CN1-2",), "pr_up": ("PR3-1", "PR1-1"), "black": 1}})
    table.when(0, TakeAction("DEV")).when(0, Whitewash("PR3-1"))
    table.then_among_others(PrCardWhitewashed(0, "PR3-1", 3, 1))
    free = a_table(spots={"DEV": [1]}, hq={0: {"consultants": ("CN1-2",), "pr_up": ("PR1-1",)}})
    free.when(0, TakeAction("DEV")).when(0, Whitewash("PR1-1")).then_among_others(PrCardWhitewashed(0, "PR1-1", 1, 0))


@pytest.mark.rule("PO-121")
@pytest.mark.parametrize(("card", "black", "loss"), [("CN1-3", 5, 1), ("CN1-3", 1, 0)])
def test_loss_adjuster_cn1_3(card: str, black: int, loss: int) -> None:
    table = a_table(bag=(9, 1, 0), pulled="r", spots={"DEV": [1, 1]}, hq=hired(card, black=black))
    table.when(0, TakeAction("DEV")).then_among_others(CrisisSuffered(0, loss, first=True))


@pytest.mark.rule("PO-121")
def test_crisis_manager_cn3_3_loses_nothing() -> None:
    table = a_table(bag=(9, 1, 0), pulled="r", spots={"DEV": [1, 1]}, hq=hired("CN1-1", "CN2-1", "CN3-3", black=8))
    table.when(0, TakeAction("DEV")).then_among_others(CrisisSuffered(0, 0, first=True))


@pytest.mark.rule("PO-213")
def test_harbour_pilot_cn1_4_one_pull_less() -> None:
    """T-160."""
    table = in_the_gulf(pulled="b", risks={"MAL": ("RC01", 0)}, hq=hired("CN1-4")).when(0, Ship("R10"))
    table.counts(BarrelPulled, 1).when(0, PlaceOnMarket("ETH")).counts(BarrelPulled, 0)


@pytest.mark.rule("PO-181")
def test_venture_scout_cn1_5_and_sceptical_markets_pr1_5_add_up() -> None:
    table: dict[str, Any] = {"spots": {"INV": [1]}, "start_up_display": ("SU-ETH-1",), "technologies": {"ETH": 2}}
    for cards, price in (
        ({"consultants": ("CN1-5",)}, 1),
        ({"pr_up": ("PR1-5",)}, 3),
        ({"consultants": ("CN1-5",), "pr_up": ("PR1-5",)}, 2),
    ):
        bought = a_table(**table, hq={0: {"black": 3, **cards}}).when(0, TakeAction("INV"))
        bought.when(0, StartStartUps()).when(0, BuyStartUp("SU-ETH-1"))
        bought.then_among_others(StartUpBought(0, "SU-ETH-1", "ETH", price))


@pytest.mark.rule("PO-215")
def test_convoy_captain_cn2_1_one_skull_less() -> None:
    table = in_the_gulf(risks={"MAL": ("RC05", 0)}, hq=hired("CN1-1", "CN2-1")).when(0, Ship("R10"))
    table.then_among_others(Shipped(0, "R10", 4, 4, 0, 0, 4))


@pytest.mark.rule("PO-169")
def test_wildcatter_cn2_2_one_question_mark_more() -> None:
    table = a_table(spots={"DEV": [1]}, hq=hired("CN1-1", "CN2-2"), field_display=FIELDS).when(0, TakeAction("DEV"))
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-SPM")).waits_for(DrillPull, 0)


@pytest.mark.rule("PO-107", "PO-108")
def test_fixer_cn2_3_a_coloured_barrel_in_a_tie_causes_nothing() -> None:
    table = a_table(
        bag=(9, 0, 1), pulled="y", spots={"DEV": [1, 1]}, hq=hired("CN1-1", "CN2-3", black=4), field_display=FIELDS
    ).when(0, TakeAction("DEV"))
    table.counts(CrisisSuffered, 0).waits_for(ChooseOption, 0)
    assert (table.board.bag_yellow, black_of(table.board)) == (0, 4)


@pytest.mark.rule("PO-107")
def test_the_fixer_fixes_nothing_but_ties() -> None:
    table = in_the_gulf(bag=(9, 1, 0), pulled="r", risks={"MAL": ("RC02", 0)}, hq=hired("CN1-1", "CN2-3"))
    table.when(0, Ship("R10")).counts(CrisisSuffered, 1).waits_for(ExtraPull, 0)


@pytest.mark.rule("PO-186")
def test_lobbyist_cn2_4_may_place_a_second_barrel() -> None:
    table = a_table(spots={"INV": [1]}, hq=hired("CN1-1", "CN2-4", black=3)).when(0, TakeAction("INV"))
    table.when(0, PlaceTechnology("ETH")).waits_for(SecondTechnology, 0).when(0, PlaceTechnology("SPM"))
    assert (table.board.technologies["SPM"], black_of(table.board)) == (1, 1)
    table.waits_for(Step2Reassign, 0)
    declined = a_table(spots={"INV": [1]}, hq=hired("CN1-1", "CN2-4", black=2)).when(0, TakeAction("INV"))
    declined.when(0, PlaceTechnology("ETH")).when(0, Decline()).waits_for(Step2Reassign, 0)
    declined.then_among_others(ChoiceDeclined(0, "second_technology"))
    three = a_table(seats=3, spots={"INV": [1]}, hq=hired("CN1-1", "CN2-4", black=2)).when(0, TakeAction("INV"))
    three.when(0, PlaceTechnology("ETH")).refuses(0, PlaceTechnology("HYD"), "PO-009", "tech_closed")


@pytest.mark.rule("PO-186")
def test_the_lobbyist_needs_a_barrel_to_place() -> None:
    table = a_table(spots={"INV": [1]}, hq=hired("CN1-1", "CN2-4", black=1)).when(0, TakeAction("INV"))
    table.when(0, PlaceTechnology("ETH")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-195")
def test_smuggler_cn2_5_pays_the_entry_from_a_region() -> None:
    """T-156."""
    table = a_table(spots={"GRY": [1]}, hq=hired("CN1-1", "CN2-5"), regions={"LIB": 2}).when(0, TakeAction("GRY"))
    table.waits_for(GreyEntry, 0).refuses(0, PlaceEntry("ETH", "NIG"), "PO-195", "cannot_pay_entry")
    table.refuses(0, PlaceEntry("ETH", "HQ"), "PO-195", "cannot_pay_entry")
    table.when(0, PlaceEntry("ETH", "LIB"))
    assert (table.board.regions["LIB"], table.board.market["ETH"]) == (1, 1)
    three = a_table(seats=3, spots={"GRY": [1]}, hq=hired("CN1-1", "CN2-5"), regions={"LIB": 2})
    three.when(0, TakeAction("GRY")).refuses(0, PlaceEntry("ETH", "VEN"), "PO-195", "cannot_pay_entry")


@pytest.mark.rule("PO-195")
def test_without_the_smuggler_it_comes_from_hq() -> None:
    table = a_table(spots={"GRY": [1]}, hq={0: {"black": 1}}, regions={"LIB": 2}).when(0, TakeAction("GRY"))
    table.refuses(0, PlaceEntry("ETH", "LIB"), "PO-195", "cannot_pay_entry")


@pytest.mark.rule("PO-214")
def test_cartel_chair_cn3_1_and_embargo_pr2_3_change_the_demand() -> None:
    table = in_the_gulf(hq=hired("CN1-1", "CN2-1", "CN3-1")).when(0, Ship("R10"))
    table.then_among_others(Shipped(0, "R10", 5, 5, 0, 0, 5))
    table = in_the_gulf(hq=disgraced("PR2-3")).when(0, Ship("R10"))
    table.then_among_others(Shipped(0, "R10", 3, 3, 0, 0, 3))


@pytest.mark.rule("PO-083")
def test_shadow_director_cn3_2_uses_both_options_when_tied() -> None:
    """T-158."""
    hq = {0: {"consultants": ("CN1-1", "CN2-1", "CN3-2"), "pr_up": ("PR1-1",)}}
    table = a_table(spots={"DEV": [1, 1]}, pulled="b", hq=hq, field_display=FIELDS, market="ETH SPM AGR TID")
    table.when(0, TakeAction("DEV")).counts(BarrelPulled, 1).when(0, Whitewash("PR1-1")).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-083")
def test_a_prohibition_beats_a_permission() -> None:
    """CN3-2 with PR2-1: one option."""
    hq = {0: {"consultants": ("CN1-1", "CN2-1", "CN3-2"), "pr_up": ("PR2-1", "PR1-1")}}
    table = a_table(spots={"DEV": [1, 1]}, pulled="b", hq=hq, field_display=FIELDS, market="ETH SPM AGR TID")
    table.when(0, TakeAction("DEV")).when(0, Whitewash("PR1-1")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-081")
def test_field_marshal_cn3_4_counts_one_more_on_a_region() -> None:
    """Not for the limit of five, and also against others."""
    hq = hired("CN1-1", "CN2-1", "CN3-4")
    in_the_gulf(spots={"GUL": [1, 1]}, hq=hq).counts(BarrelPulled, 0).waits_for(ChooseOption, 0)
    rival = a_table(spots={"GUL": [1, 1]}, hq=hq, active=1)
    rival.refuses(1, TakeAction("GUL"), "PO-084", "no_standing")
    office = a_table(spots={"DEV": [1, 1]}, hq=hq, field_display=FIELDS, pulled="b").when(0, TakeAction("DEV"))
    office.counts(BarrelPulled, 1)
    full = a_table(spots={"GUL": [1, 1, 1, 1]}, hq=hq)
    full.when(0, Reassign("HQ", "GUL"))


@pytest.mark.rule("PO-199")
def test_nothing_is_redirected_to_a_closed_technology() -> None:
    hq = hired("CN1-1", "CN2-1", "CN3-5", black=1)
    table = a_table(seats=3, spots={"GRY": [1]}, market="ETH AGR", hq=hq).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("TID", "HQ")).refuses(0, MoveBlackMarket("ETH", "HYD"), "PO-009", "tech_closed")
    assert not [answer for answer in answers(table) if "HYD" in answer]


@pytest.mark.rule("PO-081")
def test_a_field_marshal_who_is_not_there_counts_for_nothing() -> None:
    hq = {1: {"consultants": ("CN1-1", "CN2-1", "CN3-4")}}
    in_the_gulf(spots={"GUL": [1]}, hq=hq).counts(BarrelPulled, 0).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-257")
def test_the_field_marshal_goes_first_in_the_peak_oil_phase() -> None:
    hq = {1: {"consultants": ("CN1-1", "CN2-1", "CN3-4")}}
    table = at_final_reassign(2, spots={"GUL": [1, 1]}, hq=hq, regions={"GUL": 2}).when(2, Pass())
    assert table.game.awaited == (1,)


@pytest.mark.rule("PO-199")
def test_futures_trader_cn3_5_redirects_one_barrel() -> None:
    hq = hired("CN1-1", "CN2-1", "CN3-5", black=1)
    table = a_table(spots={"GRY": [1]}, market="ETH AGR", hq=hq).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("TID", "HQ")).refuses(0, MoveBlackMarket("SPM", "ETH"), "PO-199", "insufficient_barrels")
    table.refuses(0, MoveBlackMarket("ETH", "ETH"), "PO-199", "bad_args")
    table.refuses(0, MoveBlackMarket(redirect_from="ETH"), "PO-199", "bad_args")
    table.refuses(0, MoveBlackMarket(redirect_to="AGR"), "PO-199", "bad_args")
    assert "move_black_market:ETH:HYD" in answers(table)
    table.when(0, MoveBlackMarket("TID", "AGR"))
    table.then_among_others(
        MarketMoved(0, ("ETH", "AGR", "TID"), (TechnologyBarrels("ETH", 1), TechnologyBarrels("AGR", 2)))
    )


# ---- PR Crisis cards


@pytest.mark.rule("PO-127")
def test_gag_order_pr1_1_keeps_security_chips_in_hq() -> None:
    table = a_table(hq=disgraced("PR1-1", security=1))
    table.refuses(0, UseSecurity("flip_risk", ("MAL",)), "PO-127", "option_blocked")
    assert not [one for one in answers(table) if one.startswith("use_security")]
    in_the_gulf(hq=disgraced("PR1-1", security=1)).when(0, Ship("R10")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-127")
def test_travel_ban_pr1_2_takes_the_third_step_away() -> None:
    at_step_two(hq=disgraced("PR1-2", black=4)).when(0, Reassign("HQ", "DEV"))
    table = at_step_three(hq=disgraced("PR1-2", black=4, security=1))
    table.refuses(0, PayReassign("HQ", "DEV"), "PO-127", "option_blocked").when(0, EndTurn())


@pytest.mark.rule("PO-127")
def test_hiring_freeze_pr1_3_and_senate_hearing_pr3_2() -> None:
    table = a_table(spots={"EXP": [1]}, hq=disgraced("PR1-3")).when(0, TakeAction("EXP"))
    table.refuses(0, Recruit(), "PO-127", "option_blocked").when(0, Dispatch("DEV"))
    table = a_table(spots={"EXP": [1]}, hq=disgraced("PR3-2", security=1)).when(0, TakeAction("EXP"))
    table.refuses(0, Recruit(), "PO-127", "option_blocked")
    table.refuses(0, Dispatch("DEV"), "PO-127", "option_blocked")


@pytest.mark.rule("PO-063", "PO-252")
def test_paparazzi_pr1_4_keep_agents_out_of_hq() -> None:
    table = a_table(spots={"DEV": [1]}, hq=disgraced("PR1-4"))
    table.refuses(0, Reassign("DEV", "HQ"), "PO-127", "option_blocked")
    final = at_final_reassign(0, 1, spots={"DEV": [1]}, hq=disgraced("PR1-4"), marker=1)
    assert "reassign:DEV:HQ" not in answers(final)


def flipping(card: str, level: int, **table: Any) -> Scenario:
    """A tie in which this card of seat 0 turns up, one agent being on Expand."""
    hq = {"pr_down": card, "pr_down_level": level, **table.pop("hq", {})}
    table = {"bag": (9, 1, 0), "pulled": "r", "spots": {"EXP": [1, 1]}, "hq": {0: hq}, **table}
    return a_table(**table).when(0, TakeAction("EXP"))


@pytest.mark.rule("PO-129")
def test_tax_audit_pr1_6_takes_a_barrel() -> None:
    table = flipping("PR1-6", 1, hq={"black": 5}).then_among_others(
        CrisisSuffered(0, 2, first=True), PrCardFlipped(0, "PR1-6"), HeldOnCard(0, "PR1-6", 1)
    )
    assert black_of(table.board) == 2
    flipping("PR1-6", 1).counts(HeldOnCard, 0)


@pytest.mark.rule("PO-095")
def test_strained_resources_pr2_1_end_the_action_after_the_running_option() -> None:
    """T-150, nested case 7."""
    table = a_table(
        bag=(9, 1, 0),
        pulled=[2, "r"],
        spots={"DEV": [1]},
        hq={0: {"pr_down": "PR2-1", "pr_down_level": 2, "pr_up": ("PR1-1",)}},
        field_display=FIELDS,
    )
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    table.then_among_others(PrCardFlipped(0, "PR2-1")).when(0, StopPulling()).waits_for(Step2Reassign, 0)
    table.refuses(0, Whitewash("PR1-1"), "PO-051", "wrong_phase")


@pytest.mark.rule("PO-129")
def test_agent_in_custody_pr2_2_is_chosen_by_its_owner() -> None:
    """T-151: with the agent on Expand gone, Dispatch is unavailable and Recruit possible."""
    table = flipping("PR2-2", 2).waits_for(CustodyAgent, 0)
    table.refuses(0, ChooseOwnAgent("INV"), "PO-129", "no_agent_there")
    table.when(0, ChooseOwnAgent("EXP")).then_among_others(HeldOnCard(0, "PR2-2", agent_from="EXP"))
    table.when(0, StopPulling()).refuses(0, Dispatch("DEV"), "PO-152", "no_agent_there")
    table.when(0, Recruit())
    assert where(table.board) == {"HQ": 2}


@pytest.mark.rule("PO-129")
def test_with_one_place_nobody_is_asked() -> None:
    flipping("PR2-2", 2, hq={"agents": 0}).then_among_others(HeldOnCard(0, "PR2-2", agent_from="EXP"))


@pytest.mark.rule("PO-186")
def test_consumer_boycott_pr2_4() -> None:
    table = a_table(spots={"INV": [1]}, hq=disgraced("PR2-4", black=2, security=1)).when(0, TakeAction("INV"))
    table.refuses(0, PlaceTechnology("ETH"), "PO-127", "option_blocked")


@pytest.mark.rule("PO-083")
def test_watchdog_pr2_5_takes_two_pulls() -> None:
    """T-157."""
    table = a_table(spots={"DEV": [1, 1]}, pulled="bb", hq=disgraced("PR2-5"), field_display=FIELDS)
    table.when(0, TakeAction("DEV")).waits_for(ChooseMarketSlot, 0).when(0, PlaceOnMarket("ETH"))
    assert table.board.window.aside_black == 1
    dry = a_table(bag=(0, 0, 1), spots={"DEV": [1, 1]}, pulled="y", hq=disgraced("PR2-5"), marker=0)
    dry.when(0, TakeAction("DEV")).counts(BarrelPulled, 1)


@pytest.mark.rule("PO-195", "PO-196")
def test_blacklisted_pr2_6_asks_for_two_barrels() -> None:
    table = a_table(spots={"GRY": [1]}, hq=disgraced("PR2-6", black=2)).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("ETH", "HQ")).waits_for(GreyEntry, 0).when(0, PlaceEntry("SPM", "HQ"))
    table.waits_for(ChooseOption, 0)
    assert black_of(table.board) == 0
    poor = a_table(spots={"GRY": [1]}, hq=disgraced("PR2-6", black=1))
    poor.refuses(0, TakeAction("GRY"), "PO-196", "cannot_pay_entry")


@pytest.mark.rule("PO-127", "PO-195", "PO-204")
@pytest.mark.parametrize(("black", "entries"), [(4, 2), (3, 2), (2, 0)])
def test_blacklisted_counts_when_the_tie_turns_it_up(black: int, entries: int) -> None:
    """The crisis leaves half, rounded up; with a single barrel left the action is over."""
    hq = {0: {"black": black, "pr_down": "PR2-6", "pr_down_level": 2}}
    table = a_table(bag=(9, 1, 0), pulled="r", spots={"GRY": [1, 1]}, hq=hq).when(0, TakeAction("GRY"))
    table.then_among_others(PrCardFlipped(0, "PR2-6")).when(0, StopPulling())
    slots: tuple[Technology, ...] = ("ETH", "SPM")
    for slot in slots[:entries]:
        table.waits_for(GreyEntry, 0).when(0, PlaceEntry(slot, "HQ"))
    table.waits_for(ChooseOption if entries else Step2Reassign, 0)


@pytest.mark.rule("PO-083")
def test_the_watchdog_adds_no_pull_to_the_one_that_turned_it_up() -> None:
    hq = {0: {"pr_down": "PR2-5", "pr_down_level": 2}}
    table = a_table(bag=(9, 1, 0), pulled="r", spots={"EXP": [1, 1]}, hq=hq).when(0, TakeAction("EXP"))
    table.when(0, StopPulling()).counts(BarrelPulled, 0).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-216")
def test_seized_cargo_pr3_1_goes_to_the_box() -> None:
    table = in_the_gulf(hq=disgraced("PR3-1"), risks={"MAL": ("RC05", 0)})
    box = table.board.box_black
    table.when(0, Ship("R10")).when(0, PlaceOnMarket("ETH")).then_among_others(Shipped(0, "R10", 4, 4, 1, 1, 2))
    assert table.board.box_black == box + 1


@pytest.mark.rule("PO-165")
def test_licence_revoked_pr3_3() -> None:
    table = a_table(spots={"DEV": [1]}, hq=disgraced("PR3-3", "PR1-1"), field_display=FIELDS).when(0, TakeAction("DEV"))
    table.refuses(0, StartDrill(), "PO-127", "option_blocked")


@pytest.mark.rule("PO-129")
def test_frozen_accounts_pr3_4_take_half_rounded_up() -> None:
    table = flipping("PR3-4", 3, hq={"black": 5})
    assert black_of(table.board) == 1, "5, less 2 for the crisis, less 2 on the card"
    assert table.board.seats[0].held[0].black == 2
    even = flipping("PR3-4", 3, hq={"black": 8})
    assert (black_of(even.board), even.board.seats[0].held[0].black) == (2, 2)


@pytest.mark.rule("PO-081")
def test_mass_walkout_pr3_5_one_does_not_count() -> None:
    """T-155; with CN3-4 on a Region nothing is lost."""
    alone = a_table(spots={"DEV": [1]}, hq=disgraced("PR3-5"), field_display=FIELDS)
    alone.refuses(0, TakeAction("DEV"), "PO-084", "no_standing")
    two = a_table(spots={"DEV": [2]}, hq=disgraced("PR3-5"), field_display=FIELDS)
    two.when(0, TakeAction("DEV")).waits_for(ChooseOption, 0)
    hq = {0: {"pr_up": ("PR3-5",), "consultants": ("CN1-1", "CN2-1", "CN3-4")}}
    in_the_gulf(hq=hq, spots={"GUL": [1]}).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-091")
def test_class_action_pr3_6_costs_a_barrel_after_each_action() -> None:
    """A Dispatch follow-up is an action of its own."""
    table = a_table(spots={"EXP": [1]}, hq=disgraced("PR3-6", black=3), field_display=FIELDS).when(0, TakeAction("EXP"))
    table.when(0, Dispatch("DEV")).when(0, ActHere()).when(0, StartDrill()).when(0, SkipDrill()).when(0, EndAction())
    table.then_among_others(BarrelsBoxed(0, 1, "action_end")).when(0, EndAction())
    table.then_among_others(BarrelsBoxed(0, 1, "action_end"))
    assert black_of(table.board) == 1


@pytest.mark.rule("PO-258")
def test_class_action_in_the_peak_oil_phase_charges_options_and_no_pass() -> None:
    hq = disgraced("PR3-6", black=3)
    table = at_opportunity("GUL", 0, spots={"GUL": [1]}, hq=hq, regions={"GUL": 1}).when(0, Ship("R10"))
    table.counts(BarrelsBoxed, 1)
    at_opportunity("GUL", 0, spots={"GUL": [1]}, hq=hq).when(0, Pass()).counts(BarrelsBoxed, 0)


@pytest.mark.rule("PO-195")
def test_entries_of_a_blacklisted_seat_are_placed_in_the_peak_oil_phase_too() -> None:
    table = at_opportunity("EXP", 0, spots={"EXP": [1], "GRY": [1]}, hq=disgraced("PR2-6", black=2)).when(0, Pass())
    table.when(0, PlaceEntry("ETH", "HQ")).when(0, PlaceEntry("SPM", "HQ")).waits_for(ChooseOption, 0)
    table.counts(EntryPlaced, 1).when(0, MoveBlackMarket())
    assert table.game.ended
    poor = at_opportunity("EXP", 0, spots={"EXP": [1], "GRY": [1]}, hq=disgraced("PR2-6", black=1)).when(0, Pass())
    assert answers(poor) == ["pass"]
    poor.refuses(0, PlaceEntry("ETH", "HQ"), "PO-196", "cannot_pay_entry").when(0, Pass())


# ---- words that no house card uses

EVERYTHING: dict[str, Any] = {
    "field_display": FIELDS,
    "start_up_display": ("SU-ETH-1",),
    "consultants": ("CN1-1",),
    "market": "ETH",
    "regions": {"GUL": 1},
}


@pytest.mark.rule("PO-127")
@pytest.mark.parametrize(
    ("word", "spot", "command"),
    [
        ("recruit", "EXP", Recruit()),
        ("dispatch", "EXP", Dispatch("DEV")),
        ("drill", "DEV", StartDrill()),
        ("whitewash", "DEV", Whitewash("PR1-1")),
        ("start_ups", "INV", StartStartUps()),
        ("technologies", "INV", PlaceTechnology("ETH")),
        ("black_market", "GRY", MoveBlackMarket()),
        ("consultants", "GRY", HireConsultant("CN1-1")),
        ("ship", "GUL", Ship("R10")),
    ],
)
def test_a_card_may_forbid_any_option(word: Forbidden, spot: Spot, command: Command) -> None:
    """PR1-1 of another edition, face up, takes away this option and no other."""
    steps = (ChooseOption(spot, "majority", awaits=(0,), decision=DECISION), LeaveSpot(spot), StepTwo(), CloseTurn())
    table = a_table(steps=steps, spots={spot: [1]}, hq=disgraced("PR1-1", black=2), **EVERYTHING)
    cards = tuple(
        replace(card, effects=(Forbids((word,)),)) if card.id == "PR1-1" else card for card in edition().pr_cards
    )
    free = set(answers(a_table(steps=steps, spots={spot: [1]}, hq=disgraced("PR1-2", black=2), **EVERYTHING)))
    table.book = replace(book(), edition=replace(edition(), pr_cards=cards))
    table.refuses(0, command, "PO-127", "option_blocked")
    kind = command.__struct_config__.tag
    left = {answer.replace("PR1-1", "PR1-2") for answer in answers(table)}
    assert left == {answer for answer in free if answer.partition(":")[0] != kind}
