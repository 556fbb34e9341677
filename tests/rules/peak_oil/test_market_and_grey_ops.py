"""The Black Market and Grey Ops: PO-140 … PO-147, PO-195 … PO-204."""

from __future__ import annotations

import pytest

from events.peak_oil.codes import Region, Technology, TechnologyBarrels
from events.peak_oil.commands import (
    EndAction,
    HireConsultant,
    MoveBlackMarket,
    PlaceEntry,
    PlaceOnMarket,
    StopPulling,
    TakeAction,
)
from events.peak_oil.facts import AgentsReturned, EntryPlaced, MarketDistributed, MarketFilled, MarketMoved
from events.peak_oil.steps import ChooseMarketSlot, ChooseOption, GreyEntry, Step2Reassign
from tests.rules.peak_oil.tables import a_table, answers, black_of

FIELDS = ("OF-RUS-AGR",)
ALL: tuple[Region, ...] = ("VEN", "LIB", "NIG", "GUL", "RUS")


@pytest.mark.rule("PO-140", "PO-144")
def test_a_slot_holds_one_barrel() -> None:
    table = a_table(spots={"DEV": [1, 1]}, pulled="b", market="ETH AGR", field_display=FIELDS)
    table.when(0, TakeAction("DEV")).waits_for(ChooseMarketSlot, 0)
    assert answers(table) == ["place_on_market:SPM", "place_on_market:TID", "place_on_market:HYD"]
    table.refuses(0, PlaceOnMarket("ETH"), "PO-141", "slot_occupied")


@pytest.mark.rule("PO-008")
def test_with_three_seats_the_hydrogen_slot_does_not_exist() -> None:
    table = a_table(seats=3, spots={"DEV": [1, 1]}, pulled="b", field_display=FIELDS).when(0, TakeAction("DEV"))
    table.refuses(0, PlaceOnMarket("HYD"), "PO-008", "tech_closed")


@pytest.mark.rule("PO-141", "PO-142", "PO-143")
def test_the_last_slot_sends_the_market_on_to_the_regions() -> None:
    """T-41: the only slot left leaves no choice; the action goes on."""
    table = a_table(
        spots={"DEV": [1, 1]},
        pulled="b",
        market="ETH SPM AGR TID",
        regions={"LIB": 1, "NIG": 2, "RUS": 3},
        field_display=FIELDS,
    )
    table.when(0, TakeAction("DEV")).waits_for(ChooseOption, 0)
    table.then_among_others(MarketFilled(0, "HYD", "pull", auto=True), MarketDistributed(ALL))
    assert list(table.board.regions.values()) == [1, 2, 3, 1, 4]
    assert not any(table.board.market.values())
    assert table.board.window.first_black_used


@pytest.mark.rule("PO-141")
def test_of_two_slots_one_is_chosen() -> None:
    table = a_table(spots={"DEV": [1, 1]}, pulled="b", market="ETH SPM AGR", field_display=FIELDS)
    table.when(0, TakeAction("DEV")).waits_for(ChooseMarketSlot, 0)
    assert answers(table) == ["place_on_market:TID", "place_on_market:HYD"]


@pytest.mark.rule("PO-141")
def test_with_a_security_chip_in_hand_even_the_last_slot_is_asked_for() -> None:
    table = a_table(
        spots={"DEV": [1, 1]}, pulled="b", market="ETH SPM AGR TID", hq={0: {"security": 1}}, field_display=FIELDS
    )
    table.when(0, TakeAction("DEV")).waits_for(ChooseMarketSlot, 0).when(0, PlaceOnMarket("HYD"))
    table.then_among_others(MarketDistributed(ALL))


@pytest.mark.rule("PO-147")
def test_with_three_seats_venezuela_gets_nothing() -> None:
    table = a_table(seats=3, spots={"DEV": [1, 1]}, pulled="b", market="ETH SPM AGR", field_display=FIELDS)
    table.when(0, TakeAction("DEV")).then_among_others(MarketDistributed(ALL[1:]))


