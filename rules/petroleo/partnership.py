"""Buying a tanker alone, with a rival or with the bank: PT-120 … PT-132."""

from __future__ import annotations

from msgspec.structs import replace

from events.petroleo.codes import Mode, Party, ShownAnswer
from events.petroleo.commands import Abandon, AcceptBank, AnswerPartnership, ChoosePartner
from events.petroleo.facts import PartnershipAnswered, PartnershipAsked, PartnershipClosed, PrivilegeLost, TankerBought
from events.petroleo.steps import AnswerTankerPartnership, ChooseTankerPartner, ClosePartnership, TankerWithBank
from events.words import Waits
from rules.petroleo import plots
from rules.petroleo.book import PetroleoTable, rivals
from rules.petroleo.edition import PetroleoEdition
from rules.petroleo.tankers import half_price


def modes(edition: PetroleoEdition) -> tuple[tuple[Mode, int], ...]:
    """PT-120, PT-121, PT-122, PT-128: alone for the whole price, or in partnership for half of it."""
    price = edition.price["tanker"]
    return (("sole", price), ("partnership", price // 2))


def buy_tanker(table: PetroleoTable, seat: int, *, alone: bool) -> None:
    """PT-090, PT-091, PT-120, PT-121, PT-122, PT-123: alone, or with less cash in partnership, rivals being asked
    first.
    """
    price = table.book.edition.price["tanker"]
    table.require(table.board.tokens_in_stock(seat) >= 1, "PT-074", "illegal_choice", tokens=0)
    plots.require_cash(table, seat, price if alone else half_price(table), "/mode" if alone else None)
    if alone:
        _conclude(table, seat, None, price)
        return
    cash = table.board.companies[seat].cash
    table.require(cash < price, "PT-122", "illegal_choice", field="/mode", cash=cash)
    _ask_rivals(table, seat)


def answer_partnership(table: PetroleoTable, step: AnswerTankerPartnership, command: AnswerPartnership) -> None:
    """PT-124: each rival asked accepts or refuses once, sealed."""
    answer(table, step, table.seat, accept=command.accept)


def answer(table: PetroleoTable, step: AnswerTankerPartnership, seat: int, *, accept: bool) -> None:
    """PT-324: the answer is sealed until the question closes, when nobody is awaited any more."""
    table.emit(PartnershipAnswered(seat, accept))
    if left := tuple(other for other in step.awaits if other != seat):
        table.next(replace(step, awaits=left))


def close_partnership(table: PetroleoTable, step: ClosePartnership) -> None:
    """PT-125, PT-126, PT-127: one acceptor is the partner, of several the holder picks, with none there is the bank."""
    holder = step.holder
    answers = tuple(ShownAnswer(answer.seat, bool(answer.value)) for answer in table.board.answers)
    table.emit(PartnershipClosed(holder, answers))
    accepted = {answer.seat for answer in answers if answer.accept}
    acceptors = tuple(seat for seat in rivals(table, holder) if seat in accepted)
    if not acceptors:
        table.next(TankerWithBank(awaits=(holder,)))
    elif len(acceptors) == 1:
        _conclude(table, holder, acceptors[0], half_price(table))
    else:
        table.next(ChooseTankerPartner(acceptors, awaits=(holder,)))


def choose_partner(table: PetroleoTable, step: ChooseTankerPartner, command: ChoosePartner) -> None:
    """PT-125, PT-126: one of those who accepted and are still in the game."""
    table.require(
        command.partner in step.acceptors, "PT-125", "illegal_choice", field="/partner", acceptors=step.acceptors
    )
    _conclude(table, step.awaits[0], command.partner, half_price(table))


def choose_nearest(table: PetroleoTable, step: ChooseTankerPartner, seat: int) -> None:
    """PT-126: at the deadline, the acceptor nearest clockwise from the holder."""
    _conclude(table, seat, step.acceptors[0], half_price(table))


def accept_bank(table: PetroleoTable, step: TankerWithBank, command: AcceptBank) -> None:
    """PT-127, PT-129: the bank takes the other half."""
    _conclude(table, step.awaits[0], "bank", half_price(table))


def abandon(table: PetroleoTable, step: ChooseTankerPartner | TankerWithBank, command: Abandon) -> None:
    """PT-126, PT-127: the holder may give up the purchase; nothing was paid yet."""
    abandon_by_deadline(table, step, step.awaits[0])


def abandon_by_deadline(table: PetroleoTable, step: Waits, seat: int) -> None:
    """PT-127: nothing is bought without the holder's word; the privilege is lost."""
    table.emit(PrivilegeLost(seat))


def _ask_rivals(table: PetroleoTable, holder: int) -> None:
    """PT-123, PT-124: asked are all rivals with the price of a half and a token in stock, a card's seller too."""
    companies, half = table.board.companies, half_price(table)
    asked = tuple(
        seat
        for seat in sorted(rivals(table, holder))
        if companies[seat].cash >= half and table.board.tokens_in_stock(seat) >= 1
    )
    table.emit(PartnershipAsked(holder, asked))
    table.next(ClosePartnership(holder))
    if asked:
        table.next(AnswerTankerPartnership(holder, asked, awaits=asked))


def _conclude(table: PetroleoTable, commander: int, partner: Party | None, price: int) -> None:
    """PT-093, PT-121, PT-128, PT-129, PT-132: owners pay in the same moment; it is the lowest free tanker."""
    taken = {tanker.id for tanker in table.board.tankers}
    tanker = next(tanker for tanker in table.book.edition.tanker_ids if tanker not in taken)
    table.emit(TankerBought(tanker, commander, partner, price))
