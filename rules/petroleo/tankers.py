"""Partnerships dissolved, and deals with the bank: PT-133 … PT-146."""

from __future__ import annotations

from msgspec.structs import replace

from events.petroleo.codes import Party, Payment
from events.petroleo.commands import (
    BuyBankHalf,
    BuyShare,
    Keep,
    ProposeDissolution,
    Refuse,
    SellHalfToBank,
    SellShare,
    SellToBank,
)
from events.petroleo.facts import DissolutionAnswered, DissolutionProposed, ShareTransferred
from events.petroleo.steps import AnswerDissolution, PayOut, SellShareToBankChoice
from events.words import Waits
from projections.petroleo.state import Tanker
from rules.petroleo.book import PetroleoTable


def half_price(table: PetroleoTable) -> int:
    """PT-137, PT-139, PT-140: half of what a tanker costs."""
    return table.book.edition.prices.tanker // 2


def own_tanker(table: PetroleoTable, seat: int, tanker_id: str, rule: str) -> Tanker:
    """The tanker of this id, in which the seat has a share; refused under the given rule where there is none."""
    found = next((tanker for tanker in table.board.tankers_of(seat) if tanker.id == tanker_id), None)
    if found is None:
        table.refuse(rule, "illegal_choice", field="/tanker_id", tanker=tanker_id)
    return found


def commanded_tanker(table: PetroleoTable, seat: int, tanker_id: str) -> Tanker:
    """PT-131: the commander alone deals with a tanker."""
    tanker = own_tanker(table, seat, tanker_id, "PT-131")
    table.require(tanker.commander == seat, "PT-131", "illegal_choice", field="/tanker_id", tanker=tanker_id)
    return tanker


# ---- the window in one's own turn


def propose_dissolution(table: PetroleoTable, step: Waits, command: ProposeDissolution) -> None:
    """PT-133, PT-141, PT-142, PT-146: the commander names a price per half, once a turn for each tanker."""
    seat = step.awaits[0]
    tanker = commanded_tanker(table, seat, command.tanker_id)
    partner = tanker.partner
    if not isinstance(partner, int):
        table.refuse("PT-133", "illegal_choice", field="/tanker_id", tanker=tanker.id)
    table.require(
        tanker.id not in table.board.proposals, "PT-142", "illegal_choice", field="/tanker_id", tanker=tanker.id
    )
    most = table.book.edition.all_cash
    table.require(command.price <= most, "PT-133", "illegal_choice", field="/price", most=most)
    table.emit(DissolutionProposed(tanker.id, seat, partner, command.price))
    table.next(AnswerDissolution(tanker.id, seat, command.price, awaits=(partner,)), _anew(step))


def buy_bank_half(table: PetroleoTable, step: Waits, command: BuyBankHalf) -> None:
    """PT-071, PT-139, PT-146: the commander becomes sole owner for the price of a half."""
    seat = step.awaits[0]
    tanker = commanded_tanker(table, seat, command.tanker_id)
    table.require(tanker.partner == "bank", "PT-139", "illegal_choice", field="/tanker_id", tanker=tanker.id)
    price, cash = half_price(table), table.board.companies[seat].cash
    table.require(cash >= price, "PT-071", "illegal_choice", price=price, cash=cash)
    table.emit(ShareTransferred(tanker.id, "bank", seat, price, seat, None))
    table.next(_anew(step))


def sell_half_to_bank(table: PetroleoTable, step: Waits, command: SellHalfToBank) -> None:
    """PT-140, PT-143, PT-146: with the bank as partner, the commander may sell; the tanker goes back to the supply."""
    seat = step.awaits[0]
    tanker = commanded_tanker(table, seat, command.tanker_id)
    rule = "PT-143" if tanker.partner is None else "PT-140"
    table.require(tanker.partner == "bank", rule, "illegal_choice", field="/tanker_id", tanker=tanker.id)
    table.next(_anew(step))
    sell_to_bank(table, seat, tanker)


def sell_to_bank(table: PetroleoTable, seat: int, tanker: Tanker) -> None:
    """PT-138, PT-140, PT-145, PT-263, PT-264: the bank takes the seat's half, or one of its two, and owes the price.

    Whoever owns the other half goes on with the bank and commands; the bank's own two halves are a tanker in supply.
    """
    other = _other_owner(tanker, seat)
    price = half_price(table)
    if isinstance(other, int):
        table.emit(ShareTransferred(tanker.id, seat, "bank", price, other, "bank"))
    else:
        table.emit(ShareTransferred(tanker.id, seat, "bank", price, None, None))
    table.next(PayOut("tanker_half", (Payment(seat, price),)))


# ---- the partner's answer, and what follows


def buy_share(table: PetroleoTable, step: AnswerDissolution, command: BuyShare) -> None:
    """PT-134, PT-135, PT-136: the partner buys at the price named, if it has the cash."""
    _transfer(table, step, "buy", seller=step.commander, buyer=step.awaits[0])


def sell_share(table: PetroleoTable, step: AnswerDissolution, command: SellShare) -> None:
    """PT-134, PT-135, PT-136: the partner sells at the price named, if the commander has the cash."""
    _transfer(table, step, "sell", seller=step.awaits[0], buyer=step.commander)


def refuse(table: PetroleoTable, step: AnswerDissolution, command: Refuse) -> None:
    """PT-134, PT-137: the partner wants neither; the commander may turn to the bank."""
    partner = step.awaits[0]
    table.emit(DissolutionAnswered(step.tanker, partner, "refuse"))
    table.next(SellShareToBankChoice(step.tanker, partner, awaits=(step.commander,)))


def sell_after_refusal(table: PetroleoTable, step: SellShareToBankChoice, command: SellToBank) -> None:
    """PT-137, PT-138: the commander sells its half to the bank; the former partner commands from now on."""
    seat = step.awaits[0]
    sell_to_bank(table, seat, own_tanker(table, seat, step.tanker, "PT-137"))


def keep(table: PetroleoTable, step: SellShareToBankChoice, command: Keep) -> None:
    """PT-137: the commander may also leave everything as it was."""


def _transfer(table: PetroleoTable, step: AnswerDissolution, answer: str, *, seller: int, buyer: int) -> None:
    cash = table.board.companies[buyer].cash
    table.require(cash >= step.price, "PT-135", "illegal_choice", price=step.price, cash=cash)
    table.emit(DissolutionAnswered(step.tanker, step.awaits[0], "buy" if answer == "buy" else "sell"))
    table.emit(ShareTransferred(step.tanker, seller, buyer, step.price, buyer, None))


def _other_owner(tanker: Tanker, seat: int) -> Party:
    """Who owns the half that is not sold: the seat itself, where it owned both."""
    if tanker.partner is None:
        return seat
    return tanker.partner if tanker.commander == seat else tanker.commander


def _anew(step: Waits) -> Waits:
    """PT-146: the question is asked anew, under a new decision id."""
    return replace(step, decision=0)