@pytest.mark.rule("PO-145", "PO-146")
def test_an_entry_barrel_is_independent_of_the_first_black() -> None:
    """Nested case 5: the tie pull fills the market first, the entry lands on the empty one."""
    table = a_table(spots={"GRY": [1, 1]}, pulled="b", market="ETH SPM AGR TID", hq={0: {"black": 1}})
    table.when(0, TakeAction("GRY")).then_among_others(MarketDistributed(ALL)).waits_for(GreyEntry, 0)
    table.when(0, PlaceEntry("TID", "HQ"))
    assert sum(table.board.market.values()) == 1


@pytest.mark.rule("PO-195", "PO-198")
def test_the_entry_comes_first_and_may_fill_the_market() -> None:
    """T-43, nested case 4: Black Market is not to be had then, Consultants are."""
    table = a_table(spots={"GRY": [1]}, market="ETH SPM AGR TID", hq={0: {"black": 2}}, consultants=("CN1-1",)).when(
        0, TakeAction("GRY")
    )
    table.then_among_others(EntryPlaced(0, "HYD", "HQ", auto=True), MarketDistributed(ALL))
    assert black_of(table.board) == 1
    assert answers(table) == ["end_action", "hire_consultant:CN1-1"]


@pytest.mark.rule("PO-141", "PO-195")
def test_an_entry_goes_on_an_empty_slot_of_an_open_technology() -> None:
    table = a_table(seats=3, spots={"GRY": [1]}, market="ETH", hq={0: {"black": 1}}).when(0, TakeAction("GRY"))
    table.refuses(0, PlaceEntry("ETH", "HQ"), "PO-141", "slot_occupied")
    table.refuses(0, PlaceEntry("HYD", "HQ"), "PO-008", "tech_closed")
    assert answers(table) == [f"place_entry:{slot}:HQ" for slot in ("SPM", "AGR", "TID")]
    assert all(option.costs == {"black": 1} for option in table.options(0))
    table.when(0, PlaceEntry("AGR", "HQ")).then(EntryPlaced(0, "AGR", "HQ"))


@pytest.mark.rule("PO-195", "PO-230")
def test_with_a_security_chip_in_hand_even_the_last_entry_is_asked_for() -> None:
    hq = {0: {"black": 1, "security": 1}}
    a_table(spots={"GRY": [1]}, market="ETH SPM AGR TID", hq=hq).when(0, TakeAction("GRY")).waits_for(GreyEntry, 0)


@pytest.mark.rule("PO-196")
def test_who_has_no_barrel_cannot_act_there() -> None:
    """T-45."""
    a_table(spots={"GRY": [1]}).refuses(0, TakeAction("GRY"), "PO-196", "cannot_pay_entry")


@pytest.mark.rule("PO-197")
def test_the_entry_is_paid_once_whatever_is_used() -> None:
    table = a_table(spots={"GRY": [1]}, hq={0: {"black": 3}}, consultants=("CN1-1",)).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("ETH", "HQ")).refuses(0, PlaceEntry("SPM", "HQ"), "PO-197", "wrong_phase")
    table.when(0, MoveBlackMarket()).when(0, HireConsultant("CN1-1"))
    assert black_of(table.board) == 2
    table.waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-199")
def test_all_barrels_of_the_market_go_on_their_technologies() -> None:
    """T-44."""
    table = a_table(spots={"GRY": [1]}, market="ETH AGR", hq={0: {"black": 1}}).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("TID", "HQ")).when(0, MoveBlackMarket())
    slots: tuple[Technology, ...] = ("ETH", "AGR", "TID")
    table.then_among_others(MarketMoved(0, slots, tuple(TechnologyBarrels(one, 1) for one in slots)))
    assert table.board.technologies == {"ETH": 1, "SPM": 0, "AGR": 1, "TID": 1, "HYD": 0}
    assert not any(table.board.market.values())


@pytest.mark.rule("PO-199")
def test_an_empty_market_cannot_be_moved() -> None:
    table = a_table(spots={"GRY": [1]}, market="ETH SPM AGR TID", hq={0: {"black": 2}}, consultants=("CN1-1",))
    table.when(0, TakeAction("GRY")).refuses(0, MoveBlackMarket(), "PO-199", "insufficient_barrels")


