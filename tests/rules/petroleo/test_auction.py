"""Selling a privilege: PT-100 … PT-115."""

from __future__ import annotations

import pytest

from events.petroleo.codes import ShownBid
from events.petroleo.commands import Bid, Exercise, Forgo, OfferCard
from events.petroleo.facts import (
    AuctionClosed,
    AuctionOpened,
    BidPlaced,
    CardRevealed,
    CardSold,
    MarkerAdvanced,
    PrivilegeLost,
    ReservoirBuilt,
    TowerBought,
    TurnEnded,
)
from events.petroleo.steps import BidForCard, ChooseCard, UseBoughtCard, UseCard
from tests.rules.petroleo.tables import A, B, C, cash, co, decision, kinds, offers, using
from tests.scenario import Scenario


def on_sale(*, b: int = 40, c: int = 30, min_bid: int = 1) -> Scenario:
    """A offers an oil 6 card; B and C have a tower."""
    scene = using("oil6", co(), co("L01:tower", cash=b), co("L02:tower", cash=c), card="c29")
    return scene.when(A, OfferCard(min_bid))


@pytest.mark.rule("PT-100", "PT-101", "PT-106", "PT-108", "PT-109", "PT-110", "PT-114")
def test_the_highest_bid_wins_pays_the_seller_and_builds_at_once() -> None:
    """S-71: the marker moves by the sold card, the buyer's own turn is untouched."""
    scene = on_sale(b=40, c=30).waits_for(BidForCard, B, C)
    scene.when(B, Bid(8)).then(BidPlaced(B, 8)).waits_for(BidForCard, C)
    scene.when(C, Bid(11)).then(
        BidPlaced(C, 11),
        AuctionClosed(A, C, 11, (ShownBid(B, 8), ShownBid(C, 11))),
        CardSold(A, C, 11),
    ).waits_for(UseBoughtCard, C)
    hand = scene.board.companies[C].hand
    scene.when(C, Exercise(zone_id="L02")).then_among_others(
        ReservoirBuilt(C, "L02", "oil6", 10), MarkerAdvanced(A, 2, 2), TurnEnded(A)
    ).then_none(CardRevealed)
    assert cash(scene) == (211, 40, 9)
    assert scene.board.companies[C].hand == hand
    assert scene.board.on_turn == B


@pytest.mark.rule("PT-100")
def test_a_usable_card_may_be_offered_too() -> None:
    """S-127."""
    scene = using("oil6", co("L05:tower"), co("L01:tower"), co())
    scene.when(A, OfferCard(3)).when(B, Bid(3)).when(B, Exercise(zone_id="L01"))
    assert cash(scene)[:2] == (203, 187)


@pytest.mark.rule("PT-102")
def test_one_offer_per_card_at_one_or_more_and_its_kind_is_public() -> None:
    scene = using("oil6", co("L05:tower"), co("L01:tower"), co(), card="c29")
    scene.refuses(A, OfferCard(0), "PT-102", "illegal_choice").refuses(A, OfferCard(4541), "PT-102", "illegal_choice")
    scene.when(A, OfferCard(1)).then(CardRevealed(A, "c29", "oil6", 2), AuctionOpened(A, "oil6", 1, (B,)))
    scene.when(B, Bid(None)).waits_for(UseCard, A)
    scene.refuses(A, OfferCard(1), "PT-102", "illegal_choice")


@pytest.mark.rule("PT-103")
def test_only_rivals_who_could_use_it_after_the_least_bid_are_asked() -> None:
    """S-74."""
    using("oil6", co(), co("L01:tower"), co("L02")).when(A, OfferCard(1)).waits_for(BidForCard, B)
    using("oil6", co(), co("L01:tower", cash=15), co("L02:tower", cash=14)).when(A, OfferCard(5)).waits_for(
        BidForCard, B
    )


@pytest.mark.rule("PT-104")
def test_one_final_answer_each() -> None:
    """S-128."""
    scene = on_sale()
    asked = decision(scene)
    scene.when(B, Bid(5))
    assert decision(scene) == asked
    scene.refuses(B, Bid(6, decision_id=asked), "PT-104", "not_awaited")
    scene.refuses(A, Bid(6), "PT-104", "not_awaited")


@pytest.mark.rule("PT-104", "PT-105")
def test_a_bid_leaves_the_price_of_an_exercise() -> None:
    """S-73."""
    scene = on_sale(c=18, min_bid=3)
    scene.refuses(C, Bid(9), "PT-105", "illegal_choice")
    for amount in (2, 0):
        scene.refuses(C, Bid(amount), "PT-104", "illegal_choice", "/amount")
    scene.when(C, Bid(8))


