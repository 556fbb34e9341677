"""Bankruptcy and resignation: PT-266 … PT-279."""

from __future__ import annotations

import pytest

from events.petroleo.codes import Payment, ShownAnswer, ShownBid
from events.petroleo.commands import (
    AnswerPartnership,
    Bid,
    DeclareBankruptcy,
    Exercise,
    Forgo,
    Keep,
    Lend,
    OfferCard,
    PlayCard,
    ProposeDissolution,
    Refuse,
    SellHalf,
)
from events.petroleo.facts import (
    AuctionClosed,
    CardDrawn,
    CardSold,
    Charged,
    CompanyClosed,
    DebtOpened,
    MarkerAdvanced,
    PartnershipClosed,
    PrivilegeLost,
    QuestionVoided,
    Received,
    SquareResolved,
    TankerBought,
    TurnStarted,
    YearEndPaid,
)
from events.petroleo.steps import (
    AnswerDissolution,
    AnswerTankerPartnership,
    BidForCard,
    ChooseCard,
    ChooseTankerPartner,
    EndTurn,
    LendToBank,
    PayOut,
    PayYearEnd,
    SellShareToBankChoice,
    SettleDebt,
    TankerWithBank,
    UseBoughtCard,
)
from events.table import Resign, SeatResigned
from projections.petroleo.state import Laid, Loan, Tanker
from tests.rules.petroleo.tables import (
    DECISION,
    A,
    B,
    C,
    a_start,
    a_table,
    cash,
    choosing,
    co,
    decision,
    paying,
    resolving,
    using,
)
from tests.scenario import Scenario, Script

YES, NO = AnswerPartnership(accept=True), AnswerPartnership(accept=False)
TOWER_AT_B_AND_C = (co(), co("L01:tower"), co("L02:tower"))


@pytest.mark.rule("PT-266")
def test_who_left_does_nothing_any_more() -> None:
    scene = choosing().resigns(B)
    scene.refuses(B, Resign(), "PT-266", "not_a_player").refuses(B, Forgo(), "PT-266", "not_a_player")


@pytest.mark.rule("PT-267", "PT-268", "PT-269")
def test_pieces_cash_and_half_shares() -> None:
    """S-159: what was shared with the bank is back in the supply, what was shared with a company is the bank's half."""
    scene = choosing(
        co(),
        co("L01 L02:tower S01:gas", cash=77, trucks=2),
        co(),
        tankers="TK1:1+bank TK2:1 TK3:1+0 TK4:2+1",
        loans=[(B, 5), (C, 6), (B, 7)],
        bank=0,
    ).resigns(B)
    scene.then_among_others(
        CompanyClosed(
            B,
            cash=77,
            unpaid=0,
            claims=12,
            zones=("L01", "L02", "S01"),
            towers=1,
            trucks=("TR1", "TR2"),
            tankers=("TK1", "TK2"),
            halves=("TK3", "TK4"),
        ),
        SeatResigned(B, "command"),
    )
    board = scene.board
    assert board.tankers == (Tanker("TK3", A, "bank"), Tanker("TK4", C, "bank"))
    assert (board.bank, board.towers, board.loans) == (77, 28, (Loan(C, 6),))
    assert (board.companies[B].plots, board.companies[B].trucks, board.companies[B].cash) == ((), (), 0)
    assert scene.view(A).companies[B].licences == 0


@pytest.mark.rule("PT-270")
def test_its_hand_is_set_aside_unseen_and_the_deck_stays() -> None:
    scene = choosing()
    hand, deck = scene.board.companies[B].hand, scene.board.deck
    scene.resigns(B)
    assert (scene.board.companies[B].hand, scene.board.deck) == (hand, deck)
    assert scene.view(C).companies[B].hand is None


@pytest.mark.rule("PT-026", "PT-270")
def test_the_deck_keeps_what_a_departed_company_would_have_drawn() -> None:
    """S-97: A leaves after three turns; B and C lay ten cards each, and two stay in the deck."""
    game = a_start(3, Script().below("start_seat", 0))
    for _ in range(7):
        _lay(game)
    game.resigns(A)
    while not game.game.ended:
        _lay(game)
    assert [company.laid for company in game.board.companies] == [3, 10, 10]
    assert len(game.board.deck) == 2


