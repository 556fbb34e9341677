"""Buying a tanker alone, with a rival or with the bank: PT-120 … PT-132."""

from __future__ import annotations

import pytest

from events.petroleo.codes import ShownAnswer
from events.petroleo.commands import Abandon, AcceptBank, AnswerPartnership, Bid, ChoosePartner, Exercise, OfferCard
from events.petroleo.facts import (
    MarkerAdvanced,
    PartnershipAnswered,
    PartnershipAsked,
    PartnershipClosed,
    PrivilegeLost,
    TankerBought,
)
from events.petroleo.steps import AnswerTankerPartnership, ChooseTankerPartner, TankerWithBank
from tests.rules.petroleo.tables import A, B, C, cash, co, kinds, offers, using
from tests.scenario import Scenario

YES, NO = AnswerPartnership(accept=True), AnswerPartnership(accept=False)


def looking(a: int = 200, b: int = 200, c: int = 160) -> Scenario:
    """A exercises a tanker card in partnership."""
    return using("tanker", co(cash=a), co(cash=b), co(cash=c), marker=5).when(A, Exercise(mode="partnership"))


@pytest.mark.rule("PT-121")
def test_alone_for_three_hundred() -> None:
    scene = using("tanker", co(cash=299), co(), co())
    scene.refuses(A, Exercise(mode="sole"), "PT-071", "illegal_choice")


@pytest.mark.rule("PT-122")
def test_a_partnership_is_for_those_who_cannot_buy_alone() -> None:
    using("tanker", co(cash=300), co(), co()).refuses(A, Exercise(mode="partnership"), "PT-122", "illegal_choice")
    using("tanker", co(cash=149), co(), co()).refuses(A, Exercise(mode="partnership"), "PT-071", "illegal_choice")


@pytest.mark.rule("PT-123", "PT-132")
def test_the_bank_is_not_asked_before_the_rivals() -> None:
    """S-130."""
    looking().refuses(A, AcceptBank(), "PT-123", "illegal_choice")


@pytest.mark.rule("PT-124", "PT-125", "PT-128")
def test_one_acceptor_is_the_partner_without_further_question() -> None:
    """S-80."""
    scene = looking().then_among_others(PartnershipAsked(A, (B, C))).waits_for(AnswerTankerPartnership, B, C)
    scene.when(B, YES).then(PartnershipAnswered(B, accept=True))
    scene.when(C, NO).then_among_others(
        PartnershipClosed(A, (ShownAnswer(B, accept=True), ShownAnswer(C, accept=False))),
        TankerBought("TK1", A, B, 150),
    )
    assert cash(scene) == (50, 50, 160)
    assert [scene.board.tokens_in_stock(seat) for seat in (A, B, C)] == [29, 29, 30]


@pytest.mark.rule("PT-124")
def test_asked_are_rivals_with_the_money_and_a_token() -> None:
    """S-84: with nobody to ask there is the bank at once."""
    looking(b=149, c=20).waits_for(TankerWithBank, A)
    looking(a=150, b=149, c=150).waits_for(AnswerTankerPartnership, C)
    full = " ".join(f"L{n:02}" for n in range(1, 31))
    scene = using("tanker", co(), co(full), co()).when(A, Exercise(mode="partnership"))
    scene.waits_for(AnswerTankerPartnership, C)


@pytest.mark.rule("PT-124")
def test_a_deadline_refuses() -> None:
    looking().expires(B).when(C, NO).waits_for(TankerWithBank, A)


@pytest.mark.rule("PT-125", "PT-126")
def test_of_several_the_holder_picks_and_may_not_turn_to_the_bank() -> None:
    scene = looking().when(C, YES).when(B, YES).waits_for(ChooseTankerPartner, A)
    assert offers(scene, A) == {"choose_partner:1", "choose_partner:2", "abandon"}
    scene.refuses(A, ChoosePartner(A), "PT-125", "illegal_choice")
    scene.refuses(A, AcceptBank(), "PT-126", "illegal_choice")
    scene.when(A, ChoosePartner(C)).then_among_others(TankerBought("TK1", A, C, 150))
    assert cash(scene) == (50, 200, 10)


@pytest.mark.rule("PT-126")
def test_at_the_deadline_the_nearest_acceptor() -> None:
    looking().when(C, YES).when(B, YES).expires(A).then_among_others(TankerBought("TK1", A, B, 150))
    scene = using("tanker", on_turn=B).when(B, Exercise(mode="partnership")).when(A, YES).when(C, YES)
    scene.expires(B).then_among_others(TankerBought("TK1", B, C, 150))


@pytest.mark.rule("PT-126")
def test_the_holder_may_abandon_and_nobody_pays() -> None:
    scene = looking().when(C, YES).when(B, YES).when(A, Abandon())
    scene.then_among_others(PrivilegeLost(A), MarkerAdvanced(A, 4, 9))
    assert cash(scene) == (200, 200, 160)


@pytest.mark.rule("PT-127", "PT-129")
def test_when_none_accepts_the_bank_takes_the_other_half() -> None:
    """S-82."""
    scene = looking().when(B, NO).when(C, NO).waits_for(TankerWithBank, A)
    assert kinds(scene, A) == {"accept_bank", "abandon"}
    scene.when(A, AcceptBank()).then_among_others(TankerBought("TK1", A, "bank", 150))
    assert cash(scene)[A] == 50
    assert scene.view(None).tankers[0].partner == "bank"


@pytest.mark.rule("PT-127")
def test_or_nothing_is_bought() -> None:
    looking().when(B, NO).when(C, NO).when(A, Abandon()).then_among_others(PrivilegeLost(A)).then_none(TankerBought)
    looking().when(B, NO).when(C, NO).expires(A).then_among_others(PrivilegeLost(A)).then_none(TankerBought)


@pytest.mark.rule("PT-124")
def test_the_seller_of_the_card_may_become_the_buyers_partner() -> None:
    scene = using("tanker", co(), co(cash=180), co(cash=0)).when(A, OfferCard(1)).when(B, Bid(20))
    scene.when(B, Exercise(mode="partnership")).waits_for(AnswerTankerPartnership, A)
    scene.when(A, YES).then_among_others(TankerBought("TK1", B, A, 150))
    assert cash(scene) == (70, 10, 0)


@pytest.mark.rule("PT-324")
def test_the_order_of_arrival_leaves_no_trace() -> None:
    assert looking().when(B, YES).when(C, NO).game == looking().when(C, NO).when(B, YES).game
