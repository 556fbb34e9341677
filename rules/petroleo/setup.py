"""Setup: PT-001 … PT-017."""

from __future__ import annotations

from events.petroleo.commands import ChooseCompany
from events.petroleo.facts import CardsDealt, CompanyChosen, DeckShuffled, GameStarted
from events.petroleo.steps import OpenTurn
from rules.petroleo.book import PetroleoTable, clockwise
from rules.refusal import RuleViolation


def choose_company(table: PetroleoTable, command: ChooseCompany) -> None:
    """PT-002: before the start, a seated player takes a company that nobody has."""
    if table.game.status != "lobby":
        raise RuleViolation("GU-04", "already_started")
    seat = table.seat
    table.require(table.game.seats[seat].taken, "PT-002", "seat_free", seat=seat)
    known = [company.id for company in table.book.edition.companies]
    table.require(command.company in known, "PT-002", "illegal_choice", field="/company", known=known)
    taken = [company.company for company in table.board.companies]
    table.require(command.company not in taken, "PT-002", "illegal_choice", field="/company", taken=command.company)
    table.emit(CompanyChosen(seat, command.company))


def start(table: PetroleoTable) -> None:
    """PT-003, PT-005, PT-006, PT-007, PT-008, PT-009, PT-010, PT-011, PT-012, PT-013, PT-015: companies, money, start
    seat, deck and deal; then the first turn opens.
    """
    _name_companies(table)
    edition = table.book.edition
    seats = len(table.board.companies)
    start_seat, rng = table.below("start_seat", seats)
    table.emit(
        GameStarted(
            seats,
            start_seat=start_seat,
            cash=edition.start_cash,
            bank=edition.all_cash - seats * edition.start_cash,
            towers=edition.pieces.tower,
            licences=edition.pieces.licences,
            rng=rng,
        )
    )
    order, rng = table.shuffle("deck", edition.deck_for(seats))
    table.emit(DeckShuffled(len(order), order, rng))
    _deal(table, order)
    table.next(OpenTurn())


def _name_companies(table: PetroleoTable) -> None:
    """PT-002: whoever has not chosen gets the lowest free company, in seat order."""
    for seat, company in enumerate(table.board.companies):
        if company.company is None:
            taken = {other.company for other in table.board.companies}
            free = min(data.id for data in table.book.edition.companies if data.id not in taken)
            table.emit(CompanyChosen(seat, free))


def _deal(table: PetroleoTable, order: tuple[str, ...]) -> None:
    """PT-009: one card at a time, clockwise from the start seat."""
    size = table.book.options_chosen.hand_size
    seats = clockwise(table, table.board.on_turn)
    for place, seat in enumerate(seats):
        cards = order[place : size * len(seats) : len(seats)]
        table.emit(CardsDealt(seat, len(cards), cards))