def _lay(game: Scenario) -> None:
    """The next company's turn, doing no more than it must."""
    while not isinstance(game.game.waiting, ChooseCard):
        game.expires(game.game.awaited[0])
    seat = game.game.awaited[0]
    game.when(seat, PlayCard(game.board.companies[seat].hand[0])).when(seat, Forgo())


@pytest.mark.rule("PT-271", "PT-276")
def test_the_active_companys_turn_ends_on_the_spot_and_the_next_meets_the_same_square() -> None:
    scene = choosing(marker=10).resigns(A)
    scene.then_among_others(QuestionVoided("choose_card"), TurnStarted(6, B), SquareResolved(B, 9, chosen=False))
    scene.then_none(MarkerAdvanced)
    assert scene.board.marker == 10


@pytest.mark.rule("PT-271")
def test_a_card_laid_and_not_used_moves_nothing_and_stays_hidden() -> None:
    """S-163."""
    scene = using("gas", marker=10).resigns(A).then_none(MarkerAdvanced)
    assert (scene.board.marker, scene.board.on_turn) == (10, B)
    for viewer in (B, C, None):
        (laid,) = scene.view(viewer).played
        assert (laid.seat, laid.card, laid.kind, laid.advance) == (A, None, None, None)


@pytest.mark.rule("PT-272")
def test_an_absent_rival_changes_nothing_in_the_turn() -> None:
    choosing().resigns(B).waits_for(ChooseCard, A).then_none(QuestionVoided)


@pytest.mark.rule("PT-272")
def test_in_an_auction_it_has_passed_even_if_it_had_bid() -> None:
    """S-138: its bid stays sealed, and the question closes when nobody else is awaited."""
    scene = using("oil6", *TOWER_AT_B_AND_C).when(A, OfferCard(1)).when(B, Bid(20)).resigns(B)
    scene.waits_for(BidForCard, C)
    scene.when(C, Bid(3)).then_among_others(AuctionClosed(A, C, 3, (ShownBid(C, 3),)), CardSold(A, C, 3))
    closed = using("oil6", *TOWER_AT_B_AND_C).when(A, OfferCard(1)).when(B, Bid(20)).resigns(C)
    closed.then_among_others(AuctionClosed(A, B, 20, (ShownBid(B, 20),))).waits_for(UseBoughtCard, B)


@pytest.mark.rule("PT-272")
def test_asked_for_a_partnership_it_has_refused() -> None:
    scene = using("tanker").when(A, Exercise(mode="partnership")).when(B, YES).resigns(B).when(C, NO)
    scene.then_among_others(PartnershipClosed(A, (ShownAnswer(C, accept=False),))).waits_for(TankerWithBank, A)


@pytest.mark.rule("PT-126", "PT-272")
def test_the_holder_goes_on_among_the_acceptors_that_are_left() -> None:
    sides = (co(), co(), co(), co())
    scene = using("tanker", *sides).when(A, Exercise(mode="partnership")).when(1, YES).when(2, YES).when(3, YES)
    asked = decision(scene)
    scene.resigns(1).waits_for(ChooseTankerPartner, A).resigns(3).waits_for(ChooseTankerPartner, A)
    assert decision(scene) == asked
    scene.resigns(2).ends("last_company", A)
    other = using("tanker", *sides).when(A, Exercise(mode="partnership")).when(1, YES).when(2, YES).when(3, NO)
    other.resigns(2).resigns(1).waits_for(TankerWithBank, A)


@pytest.mark.rule("PT-272")
def test_a_dissolution_lapses_with_the_partner() -> None:
    """S-156: the interrupted question is asked anew."""
    scene = choosing(co(), co(), co(), tankers="TK1:0+1")
    asked = decision(scene)
    scene.when(A, ProposeDissolution("TK1", 5)).waits_for(AnswerDissolution, B).resigns(B)
    scene.then_among_others(QuestionVoided("answer_dissolution")).waits_for(ChooseCard, A)
    assert scene.board.tankers == (Tanker("TK1", A, "bank"),)
    assert decision(scene) != asked


