"""What the options promise: ids, certain costs, and the most useful answer of each family by itself."""

from __future__ import annotations

from typing import Any

import pytest

from events.petroleo.commands import Exercise, OfferCard
from rules.choices import Option
from tests.rules.petroleo.tables import A, B, choosing, co, paying, resolving, using
from tests.scenario import Scenario


def costs(scene: Scenario, seat: int) -> dict[str, int]:
    """What each option certainly takes."""
    return {option.id: option.costs.get("cash", 0) for option in scene.options(seat)}


@pytest.mark.rule("PT-063", "PT-065", "PT-241")
def test_what_is_bought_says_its_price() -> None:
    assert costs(resolving(5, co(double_available=True), co(), co()), A) == {
        "buy_licence:1": 7,
        "buy_licence:1:zone_ids": 7,
        "buy_licence:2": 14,
        "buy_licence:2:zone_ids": 14,
        "decline": 0,
    }
    assert costs(resolving(7, co("L01 S01"), co(), co()), A) == {"buy_tower:L01": 5, "buy_tower:S01": 12, "decline": 0}


@pytest.mark.rule("PT-109")
def test_an_exercise_says_its_price_and_forgoing_costs_nothing() -> None:
    scene = using("oil6", co("L01:tower"), co("L02:tower"), co())
    assert costs(scene, A) == {"exercise:L01": 10, "offer_card:1": 0, "offer_card:min_bid": 0, "forgo": 0}
    assert costs(scene.when(A, OfferCard(1)), B) == {"bid:amount": 0, "bid:pass": 0}


@pytest.mark.rule("PT-128")
def test_a_partnership_costs_nothing_before_it_is_concluded() -> None:
    scene = using("tanker")
    assert costs(scene, A)["exercise:partnership"] == 0
    assert costs(scene.when(A, Exercise(mode="partnership")), B) == {"accept": 0, "refuse": 0}


@pytest.mark.rule("PT-139", "PT-140", "PT-263")
def test_deals_with_the_bank_say_what_they_bring() -> None:
    window = costs(choosing(co(), co(), co(), tankers="TK1:0+bank TK2:0+1"), A)
    assert window["buy_bank_half:TK1"] == 150
    assert window["sell_half_to_bank:TK1"] == -150
    assert {"propose_dissolution:TK2:150", "propose_dissolution:TK2:price"} <= set(window)
    assert costs(resolving(4, co(cash=1), co(), co(), tankers="TK1:0"), A)["sell_half:TK1"] == -150


@pytest.mark.rule("PT-281")
def test_any_loan_up_to_all_ones_cash_is_admitted() -> None:
    (loan,) = paying(co("L01:oil6", cash=3), co(), co(), bank=0).options(A)
    assert [amount for amount in range(-1, 5) if loan.admits({"type": "lend", "amount": amount})] == [0, 1, 2, 3]


def test_who_is_not_asked_has_no_options() -> None:
    assert choosing().options(B) == []


@pytest.mark.rule("PT-102", "PT-133")
def test_an_offer_and_a_proposal_name_any_price_the_box_could_pay() -> None:
    prices = (-1, 0, 1, 4540, 4541)
    offered = [option for option in using("gas").options(A) if option.command["type"] == "offer_card"]
    assert [price for price in prices if admits(offered, "offer_card", min_bid=price)] == [1, 4540]
    window = choosing(co(), co(), co(), tankers="TK1:0+1").options(A)
    assert [price for price in prices if admits(window, "propose_dissolution", tanker_id="TK1", price=price)] == [
        0,
        1,
        4540,
    ]


def admits(options: list[Option], kind: str, **fields: Any) -> bool:
    """Whether one of the options covers this command."""
    return any(option.admits({"type": kind, **fields}) for option in options)
