"""The twenty squares, and doubling: PT-150 … PT-187, PT-240 … PT-245."""

from __future__ import annotations

import pytest

from events.petroleo.codes import Payment
from events.petroleo.commands import (
    BuyLicence,
    ChooseSquare,
    Damage,
    Decline,
    Forgo,
    PlayCard,
    Surrender,
    SurrenderTower,
)
from events.petroleo.facts import (
    Charged,
    DoubleSpent,
    LicencesBought,
    LicencesSurrendered,
    MarkerAdvanced,
    Nationalised,
    Received,
    SquareResolved,
    TankerDamaged,
    WellRanDry,
    YearEndPaid,
    YearEndPassed,
)
from events.petroleo.steps import (
    AtConvenience,
    BuyLicenceSquare,
    BuyTowerSquare,
    ChooseCard,
    ChooseDamagedTanker,
    ChooseDryTower,
    SurrenderLicences,
)
from projections.petroleo.state import Company
from tests.rules.petroleo.tables import A, B, C, cash, co, kinds, offers, resolving, using
from tests.scenario import Scenario

OIL = "L01:oil2 L02:oil4 L03:oil6"
TAXED = "L01:oil2 L02:oil2 L03:oil4 L04:oil6 L05:tower S06:tower L07:gas"


def bare(scene: Scenario, seat: int = A) -> tuple[str, ...]:
    company: Company = scene.board.companies[seat]
    return company.with_building(None)


# ---- 2: confiscation


@pytest.mark.rule("PT-151")
def test_confiscation_begins_with_the_third_passage() -> None:
    """S-21."""
    scene = resolving(2, co("L01 L02 L03"), co(), co(), year_ends=2).waits_for(ChooseCard, A)
    assert bare(scene) == ("L01", "L02", "L03")


@pytest.mark.rule("PT-152", "PT-154")
def test_two_idle_plots_of_ones_choice() -> None:
    scene = resolving(2, co("L01 L02 L03 L04:tower"), co("L09"), co(), year_ends=3).waits_for(SurrenderLicences, A)
    for zones in (
        ("L01",),
        ("L01", "L01"),
        ("L01", "L09"),
        ("L01", "L02", "L03"),
        ("L01", "L02", "L01"),
        (),
    ):
        scene.refuses(A, Surrender(zones), "PT-152", "illegal_choice")
    scene.refuses(A, Surrender(("L01", "L04")), "PT-154", "illegal_choice", "/zone_ids")
    scene.refuses(A, Decline(), "PT-152", "illegal_choice")
    scene.when(A, Surrender(("L03", "L01"))).then_among_others(LicencesSurrendered(A, ("L01", "L03")))
    assert bare(scene) == ("L02",)
    assert scene.board.tokens_in_stock(A) == 28
    resolving(2, co("L03 L01 L02"), co(), co(), year_ends=3).expires(A).then_among_others(
        LicencesSurrendered(A, ("L01", "L02"))
    )


@pytest.mark.rule("PT-153", "PT-154")
def test_what_there_is_goes_without_a_question() -> None:
    """S-23, S-24: buildings and the tokens under vehicles are never taken."""
    scene = resolving(2, co("L01 L02:tower L03:gas", trucks=1), co(), co(), year_ends=3)
    scene.then_among_others(LicencesSurrendered(A, ("L01",))).waits_for(ChooseCard, A)
    assert scene.board.tokens_in_stock(A) == 27
    both = resolving(2, co("L01 L02:tower S01"), co(), co(), year_ends=3)
    both.then_among_others(LicencesSurrendered(A, ("L01", "S01"))).waits_for(ChooseCard, A)
    resolving(2, co("L02:tower"), co(), co(), year_ends=5).then_none(LicencesSurrendered).waits_for(ChooseCard, A)


# ---- 3, 5, 7: buying


@pytest.mark.rule("PT-155", "PT-156")
def test_one_licence_or_none() -> None:
    """S-26."""
    resolving(3).when(A, BuyLicence(1)).then_among_others(LicencesBought(A, ("S01",), 5))
    resolving(5).when(A, BuyLicence(1)).then_among_others(LicencesBought(A, ("L01",), 7))
    resolving(5).when(A, Decline()).then_none(LicencesBought).waits_for(ChooseCard, A)
    resolving(5).expires(A).then_none(LicencesBought).waits_for(ChooseCard, A)
    scene = resolving(5).refuses(A, BuyLicence(2), "PT-240", "illegal_choice")
    assert offers(scene, A) == {"buy_licence:1", "buy_licence:1:zone_ids", "decline"}