@pytest.mark.rule("PT-272")
def test_so_does_the_choice_after_its_refusal() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+1").when(A, ProposeDissolution("TK1", 5)).when(B, Refuse())
    scene.waits_for(SellShareToBankChoice, A).resigns(B).waits_for(ChooseCard, A)
    scene.refuses(A, Keep(), "PT-020", "illegal_choice")


@pytest.mark.rule("PT-272")
def test_a_stranger_leaves_a_dissolution_alone() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+1").when(A, ProposeDissolution("TK1", 5)).resigns(C)
    scene.waits_for(AnswerDissolution, B).then_none(QuestionVoided)


@pytest.mark.rule("PT-273")
def test_the_last_company_wins_at_once() -> None:
    """S-96."""
    scene = resolving(6, co("L01:oil6", cash=3), co())
    scene.ends("last_company", B)
    assert scene.game.result is not None
    assert scene.game.result.standings == ((B,), (A,))
    choosing(co(), co()).resigns(B).ends("last_company", A)


@pytest.mark.rule("PT-274")
def test_resigning_is_possible_at_any_time() -> None:
    scene = resolving(4, co(cash=5), co(), co(), tankers="TK1:0").waits_for(SettleDebt, A)
    scene.resigns(B).then_among_others(SeatResigned(B, "command")).waits_for(SettleDebt, A)
    scene.resigns(C).ends("last_company", A)


@pytest.mark.rule("PT-274")
def test_a_debtor_who_resigns_declares_bankruptcy() -> None:
    debt = resolving(4, co(cash=5), co(), co(), tankers="TK1:0")
    resigned = Scenario(debt.ruleset, debt.game).resigns(A)
    declared = Scenario(debt.ruleset, debt.game).when(A, DeclareBankruptcy())
    resigned.then_among_others(SeatResigned(A, "bankruptcy"))
    assert resigned.happened == declared.happened


@pytest.mark.rule("PT-268")
def test_what_is_unpaid_is_written_off_whichever_way_a_debtor_leaves() -> None:
    """It is charged and has not yet been asked; it is asked, and its half of the tanker would pay for all; it resigns
    without any debt.
    """
    both = resolving(4, co(cash=5), co(cash=9), co(), tankers="TK1:0+1").waits_for(SettleDebt, A)
    gone = Scenario(both.ruleset, both.game).resigns(B)
    assert _closed(gone, B) == (9, 16)
    gone.when(A, SellHalf("TK1")).then_none(CompanyClosed, DebtOpened).waits_for(ChooseCard, A)
    assert _closed(Scenario(both.ruleset, both.game).when(A, DeclareBankruptcy()), A) == (5, 20)
    asked = both.when(A, DeclareBankruptcy()).waits_for(SettleDebt, B)
    assert _closed(asked.resigns(B), B) == (9, 16)
    assert _closed(resolving(4, co(cash=5), co(cash=9), co(), tankers="TK1:0+1").resigns(C), C) == (200, 0)


def _closed(scene: Scenario, seat: int) -> tuple[int, int]:
    """What a departure brought the bank of the cash, and what it never got."""
    (closed,) = (event for event in scene.happened if isinstance(event, CompanyClosed) and event.seat == seat)
    return closed.cash, closed.unpaid


@pytest.mark.rule("PT-276", "PT-324")
def test_a_seller_who_leaves_voids_its_auction() -> None:
    """S-139, S-164: nobody pays, the marker stays, and the bid is sealed until the end."""
    scene = using("oil6", *TOWER_AT_B_AND_C, marker=10).when(A, OfferCard(1)).when(C, Bid(8)).resigns(A)
    scene.then_among_others(QuestionVoided("bid_for_card")).then_none(AuctionClosed, CardSold)
    assert cash(scene) == (0, 200, 200)
    assert (scene.board.answers, scene.board.marker, scene.board.on_turn) == ((), 10, B)


