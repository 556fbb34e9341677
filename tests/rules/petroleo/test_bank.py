"""What the bank pays, and how it borrows: PT-280 … PT-289."""

from __future__ import annotations

import pytest

from events.petroleo.codes import Payment
from events.petroleo.commands import (
    BuyShare,
    Forgo,
    Lend,
    ProposeDissolution,
    Refuse,
    SellHalf,
    SellHalfToBank,
    SellToBank,
)
from events.petroleo.facts import (
    BankEmission,
    LoanOffered,
    LoanQuestionClosed,
    LoanRepaid,
    LoanRequested,
    LoanTaken,
    Received,
    YearEndPaid,
)
from events.petroleo.steps import ChooseCard, LendToBank, SettleDebt
from projections.petroleo.state import Loan
from rules.petroleo.bank import loan_for
from tests.rules.petroleo.tables import A, B, C, cash, choosing, co, decision, offers, paying, resolving, using
from tests.scenario import Scenario

HUNDRED = "L01:oil6 L02:oil6 L03:oil6 L04:oil6 L05:oil6"


def short(a: int = 40, b: int = 30, c: int = 0, **more: int) -> Scenario:
    """A is due 100 M, and the bank holds 45."""
    return paying(co(HUNDRED, cash=a), co(cash=b), co(cash=c), **{"bank": 45, **more})


@pytest.mark.rule("PT-280", "PT-281")
def test_all_companies_with_cash_are_asked_before_anybody_is_paid() -> None:
    scene = short().then_among_others(LoanRequested(55, (A, B))).waits_for(LendToBank, A, B)
    scene.then_none(YearEndPaid)
    assert cash(scene) == (40, 30, 0)


@pytest.mark.rule("PT-281")
def test_a_loan_from_nothing_to_all_ones_cash() -> None:
    scene = short().refuses(A, Lend(41), "PT-281", "illegal_choice").refuses(C, Lend(0), "PT-281", "not_awaited")
    scene.when(A, Lend(40)).then(LoanOffered(A, 40)).refuses(A, Lend(1), "PT-281", "not_awaited")


@pytest.mark.rule("PT-282", "PT-283", "PT-286")
def test_loans_are_taken_clockwise_from_the_active_company_as_far_as_needed() -> None:
    """S-98: the loans are repaid only when the bank can."""
    scene = short().when(B, Lend(30)).when(A, Lend(40))
    scene.then_among_others(
        LoanQuestionClosed(55, (Payment(A, 40), Payment(B, 30))),
        LoanTaken(A, 40, 4),
        LoanTaken(B, 21, 2),
        YearEndPaid((Payment(A, 100),)),
    ).then_none(BankEmission, LoanRepaid)
    assert (cash(scene), scene.board.bank) == ((104, 11, 0), 0)
    assert scene.board.loans == (Loan(A, 40), Loan(B, 21))


@pytest.mark.rule("PT-283")
def test_the_first_lender_is_the_active_company_whatever_its_seat() -> None:
    sides = (co(cash=30), co(HUNDRED, cash=40), co(cash=50))
    scene = using("gas", *sides, on_turn=B, marker=47, card="c18", bank=45).when(B, Forgo())
    scene.when(A, Lend(30)).when(B, Lend(20)).when(C, Lend(20))
    scene.then_among_others(LoanTaken(B, 20, 2), LoanTaken(C, 20, 2), LoanTaken(A, 21, 2)).then_none(BankEmission)


@pytest.mark.rule("PT-283")
def test_the_smallest_loan_that_is_enough() -> None:
    """S-99."""
    scene = short(a=100).when(A, Lend(100)).when(B, Lend(0)).then_among_others(LoanTaken(A, 61, 6))
    assert scene.board.bank == 0


@pytest.mark.rule("PT-283")
@pytest.mark.parametrize("missing", [*range(1, 130), 999, 1000, 1001])
def test_the_loan_leaves_what_is_missing_and_not_one_less_would(missing: int) -> None:
    loan = loan_for(missing, 10)
    assert loan - loan // 10 >= missing > (loan - 1) - (loan - 1) // 10


@pytest.mark.rule("PT-284", "PT-287")
def test_what_nobody_lends_the_bank_issues() -> None:
    """S-100, S-142: nobody is charged who declined."""
    scene = short().when(A, Lend(0)).when(B, Lend(0)).then_among_others(BankEmission(55))
    assert (cash(scene), scene.board.bank, scene.board.emitted) == ((140, 30, 0), 0, 55)
    part = short().when(A, Lend(10)).when(B, Lend(0)).then_among_others(LoanTaken(A, 10, 1), BankEmission(46))
    assert part.board.loans == (Loan(A, 10),)