@pytest.mark.rule("PT-105")
def test_a_tanker_card_wants_half_its_price() -> None:
    scene = using("tanker", co(), co(cash=160), co(cash=150)).when(A, OfferCard(1)).waits_for(BidForCard, B)
    scene.refuses(B, Bid(11), "PT-105", "illegal_choice").when(B, Bid(10))


@pytest.mark.rule("PT-107")
def test_equal_bids_go_to_the_nearest_clockwise() -> None:
    """S-72: in whatever order they came."""
    for first, second in ((B, C), (C, B)):
        on_sale().when(first, Bid(9)).when(second, Bid(9)).then_among_others(CardSold(A, B, 9))
    scene = using("truck", on_turn=B).when(B, OfferCard(1)).when(A, Bid(9)).when(C, Bid(9))
    scene.then_among_others(CardSold(B, C, 9))


@pytest.mark.rule("PT-104")
def test_the_order_of_arrival_leaves_no_trace() -> None:
    one, two = on_sale().when(B, Bid(9)).when(C, Bid(4)), on_sale().when(C, Bid(4)).when(B, Bid(9))
    assert one.game == two.game


@pytest.mark.rule("PT-087")
def test_the_buyer_of_a_tower_or_licence_chooses_itself() -> None:
    """S-79."""
    scene = using("tower_or_licence", co("L09"), co("L01 S01"), co())
    scene.when(A, OfferCard(1)).when(B, Bid(4)).when(C, Bid(None))
    assert {"exercise:tower:L01", "exercise:tower:S01", "exercise:licence_sea", "forgo"} <= offers(scene, B)
    scene.when(B, Exercise(item="tower", zone_id="S01")).then_among_others(TowerBought(B, "S01", 12))


@pytest.mark.rule("PT-111", "PT-112")
def test_the_winner_may_decline_but_not_sell_on_and_the_bid_is_gone() -> None:
    scene = on_sale().when(B, Bid(8)).when(C, Bid(None))
    assert "offer_card" not in kinds(scene, B)
    scene.refuses(B, OfferCard(1), "PT-112", "illegal_choice")
    scene.when(B, Forgo()).then_among_others(PrivilegeLost(B), MarkerAdvanced(A, 2, 2))
    assert cash(scene) == (208, 32, 30)


@pytest.mark.rule("PT-111")
def test_at_the_deadline_the_winner_exercises_in_the_cheapest_way() -> None:
    scene = using("tower_or_licence", co(), co("L03 L02 S01"), co())
    scene.when(A, OfferCard(1)).when(B, Bid(1)).when(C, Bid(None))
    scene.expires(B).then_among_others(TowerBought(B, "L02", 5))


@pytest.mark.rule("PT-113")
def test_when_everybody_passes_the_holder_may_still_use_the_card_but_not_offer_it() -> None:
    """S-75."""
    scene = using("oil6", co("L05:tower"), co("L01:tower"), co("L02:tower")).when(A, OfferCard(1))
    asked = decision(scene)
    scene.when(C, Bid(None)).when(B, Bid(None)).then_among_others(
        AuctionClosed(A, None, 0, (ShownBid(B, None), ShownBid(C, None)))
    ).waits_for(UseCard, A)
    assert decision(scene) != asked
    assert kinds(scene, A) == {"exercise", "forgo"}


@pytest.mark.rule("PT-113")
def test_with_nobody_eligible_the_auction_closes_unasked() -> None:
    """S-149."""
    scene = using("gas").when(A, OfferCard(5))
    scene.then_among_others(AuctionOpened(A, "gas", 5, ()), AuctionClosed(A, None, 0, ())).waits_for(UseCard, A)
    assert kinds(scene, A) == {"forgo"}


@pytest.mark.rule("PT-104")
def test_a_deadline_passes_for_the_absent() -> None:
    """S-78."""
    scene = on_sale().when(B, Bid(8)).expires(C).then_among_others(BidPlaced(C, None), CardSold(A, B, 8))
    scene.waits_for(UseBoughtCard, B)


@pytest.mark.rule("PT-115", "PT-226")
def test_a_sale_is_never_halved() -> None:
    scene = using("oil6", co(nationalised=True), co("L01:tower", nationalised=True), co())
    scene.when(A, OfferCard(1)).when(B, Bid(9))
    assert cash(scene)[:2] == (209, 191)


@pytest.mark.rule("PT-037", "PT-110")
def test_the_buyer_still_lays_ten_cards() -> None:
    scene = on_sale().when(B, Bid(8)).when(C, Bid(None)).when(B, Exercise(zone_id="L01")).waits_for(ChooseCard, B)
    assert scene.board.companies[B].laid == 0
