"""Who leaves a running game: OG-22, OG-165, OG-181, OG-182, OG-186."""

from __future__ import annotations

from events.oil_and_gas.facts import CardsDiscarded, ProfitChanged, TokensChanged
from events.table import SeatResigned
from projections.oil_and_gas.state import TOKEN_KINDS
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.ending import last_active_wins
from rules.oil_and_gas.market import void_offers_of
from rules.oil_and_gas.order import leave_question


def resign(table: OilAndGasTable, seat: int, cause: str) -> None:
    """OG-165, OG-181: a seat leaves, awaited or not; the last one left wins, and no phase closes any more."""
    _leave(table, seat, cause)
    if not last_active_wins(table):
        leave_question(table, seat)


def resign_absent(table: OilAndGasTable) -> bool:
    """OG-182: who sent nothing for three whole turns is resigned; where that is everybody, the game has no winner.

    Whether the game is over.
    """
    limit = table.book.absence_turns
    board = table.board
    absent = [seat for seat in table.active if limit and board.turn - board.companies[seat].acted_turn >= limit]
    if len(absent) == len(table.active):
        table.abort("absence")
        return True
    for seat in absent:
        _leave(table, seat, "absence")
    return last_active_wins(table)


def _leave(table: OilAndGasTable, seat: int, cause: str) -> None:
    """OG-22, OG-181, OG-186: hand to the discard pile, tokens and PT to the supply, offers voided; what the seat did
    before stands.
    """
    company = table.board.companies[seat]
    table.emit(SeatResigned(seat, cause))
    if company.hand:
        table.emit(CardsDiscarded(seat, tuple(sorted(company.hand)), "resign"))
    if company.profit:
        table.emit(ProfitChanged(seat, -company.profit, "resign"))
    for kind in TOKEN_KINDS:
        if company.tokens[kind]:
            table.emit(TokensChanged(seat, kind, -company.tokens[kind], "resign"))
    void_offers_of(table, seat)
