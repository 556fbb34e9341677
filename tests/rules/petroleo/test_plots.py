"""Plots: PT-060 … PT-076."""

from __future__ import annotations

import pytest

from events.petroleo.codes import Item
from events.petroleo.commands import BuyLicence, BuyTower, Exercise
from events.petroleo.facts import LicencesBought, ReservoirBuilt, TowerBought
from events.petroleo.steps import BuyLicenceSquare
from projections.petroleo.state import Plot
from tests.rules.petroleo.tables import FULL, A, B, a_start, cash, choosing, co, kinds, offers, resolving, three, using


@pytest.mark.rule("PT-060")
def test_a_zone_holds_one_licence() -> None:
    scene = resolving(5, co("L01"), co("L02"), co())
    scene.refuses(A, BuyLicence(1, ("L01",)), "PT-060", "illegal_choice")
    scene.refuses(A, BuyLicence(1, ("L02",)), "PT-060", "illegal_choice")


@pytest.mark.rule("PT-060")
def test_two_licences_lie_in_two_zones() -> None:
    scene = resolving(5, co(double_available=True), co(), co())
    scene.refuses(A, BuyLicence(2, ("L07", "L07")), "PT-060", "illegal_choice")


@pytest.mark.rule("PT-061")
def test_the_zone_is_of_the_squares_terrain() -> None:
    resolving(5).refuses(A, BuyLicence(1, ("S01",)), "PT-061", "illegal_choice")
    resolving(3).refuses(A, BuyLicence(1, ("L01",)), "PT-061", "illegal_choice")


@pytest.mark.rule("PT-073", "PT-074")
def test_two_licences_want_two_tokens() -> None:
    scene = resolving(5, co(FULL.removesuffix(" L30"), double_available=True), co(), co())
    assert "buy_licence:2" not in offers(scene, A)
    scene.refuses(A, BuyLicence(2), "PT-073", "illegal_choice").when(A, BuyLicence(1))
    assert scene.board.tokens_in_stock(A) == 0


@pytest.mark.rule("PT-062")
def test_the_buyer_names_a_zone_or_gets_the_lowest_free_one() -> None:
    resolving(5).when(A, BuyLicence(1, ("L30",))).then_among_others(LicencesBought(A, ("L30",), 7))
    resolving(5, co(), co("L01"), co()).when(A, BuyLicence(1)).then_among_others(LicencesBought(A, ("L02",), 7))
    double = resolving(5, co(double_available=True), co(), co()).when(A, BuyLicence(2, ("L30", "L07")))
    double.then_among_others(LicencesBought(A, ("L07", "L30"), 14))
    resolving(5).refuses(A, BuyLicence(1, ("L01", "L02")), "PT-062", "malformed")


@pytest.mark.rule("PT-063")
def test_licence_prices() -> None:
    assert cash(resolving(5).when(A, BuyLicence(1)))[A] == 193
    assert cash(resolving(3).when(A, BuyLicence(1)))[A] == 195


@pytest.mark.rule("PT-064")
def test_a_tower_stands_on_an_own_bare_plot_at_once() -> None:
    scene = resolving(7, co("L01 L02:tower L03:gas"), co("L04"), co())
    for zone in ("L02", "L03", "L04", "L09", "X"):
        scene.refuses(A, BuyTower(zone), "PT-064", "illegal_choice")
    scene.when(A, BuyTower("L01")).then_among_others(TowerBought(A, "L01", 5))
    assert Plot("L01", "tower") in scene.board.companies[A].plots
    assert scene.board.towers == 28 - 2


@pytest.mark.rule("PT-065", "PT-163")
@pytest.mark.parametrize(("zone", "left"), [("L01", 7), ("S01", 0)])
def test_tower_prices_by_terrain(zone: str, left: int) -> None:
    """S-39."""
    scene = resolving(7, co("L01 S01", cash=12), co(), co())
    assert offers(scene, A) == {"buy_tower:L01", "buy_tower:S01", "decline"}
    assert cash(scene.when(A, BuyTower(zone)))[A] == left


@pytest.mark.rule("PT-066", "PT-067")
def test_a_reservoir_takes_the_place_of_an_own_tower_which_goes_back_unpaid() -> None:
    """S-64."""
    scene = using("oil6", co("S01:tower L01 L02:gas", cash=30), co("L05:tower"), co())
    for zone in ("L01", "L02", "L05", "L09"):
        scene.refuses(A, Exercise(zone_id=zone), "PT-066", "illegal_choice")
    towers = scene.board.towers
    scene.when(A, Exercise(zone_id="S01")).then_among_others(ReservoirBuilt(A, "S01", "oil6", 10))
    assert (cash(scene)[A], scene.board.towers) == (20, towers + 1)