@pytest.mark.rule("PT-240", "PT-241", "PT-242", "PT-243")
@pytest.mark.parametrize(("square", "price"), [(3, 10), (5, 14)])
def test_twice_the_first_time_on_either_square(square: int, price: int) -> None:
    """S-27, S-30."""
    scene = resolving(square, co(double_available=True), co(), co()).then_among_others(DoubleSpent(A))
    scene.when(A, BuyLicence(2))
    assert cash(scene)[A] == 200 - price
    assert len(bare(scene)) == 2
    assert not scene.board.companies[A].double_available


@pytest.mark.rule("PT-242")
def test_declining_spends_it_too() -> None:
    scene = resolving(3, co(double_available=True), co(), co()).when(A, Decline())
    assert not scene.board.companies[A].double_available


@pytest.mark.rule("PT-244")
def test_with_money_for_one_there_is_one() -> None:
    """S-28."""
    scene = resolving(3, co(cash=9, double_available=True), co(), co())
    assert offers(scene, A) == {"buy_licence:1", "buy_licence:1:zone_ids", "decline"}
    scene.refuses(A, BuyLicence(2), "PT-071", "illegal_choice").when(A, BuyLicence(1))
    assert cash(scene)[A] == 4
    assert not scene.board.companies[A].double_available


@pytest.mark.rule("PT-157", "PT-245")
def test_with_nothing_to_buy_it_is_spent_unasked() -> None:
    scene = resolving(3, co(cash=4, double_available=True), co(), co()).then_among_others(DoubleSpent(A))
    scene.waits_for(ChooseCard, A)
    assert not scene.board.companies[A].double_available


@pytest.mark.rule("PT-157", "PT-163")
def test_no_question_about_a_tower_that_cannot_be_had() -> None:
    """S-40."""
    resolving(7, co("L01:tower"), co(), co()).waits_for(ChooseCard, A)
    resolving(7, co("S01", cash=11), co(), co()).waits_for(ChooseCard, A)
    resolving(7, co("S01", cash=12), co(), co()).waits_for(BuyTowerSquare, A)
    resolving(7, co("L01", cash=5), co(), co()).waits_for(BuyTowerSquare, A)
    resolving(7, co("L01"), co(), co(), towers=0).waits_for(ChooseCard, A)
    resolving(7, co("L01"), co(), co()).waits_for(BuyTowerSquare, A).when(A, Decline()).waits_for(ChooseCard, A)


# ---- 4: tanker storm


@pytest.mark.rule("PT-158")
def test_a_whole_tanker_costs_fifty() -> None:
    """S-31."""
    scene = resolving(4, co(), co(), co(), tankers="TK1:0").then_among_others(
        TankerDamaged(A, "TK1"), Charged(A, 50, "tanker_storm")
    )
    assert cash(scene)[A] == 150


@pytest.mark.rule("PT-023", "PT-161")
def test_partners_pay_half_each_the_active_one_first() -> None:
    """S-32: whoever of the two commands."""
    for tankers in ("TK1:0+1", "TK1:1+0"):
        scene = resolving(4, co(), co(), co(), tankers=tankers)
        scene.then_among_others(Charged(A, 25, "tanker_storm"), Charged(B, 25, "tanker_storm"))
        assert cash(scene) == (175, 175, 200)


@pytest.mark.rule("PT-161")
def test_the_bank_bears_its_own_half() -> None:
    scene = resolving(4, co(), co(), co(), tankers="TK1:0+bank", bank=100)
    assert (cash(scene)[A], scene.board.bank) == (175, 125)


@pytest.mark.rule("PT-144", "PT-226")
def test_the_storm_is_never_halved() -> None:
    """S-34."""
    assert cash(resolving(4, co(nationalised=True), co(), co(), tankers="TK1:0"))[A] == 150
    both = resolving(4, co(nationalised=True), co(nationalised=True), co(), tankers="TK1:0+1")
    assert cash(both) == (175, 175, 200)


@pytest.mark.rule("PT-159")
def test_without_a_tanker_nothing_happens() -> None:
    """S-35."""
    scene = resolving(4, co(), co(), co(), tankers="TK1:1").then_none(TankerDamaged)
    assert cash(scene) == (200, 200, 200)


