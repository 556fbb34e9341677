"""What the bank pays, and how it borrows when it is short: PT-280 … PT-289."""

from __future__ import annotations

from msgspec.structs import replace

from events.petroleo.codes import Payment
from events.petroleo.commands import Lend
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
from events.petroleo.steps import CollectDebt, LendToBank, PayOut
from rules.petroleo.book import PetroleoTable, clockwise


def pay_out(table: PetroleoTable, step: PayOut) -> None:
    """PT-053, PT-280, PT-284, PT-289: all that is due, after the companies have been asked for what is missing."""
    short = sum(payment.amount for payment in step.payments) - table.board.bank
    if short > 0 and not step.asked:
        asked = _lenders(table)
        table.emit(LoanRequested(short, asked))
        if asked:
            table.next(LendToBank(short, asked, awaits=asked), replace(step, asked=True))
            return
    if step.asked:
        short = _borrow(table, max(short, 0))
    if short > 0:
        table.emit(BankEmission(short))
    _pay(table, step)


def lend(table: PetroleoTable, step: LendToBank, command: Lend) -> None:
    """PT-281, PT-287: a company says once, sealed, what it lends, from nothing to all its cash."""
    cash = table.board.companies[table.seat].cash
    table.require(command.amount <= cash, "PT-281", "illegal_choice", field="/amount", cash=cash)
    offer(table, step, table.seat, command.amount)


def offer(table: PetroleoTable, step: LendToBank, seat: int, amount: int) -> None:
    """PT-324: the offer is sealed until the question closes, when nobody is awaited any more."""
    table.emit(LoanOffered(seat, amount))
    if left := tuple(other for other in step.awaits if other != seat):
        table.next(replace(step, awaits=left))


def repay_loans(table: PetroleoTable) -> None:
    """PT-285: loans are repaid in full, oldest first, up to the first that the bank's cash does not cover."""
    while (loans := table.board.loans) and loans[0].amount <= table.board.bank:
        table.emit(LoanRepaid(loans[0].seat, loans[0].amount))


def _lenders(table: PetroleoTable) -> tuple[int, ...]:
    """PT-281: every company with cash, except one that is settling a debt: the bank is paying for its half."""
    debtors = {step.seat for step in table.steps if isinstance(step, CollectDebt)}
    companies = table.board.companies
    return tuple(seat for seat in table.active if companies[seat].cash >= 1 and seat not in debtors)


def _borrow(table: PetroleoTable, short: int) -> int:
    """PT-282, PT-283: clockwise from the active company, each loan only as large as needed; what is short then."""
    offered = {answer.seat: int(answer.value or 0) for answer in table.board.answers}
    table.emit(LoanQuestionClosed(short, tuple(Payment(seat, amount) for seat, amount in offered.items())))
    percent = table.book.edition.loan_interest_percent
    for seat in clockwise(table, table.board.on_turn):
        if short > 0 and (amount := min(offered.get(seat, 0), loan_for(short, percent))):
            interest = amount * percent // 100
            table.emit(LoanTaken(seat, amount, interest))
            short -= amount - interest
    return short


def loan_for(short: int, percent: int) -> int:
    """PT-283: the smallest loan that, its interest paid at once, leaves the bank this much."""
    amount = short
    while amount - amount * percent // 100 < short:
        amount += short - (amount - amount * percent // 100)
    return amount


def _pay(table: PetroleoTable, step: PayOut) -> None:
    if step.reason == "year_end":
        table.emit(YearEndPaid(step.payments))
        return
    for payment in step.payments:
        table.emit(Received(payment.seat, payment.amount, step.reason))