@pytest.mark.rule("PT-068")
@pytest.mark.parametrize("zone", ["S01", "L01"])
def test_reservoirs_cost_the_same_on_land_and_at_sea(zone: str) -> None:
    """S-120."""
    scene = using("oil4", co("L01:tower S01:tower", cash=7), co(), co())
    assert cash(scene.when(A, Exercise(zone_id=zone)))[A] == 0


@pytest.mark.rule("PT-069")
def test_a_plot_with_a_building_is_in_exploration() -> None:
    company = choosing(co("L01 L02:tower L03:oil2"), co(), co()).board.companies[A]
    assert company.with_building(None) == ("L01",)


@pytest.mark.rule("PT-071", "PT-252")
def test_a_purchase_needs_the_full_price_and_may_take_the_last_coin() -> None:
    """S-26, S-137."""
    resolving(3, co(cash=5), co(), co()).when(A, BuyLicence(1))
    scene = resolving(20, co("L01", cash=5), co(), co())
    assert "decline" in offers(scene, A)
    using("oil6", co("L01:tower", cash=9), co(), co()).refuses(A, Exercise(zone_id="L01"), "PT-071", "illegal_choice")
    scene = using("tower_or_licence", co(cash=6), co(), co())
    scene.refuses(A, Exercise(item="licence_land"), "PT-071", "illegal_choice")
    scene.when(A, Exercise(item="licence_sea"))
    assert cash(scene)[A] == 1


@pytest.mark.rule("PT-072")
def test_no_tower_while_the_supply_is_empty() -> None:
    """S-40."""
    assert "buy_tower" not in kinds(resolving(7, co("L01"), co(), co(), towers=0), A)
    scene = using("tower_or_licence", co("L01"), co(), co(), towers=0)
    scene.refuses(A, Exercise(item="tower", zone_id="L01"), "PT-072", "illegal_choice")


@pytest.mark.rule("PT-073", "PT-074")
def test_thirty_tokens_vehicles_included() -> None:
    """S-121."""
    plots = FULL.replace("L30", "").replace("L29", "")
    scene = resolving(3, co(plots, trucks=1), co(), co(), tankers="TK1:0")
    assert not isinstance(scene.game.waiting, BuyLicenceSquare)
    assert scene.board.tokens_in_stock(A) == 0
    for kind, command in (("truck", Exercise()), ("tanker", Exercise(mode="partnership"))):
        scene = using(kind, co(FULL), co(), co())  # type: ignore[arg-type] # two kinds of card
        scene.refuses(A, command, "PT-074", "illegal_choice")
        assert kinds(scene, A) == {"offer_card", "forgo"}
    scene = using("tower_or_licence", co(FULL), co(), co())
    scene.refuses(A, Exercise(item="licence_sea"), "PT-073", "illegal_choice")


@pytest.mark.rule("PT-073")
@pytest.mark.parametrize(("letter", "item", "square"), [("L", "licence_land", 5), ("S", "licence_sea", 3)])
def test_no_licence_where_the_terrain_is_full(letter: str, item: Item, square: int) -> None:
    zones = [f"{letter}{n:02}" for n in range(1, {"L": 47, "S": 38}[letter] + 1)]
    sides = (co(" ".join(zones[:18])), co(" ".join(zones[18:])), co())
    scene = using("tower_or_licence", *sides)
    scene.refuses(A, Exercise(item=item), "PT-073", "illegal_choice")
    assert f"exercise:{item}" not in offers(scene, A)
    assert not isinstance(resolving(square, *sides).game.waiting, BuyLicenceSquare)


@pytest.mark.rule("PT-075", "PT-226")
def test_a_nationalised_company_pays_full_prices() -> None:
    """S-122."""
    assert cash(resolving(5, co(cash=20, nationalised=True), co(), co()).when(A, BuyLicence(1)))[A] == 13


@pytest.mark.rule("PT-076", "PT-254", "PT-255")
def test_there_is_no_way_to_sell_give_or_borrow() -> None:
    """S-123."""
    scene = choosing(co("L01 L02:tower L03:gas"), co(), co())
    assert kinds(scene, A) == {"play_card"}
    assert kinds(using("gas", *three()), A) == {"offer_card", "forgo"}
    assert a_start(2).board.companies[B].plots == ()
