"""Charges and debts: PT-250 … PT-265, PT-288. A purchase is voluntary and never leads here."""

from __future__ import annotations

from events.petroleo.commands import DeclareBankruptcy, SellHalf
from events.petroleo.facts import Charged, ClaimSetOff, DebtOpened
from events.petroleo.steps import Charge, CollectDebt, SettleDebt
from rules.petroleo import tankers
from rules.petroleo.book import PetroleoTable
from rules.petroleo.leaving import leave


def charge(table: PetroleoTable, step: Charge) -> None:
    """PT-252, PT-288: what goes beyond the cash is first set off against what the bank owes the company."""
    amount = step.amount
    if amount > table.board.companies[step.seat].cash:
        claim = min(amount, table.board.claims_of(step.seat))
        if claim:
            table.emit(ClaimSetOff(step.seat, claim, step.reason))
            amount -= claim
    _collect(table, step.seat, amount, step.reason, by_deadline=False)


def collect_debt(table: PetroleoTable, step: CollectDebt) -> None:
    """PT-265: as soon as its cash covers the charge, a debtor pays and play goes on."""
    _collect(table, step.seat, step.amount, step.reason, by_deadline=step.by_deadline)


def sell_half(table: PetroleoTable, step: SettleDebt, command: SellHalf) -> None:
    """PT-263, PT-264: a debtor sells half a tanker to the bank, out of its turn too."""
    seat = step.awaits[0]
    tanker = tankers.own_tanker(table, seat, command.tanker_id, "PT-263")
    table.next(CollectDebt(seat, step.amount, step.reason, by_deadline=False))
    tankers.sell_to_bank(table, seat, tanker)


def sell_halves(table: PetroleoTable, step: SettleDebt, seat: int) -> None:
    """PT-263: at the deadline the lowest tankers are sold, until the debt is covered."""
    table.next(CollectDebt(seat, step.amount, step.reason, by_deadline=True))


def declare_bankruptcy(table: PetroleoTable, step: SettleDebt, command: DeclareBankruptcy) -> None:
    """PT-262, PT-266: a debtor may give up instead."""
    leave(table, step.awaits[0], "bankruptcy", unpaid=step.amount)


def _collect(table: PetroleoTable, seat: int, amount: int, reason: str, *, by_deadline: bool) -> None:
    """PT-250, PT-260, PT-261, PT-262: who has the cash pays; who has a share in a tanker is asked; others are out."""
    if amount <= table.board.companies[seat].cash:
        if amount:
            table.emit(Charged(seat, amount, reason))
    elif not (owned := table.board.tankers_of(seat)):
        leave(table, seat, "bankruptcy", unpaid=amount)
    elif by_deadline:
        table.next(CollectDebt(seat, amount, reason, by_deadline=True))
        tankers.sell_to_bank(table, seat, owned[0])
    else:
        table.emit(DebtOpened(seat, amount, reason))
        table.next(SettleDebt(amount, reason, awaits=(seat,)))