@pytest.mark.rule("PT-160")
def test_one_tanker_is_damaged_and_the_company_names_it() -> None:
    """S-36."""
    scene = resolving(4, co(), co(), co(), tankers="TK1:0 TK2:0+2 TK3:1").waits_for(ChooseDamagedTanker, A)
    assert offers(scene, A) == {"damage:TK1", "damage:TK2"}
    scene.refuses(A, Damage("TK3"), "PT-160", "illegal_choice").when(A, Damage("TK2"))
    assert cash(scene) == (175, 200, 175)
    resolving(4, co(), co(), co(), tankers="TK1:0 TK2:0+2").expires(A).then_among_others(TankerDamaged(A, "TK1"))


# ---- taxes, fines, windfalls


@pytest.mark.rule("PT-162", "PT-169", "PT-170", "PT-171", "PT-172", "PT-175", "PT-179", "PT-180")
@pytest.mark.parametrize(
    ("square", "plots", "trucks", "free", "state"),
    [
        (6, OIL, 0, 12, 6),
        (6, "L01:gas", 0, 0, 0),
        (9, OIL, 0, 5, 3),
        (9, "L01:oil2", 0, 5, 3),
        (9, "L01:oil4", 0, 5, 3),
        (9, "L01:oil6", 0, 5, 3),
        (9, "L01:gas L02:tower", 1, 0, 0),
        (10, "L01:tower S01:tower", 0, 4, 2),
        (10, "L01 L02:oil6", 0, 0, 0),
        (11, "L01:gas L02:gas L03:gas", 0, 12, 6),
        (11, OIL, 0, 0, 0),
        (12, "", 2, 3, 2),
        (12, OIL, 0, 0, 0),
        (15, "S01:tower", 0, 4, 2),
        (15, "L01", 0, 0, 0),
        (18, "L01:gas L02:gas", 0, 5, 3),
        (18, OIL, 0, 0, 0),
        (19, OIL, 0, 12, 6),
    ],
)
def test_charges(square: int, plots: str, trucks: int, free: int, state: int) -> None:
    """S-38, S-49, S-50, S-53, S-57, S-58: flat fines once and from owners only; half, rounded up, for the State."""
    assert cash(resolving(square, co(plots, cash=50, trucks=trucks), co(), co()))[A] == 50 - free
    nationalised = co(plots, cash=50, trucks=trucks, nationalised=True)
    assert cash(resolving(square, nationalised, co(), co()))[A] == 50 - state


@pytest.mark.rule("PT-174")
def test_a_price_rise_pays_half_rounded_down_to_the_nationalised() -> None:
    resolving(14, co(OIL, cash=0), co(), co()).then_among_others(Received(A, 24, "price_rise"))
    assert cash(resolving(14, co(OIL, cash=0, nationalised=True), co(), co()))[A] == 12
    resolving(14, co("L01:gas"), co(), co()).then_none(Received)


@pytest.mark.rule("PT-164", "PT-166", "PT-167")
def test_income_tax_by_piece_then_a_tenth_of_the_rest() -> None:
    """S-41: gas and licences go free."""
    scene = resolving(8, co(TAXED, cash=137, trucks=1), co(), co(), tankers="TK1:0")
    scene.then_among_others(Charged(A, 20, "income_tax"), Charged(A, 12, "income_tax"))
    assert cash(scene)[A] == 105


@pytest.mark.rule("PT-168")
def test_income_tax_of_the_nationalised() -> None:
    """S-42: tankers in full, the rest halved and rounded up, a twentieth of what is left."""
    scene = resolving(8, co(TAXED, cash=137, trucks=1, nationalised=True), co(), co(), tankers="TK1:0")
    assert cash(scene)[A] == 115


@pytest.mark.rule("PT-165", "PT-251")
def test_half_a_tanker_costs_five_and_its_partner_nothing() -> None:
    """S-45."""
    scene = resolving(8, co(cash=100), co(cash=100), co(), tankers="TK1:0+1")
    assert cash(scene) == (85, 100, 200)


@pytest.mark.rule("PT-167")
def test_a_tenth_of_nothing() -> None:
    resolving(8, co(cash=0), co(), co()).then_none(Charged)


# ---- 16: dry well


