"""Partnerships dissolved, and deals with the bank: PT-130 … PT-146."""

from __future__ import annotations

import pytest

from events.petroleo.commands import (
    BuyBankHalf,
    BuyLicence,
    BuyShare,
    Forgo,
    Keep,
    OfferCard,
    ProposeDissolution,
    Refuse,
    SellHalfToBank,
    SellShare,
    SellToBank,
)
from events.petroleo.facts import Received, ShareTransferred
from events.petroleo.steps import AnswerDissolution, BuyLicenceSquare, ChooseCard, SellShareToBankChoice, UseCard
from projections.petroleo.state import Tanker
from tests.rules.petroleo.tables import A, B, C, cash, choosing, co, decision, kinds, offers, paying, resolving, using
from tests.scenario import Scenario


def proposed(a: int, b: int, price: int) -> Scenario:
    """A, who commands TK1, names a price to B."""
    scene = choosing(co(cash=a), co(cash=b), co(), tankers="TK1:0+1")
    return scene.when(A, ProposeDissolution("TK1", price)).waits_for(AnswerDissolution, B)


@pytest.mark.rule("PT-130")
def test_each_half_earns_fifty() -> None:
    assert cash(paying(co(cash=0), co(cash=0), co(), tankers="TK1:1+0")) == (50, 50, 200)


@pytest.mark.rule("PT-131")
def test_the_commander_alone_deals() -> None:
    """S-89."""
    scene = choosing(co(), co(), co(), tankers="TK1:1+0 TK2:2+bank")
    for command in (ProposeDissolution("TK1", 5), BuyBankHalf("TK2"), SellHalfToBank("TK2"), BuyBankHalf("TK9")):
        scene.refuses(A, command, "PT-131", "illegal_choice")
    assert kinds(scene, A) == {"play_card"}
    scene.refuses(B, ProposeDissolution("TK1", 5), "PT-014", "not_awaited")


@pytest.mark.rule("PT-133", "PT-134", "PT-136")
def test_the_partner_buys_at_the_price_named() -> None:
    """S-85."""
    scene = proposed(10, 300, 160).when(B, BuyShare())
    scene.then_among_others(ShareTransferred("TK1", A, B, 160, B, None)).waits_for(ChooseCard, A)
    assert cash(scene) == (170, 140, 200)
    assert scene.board.tankers == (Tanker("TK1", B, None),)
    assert scene.board.tokens_in_stock(A) == 30


@pytest.mark.rule("PT-134", "PT-135", "PT-136")
def test_the_partner_sells_at_the_price_named() -> None:
    """S-86: what the buyer cannot pay is no answer."""
    scene = proposed(200, 0, 140)
    assert kinds(scene, B) == {"sell_share", "refuse"}
    scene.refuses(B, BuyShare(), "PT-135", "illegal_choice")
    scene.when(B, SellShare())
    assert cash(scene) == (60, 140, 200)
    assert scene.board.tankers == (Tanker("TK1", A, None),)


@pytest.mark.rule("PT-135")
def test_checked_for_the_commander_too() -> None:
    """Who has the price to the last M may buy."""
    assert kinds(proposed(140, 140, 140), B) == {"buy_share", "sell_share", "refuse"}
    assert cash(proposed(140, 140, 140).when(B, BuyShare())) == (280, 0, 200)
    assert cash(proposed(140, 140, 140).when(B, SellShare())) == (0, 280, 200)
    proposed(139, 300, 140).refuses(B, SellShare(), "PT-135", "illegal_choice")


@pytest.mark.rule("PT-137", "PT-138")
def test_after_a_refusal_the_commander_may_sell_to_the_bank() -> None:
    """S-87."""
    scene = proposed(200, 200, 150).when(B, Refuse()).waits_for(SellShareToBankChoice, A)
    scene.when(A, SellToBank()).then_among_others(
        ShareTransferred("TK1", A, "bank", 150, B, "bank"), Received(A, 150, "tanker_half")
    )
    assert cash(scene) == (350, 200, 200)
    assert scene.board.tankers == (Tanker("TK1", B, "bank"),)
    assert [scene.board.tokens_in_stock(seat) for seat in (A, B)] == [30, 29]


@pytest.mark.rule("PT-137")
def test_or_keep_it() -> None:
    scene = proposed(200, 200, 150).when(B, Refuse()).when(A, Keep()).waits_for(ChooseCard, A)
    assert scene.board.tankers == (Tanker("TK1", A, 1),)
    proposed(200, 200, 150).expires(B).expires(A).waits_for(ChooseCard, A)


@pytest.mark.rule("PT-133")
def test_a_price_from_nothing_to_all_the_money_there_is() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+1 TK2:0+bank TK3:0")
    scene.refuses(A, ProposeDissolution("TK1", 4541), "PT-133", "illegal_choice")
    for tanker in ("TK2", "TK3"):
        scene.refuses(A, ProposeDissolution(tanker, 5), "PT-133", "illegal_choice")
    scene.when(A, ProposeDissolution("TK1", 0))