@pytest.mark.rule("PT-276")
def test_a_holder_who_leaves_voids_the_partnership_and_a_proposal_lapses() -> None:
    scene = using("tanker").when(A, Exercise(mode="partnership")).when(B, YES).resigns(A)
    scene.then_among_others(QuestionVoided("answer_tanker_partnership")).then_none(TankerBought)
    scene = choosing(co(), co(), co(), tankers="TK1:0+1").when(A, ProposeDissolution("TK1", 5)).resigns(A)
    scene.then_among_others(QuestionVoided("answer_dissolution"))
    assert scene.board.tankers == (Tanker("TK1", B, "bank"),)


@pytest.mark.rule("PT-277")
def test_a_buyer_who_leaves_loses_the_card_and_the_turn_goes_on() -> None:
    scene = using("oil6", *TOWER_AT_B_AND_C, card="c29").when(A, OfferCard(1)).when(B, Bid(8)).when(C, Bid(None))
    scene.resigns(B).then_among_others(QuestionVoided("use_bought_card"), PrivilegeLost(B), MarkerAdvanced(A, 2, 2))
    assert cash(scene)[A] == 208
    assert scene.board.on_turn == C


@pytest.mark.rule("PT-277")
def test_also_while_it_looks_for_a_partner() -> None:
    for answers in ((), (YES,)):
        scene = using("tanker", co(), co(), co(), marker=5).when(A, OfferCard(1)).when(B, Bid(8)).when(C, Bid(None))
        scene.when(B, Exercise(mode="partnership")).waits_for(AnswerTankerPartnership, A, C)
        for answer in answers:
            scene.when(A, answer)
        scene.resigns(B).then_among_others(PrivilegeLost(B), MarkerAdvanced(A, 4, 9)).then_none(TankerBought)
        assert scene.board.answers == ()


@pytest.mark.rule("PT-278")
def test_a_seller_who_leaves_after_the_sale_leaves_the_winner_its_card() -> None:
    """S-150: a partnership question included; the turn ends without an advance."""
    scene = using("tanker", co(), co(), co(cash=180), marker=10).when(A, OfferCard(1)).when(C, Bid(20))
    scene.when(B, Bid(None)).when(C, Exercise(mode="partnership")).waits_for(AnswerTankerPartnership, A, B)
    scene.when(B, YES).resigns(A)
    scene.then_among_others(TankerBought("TK1", C, B, 150), TurnStarted(6, B)).then_none(MarkerAdvanced, QuestionVoided)
    assert cash(scene) == (0, 50, 10)
    scene = using("oil6", *TOWER_AT_B_AND_C, marker=10).when(A, OfferCard(1)).when(B, Bid(8)).when(C, Bid(None))
    scene.resigns(A).waits_for(UseBoughtCard, B).when(B, Exercise(zone_id="L01")).then_none(MarkerAdvanced)
    assert scene.board.on_turn == B


@pytest.mark.rule("PT-277", "PT-278")
def test_both_may_leave() -> None:
    scene = using("oil6", *TOWER_AT_B_AND_C, co(), marker=10).when(A, OfferCard(1)).when(B, Bid(8)).when(C, Bid(None))
    scene.resigns(A).resigns(B).then_among_others(PrivilegeLost(B), TurnStarted(6, C)).then_none(MarkerAdvanced)


@pytest.mark.rule("PT-279")
def test_another_companys_debt_is_answered_to_the_end() -> None:
    scene = resolving(4, co(), co(cash=10), co(), tankers="TK1:0+1 TK2:1").waits_for(SettleDebt, B)
    scene.resigns(A).waits_for(SettleDebt, B).then_none(QuestionVoided)
    scene.when(B, SellHalf("TK2")).then_among_others(TurnStarted(7, B), SquareResolved(B, 4, chosen=False))
    declared = resolving(4, co(), co(cash=10), co(), tankers="TK1:0+1").resigns(A).when(B, DeclareBankruptcy())
    declared.ends("last_company", C)


