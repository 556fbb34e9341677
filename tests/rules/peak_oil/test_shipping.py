"""Shipping and Security chips: PO-210 … PO-223, PO-230 … PO-237."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import (
    EndAction,
    LoadCargo,
    PlaceOnMarket,
    Reassign,
    Ship,
    StopPulling,
    TakeAction,
    UseSecurity,
)
from events.peak_oil.facts import (
    AgentsReturned,
    BarrelPulled,
    CargoLoaded,
    ChipsFlipped,
    ChoiceDeclined,
    CrisisSuffered,
    MarketDistributed,
    MarketFilled,
    SecurityUsed,
    Shipped,
)
from events.peak_oil.steps import ChooseMarketSlot, ChooseOption, ShipLoad, Step1Choose, Step2Reassign
from projections.peak_oil.state import Chip
from tests.rules.peak_oil.tables import a_table, answers, at_final_reassign, black_of, where
from tests.scenario import Scenario


def in_the_gulf(**table: Any) -> Scenario:
    """Seat 0 takes the action of the Gulf Region, alone there."""
    return a_table(**{"spots": {"GUL": [1]}, "regions": {"GUL": 5}, **table}).when(0, TakeAction("GUL"))


@pytest.mark.rule("PO-210 .. PO-223", "PO-230 .. PO-235")
def test_karen_ships_to_rotterdam() -> None:
    """T-80, the rulebook's example: PO-213, PO-214, PO-215, PO-216, PO-217, PO-218, PO-231, PO-232."""
    table = a_table(
        seats=3,
        bag=(10, 0, 0),
        pulled="bb",
        spots={"GUL": [2, 1]},
        regions={"GUL": 5},
        demand={"ROT": ("RF1", 0)},
        risks={"ADE": ("RC05", 0), "SUE": ("RC02", 0), "BEL": ("RC01", 0), "MAL": ("RC03", 1)},
        hq={0: {"security": 1}},
    ).when(0, TakeAction("GUL"))
    table.when(0, UseSecurity("swap_risk", ("SUE", "BEL"))).then(SecurityUsed(0, "swap_risk", ("SUE", "BEL")))
    table.when(0, Ship("R11")).when(0, PlaceOnMarket("ETH"))
    assert [event.to for event in table.happened if isinstance(event, BarrelPulled)] == ["aside"]
    table.then_among_others(CargoLoaded(0, "GUL", 4)).waits_for(ChooseMarketSlot, 0)
    table.when(0, PlaceOnMarket("SPM"))
    table.then(
        MarketFilled(0, "SPM", "cargo"),
        Shipped(0, "R11", 4, 4, 1, 0, 3),
        ChipsFlipped("ROT", ("ADE", "SUE")),
        AgentsReturned(0, "GUL", 2),
    )
    board = table.board
    assert (black_of(board), board.regions["GUL"], sum(board.market.values())) == (3, 1, 2)
    assert board.refineries["ROT"] == Chip("RF1", 1)
    assert (board.risks["ADE"], board.risks["SUE"], board.risks["BEL"]) == (
        Chip("RC05", 1),
        Chip("RC01", 1),
        Chip("RC02", 0),
    )
    assert (where(board), where(board, 1)) == ({"HQ": 2}, {"HQ": 1, "GUL": 1})
    assert (board.security, board.seats[0].security) == (5, 0)


@pytest.mark.rule("PO-210", "PO-212")
def test_a_route_starts_where_the_action_is() -> None:
    table = in_the_gulf()
    assert answers(table) == ["end_action", "ship:R10", "ship:R11", "ship:R12", "ship:R13"]
    table.refuses(0, Ship("R14"), "PO-210", "route_not_here").refuses(0, Ship("R99"), "PO-210", "route_not_here")


@pytest.mark.rule("PO-211")
def test_a_closed_face_closes_the_route_until_it_is_turned() -> None:
    """T-81."""
    table = in_the_gulf(risks={"MAL": ("RC10", 1), "NAT": ("RC05", 1)}, hq={0: {"security": 1}})
    table.refuses(0, Ship("R10"), "PO-211", "route_closed")
    assert [one for one in answers(table) if "ship" in one] == ["ship:R11", "ship:R12", "ship:R13"]
    table.when(0, UseSecurity("flip_risk", ("MAL",))).waits_for(ChooseOption, 0)
    assert "ship:R10" in answers(table)


@pytest.mark.rule("PO-211", "PO-230")
def test_where_no_route_is_open_a_chip_is_worth_asking_for() -> None:
    """T-93."""
    risks = {"BEL": ("RC10", 1), "SUE": ("RC11", 0), "NAT": ("RC01", 1)}
    options = {"closed_chips": "single_and_double"}
    table = a_table(spots={"RUS": [1]}, risks=risks, hq={0: {"security": 1}}, options=options)
    table.when(0, TakeAction("RUS")).waits_for(ChooseOption, 0)
    assert not [one for one in answers(table) if one.startswith("ship")]
    table.when(0, UseSecurity("flip_risk", ("BEL",)))
    assert [one for one in answers(table) if one.startswith("ship")] == ["ship:R14", "ship:R15"]
    without = a_table(spots={"RUS": [1]}, risks=risks, options=options).when(0, TakeAction("RUS"))
    without.waits_for(Step2Reassign, 0)
    assert where(without.board) == {"HQ": 2}