@pytest.mark.rule("PT-139")
def test_the_commander_buys_the_banks_half() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+bank").when(A, BuyBankHalf("TK1"))
    scene.then(ShareTransferred("TK1", "bank", A, 150, A, None)).waits_for(ChooseCard, A)
    assert (cash(scene)[A], scene.board.tankers) == (50, (Tanker("TK1", A, None),))
    scene.refuses(A, BuyBankHalf("TK1"), "PT-139", "illegal_choice")
    just = choosing(co(cash=150), co(), co(), tankers="TK1:0+bank")
    assert "buy_bank_half:TK1" in offers(just, A)
    assert cash(just.when(A, BuyBankHalf("TK1")))[A] == 0
    poor = choosing(co(cash=149), co(), co(), tankers="TK1:0+bank")
    poor.refuses(A, BuyBankHalf("TK1"), "PT-071", "illegal_choice")


@pytest.mark.rule("PT-140", "PT-145")
def test_the_commander_sells_and_the_tanker_goes_back() -> None:
    """S-131."""
    scene = choosing(co(), co(), co(), tankers="TK1:0+bank").when(A, SellHalfToBank("TK1"))
    scene.then_among_others(ShareTransferred("TK1", A, "bank", 150, None, None))
    assert (cash(scene)[A], scene.board.tankers, scene.board.tokens_in_stock(A)) == (350, (), 30)


@pytest.mark.rule("PT-141")
def test_the_window_is_open_in_ones_own_questions_only() -> None:
    window = {"buy_bank_half", "sell_half_to_bank", "propose_dissolution"}
    fleet = "TK1:0+bank TK2:0+1"
    for scene in (
        choosing(co(), co(), co(), tankers=fleet),
        using("gas", co(), co(), co(), tankers=fleet),
        resolving(3, co(), co(), co(), tankers=fleet),
        resolving(7, co("L01"), co(), co(), tankers=fleet),
        resolving(20, co(), co(), co(), tankers=fleet),
    ):
        assert window <= kinds(scene, A)
        scene.when(A, SellHalfToBank("TK1"))
    for scene in (
        using("gas", co(), co("L01:tower"), co(), tankers="TK1:1+bank").when(A, OfferCard(1)),
        resolving(16, co("L01:tower L02:tower"), co(), co(), tankers=fleet),
        resolving(2, co("L01 L02 L03"), co(), co(), tankers=fleet, year_ends=3),
        resolving(4, co(), co(), co(), tankers=fleet),
    ):
        seat = scene.game.awaited[0]
        assert not window & kinds(scene, seat)
        scene.refuses(seat, SellHalfToBank("TK1"), "PT-141", "illegal_choice")


@pytest.mark.rule("PT-142")
def test_one_proposal_for_each_tanker_a_turn() -> None:
    """S-90."""
    scene = choosing(co(), co(), co(), tankers="TK1:0+1 TK2:0+2").when(A, ProposeDissolution("TK1", 5))
    scene.when(B, Refuse()).when(A, Keep())
    scene.refuses(A, ProposeDissolution("TK1", 6), "PT-142", "illegal_choice")
    scene.when(A, ProposeDissolution("TK2", 6)).waits_for(AnswerDissolution, C)
    scene.expires(C).expires(A).expires(A).when(A, Forgo())
    assert scene.board.proposals == ()


@pytest.mark.rule("PT-140", "PT-143")
def test_a_sole_tanker_cannot_be_sold() -> None:
    choosing(co(), co(), co(), tankers="TK1:0").refuses(A, SellHalfToBank("TK1"), "PT-143", "illegal_choice")
    choosing(co(), co(), co(), tankers="TK1:0+1").refuses(A, SellHalfToBank("TK1"), "PT-140", "illegal_choice")


@pytest.mark.rule("PT-146")
def test_a_question_whose_options_have_changed_is_asked_anew() -> None:
    """S-158: and what has become possible is offered."""
    scene = resolving(3, co(cash=9, double_available=True), co(), co(), tankers="TK1:0+bank")
    asked = decision(scene)
    scene.refuses(A, BuyLicence(2), "PT-071", "illegal_choice")
    scene.when(A, SellHalfToBank("TK1")).waits_for(BuyLicenceSquare, A)
    assert decision(scene) != asked
    scene.refuses(A, BuyLicence(2, decision_id=asked), "PT-146", "stale_decision")
    scene.when(A, BuyLicence(2))
    assert cash(scene)[A] == 149


@pytest.mark.rule("PT-146")
def test_it_is_not_skipped_though_only_declining_is_left() -> None:
    scene = resolving(3, co(cash=153), co(), co(), tankers="TK1:0+bank").when(A, BuyBankHalf("TK1"))
    scene.waits_for(BuyLicenceSquare, A)
    assert kinds(scene, A) == {"decline"}


@pytest.mark.rule("PT-146")
def test_an_interrupted_question_has_a_new_id() -> None:
    scene = using("gas", co(), co(), co(), tankers="TK1:0+1")
    asked = decision(scene)
    scene.when(A, ProposeDissolution("TK1", 5)).when(B, BuyShare()).waits_for(UseCard, A)
    assert decision(scene) not in (0, asked)
