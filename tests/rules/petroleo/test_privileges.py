"""What a laid card lets one buy: PT-080 … PT-093."""

from __future__ import annotations

import pytest

from events.petroleo.codes import Kind
from events.petroleo.commands import Exercise, Forgo
from events.petroleo.facts import CardRevealed, LicencesBought, PrivilegeLost, TankerBought, TowerBought, TruckBought
from tests.rules.petroleo.tables import A, B, C, cash, co, edition, kinds, offers, using


@pytest.mark.rule("PT-080")
def test_every_card_has_an_advance_and_one_privilege() -> None:
    for name in ("compact-20", "house-48"):
        assert len(edition(name).cards) == 60
        assert {card.kind for card in edition(name).cards} == {
            "tower_or_licence",
            "gas",
            "oil6",
            "oil4",
            "oil2",
            "tanker",
            "truck",
        }


@pytest.mark.rule("PT-081", "PT-082", "PT-083", "PT-084")
@pytest.mark.parametrize(("kind", "left"), [("oil6", 20), ("oil4", 23), ("oil2", 25), ("gas", 24)])
def test_a_reservoir_at_its_price(kind: Kind, left: int) -> None:
    """S-64, S-65: and the card is known from then on."""
    scene = using(kind, co("S01:tower", cash=30), co(), co()).when(A, Exercise(zone_id="S01"))
    scene.counts(CardRevealed, 1)
    assert cash(scene)[A] == left
    assert scene.board.companies[A].count(kind) == 1


@pytest.mark.rule("PT-085")
def test_with_several_towers_the_plot_is_named() -> None:
    """S-124."""
    scene = using("gas", co("L01:tower S01:tower"), co(), co())
    scene.refuses(A, Exercise(), "PT-085", "malformed")
    scene.refuses(A, Exercise(zone_id="L01", item="tower"), "PT-085", "malformed")
    assert {"exercise:L01", "exercise:S01"} <= offers(scene, A)
    scene.when(A, Exercise(zone_id="S01"))


@pytest.mark.rule("PT-086")
@pytest.mark.parametrize(
    ("command", "left"),
    [
        (Exercise(item="tower", zone_id="S01"), 18),
        (Exercise(item="licence_land"), 23),
        (Exercise(item="licence_sea"), 25),
        (Exercise(item="licence_land", zone_id="L40"), 23),
    ],
)
def test_a_tower_or_one_licence(command: Exercise, left: int) -> None:
    """S-67."""
    scene = using("tower_or_licence", co("S01", cash=30), co(), co()).when(A, command)
    assert cash(scene)[A] == left
    scene.counts(TowerBought, command.item == "tower").counts(LicencesBought, command.item != "tower")


@pytest.mark.rule("PT-086")
def test_the_item_must_be_named() -> None:
    scene = using("tower_or_licence", co("S01"), co(), co())
    scene.refuses(A, Exercise(), "PT-086", "malformed")
    scene.refuses(A, Exercise(zone_id="S01"), "PT-086", "malformed")
    scene.refuses(A, Exercise(item="tower"), "PT-086", "malformed")
    scene.refuses(A, Exercise(item="licence_land", zone_id="S05"), "PT-061", "illegal_choice")


@pytest.mark.rule("PT-088")
def test_the_card_never_doubles_and_leaves_doubling_open() -> None:
    """S-125."""
    scene = using("tower_or_licence", co(cash=50, double_available=True), co(), co())
    scene.when(A, Exercise(item="licence_land")).then_among_others(LicencesBought(A, ("L01",), 7))
    assert scene.board.companies[A].double_available
    assert cash(scene)[A] == 43


@pytest.mark.rule("PT-089", "PT-093")
def test_a_truck_on_a_token_that_costs_nothing() -> None:
    """S-68: the lowest free one."""
    scene = using("truck", co(cash=5), co(trucks=1), co()).when(A, Exercise())
    scene.then_among_others(TruckBought(A, "TR2", 5))
    assert (cash(scene)[A], scene.board.tokens_in_stock(A), scene.board.companies[A].plots) == (0, 29, ())


@pytest.mark.rule("PT-090", "PT-091", "PT-120")
def test_a_tanker_without_any_plot() -> None:
    """S-126."""
    scene = using("tanker", co(cash=300), co(), co()).when(A, Exercise(mode="sole"))
    scene.then_among_others(TankerBought("TK1", A, None, 300))
    assert (cash(scene)[A], scene.board.tokens_in_stock(A)) == (0, 29)


@pytest.mark.rule("PT-092")
def test_what_is_not_usable_is_not_listed() -> None:
    assert kinds(using("oil6", co("L01"), co(), co()), A) == {"offer_card", "forgo"}
    assert kinds(using("oil6", co("L01:tower", cash=9), co(), co()), A) == {"offer_card", "forgo"}
    assert kinds(using("tanker", co(cash=149), co(), co()), A) == {"offer_card", "forgo"}
    assert offers(using("tanker", co(cash=300), co(), co()), A) >= {"exercise:sole"}
    assert "exercise:partnership" not in offers(using("tanker", co(cash=300), co(), co()), A)


@pytest.mark.rule("PT-093")
def test_the_lowest_free_tanker() -> None:
    """S-160."""
    scene = using("tanker", co(cash=300), co(), co(), tankers="TK1:1 TK3:2").when(A, Exercise(mode="sole"))
    scene.then_among_others(TankerBought("TK2", A, None, 300))


@pytest.mark.rule("PT-031")
def test_only_the_holder_uses_the_card() -> None:
    using("truck").refuses(B, Exercise(), "PT-014", "not_awaited").refuses(C, Forgo(), "PT-014", "not_awaited")


@pytest.mark.rule("PT-032")
def test_at_the_deadline_the_privilege_lapses() -> None:
    using("truck").expires(A).then_among_others(PrivilegeLost(A)).then_none(CardRevealed)