@pytest.mark.rule("PO-213", "PO-222")
def test_the_pulls_come_before_loading_and_no_crisis_halves_the_cargo() -> None:
    """T-91."""
    table = in_the_gulf(
        bag=(9, 1, 0), pulled="r", risks={"MAL": ("RC02", 0)}, hq={0: {"black": 6}}, demand={"SIN": ("RF1", 0)}
    )
    table.when(0, Ship("R10")).then_among_others(CrisisSuffered(0, 3, first=True)).when(0, StopPulling())
    table.then_among_others(CargoLoaded(0, "GUL", 4))
    assert (black_of(table.board), table.board.cargo, table.board.cargo_from) == (3 + 4, 0, None)


@pytest.mark.rule("PO-214", "PO-215", "PO-220")
def test_a_small_region_and_a_skull() -> None:
    """T-82: the cargo is what there is, and pirates take theirs of it."""
    table = in_the_gulf(regions={"GUL": 2}, risks={"MAL": ("RC05", 0)}).when(0, Ship("R10"))
    table.when(0, PlaceOnMarket("ETH")).then_among_others(Shipped(0, "R10", 4, 2, 1, 0, 1))
    assert (table.board.regions["GUL"], table.board.market["ETH"], black_of(table.board)) == (0, 1, 1)


@pytest.mark.rule("PO-215")
def test_more_skulls_than_cargo_are_void() -> None:
    """AMB-23."""
    table = in_the_gulf(regions={"GUL": 1}, risks={"ADE": ("RC05", 0), "SUE": ("RC07", 0), "CGH": ("RC06", 1)})
    table.when(0, Ship("R11")).when(0, PlaceOnMarket("ETH")).then_among_others(Shipped(0, "R11", 4, 1, 1, 0, 0))


@pytest.mark.rule("PO-142", "PO-214")
def test_a_distribution_in_the_pulls_is_shipped_too() -> None:
    """T-84, nested case 3."""
    table = in_the_gulf(
        bag=(9, 0, 0), pulled="b", regions={"GUL": 3}, risks={"MAL": ("RC02", 0)}, market="ETH SPM AGR TID"
    )
    table.when(0, Ship("R10")).then_among_others(MarketDistributed(tuple(table.board.regions)))
    table.then_among_others(CargoLoaded(0, "GUL", 4), Shipped(0, "R10", 4, 4, 0, 0, 4))
    assert (table.board.regions["GUL"], black_of(table.board)) == (0, 4)


@pytest.mark.rule("PO-215", "PO-218")
def test_a_distribution_by_the_pirates_stays_on_the_region() -> None:
    """T-86: the second skull lies alone on the new market."""
    table = in_the_gulf(risks={"ADE": ("RC05", 0), "SUE": ("RC08", 0), "MAL": ("RC03", 1)}, market="ETH SPM AGR TID")
    table.when(0, Ship("R11")).then_among_others(MarketFilled(0, "HYD", "cargo", auto=True))
    table.waits_for(ChooseMarketSlot, 0).when(0, PlaceOnMarket("AGR"))
    assert (sum(table.board.market.values()), black_of(table.board), table.board.regions["GUL"]) == (1, 2, 2)


@pytest.mark.rule("PO-219")
def test_an_empty_region_can_be_shipped_from() -> None:
    """T-87."""
    table = in_the_gulf(regions={}).when(0, Ship("R10"))
    table.then_among_others(Shipped(0, "R10", 4, 0, 0, 0, 0), ChipsFlipped("SIN", ("MAL",)))


@pytest.mark.rule("PO-217", "PO-221")
def test_chips_are_turned_and_a_blank_face_does_nothing() -> None:
    table = in_the_gulf().when(0, Ship("R10")).counts(BarrelPulled, 0)
    assert (table.board.risks["MAL"], table.board.refineries["SIN"]) == (Chip("RC05", 0), Chip("RF2", 1))
    risk = next(risk for risk in table.view(None).risks if risk.place == "MAL")
    assert (risk.skulls, risk.back_skulls) == (1, 0), "both faces are public"


@pytest.mark.rule("PO-223")
def test_pipelines_and_sea_routes_follow_the_same_rules() -> None:
    table = a_table(spots={"RUS": [1]}, regions={"RUS": 5}, risks={"BEL": ("RC05", 0), "MAL": ("RC01", 1)})
    table.when(0, TakeAction("RUS")).when(0, Ship("R14")).when(0, PlaceOnMarket("ETH"))
    table.then_among_others(Shipped(0, "R14", 4, 4, 1, 0, 3))


