"""Petróleo as the sensible bot plays it."""

from __future__ import annotations

import pytest

from events.petroleo.commands import Exercise, OfferCard, ProposeDissolution
from rules.catalogue import rulesets
from tests.rules.petroleo.tables import A, B, C, choosing, co, paying, resolving, using
from tests.service.bots.playing import play, sensible

RULESET = rulesets()["petroleo"]
HUNDRED = "L01:oil6 L02:oil6 L03:oil6 L04:oil6 L05:oil6"


@pytest.mark.rule("PT-261", "PT-300")
@pytest.mark.parametrize("edition", ["compact-20", "house-48"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_nobody_plays_itself_out_of_the_game_and_it_ends(edition: str, seats: int) -> None:
    for number in range(3):
        game, moves = play(RULESET, ["sensible"] * seats, number, edition)
        assert game.board.departed == ()
        assert moves < 100 * seats


@pytest.mark.rule("PT-048")
@pytest.mark.parametrize("hand_size", [4, 5])
def test_it_wins_with_two_year_ends_a_round_as_well(hand_size: int) -> None:
    won = 0
    for number in range(5):
        game, _ = play(RULESET, ["sensible", "random", "random"], number, second_year_end=True, hand_size=hand_size)
        assert game.result is not None
        won += 0 in game.result.winners
    assert won >= 4


@pytest.mark.rule("PT-090")
def test_a_tanker_is_bought_as_soon_as_half_of_it_can_be_paid() -> None:
    scene = choosing(co(hand="c01 c24 c51"), co(), co())
    assert sensible(scene) == {"type": "play_card", "card_id": "c51"}
    offered = using("tanker", co(), co(), co(), offered=True)
    assert sensible(offered) == {"type": "exercise", "mode": "partnership"}


@pytest.mark.rule("PT-090")
def test_a_tanker_waits_for_cash() -> None:
    scene = choosing(co(hand="c24 c51 c56", cash=140), co(), co())
    assert sensible(scene) == {"type": "play_card", "card_id": "c56"}


@pytest.mark.rule("PT-081")
def test_a_reservoir_replaces_the_tower_that_is_worth_less() -> None:
    scene = using("oil6", co("L01:tower S01:tower"), co(), co(), offered=True)
    assert sensible(scene) == {"type": "exercise", "zone_id": "L01"}


@pytest.mark.rule("PT-100", "PT-102")
def test_a_card_is_offered_above_its_own_use() -> None:
    scene = using("oil6", co("L01:tower"), co("L02:tower"), co())
    command = sensible(scene)
    assert command["type"] == "offer_card"
    assert command["min_bid"] > 20


@pytest.mark.rule("PT-031")
def test_what_cannot_be_used_is_forgone() -> None:
    assert sensible(using("oil6", co(), co(), co(), offered=True)) == {"type": "forgo"}


@pytest.mark.rule("PT-071", "PT-261")
def test_nothing_is_bought_with_what_the_taxes_may_take() -> None:
    scene = using("gas", co("L01:oil6 L02:oil6 L03:tower", cash=17), co(), co(), offered=True)
    assert sensible(scene) == {"type": "forgo"}


@pytest.mark.rule("PT-104", "PT-105")
def test_a_bid_stays_below_what_the_card_is_worth() -> None:
    scene = using("oil6", co(), co("L01:tower", cash=100), co("L02:tower", cash=12)).when(A, OfferCard(1))
    high, none = sensible(scene, B), sensible(scene, C)
    assert high["amount"] in range(20, 91)
    assert none["amount"] in {None, 1, 2}


@pytest.mark.rule("PT-104", "PT-105")
def test_a_card_of_no_use_gets_no_bid() -> None:
    scene = using("oil6", co(), co("L01:tower", cash=100), co()).when(A, OfferCard(90))
    assert sensible(scene, B) == {"type": "bid", "amount": None}


@pytest.mark.rule("PT-124")
def test_half_a_rivals_tanker_is_taken() -> None:
    scene = using("tanker", co(), co(), co()).when(A, Exercise(mode="partnership"))
    assert sensible(scene, B) == {"type": "answer_partnership", "accept": True}


@pytest.mark.rule("PT-139")
def test_the_banks_half_is_bought_once_it_can_be_paid() -> None:
    rich = choosing(co(cash=200), co(), co(), tankers="TK1:0+bank")
    assert sensible(rich) == {"type": "buy_bank_half", "tanker_id": "TK1"}
    poor = choosing(co(cash=149), co(), co(), tankers="TK1:0+bank")
    assert sensible(poor)["type"] == "play_card"


@pytest.mark.rule("PT-133", "PT-142")
def test_a_dissolution_is_proposed_once_at_more_than_the_partner_has() -> None:
    scene = choosing(co(cash=300), co(cash=160), co(), tankers="TK1:0+1")
    assert sensible(scene) == {"type": "propose_dissolution", "tanker_id": "TK1", "price": 161}
    proposed = choosing(co(cash=300), co(cash=160), co(), tankers="TK1:0+1", proposals=("TK1",))
    assert sensible(proposed)["type"] == "play_card"


@pytest.mark.rule("PT-134")
def test_a_half_is_bought_below_its_worth_and_sold_above_it() -> None:
    for price, answer in ((10, "buy_share"), (190, "buy_share"), (999, "sell_share")):
        scene = choosing(co(cash=1500), co(cash=300), co(), tankers="TK1:0+1")
        scene.when(A, ProposeDissolution("TK1", price))
        assert sensible(scene, B) == {"type": answer}


@pytest.mark.rule("PT-160")
def test_the_tanker_damaged_is_the_one_that_costs_less() -> None:
    scene = resolving(4, co(), co(), co(), tankers="TK1:0 TK2:0+1")
    assert sensible(scene) == {"type": "damage", "tanker_id": "TK2"}


@pytest.mark.rule("PT-152", "PT-177")
def test_what_is_lost_is_what_costs_least() -> None:
    idle = resolving(2, co("L01 L02 S01 S02"), co(), co(), year_ends=3)
    assert sensible(idle) == {"type": "surrender", "zone_ids": ["S01", "S02"]}
    dry = resolving(16, co("S01:tower L01:tower"), co(), co())
    assert sensible(dry) == {"type": "surrender_tower", "zone_id": "L01"}


@pytest.mark.rule("PT-181")
def test_square_20_is_the_price_rise_for_who_owns_oil() -> None:
    scene = resolving(20, co("L01:oil6 L02:oil6", hand="c56"), co("L03:oil6 L04:oil6"), co("L05:oil6 L06:oil6"))
    assert sensible(scene) == {"type": "choose_square", "square": 14}


@pytest.mark.rule("PT-262")
def test_a_debtor_sells_half_a_tanker() -> None:
    scene = resolving(4, co(cash=20), co(), co(), tankers="TK1:0")
    assert sensible(scene) == {"type": "sell_half", "tanker_id": "TK1"}


@pytest.mark.rule("PT-281")
def test_what_is_not_needed_soon_is_lent() -> None:
    scene = paying(co(HUNDRED, cash=40), co(cash=130), co(cash=0), bank=45)
    assert sensible(scene, A) == {"type": "lend", "amount": 0}
    assert sensible(scene, B) == {"type": "lend", "amount": 70}
