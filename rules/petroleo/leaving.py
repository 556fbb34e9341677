"""Bankruptcy and resignation: PT-266 … PT-279."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from events.petroleo.facts import CompanyClosed, PrivilegeLost, QuestionVoided
from events.petroleo.steps import (
    AnswerDissolution,
    AnswerTankerPartnership,
    Charge,
    ChooseTankerPartner,
    ClosePartnership,
    CollectDebt,
    EndTurn,
    LendToBank,
    PayOut,
    PayYearEnd,
    SellShareToBankChoice,
    SettleDebt,
    TankerWithBank,
    UseBoughtCard,
)
from events.table import SeatResigned
from events.words import Step, Waits, snake_case
from rules.petroleo import ending
from rules.petroleo.book import PetroleoTable


def resign(table: PetroleoTable, seat: int, cause: str) -> None:
    """PT-274: a company may resign at any time; for a debtor who is asked to settle that is to declare bankruptcy."""
    question = table.steps[0]
    asked_to_settle = isinstance(question, SettleDebt) and seat in question.awaits
    leave(table, seat, "bankruptcy" if asked_to_settle else cause)


def leave(table: PetroleoTable, seat: int, cause: str, unpaid: int = 0) -> None:
    """PT-266, PT-271, PT-272, PT-273: a company leaves for good; what it was asked or owed is void.

    If it was active its turn ends here, without an advance; if only one company is left, the game does. `unpaid` is the
    debt that made it leave, if one did; what else it has to pay is among the steps.
    """
    _close(table, seat, unpaid + _due_from(table.steps, seat))
    table.emit(SeatResigned(seat, cause))
    if len(table.active) == 1:
        ending.finish(table, "last_company")
        return
    question = table.steps[0]
    active = seat == table.board.on_turn
    if isinstance(question, Waits) and question.decision and _void(question, seat, active=active):
        table.emit(QuestionVoided(snake_case(type(question).__name__)))
    if not active and _holder_of(question) == seat:
        table.emit(PrivilegeLost(seat))
    steps = (step for step in table.steps if not active or _survives_active(step, seat))
    table.steps = [kept for step in steps if (kept := _without(step, seat)) is not None]


def _close(table: PetroleoTable, seat: int, unpaid: int) -> None:
    """PT-267, PT-268, PT-269, PT-270: pieces to the supply, cash and half shares to the bank, the hand aside."""
    board = table.board
    company = board.companies[seat]
    owned = board.tankers_of(seat)
    halves = tuple(tanker.id for tanker in owned if isinstance(tanker.partner, int))
    table.emit(
        CompanyClosed(
            seat,
            cash=company.cash,
            unpaid=max(0, unpaid - company.cash),
            claims=board.claims_of(seat),
            zones=tuple(plot.zone for plot in company.plots),
            towers=company.count("tower"),
            trucks=company.trucks,
            tankers=tuple(tanker.id for tanker in owned if tanker.id not in halves),
            halves=halves,
        )
    )


def _due_from(steps: Sequence[Step], seat: int) -> int:
    """PT-268: what the company has still to pay: charges to come, and a debt for which it is selling something."""
    charged = sum(step.amount for step in steps if isinstance(step, Charge | CollectDebt) and step.seat == seat)
    return charged + sum(step.amount for step in steps if isinstance(step, SettleDebt) and seat in step.awaits)


def _void(question: Step, seat: int, *, active: bool) -> bool:
    """PT-272, PT-276, PT-277: whether the open question is void without the seat, rather than goes on."""
    if active:
        return not _survives_active(question, seat)
    if isinstance(question, AnswerDissolution | SellShareToBankChoice):
        return _not_of_party(question, seat) is None
    return _holder_of(question) == seat


def _holder_of(question: Step) -> int | None:
    """Who is making use of the laid card while this question is open."""
    if isinstance(question, UseBoughtCard | ChooseTankerPartner | TankerWithBank):
        return question.awaits[0]
    return question.holder if isinstance(question, AnswerTankerPartnership) else None


def _survives_active(step: Step, seat: int) -> bool:
    """PT-271, PT-276, PT-278, PT-279: what goes on without the active company.

    The buyer of its card, other companies' debts, what the bank owes others (PT-052: by a second year-end of the move
    too); all else of its turn is void.
    """
    if isinstance(step, EndTurn | PayOut | PayYearEnd | LendToBank | Charge | CollectDebt | SettleDebt):
        return True
    if isinstance(step, AnswerTankerPartnership | ClosePartnership):
        return step.holder != seat
    if isinstance(step, UseBoughtCard | ChooseTankerPartner | TankerWithBank):
        return seat not in step.awaits
    return False


def _not_of_party(step: AnswerDissolution | SellShareToBankChoice, seat: int) -> Step | None:
    """PT-272: a dissolution lapses with the partner; the commander's question is asked anew."""
    parties = (*step.awaits, step.partner if isinstance(step, SellShareToBankChoice) else step.commander)
    return None if seat in parties else step


def _not_of_debtor(step: Charge | CollectDebt, seat: int) -> Step | None:
    """PT-268: what is unpaid is written off."""
    return None if step.seat == seat else step


def _not_to(step: PayOut, seat: int) -> Step | None:
    """PT-279: what the bank owed the company lapses; what it owes others does not."""
    return replace(step, payments=tuple(payment for payment in step.payments if payment.seat != seat))


def _not_of_holder(step: AnswerTankerPartnership | ClosePartnership, seat: int) -> Step | None:
    """PT-272, PT-277: without the buyer of the card there is no partnership; a rival asked counts as refusing."""
    if step.holder == seat:
        return None
    return _not_awaited(step, seat) if isinstance(step, AnswerTankerPartnership) else step


def _choose_among_rest(step: ChooseTankerPartner, seat: int) -> Step | None:
    """PT-126, PT-272: the holder goes on among the acceptors that are left; with none left there is the bank."""
    if seat in step.awaits:
        return None
    left = tuple(other for other in step.acceptors if other != seat)
    return replace(step, acceptors=left) if left else TankerWithBank(awaits=step.awaits)


def _not_awaited(step: Waits, seat: int) -> Step | None:
    """PT-272: it counts as having passed, refused or declined; the question closes when nobody else is awaited."""
    left = tuple(other for other in step.awaits if other != seat)
    return replace(step, awaits=left) if left else None


_WITHOUT: Mapping[type, Callable[[Any, int], Step | None]] = {
    AnswerDissolution: _not_of_party,
    SellShareToBankChoice: _not_of_party,
    Charge: _not_of_debtor,
    CollectDebt: _not_of_debtor,
    PayOut: _not_to,
    AnswerTankerPartnership: _not_of_holder,
    ClosePartnership: _not_of_holder,
    ChooseTankerPartner: _choose_among_rest,
}


def _without(step: Step, seat: int) -> Step | None:
    """The step as it goes on without the seat, or None where it does not."""
    if (without := _WITHOUT.get(type(step))) is not None:
        return without(step, seat)
    if isinstance(step, Waits) and seat in step.awaits:
        return _not_awaited(step, seat)
    return step