@pytest.mark.rule("PT-284")
def test_where_nobody_has_cash_nobody_is_asked() -> None:
    scene = short(0, 0, 0).then_among_others(LoanRequested(55, ()), BankEmission(55)).waits_for(ChooseCard, B)
    assert cash(scene) == (100, 0, 0)


@pytest.mark.rule("PT-287")
def test_a_deadline_lends_nothing() -> None:
    short().expires(B).then_among_others(LoanOffered(B, 0)).when(A, Lend(40)).then_among_others(BankEmission(19))


@pytest.mark.rule("PT-046", "PT-053", "PT-283")
def test_the_states_half_is_no_outflow() -> None:
    """S-162: due is 36, and a loan of 6 bears no interest."""
    scene = paying(
        co("L01:oil6 L02:gas", cash=10, nationalised=True), co("L03:oil6", cash=0), co(cash=0), bank=30
    ).waits_for(LendToBank, A)
    scene.when(A, Lend(10)).then_among_others(LoanTaken(A, 6, 0), YearEndPaid((Payment(A, 16), Payment(B, 20))))
    assert scene.board.bank == 0


@pytest.mark.rule("PT-285")
def test_loans_are_repaid_after_each_turn_oldest_first_up_to_the_first_not_covered() -> None:
    scene = using("gas", loans=[(A, 5), (C, 10), (B, 20), (A, 1)], bank=20).when(A, Forgo())
    scene.then_among_others(LoanRepaid(A, 5), LoanRepaid(C, 10))
    assert scene.board.loans == (Loan(B, 20), Loan(A, 1))
    assert (cash(scene), scene.board.bank) == ((205, 200, 210), 5)
    to_the_last = using("gas", loans=[(A, 5), (C, 10)], bank=15).when(A, Forgo())
    assert (cash(to_the_last), to_the_last.board.bank, to_the_last.board.loans) == ((205, 200, 210), 0, ())


@pytest.mark.rule("PT-280")
def test_a_price_rise_may_find_the_bank_short() -> None:
    scene = resolving(14, co("L01:oil6", cash=5), co(cash=0), co(cash=0), bank=0).waits_for(LendToBank, A)
    scene.when(A, Lend(5)).then_among_others(BankEmission(7), Received(A, 12, "price_rise")).waits_for(ChooseCard, A)


@pytest.mark.rule("PT-146", "PT-280")
def test_a_sale_to_the_bank_may_find_it_short_and_the_question_is_asked_anew() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+bank", bank=0)
    asked = decision(scene)
    scene.when(A, SellHalfToBank("TK1")).waits_for(LendToBank, A, B, C)
    scene.when(A, Lend(0)).when(B, Lend(166)).when(C, Lend(0)).then_among_others(LoanTaken(B, 166, 16))
    scene.waits_for(ChooseCard, A)
    assert decision(scene) != asked
    assert cash(scene) == (350, 50, 200)


@pytest.mark.rule("PT-280")
def test_so_may_a_sale_after_a_refusal() -> None:
    scene = choosing(co(), co(), co(cash=0), tankers="TK1:0+1", bank=0).when(A, ProposeDissolution("TK1", 1))
    scene.refuses(A, BuyShare(), "PT-134", "not_awaited").when(B, Refuse()).when(A, SellToBank())
    scene.waits_for(LendToBank, A, B).when(A, Lend(0)).when(B, Lend(0)).then_among_others(BankEmission(150))


@pytest.mark.rule("PT-281")
def test_a_debtor_who_is_settling_is_not_asked() -> None:
    scene = resolving(4, co(cash=5), co(cash=10), co(cash=20), tankers="TK1:0+1", bank=0).waits_for(SettleDebt, A)
    scene.when(A, SellHalf("TK1")).waits_for(LendToBank, B, C)
    scene.when(B, Lend(10)).when(C, Lend(0)).then_among_others(BankEmission(141), Received(A, 150, "tanker_half"))


@pytest.mark.rule("PT-289")
def test_what_is_short_is_reckoned_when_the_question_closes() -> None:
    """A departure has filled the bank meanwhile: no loan is taken."""
    scene = short(b=60).when(A, Lend(40)).resigns(B)
    scene.then_among_others(LoanQuestionClosed(0, (Payment(A, 40),))).then_none(LoanTaken, BankEmission)
    assert scene.board.loans == ()


@pytest.mark.rule("PT-282")
def test_the_interest_is_rounded_down() -> None:
    scene = short(b=19, a=0).when(B, Lend(19)).then_among_others(LoanTaken(B, 19, 1))
    assert cash(scene)[B] == 1


@pytest.mark.rule("PT-324")
def test_lenders_answer_within_a_described_range() -> None:
    assert offers(short(), A) == {"lend:amount"}