@pytest.mark.rule("PT-265", "PT-279")
def test_also_while_its_sale_waits_for_a_loan() -> None:
    """A, who is on turn, is gone before the bank can pay B for its half; B pays its 25 all the same."""
    scene = resolving(4, co(cash=25), co(cash=10), co(cash=70), tankers="TK1:0+1", bank=0).when(B, SellHalf("TK1"))
    scene.waits_for(LendToBank, C).resigns(A).waits_for(LendToBank, C)
    scene.when(C, Lend(0)).then_among_others(Received(B, 150, "tanker_half"), Charged(B, 25, "tanker_storm"))
    assert (cash(scene)[B], scene.board.on_turn, scene.board.tankers) == (135, B, ())


@pytest.mark.rule("PT-279", "PT-289")
def test_a_loan_question_goes_on_without_the_mover_and_what_it_was_owed_lapses() -> None:
    """S-151."""
    scene = paying(
        co("L01:oil6", cash=40), co("L02:oil6 L03:oil6 L04:oil2", cash=60), co("L05:oil6 L06:oil2", cash=7), bank=45
    )
    scene.waits_for(LendToBank, A, B, C).when(B, Lend(60)).resigns(A).waits_for(LendToBank, C)
    assert (scene.board.bank, cash(scene)) == (85, (0, 60, 7))
    scene.when(C, Lend(0)).then_among_others(YearEndPaid((Payment(B, 50), Payment(C, 30))), TurnStarted(6, B))
    assert (scene.board.bank, cash(scene), scene.board.loans) == (5, (0, 110, 37), ())


@pytest.mark.rule("PT-052", "PT-279")
def test_nor_does_a_second_payout_of_the_same_move_lapse_with_the_mover() -> None:
    """Both year-end cells were crossed, which only a custom track allows."""
    due = PayOut("year_end", (Payment(A, 20), Payment(B, 20)), asked=True)
    question = LendToBank(40, (A, B), awaits=(A, B), decision=DECISION)
    sides = (co("L01:oil6", cash=40), co("L02:oil6", cash=60), co(cash=0))
    scene = a_table(sides, (question, due, PayYearEnd(), EndTurn()), laid=Laid(A, "c01"), bank=0)
    scene.resigns(A).waits_for(LendToBank, B).when(B, Lend(0))
    scene.then_among_others(YearEndPaid((Payment(B, 20),)), YearEndPaid((Payment(B, 20),)), TurnStarted(6, B))


@pytest.mark.rule("PT-268", "PT-274")
def test_a_debtor_may_resign_while_its_sale_waits_for_a_loan() -> None:
    scene = resolving(4, co(cash=5), co(), co(), tankers="TK1:0", bank=0).when(A, SellHalf("TK1"))
    scene.waits_for(LendToBank, B, C).resigns(A).waits_for(LendToBank, B, C)
    assert _closed(scene, A) == (5, 45)
    scene.when(B, Lend(200)).when(C, Lend(200)).then_among_others(TurnStarted(7, B)).then_none(CompanyClosed)
    assert (cash(scene), scene.board.tankers, scene.board.bank) == ((0, 200, 200), (), 5)


@pytest.mark.rule("PT-272")
def test_a_lender_who_leaves_has_declined() -> None:
    scene = paying(co("L01:oil6", cash=40), co(cash=60), co(cash=7), bank=0).when(B, Lend(60)).resigns(B)
    scene.when(A, Lend(0)).when(C, Lend(0))
    assert scene.board.emitted == 0
    assert cash(scene)[A] == 60


@pytest.mark.rule("PT-301")
def test_a_departure_may_remove_the_only_turn_still_to_come() -> None:
    scene = using("gas", co(laid=10), co(laid=10), co(laid=9), on_turn=B).resigns(C).when(B, Forgo())
    scene.ends("all_cards_laid", A, B)


@pytest.mark.rule("PT-301")
def test_or_cut_it_short() -> None:
    scene = using("gas", co(laid=10), co(laid=10), co(laid=9, hand="c15"), on_turn=C).resigns(C)
    scene.ends("all_cards_laid", A, B).then_none(CardDrawn, MarkerAdvanced)
