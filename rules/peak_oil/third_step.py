"""The third step, for a price: PO-056, PO-062."""

from __future__ import annotations

from events.peak_oil.commands import EndTurn, PayReassign
from events.peak_oil.facts import ChoiceDeclined
from events.peak_oil.steps import Step3Optional, StepThree
from rules.peak_oil import hooks, security
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.reassign import moves, reassign


def barred(at: At, seat: int) -> Barred:
    """PO-056: the price must be in HQ; PR1-2 takes the step away."""
    if at.board.seats[seat].black < hooks.step3_cost(at, seat):
        return "PO-056", "step3_too_poor"
    return ("PO-127", "option_blocked") if hooks.forbidden(at, seat, "step3") else None


def step_three(table: PeakOilTable, step: StepThree) -> None:
    """PO-056, PO-062: asked where a paid reassign is possible, or a Security chip could be used."""
    seat = mover(table)
    possible = barred(table, seat) is None and next(moves(table, seat, "step3"), None) is not None
    if possible or security.usable(table, seat):
        table.next(Step3Optional(awaits=(seat,)))


def pay_reassign(table: PeakOilTable, step: Step3Optional, command: PayReassign) -> None:
    """PO-056: price and move are one; the turn is over then."""
    seat = mover(table)
    allow(table, barred(table, seat))
    reassign(table, command.from_, command.to, "step3", paid=hooks.step3_cost(table, seat))


def end_turn(table: PeakOilTable, step: Step3Optional, command: EndTurn) -> None:
    """PO-056: the third step is optional."""
    table.emit(ChoiceDeclined(mover(table), "step3_optional"))