@pytest.mark.rule("PO-199")
def test_nothing_is_redirected_without_the_card() -> None:
    table = a_table(spots={"GRY": [1]}, market="ETH", hq={0: {"black": 1}}).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("SPM", "HQ")).refuses(0, MoveBlackMarket("ETH", "AGR"), "PO-199", "bad_args")
    table.refuses(0, MoveBlackMarket(redirect_from="ETH"), "PO-199", "bad_args")
    table.refuses(0, MoveBlackMarket(redirect_to="AGR"), "PO-199", "bad_args")


@pytest.mark.rule("PO-200", "PO-201")
def test_consultants_come_level_by_level() -> None:
    """T-49."""
    table = a_table(
        spots={"GRY": [1]}, hq={0: {"black": 1, "consultants": ("CN1-1",)}}, consultants=("CN1-2", "CN2-1", "CN2-2")
    ).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("ETH", "HQ")).refuses(0, HireConsultant("CN1-2"), "PO-200", "level_order")
    table.refuses(0, HireConsultant("CN2-3"), "PO-200", "card_not_in_display")
    table.when(0, HireConsultant("CN2-2")).refuses(0, HireConsultant("CN2-1"), "PO-082", "option_used")
    assert table.board.seats[0].consultants == ("CN1-1", "CN2-2")
    assert table.board.consultants == ("CN1-2", "CN2-1")


@pytest.mark.rule("PO-201")
def test_after_level_three_there_is_none() -> None:
    hq = {"black": 1, "consultants": ("CN1-1", "CN2-1", "CN3-1")}
    table = a_table(spots={"GRY": [1]}, hq={0: hq}, consultants=("CN3-2",)).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("ETH", "HQ")).refuses(0, HireConsultant("CN3-2"), "PO-201", "level_order")


@pytest.mark.rule("PO-202")
def test_a_level_that_is_sold_out_cannot_be_skipped() -> None:
    table = a_table(spots={"GRY": [1]}, hq={0: {"black": 1, "consultants": ("CN1-1",)}}, consultants=("CN3-1",))
    table.when(0, TakeAction("GRY")).when(0, PlaceEntry("ETH", "HQ"))
    table.refuses(0, HireConsultant("CN3-1"), "PO-202", "level_sold_out")


@pytest.mark.rule("PO-203")
def test_a_consultant_works_at_once() -> None:
    """CN3-5 hired first redirects a barrel in the same action."""
    hq = {"black": 1, "consultants": ("CN1-1", "CN2-1")}
    table = a_table(spots={"GRY": [1]}, hq={0: hq}, consultants=("CN3-5",), market="ETH").when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("SPM", "HQ")).when(0, HireConsultant("CN3-5")).when(0, MoveBlackMarket("ETH", "SPM"))
    assert table.board.technologies["SPM"] == 2


@pytest.mark.rule("PO-204")
def test_who_cannot_pay_the_entry_any_more_gets_no_option() -> None:
    """AMB-14, nested case 6: PR1-6 turns up in the tie pull and takes the last barrel."""
    table = a_table(
        bag=(9, 1, 0), spots={"GRY": [1, 1]}, pulled="r", hq={0: {"black": 1, "pr_down": "PR1-6", "pr_down_level": 1}}
    )
    table.when(0, TakeAction("GRY")).when(0, StopPulling()).waits_for(Step2Reassign, 0)
    table.then_among_others(AgentsReturned(0, "GRY", 1)).counts(EntryPlaced, 0)


@pytest.mark.rule("PO-090", "PO-197")
def test_the_entry_is_due_even_if_nothing_is_used() -> None:
    table = a_table(spots={"GRY": [1]}, hq={0: {"black": 1}}).when(0, TakeAction("GRY"))
    table.when(0, PlaceEntry("ETH", "HQ")).when(0, EndAction())
    assert table.board.market["ETH"] == 1
