"""Movement and annual profits: PT-040 … PT-056."""

from __future__ import annotations

from events.petroleo.codes import Payment
from events.petroleo.facts import MarkerAdvanced, YearEndPassed
from events.petroleo.steps import AdvanceMarker, PayOut, PayYearEnd
from events.words import Step
from projections.petroleo.state import Board
from rules.petroleo.book import PetroleoTable
from rules.petroleo.edition import PetroleoEdition
from rules.petroleo.state_half import share_of_receipt


def advance_marker(table: PetroleoTable, step: AdvanceMarker) -> None:
    """PT-033, PT-040, PT-041, PT-042, PT-043, PT-048, PT-050, PT-051, PT-052, PT-053, PT-054, PT-114: forward by the
    laid card; a year-end met pays at once.

    PT-055, PT-056: so every game of one track and player count in which nobody leaves sees the same number of them.
    """
    board, edition = table.board, table.book.edition
    assert board.laid is not None, "a card was laid this turn"
    advance = edition.card[board.laid.card].advance
    cells = [(board.marker + n) % len(edition.track) for n in range(1, advance + 1)]
    table.emit(MarkerAdvanced(board.on_turn, advance, cells[-1]))
    payouts: list[Step] = []
    for cell in cells:
        if cell == 0 or (cell == edition.opposite_cell and table.book.options_chosen.second_year_end):
            table.emit(YearEndPassed(cell, table.board.year_ends + 1))
            payouts.append(PayYearEnd())
    table.next(*payouts)


def pay_year_end(table: PetroleoTable, step: PayYearEnd) -> None:
    """PT-043, PT-053, PT-183: what everybody has earned is due in one batch."""
    board, edition = table.board, table.book.edition
    due = ((seat, income(board, edition, seat)) for seat in table.active)
    table.next(PayOut("year_end", tuple(Payment(seat, amount) for seat, amount in due if amount)))


def income(board: Board, edition: PetroleoEdition, seat: int) -> int:
    """PT-044, PT-045, PT-046, PT-047, PT-070, PT-144: reservoirs and trucks, halved together for the State; tankers in
    full.
    """
    company = board.companies[seat]
    profit = edition.profit
    covered = len(company.trucks) * profit["truck"]
    for plot in company.plots:
        covered += profit.get(plot.building, 0) if plot.building else 0
    return share_of_receipt(company, covered) + board.tanker_halves(seat) * profit["tanker"] // 2
