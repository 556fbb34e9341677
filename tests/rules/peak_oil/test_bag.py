"""The bag and pulling: PO-100 … PO-115, PO-015."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from events.peak_oil.commands import (
    ActHere,
    Dispatch,
    EndAction,
    EndTurn,
    HoldPosition,
    PlaceOnMarket,
    Pull,
    Reassign,
    Ship,
    StartDrill,
    StopPulling,
    TakeAction,
    TakeOilField,
)
from events.peak_oil.facts import (
    BagSearched,
    BarrelPulled,
    ChipsFlipped,
    ChoiceDeclined,
    CrisisSuffered,
    MarketFilled,
    PeakOilTriggered,
    Shipped,
    WindowClosed,
)
from events.peak_oil.steps import ChooseMarketSlot, ChooseOption, DispatchFollowUp, DrillPull, ExtraPull, Step2Reassign
from projections.chance import Draw, KeyedChance
from tests.rules.peak_oil.tables import a_table, answers

FIELDS = ("OF-RUS-AGR", "OF-RUS-SPM", "OF-LIB-AGR")


@pytest.mark.rule("PO-015")
def test_a_pull_takes_each_barrel_with_the_same_chance() -> None:
    """T-181."""
    draw = Draw(KeyedChance(b"pulls"), "pull", 0)
    counts = Counter(draw.weighted((20, 3, 3)) for _ in range(100_000))
    for colour, share in enumerate((0.769, 0.115, 0.115)):
        assert abs(counts[colour] / 100_000 - share) < 0.005


@pytest.mark.rule("PO-015")
def test_black_red_and_yellow_are_counted_in_this_order() -> None:
    for what, colour in (("b", "black"), ("r", "red"), ("y", "yellow")):
        table = a_table(bag=(3, 2, 1), pulled=what, spots={"DEV": [1, 1]}).when(0, TakeAction("DEV"))
        (pulled,) = [event for event in table.happened if isinstance(event, BarrelPulled)]
        assert pulled.colour == colour


@pytest.mark.rule("PO-100")
def test_everybody_sees_what_is_in_the_bag() -> None:
    view = a_table(bag=(7, 2, 1)).view(None)
    assert (view.bag.black, view.bag.red, view.bag.yellow) == (7, 2, 1)


@pytest.mark.rule("PO-101", "PO-103")
def test_the_first_black_goes_on_a_slot_of_the_pullers_choice() -> None:
    table = a_table(spots={"DEV": [1, 1]}, pulled="b", field_display=FIELDS).when(0, TakeAction("DEV"))
    table.waits_for(ChooseMarketSlot, 0)
    assert table.board.pulled == 1
    assert answers(table) == [f"place_on_market:{slot}" for slot in ("ETH", "SPM", "AGR", "TID", "HYD")]
    table.when(0, PlaceOnMarket("HYD"))
    assert (table.board.pulled, table.board.market["HYD"]) == (0, 1)


@pytest.mark.rule("PO-102")
def test_a_pull_says_why() -> None:
    table = a_table(spots={"DEV": [1, 1]}, pulled="b").when(0, TakeAction("DEV"))
    table.then_among_others(BarrelPulled(0, "black", "tie", extra=False, to="market"))


@pytest.mark.rule("PO-104", "PO-105")
def test_later_black_of_the_window_is_put_aside_and_returns() -> None:
    """T-30."""
    table = a_table(
        bag=(10, 0, 0), spots={"EXP": [1, 1], "INV": [0, 1]}, pulled="bb", start_up_display=("SU-ETH-1",), seats=2
    )
    table.when(0, TakeAction("EXP")).when(0, PlaceOnMarket("ETH")).when(0, Dispatch("INV")).when(0, ActHere())
    table.then_among_others(BarrelPulled(0, "black", "tie", extra=False, to="aside")).waits_for(ChooseOption, 0)
    assert (table.board.bag_black, table.board.window.aside_black) == (8, 1)
    table.when(0, EndAction()).when(0, Reassign("HQ", "DEV")).then_among_others(WindowClosed(0, 1, 0))
    assert (table.board.bag_black, sum(table.board.market.values())) == (9, 1)


@pytest.mark.rule("PO-106")
def test_black_pulled_while_drilling_goes_on_the_region_of_the_card() -> None:
    """T-31: the tie pull on Expand was the first black, and the drill pull is not put aside."""
    table = a_table(
        bag=(10, 0, 0), spots={"EXP": [1, 1]}, pulled=["b", 2, "b"], field_display=FIELDS, regions={"RUS": 0}
    )
    table.when(0, TakeAction("EXP")).when(0, PlaceOnMarket("ETH")).when(0, Dispatch("DEV")).when(0, ActHere())
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).waits_for(DrillPull, 0).when(0, Pull())
    table.then_among_others(BarrelPulled(0, "black", "drill", extra=False, to="region", region="RUS"))
    assert (table.board.regions["RUS"], table.board.window.aside_black) == (3, 0)


@pytest.mark.rule("PO-106")
def test_a_drill_pull_uses_up_no_first_black() -> None:
    table = a_table(bag=(10, 0, 0), spots={"DEV": [1]}, pulled=[2, "b"], field_display=FIELDS)
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    assert not table.board.window.first_black_used


@pytest.mark.rule("PO-107")
def test_red_is_put_aside_and_returns() -> None:
    table = a_table(bag=(10, 1, 0), spots={"DEV": [1, 1]}, pulled="r", field_display=FIELDS).when(0, TakeAction("DEV"))
    table.waits_for(ExtraPull, 0)
    assert (table.board.bag_red, table.board.window.aside_red) == (0, 1)
    table.when(0, StopPulling()).when(0, EndAction()).when(0, Reassign("HQ", "GUL"))
    assert table.board.bag_red == 1


@pytest.mark.rule("PO-108")
def test_yellow_leaves_for_good() -> None:
    """T-25."""
    table = a_table(bag=(10, 1, 1), spots={"DEV": [1, 1]}, pulled="y", hq={0: {"black": 5}}, field_display=FIELDS)
    box = table.board.box_yellow
    table.when(0, TakeAction("DEV")).then_among_others(CrisisSuffered(0, 2, first=True))
    assert (table.board.bag_yellow, table.board.box_yellow) == (0, box + 1)
    table.when(0, StopPulling()).when(0, EndAction()).when(0, Reassign("HQ", "GUL")).when(0, EndTurn())
    assert (table.board.bag_black, table.board.bag_red, table.board.bag_yellow) == (10, 1, 0)


@pytest.mark.rule("PO-102", "PO-107", "PO-108")
@pytest.mark.parametrize(("what", "colour", "to"), [("r", "red", "aside"), ("y", "yellow", "box")])
def test_a_coloured_barrel_never_goes_on_market_or_region(what: str, colour: Any, to: Any) -> None:
    """Neither as the first barrel of a window, nor while drilling."""
    tied = a_table(bag=(10, 1, 1), spots={"DEV": [1, 1]}, pulled=what, field_display=FIELDS).when(0, TakeAction("DEV"))
    tied.then_among_others(BarrelPulled(0, colour, "tie", extra=False, to=to))
    drilled = a_table(bag=(10, 1, 1), spots={"DEV": [1]}, pulled=[2, what], field_display=FIELDS)
    drilled.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    drilled.then_among_others(BarrelPulled(0, colour, "drill", extra=False, to=to))


@pytest.mark.rule("PO-109", "PO-111")
def test_each_coloured_barrel_grants_a_pull_and_pulls_may_chain() -> None:
    """Nested case 13: a chain ends with the coloured barrels, because reds stay aside."""
    table = a_table(bag=(10, 2, 1), spots={"DEV": [1, 1]}, pulled="rryb", field_display=FIELDS)
    table.when(0, TakeAction("DEV"))
    for _ in range(3):
        table.waits_for(ExtraPull, 0).when(0, Pull())
    table.waits_for(ChooseMarketSlot, 0)
    assert len(table.game.steps) == 6, "a chain adds no depth"


@pytest.mark.rule("PO-110")
def test_an_extra_pull_keeps_its_reason() -> None:
    """T-61: red while drilling, then black: it goes on the Region."""
    table = a_table(bag=(12, 1, 0), spots={"DEV": [1]}, pulled=[2, "r", "b"], field_display=FIELDS)
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    table.waits_for(ExtraPull, 0).when(0, Pull())
    table.then_among_others(BarrelPulled(0, "black", "drill", extra=True, to="region", region="RUS"))
    assert table.board.regions["RUS"] == 3


@pytest.mark.rule("PO-111")
def test_an_extra_pull_pays_for_nothing_that_was_owed() -> None:
    table = a_table(bag=(10, 1, 0), spots={"GUL": [1]}, pulled="rbb", risks={"MAL": ("RC01", 0)}, regions={"GUL": 1})
    table.when(0, TakeAction("GUL")).when(0, Ship("R10")).when(0, Pull()).when(0, PlaceOnMarket("ETH"))
    assert [event.to for event in table.happened if isinstance(event, BarrelPulled)] == ["aside"]
    assert table.board.window.aside_black == 1


@pytest.mark.rule("PO-112")
def test_owed_pulls_out_of_an_empty_bag_are_cancelled() -> None:
    """T-39."""
    table = a_table(bag=(1, 0, 0), spots={"GUL": [1]}, pulled="b", risks={"MAL": ("RC01", 0)}, regions={"GUL": 2})
    table.when(0, TakeAction("GUL")).when(0, Ship("R10")).counts(BarrelPulled, 1)
    table.then_among_others(PeakOilTriggered(0, "bag_empty"))
    table.when(0, PlaceOnMarket("ETH")).counts(BarrelPulled, 0)
    table.then_among_others(
        MarketFilled(0, "ETH", "pull"), Shipped(0, "R10", 4, 2, 0, 0, 2), ChipsFlipped("SIN", ("MAL",))
    )


@pytest.mark.rule("PO-112")
def test_no_extra_pull_is_offered_out_of_an_empty_bag() -> None:
    """T-40."""
    table = a_table(bag=(3, 0, 1), spots={"DEV": [1, 1]}, pulled="y", field_display=FIELDS).when(0, TakeAction("DEV"))
    table.waits_for(ExtraPull, 0)
    table = a_table(
        bag=(0, 0, 1), spots={"DEV": [1, 1]}, pulled="y", field_display=FIELDS, marker=0, trigger="bag_empty"
    )
    table.when(0, TakeAction("DEV")).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-113")
def test_searching_is_no_pull() -> None:
    table = a_table(bag=(10, 5, 5), spots={"DEV": [1]}, field_display=FIELDS).when(0, TakeAction("DEV"))
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-SPM"))
    table.then_among_others(BagSearched(0, "RUS", 3)).counts(BarrelPulled, 0).counts(CrisisSuffered, 0)
    assert not table.board.window.first_black_used


@pytest.mark.rule("PO-114")
def test_what_is_aside_is_not_in_the_bag() -> None:
    """The bag holds a single red: pulled, it is aside, and the bag is empty."""
    table = a_table(bag=(0, 1, 0), spots={"DEV": [1, 1]}, pulled="r", field_display=FIELDS, marker=0)
    table.when(0, TakeAction("DEV")).waits_for(ChooseOption, 0)


@pytest.mark.rule("PO-115")
def test_only_black_is_ever_on_the_board() -> None:
    table = a_table(bag=(4, 1, 1), spots={"DEV": [1, 1]}, pulled="ry", field_display=FIELDS).when(0, TakeAction("DEV"))
    table.when(0, Pull())
    assert sum((*table.board.regions.values(), *table.board.market.values())) == 0


@pytest.mark.rule("PO-101")
def test_stopping_gives_up_what_was_on_offer() -> None:
    table = a_table(bag=(10, 0, 0), spots={"DEV": [1]}, pulled=[1], field_display=("OF-LIB-AGR",))
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-LIB-AGR"))
    table.when(0, StopPulling()).then_among_others(ChoiceDeclined(0, "drill_pull")).waits_for(Step2Reassign, 0)


@pytest.mark.rule("PO-169")
def test_each_question_mark_is_a_pull_of_its_own() -> None:
    table = a_table(bag=(10, 1, 0), spots={"DEV": [1]}, pulled=[1, "r", "b"], field_display=("OF-LIB-AGR",))
    table.when(0, TakeAction("DEV")).when(0, StartDrill()).when(0, TakeOilField("OF-LIB-AGR")).when(0, Pull())
    table.when(0, StopPulling()).then(ChoiceDeclined(0, "extra_pull")).waits_for(DrillPull, 0)
    table.when(0, Pull()).waits_for(Step2Reassign, 0)
    assert table.board.regions["LIB"] == 2


def test_nested_case_1_all_counters_live_in_the_one_turn() -> None:
    """Register 3.6, 1: PO-105, PO-106, PO-110, PO-121, PO-122, PO-142."""
    table = a_table(
        seats=2,
        bag=(10, 2, 1),
        pulled=["r", "b", "b", 2, "y", "b"],
        spots={"EXP": [1, 1], "DEV": [1, 2]},
        hq={0: {"black": 5}},
        market="ETH SPM AGR",
        field_display=FIELDS,
    )
    table.when(0, TakeAction("EXP")).then_among_others(CrisisSuffered(0, 2, first=True)).when(0, Pull())
    assert table.board.regions == {"LIB": 1, "NIG": 1, "GUL": 1, "RUS": 1}, (
        "the only slot left: no question, distributed"
    )
    table.when(0, Dispatch("DEV")).waits_for(DispatchFollowUp, 0).when(0, ActHere())
    assert table.board.window.aside_black == 1
    table.when(0, StartDrill()).when(0, TakeOilField("OF-RUS-AGR")).when(0, Pull())
    table.then_among_others(CrisisSuffered(0, 0, first=False)).when(0, Pull())
    assert table.board.regions["RUS"] == 1 + 2 + 1
    table.waits_for(Step2Reassign, 0)


def test_nested_case_2_the_last_black_in_a_follow_up_triggers_and_unwinds_nothing() -> None:
    """T-100: PO-245, PO-247."""
    table = a_table(
        seats=2, bag=(2, 0, 0), pulled="bb", spots={"EXP": [1, 1], "INV": [0, 1]}, start_up_display=("SU-ETH-1",)
    )
    table.when(0, TakeAction("EXP")).when(0, PlaceOnMarket("ETH")).when(0, Dispatch("INV")).when(0, ActHere())
    table.then_among_others(PeakOilTriggered(0, "bag_empty")).waits_for(ChooseOption, 0)
    assert table.board.bag_black == 0
    table.when(0, EndAction()).waits_for(Step2Reassign, 0).when(0, Reassign("HQ", "DEV"))
    assert (table.board.bag_black, table.board.phase) == (1, "final_reassign")


def test_nested_case_11_a_dry_bag_leaves_dispatched_agents_without_an_action() -> None:
    """T-101: PO-087, PO-156."""
    table = a_table(seats=2, bag=(1, 0, 0), pulled="b", spots={"EXP": [1, 1], "INV": [0, 1]})
    table.when(0, TakeAction("EXP")).then_among_others(PeakOilTriggered(0, "bag_empty"))
    table.when(0, PlaceOnMarket("ETH")).when(0, Dispatch("INV")).waits_for(Step2Reassign, 0)
    table.refuses(0, HoldPosition(), "PO-051", "wrong_phase")
