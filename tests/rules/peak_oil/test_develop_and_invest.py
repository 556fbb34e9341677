"""Develop and Invest: PO-165 … PO-187, PO-260."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import (
    BuyStartUp,
    PlaceTechnology,
    Pull,
    RefreshOilFields,
    RefreshStartUps,
    SkipDrill,
    SkipStartUps,
    StartDrill,
    StartStartUps,
    StopPulling,
    TakeAction,
    TakeOilField,
    Whitewash,
)
from events.peak_oil.facts import (
    BagSearched,
    BarrelPulled,
    ChoiceDeclined,
    DisplayRefilled,
    DisplayRefreshed,
    OilFieldTaken,
    PeakOilTriggered,
    PrCardWhitewashed,
    StartUpBought,
    TechnologyPlaced,
)
from events.peak_oil.steps import ChooseOption, DrillDisplay, DrillPull, StartUpDisplay, Step2Reassign
from tests.rules.peak_oil.tables import a_table, answers, black_of
from tests.scenario import Scenario

SHOWN = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-SPM")
DECK = ("OF-GUL-ETH", "OF-GUL-SPM", "OF-GUL-AGR", "OF-GUL-TID")
OPEN = ("SU-ETH-1", "SU-SPM-1", "SU-AGR-1")
UNDER = ("SU-TID-1", "SU-TID-2", "SU-TID-3", "SU-TID-4")


def drilling(**table: Any) -> Scenario:
    """Seat 0 drills, with the majority."""
    table = {"spots": {"DEV": [1]}, "field_display": SHOWN, "field_deck": DECK, **table}
    return a_table(**table).when(0, TakeAction("DEV")).when(0, StartDrill())


def investing(**table: Any) -> Scenario:
    """Seat 0 takes the action of Invest, with the majority."""
    table = {"spots": {"INV": [1]}, "start_up_display": OPEN, "start_up_deck": UNDER, **table}
    return a_table(**table).when(0, TakeAction("INV"))


# ---- Drill


@pytest.mark.rule("PO-165")
def test_the_open_fields_may_be_replaced_first_and_none_be_taken() -> None:
    """T-64."""
    table = drilling().when(0, RefreshOilFields()).then(DisplayRefreshed(0, "oil_fields", SHOWN, DECK[:3]))
    assert (table.board.field_display, table.board.field_deck) == (DECK[:3], (DECK[3], *SHOWN))
    table.waits_for(DrillDisplay, 0).when(0, SkipDrill()).waits_for(Step2Reassign, 0)
    table.then_among_others(ChoiceDeclined(0, "drill_display"))
    assert sum(table.board.regions.values()) == 0


@pytest.mark.rule("PO-165")
def test_once_in_a_drill() -> None:
    """T-65."""
    table = drilling().when(0, RefreshOilFields()).refuses(0, RefreshOilFields(), "PO-165", "refresh_used")
    assert "refresh_oil_fields" not in answers(table)


@pytest.mark.rule("PO-165")
def test_only_from_a_deck_that_has_cards() -> None:
    drilling(field_deck=()).refuses(0, RefreshOilFields(), "PO-165", "deck_empty")


@pytest.mark.rule("PO-166")
def test_an_open_field_may_be_taken_and_no_other() -> None:
    table = drilling().refuses(0, TakeOilField(DECK[0]), "PO-166", "card_not_in_display")
    table.when(0, TakeOilField("OF-RUS-SPM"))
    assert table.board.seats[0].fields == ("OF-RUS-SPM",)


@pytest.mark.rule("PO-166")
def test_without_a_card_to_be_had_there_is_no_drill() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"pr_up": ("PR1-1",)}}).when(0, TakeAction("DEV"))
    assert answers(table) == ["end_action", "whitewash:PR1-1"]
    table.refuses(0, StartDrill(), "PO-166", "card_not_in_display")


@pytest.mark.rule("PO-165", "PO-166")
def test_without_an_open_field_new_ones_may_be_had() -> None:
    table = drilling(field_display=())
    assert answers(table) == ["skip_drill", "refresh_oil_fields"]
    table.when(0, RefreshOilFields()).then(DisplayRefreshed(0, "oil_fields", (), DECK[:3]))


@pytest.mark.rule("PO-167")
def test_a_security_symbol_gives_a_chip_while_there_are_any() -> None:
    table = drilling().when(0, TakeOilField("OF-LIB-SPM")).then_among_others(OilFieldTaken(0, "OF-LIB-SPM", 1))
    assert (table.board.seats[0].security, table.board.security) == (1, 4)
    none = drilling(hq={1: {"security": 5}}).when(0, TakeOilField("OF-LIB-SPM"))
    none.then_among_others(OilFieldTaken(0, "OF-LIB-SPM", 0))


@pytest.mark.rule("PO-106", "PO-168", "PO-169")
def test_full_barrels_then_question_marks() -> None:
    """T-60."""
    table = drilling(bag=(12, 0, 0), pulled=[2, "b"]).when(0, TakeOilField("OF-RUS-AGR"))
    table.then_among_others(BagSearched(0, "RUS", 2)).waits_for(DrillPull, 0).when(0, Pull())
    assert (table.board.bag_black, table.board.regions["RUS"]) == (9, 3)
    assert not any(table.board.market.values())


@pytest.mark.rule("PO-168")
def test_a_bag_with_too_few_gives_what_it_has() -> None:
    """T-62, T-115: Peak Oil is triggered, and the display refilled all the same."""
    table = drilling(bag=(1, 2, 0)).when(0, TakeOilField("OF-RUS-SPM"))
    table.then_among_others(
        BagSearched(0, "RUS", 1), PeakOilTriggered(0, "bag_empty"), DisplayRefilled("oil_fields", DECK[:1])
    )
    assert table.board.regions["RUS"] == 1


@pytest.mark.rule("PO-169")
def test_question_marks_may_be_left() -> None:
    table = drilling(field_display=("OF-LIB-AGR",)).when(0, TakeOilField("OF-LIB-AGR")).waits_for(DrillPull, 0)
    table.when(0, StopPulling()).counts(BarrelPulled, 0).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-170")
def test_a_new_field_comes_up_last() -> None:
    table = drilling().when(0, TakeOilField("OF-RUS-SPM"))
    table.then_among_others(BagSearched(0, "RUS", 3), DisplayRefilled("oil_fields", DECK[:1]))
    assert table.board.field_display == ("OF-RUS-AGR", "OF-LIB-SPM", DECK[0])
    drilling(field_deck=()).when(0, TakeOilField("OF-RUS-SPM")).counts(DisplayRefilled, 0)


@pytest.mark.rule("PO-171", "PO-172")
def test_no_agent_is_needed_on_the_region_and_the_card_stays() -> None:
    table = drilling().when(0, TakeOilField("OF-RUS-SPM"))
    assert table.board.spots["RUS"] == (0,) * 5
    assert table.view(3).seats[0].oil_fields == ("OF-RUS-SPM",)


# ---- Whitewash


@pytest.mark.rule("PO-173", "PO-175")
def test_a_card_goes_under_its_deck_for_its_price() -> None:
    """T-66."""
    table = a_table(
        spots={"DEV": [1]}, hq={0: {"black": 1, "pr_up": ("PR2-3",)}}, pr_decks=((), ("PR2-1", "PR2-2"), ())
    )
    box = table.board.box_black
    table.when(0, TakeAction("DEV"))
    assert [option.costs for option in table.options(0) if option.id == "whitewash:PR2-3"] == [{"black": 1}]
    table.when(0, Whitewash("PR2-3"))
    table.then_among_others(PrCardWhitewashed(0, "PR2-3", 2, 1))
    assert (black_of(table.board), table.board.box_black) == (0, box + 1)
    assert table.board.pr_decks[1] == ("PR2-1", "PR2-2", "PR2-3")


@pytest.mark.rule("PO-173")
def test_level_one_is_free() -> None:
    table = a_table(spots={"DEV": [1]}, hq={0: {"pr_up": ("PR1-5",)}}).when(0, TakeAction("DEV"))
    table.when(0, Whitewash("PR1-5")).then_among_others(PrCardWhitewashed(0, "PR1-5", 1, 0))


@pytest.mark.rule("PO-174")
def test_a_card_that_is_face_down_stays_and_so_does_one_that_is_too_dear() -> None:
    """T-67."""
    hq = {"black": 1, "pr_up": ("PR3-1",), "pr_down": "PR3-2", "pr_down_level": 3}
    table = a_table(spots={"DEV": [1]}, hq={0: hq}, field_display=SHOWN).when(0, TakeAction("DEV"))
    table.refuses(0, Whitewash("PR3-1"), "PO-173", "insufficient_barrels")
    table.refuses(0, Whitewash("PR3-2"), "PO-174", "card_not_face_up")
    table.refuses(0, Whitewash("PR3-6"), "PO-174", "card_not_face_up")


@pytest.mark.rule("PO-176")
def test_one_card_for_each_use() -> None:
    hq = {"pr_up": ("PR1-1", "PR1-2")}
    table = a_table(spots={"DEV": [1]}, hq={0: hq}, field_display=SHOWN).when(0, TakeAction("DEV"))
    table.when(0, Whitewash("PR1-1")).refuses(0, Whitewash("PR1-2"), "PO-082", "option_used")


# ---- Start-Ups


@pytest.mark.rule("PO-181")
def test_a_start_up_costs_what_lies_on_its_technology() -> None:
    """T-70."""
    table = investing(technologies={"SPM": 2, "AGR": 1}, hq={0: {"black": 1}}).when(0, StartStartUps())
    box = table.board.box_black
    costs = {option.id: option.costs for option in table.options(0) if option.id.startswith("buy")}
    assert costs == {"buy_start_up:SU-ETH-1": {"black": 0}, "buy_start_up:SU-AGR-1": {"black": 1}}
    table.refuses(0, BuyStartUp("SU-SPM-1"), "PO-181", "insufficient_barrels")
    table.refuses(0, BuyStartUp("SU-TID-1"), "PO-181", "card_not_in_display")
    table.when(0, BuyStartUp("SU-AGR-1"))
    table.then_among_others(StartUpBought(0, "SU-AGR-1", "AGR", 1), DisplayRefilled("start_ups", UNDER[:1]))
    assert (black_of(table.board), table.board.box_black) == (0, box + 1)


@pytest.mark.rule("PO-182", "PO-354")
def test_a_purchase_is_shown_once_and_counted_later() -> None:
    """T-70, T-172."""
    table = investing().when(0, StartStartUps()).when(0, BuyStartUp("SU-ETH-1"))
    assert any(event.get("card") == "SU-ETH-1" for event in table.sees(3))
    for viewer, list_ in ((0, ("SU-ETH-1",)), (3, None), (None, None)):
        hq = table.view(viewer).seats[0]
        assert (hq.start_up_count, hq.start_ups) == (1, list_)


@pytest.mark.rule("PO-183")
def test_a_price_of_nothing_can_be_paid_out_of_an_empty_hq() -> None:
    investing().when(0, StartStartUps()).when(0, BuyStartUp("SU-SPM-1")).then_among_others(
        StartUpBought(0, "SU-SPM-1", "SPM", 0)
    )


@pytest.mark.rule("PO-184")
def test_without_a_deck_nothing_comes_up() -> None:
    table = investing(start_up_deck=()).when(0, StartStartUps()).when(0, BuyStartUp("SU-SPM-1"))
    table.counts(DisplayRefilled, 0)
    assert table.board.start_up_display == ("SU-ETH-1", "SU-AGR-1")


@pytest.mark.rule("PO-180", "PO-185")
def test_the_option_may_be_used_for_new_cards_alone_money_or_not() -> None:
    table = investing(technologies=dict.fromkeys(("ETH", "SPM", "AGR", "TID"), 1)).when(0, StartStartUps())
    assert answers(table) == ["skip_start_ups", "refresh_start_ups"]
    table.when(0, RefreshStartUps()).then(DisplayRefreshed(0, "start_ups", OPEN, UNDER[:3]))
    assert (table.board.start_up_display, table.board.start_up_deck) == (UNDER[:3], (UNDER[3], *OPEN))
    table.refuses(0, RefreshStartUps(), "PO-180", "refresh_used")
    table.waits_for(StartUpDisplay, 0).when(0, SkipStartUps()).waits_for(Step2Reassign, 0)
    table.then_among_others(ChoiceDeclined(0, "start_up_display"))


@pytest.mark.rule("PO-180")
def test_new_start_ups_come_only_from_a_deck_that_has_cards() -> None:
    investing(start_up_deck=()).when(0, StartStartUps()).refuses(0, RefreshStartUps(), "PO-180", "deck_empty")


@pytest.mark.rule("PO-181")
def test_without_money_or_cards_to_come_there_is_no_start_ups_option() -> None:
    dear = {"technologies": {"ETH": 1, "SPM": 1, "AGR": 1}, "start_up_deck": (), "hq": {0: {"security": 1}}}
    investing(**dear).refuses(0, StartStartUps(), "PO-181", "insufficient_barrels")


# ---- Technologies


@pytest.mark.rule("PO-186", "PO-187")
def test_a_barrel_raises_price_and_value_without_limit() -> None:
    table = investing(technologies={"ETH": 12}, hq={0: {"black": 1}}).when(0, PlaceTechnology("ETH"))
    table.then_among_others(TechnologyPlaced(0, "ETH")).waits_for(ChooseOption, 0)
    assert (table.board.technologies["ETH"], black_of(table.board)) == (13, 0)
    investing().refuses(0, PlaceTechnology("ETH"), "PO-186", "insufficient_barrels")


@pytest.mark.rule("PO-009")
def test_hydrogen_is_closed_to_three() -> None:
    table = investing(seats=3, hq={0: {"black": 1}})
    table.refuses(0, PlaceTechnology("HYD"), "PO-009", "tech_closed")
