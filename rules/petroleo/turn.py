"""The order of a turn: PT-020 … PT-037."""

from __future__ import annotations

from events.petroleo.commands import PlayCard
from events.petroleo.facts import CardDrawn, CardLaid, TurnEnded, TurnStarted
from events.petroleo.steps import AdvanceMarker, ChooseCard, DrawCard, EndTurn, OpenTurn, ResolveSquare, UseCard
from events.words import Step
from rules.petroleo import bank, ending
from rules.petroleo.book import PetroleoTable, rivals


def turn(seat: int, square: int) -> tuple[Step, ...]:
    """PT-020: the order of a turn."""
    return (
        ResolveSquare(square),
        DrawCard(),
        ChooseCard(awaits=(seat,)),
        UseCard(awaits=(seat,)),
        AdvanceMarker(),
        EndTurn(),
    )


def open_turn(table: PetroleoTable, step: OpenTurn) -> None:
    """PT-014, PT-021, PT-022, PT-023, PT-024, PT-049: the next company clockwise; it meets the square that the marker
    stands on, the opposite cell's own one too. The game's very first turn begins with the draw.
    """
    board = table.board
    first = board.turn == 0
    seat = board.on_turn if first else rivals(table, board.on_turn)[0]
    steps = turn(seat, table.book.edition.track[board.marker])
    table.emit(TurnStarted(board.turn + 1, seat))
    table.next(*steps[1:] if first else steps)


def draw_card(table: PetroleoTable, step: DrawCard) -> None:
    """PT-025, PT-026, PT-027: the top card, unless the deck is empty or the company has drawn its share."""
    board = table.board
    book = table.book
    company = board.companies[board.on_turn]
    if board.deck and company.drawn < book.edition.plays - book.options_chosen.hand_size:
        table.emit(CardDrawn(board.on_turn, board.deck[0]))


def play_card(table: PetroleoTable, step: ChooseCard, command: PlayCard) -> None:
    """PT-028, PT-029, PT-030: one card of one's own hand, face down; wherever else it is, the answer is the same."""
    seat = step.awaits[0]
    table.require(command.card_id in table.board.companies[seat].hand, "PT-028", "illegal_choice", field="/card_id")
    table.emit(CardLaid(seat, command.card_id))


def end_turn(table: PetroleoTable, step: EndTurn) -> None:
    """PT-034, PT-037, PT-285, PT-300, PT-301: loans are repaid; the game ends once everybody has laid ten cards."""
    table.emit(TurnEnded(table.board.on_turn))
    bank.repay_loans(table)
    companies = table.board.companies
    if all(companies[seat].laid == table.book.edition.plays for seat in table.active):
        ending.finish(table, "all_cards_laid")
    else:
        table.next(OpenTurn())