@pytest.mark.rule("PT-176")
def test_a_tower_and_its_licence_go_without_money() -> None:
    """S-54."""
    scene = resolving(16, co("S01:tower L02", cash=20), co(), co()).then_among_others(WellRanDry(A, "S01"))
    assert (cash(scene)[A], scene.board.towers, scene.board.tokens_in_stock(A)) == (20, 28, 29)
    resolving(16, co("L01 L02:gas"), co(), co()).then_none(WellRanDry).waits_for(ChooseCard, A)


@pytest.mark.rule("PT-177")
def test_of_several_the_company_names_one() -> None:
    """S-55."""
    scene = resolving(16, co("L01:tower S01:tower L02"), co("L09:tower"), co()).waits_for(ChooseDryTower, A)
    for zone in ("L02", "L09"):
        scene.refuses(A, SurrenderTower(zone), "PT-177", "illegal_choice")
    scene.when(A, SurrenderTower("L01"))
    assert scene.board.companies[A].with_building("tower") == ("S01",)
    resolving(16, co("L01:tower S01:tower"), co(), co()).expires(A).then_among_others(WellRanDry(A, "L01"))


# ---- 20: convenience


@pytest.mark.rule("PT-181", "PT-182")
def test_any_square_but_itself_or_none() -> None:
    """S-61."""
    scene = resolving(20).waits_for(AtConvenience, A)
    for square in (20, 0, -1, 21):
        scene.refuses(A, ChooseSquare(square), "PT-181", "illegal_choice")
    assert offers(scene, A) == {*(f"choose_square:{square}" for square in range(1, 20)), "decline"}
    scene.when(A, Decline()).waits_for(ChooseCard, A)
    resolving(20).expires(A).waits_for(ChooseCard, A)


@pytest.mark.rule("PT-181", "PT-186", "PT-187")
def test_its_effect_comes_and_the_marker_stays() -> None:
    """S-59: the card later moves the marker from that cell."""
    scene = resolving(20, co("L01:oil6 L02:oil6", cash=0, hand="c01"), co(), co())
    marker = scene.board.marker
    scene.when(A, ChooseSquare(14)).then_among_others(SquareResolved(A, 14, chosen=True), Received(A, 24, "price_rise"))
    assert scene.board.marker == marker
    scene.when(A, PlayCard("c01")).when(A, Forgo()).then_among_others(MarkerAdvanced(A, 1, marker + 1))


@pytest.mark.rule("PT-183")
def test_the_year_end_by_choice_pays_everybody_and_is_not_counted() -> None:
    scene = resolving(20, co("L01:gas", cash=0), co("L02:gas", cash=0), co(), year_ends=2).when(A, ChooseSquare(1))
    scene.then_among_others(YearEndPaid((Payment(A, 12), Payment(B, 12)))).then_none(YearEndPassed)
    assert scene.board.year_ends == 2


@pytest.mark.rule("PT-184")
def test_confiscation_by_choice_has_its_gate() -> None:
    """S-133."""
    scene = resolving(20, co("L01 L02"), co(), co(), year_ends=1).when(A, ChooseSquare(2)).waits_for(ChooseCard, A)
    assert bare(scene) == ("L01", "L02")


@pytest.mark.rule("PT-185")
@pytest.mark.parametrize("square", [3, 5])
def test_a_licence_by_choice_is_one_and_doubling_stays_open(square: int) -> None:
    scene = resolving(20, co(double_available=True), co(), co()).when(A, ChooseSquare(square))
    scene.waits_for(BuyLicenceSquare, A).then_none(DoubleSpent)
    scene.refuses(A, BuyLicence(2), "PT-185", "illegal_choice").when(A, BuyLicence(1))
    assert scene.board.companies[A].double_available


@pytest.mark.rule("PT-181")
def test_the_choice_may_lead_to_another_question() -> None:
    scene = resolving(20, co("L01"), co(), co()).when(A, ChooseSquare(7)).waits_for(BuyTowerSquare, A)
    assert kinds(scene, A) == {"buy_tower", "decline"}
    resolving(20).when(A, ChooseSquare(13)).then_among_others(Nationalised(A))


@pytest.mark.rule("PT-187")
def test_no_square_moves_the_marker_or_adds_cards() -> None:
    for square in range(1, 21):
        scene = resolving(square, co(OIL), co(), co(), tankers="TK1:0")
        assert scene.board.marker == scene.book.edition.track.index(square)  # type: ignore[attr-defined] # our book
        assert len(scene.board.companies[A].hand) in (5, 6)
    assert using("gas").board.companies[C].laid == 0