@pytest.mark.rule("PO-009")
def test_venezuela_does_not_ship_with_three() -> None:
    """T-92."""
    table = a_table(seats=3, spots={"LIB": [1]}).when(0, TakeAction("LIB"))
    table.refuses(0, Ship("R01"), "PO-210", "route_not_here")


# ---- Security chips


@pytest.mark.rule("PO-234", "PO-235")
def test_demand_and_skulls_are_read_at_loading() -> None:
    """T-88."""
    table = in_the_gulf(demand={"ROT": ("RF1", 1)}, hq={0: {"security": 1}}).when(0, Ship("R11"))
    table.waits_for(ShipLoad, 0).when(0, UseSecurity("flip_refinery", ("ROT",)))
    table.then_among_others(CargoLoaded(0, "GUL", 4)).waits_for(Step2Reassign, 0)
    assert table.board.refineries["ROT"] == Chip("RF1", 1)


@pytest.mark.rule("PO-235")
def test_loading_may_be_asked_for_with_the_chip_kept() -> None:
    table = in_the_gulf(hq={0: {"security": 1}}).when(0, Ship("R11")).when(0, LoadCargo())
    table.then_among_others(ChoiceDeclined(0, "ship_load"), CargoLoaded(0, "GUL", 4))
    assert table.board.seats[0].security == 1


@pytest.mark.rule("PO-234")
def test_the_number_of_pulls_is_settled_with_the_route() -> None:
    """A flip at the first slot adds no pull and closes nothing."""
    table = in_the_gulf(
        bag=(9, 0, 0), pulled="bb", risks={"MAL": ("RC01", 0)}, hq={0: {"security": 1}}, regions={"GUL": 1}
    )
    table.when(0, Ship("R10")).waits_for(ChooseMarketSlot, 0).when(0, UseSecurity("flip_risk", ("MAL",)))
    table.when(0, PlaceOnMarket("ETH")).counts(BarrelPulled, 1)


@pytest.mark.rule("PO-231", "PO-232")
def test_a_swap_keeps_faces_up_and_a_flip_turns_one() -> None:
    table = a_table(hq={0: {"security": 2}}, demand={"SIN": ("RF2", 0), "PHI": ("RF3", 1)})
    table.when(0, UseSecurity("swap_refinery", ("SIN", "PHI")))
    assert table.board.refineries == {"SIN": Chip("RF3", 1), "ROT": Chip("RF1", 0), "PHI": Chip("RF2", 0)}
    table.when(0, UseSecurity("flip_refinery", ("ROT",)))
    assert table.board.refineries["ROT"] == Chip("RF1", 1)


@pytest.mark.rule("PO-232")
def test_the_two_positions_differ() -> None:
    """T-90."""
    table = a_table(hq={0: {"security": 1}})
    table.refuses(0, UseSecurity("swap_risk", ("MAL", "MAL")), "PO-232", "same_position")
    table.refuses(0, UseSecurity("swap_risk", ("MAL", "SIN")), "PO-231", "bad_args")
    table.refuses(0, UseSecurity("flip_risk", ("MAL", "SUE")), "PO-231", "bad_args")


@pytest.mark.rule("PO-230", "PO-236")
def test_a_chip_is_used_in_the_own_window_by_who_has_one() -> None:
    """T-90."""
    table = a_table(hq={1: {"security": 1}})
    table.refuses(1, UseSecurity("flip_risk", ("MAL",)), "PO-370", "not_awaited")
    table.refuses(0, UseSecurity("flip_risk", ("MAL",)), "PO-230", "no_security_chip")
    final = at_final_reassign(1, hq={1: {"security": 1}})
    final.refuses(1, UseSecurity("flip_risk", ("MAL",)), "PO-236", "wrong_phase")
    assert not [one for one in answers(final) if one.startswith("use_security")]


@pytest.mark.rule("PO-233")
def test_any_number_of_chips_may_be_used_and_the_question_stays() -> None:
    """Nested case 16."""
    table = a_table(hq={0: {"security": 2}})
    table.when(0, UseSecurity("flip_risk", ("MAL",))).waits_for(Step1Choose, 0)
    table.when(0, UseSecurity("flip_risk", ("MAL",))).waits_for(Step1Choose, 0)
    assert (table.board.security, table.board.risks["MAL"]) == (5, Chip("RC05", 1))
    table.when(0, Reassign("HQ", "DEV"))


@pytest.mark.rule("PO-231")
def test_every_swap_and_flip_is_described() -> None:
    table = a_table(hq={0: {"security": 1}})
    described = {option.id: option.choose for option in table.options(0) if option.choose is not None}
    assert list(described) == [
        f"use_security:{kind}" for kind in ("swap_refinery", "swap_risk", "flip_refinery", "flip_risk")
    ]
    swap = described["use_security:swap_risk"]
    assert swap.admits({"places": ["SUE", "BEL"]})
    assert not swap.admits({"places": ["SUE", "SUE"]})


@pytest.mark.rule("PO-090")
def test_a_shipping_need_not_be_used() -> None:
    in_the_gulf().when(0, EndAction()).waits_for(Step2Reassign, 0)
