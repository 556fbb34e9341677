"""Victory, standings and the end: OG-154 … OG-166, OG-185, OG-188."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from rules.oil_and_gas.book import OilAndGasTable


def claim_victory(table: OilAndGasTable) -> bool:
    """OG-154, OG-188: with `first_to_25`, 25 PT win as soon as a move is done. Whether the game is over."""
    if table.book.chosen.victory != "first_to_25" or not _somebody_qualifies(table):
        return False
    _finish(table, "first_to_25")
    return True


def end_of_turn(table: OilAndGasTable) -> bool:
    """OG-154, OG-155, OG-156, OG-160, OG-161, OG-164: with `phase_end`, 25 PT win when the Profit Phase closes; after
    the last turn the best of all wins, without a threshold. Whether the game is over.
    """
    if _somebody_qualifies(table):
        _finish(table, "victory")
        return True
    if table.board.turn >= table.book.edition.turn_limit:
        _finish(table, "turn_limit")
        return True
    return False


def last_active_wins(table: OilAndGasTable) -> bool:
    """OG-165: the only seat left wins at once. Whether the game is over."""
    if len(table.active) > 1:
        return False
    _finish(table, "last_active")
    return True


def _somebody_qualifies(table: OilAndGasTable) -> bool:
    """OG-155, OG-162, OG-163: what counts is the PT held now; who has none still plays."""
    threshold = table.book.edition.victory_profit
    return any(table.board.companies[seat].profit >= threshold for seat in table.active)


def _finish(table: OilAndGasTable, reason: str) -> None:
    """OG-156, OG-159, OG-166: the first place wins, shared by those equal in everything."""
    standings = _standings(table)
    scores = [company.profit for company in table.board.companies]
    table.finish(standings[0], reason, standings, scores)


def _standings(table: OilAndGasTable) -> list[list[int]]:
    """OG-156, OG-157, OG-158, OG-159, OG-185: active seats by PT, then industry tokens, then cards; behind them the
    resigned ones, the later resigned the higher.
    """
    companies = table.board.companies

    def strength(seat: int) -> tuple[int, int, int]:
        company = companies[seat]
        return company.profit, sum(company.tokens.values()), len(company.hand)

    gone = (seat for seat in range(table.seats) if seat not in table.active)
    return _ranked(table.active, strength) + _ranked(gone, table.left_at)


def _ranked(seats: Iterable[int], key: Callable[[int], int | tuple[int, ...]]) -> list[list[int]]:
    """Seats in groups of equal standing, the best first."""
    best_first = sorted(seats, key=key, reverse=True)
    return [list(group) for _, group in groupby(best_first, key)]
