"""The final account: PT-273, PT-286, PT-300 … PT-309."""

from __future__ import annotations

from itertools import groupby

from events.petroleo.facts import CapitalCounted
from rules.petroleo.book import PetroleoTable
from rules.petroleo.plots import tower_price
from rules.petroleo.state_half import share_of_receipt
from rules.petroleo.year_end import income


def finish(table: PetroleoTable, reason: str) -> None:
    """PT-306, PT-307, PT-308: by capital, cash, income, else shared; who left comes last, later ones above."""
    accounts = [account(table, seat) for seat in table.active]
    for counted in accounts:
        table.emit(counted)
    ranked = sorted(accounts, key=_merit, reverse=True)
    groups = [tuple(sorted(one.seat for one in group)) for _, group in groupby(ranked, key=_merit)]
    groups += [(seat,) for seat in reversed(table.board.departed)]
    capital = {counted.seat: counted.capital for counted in accounts}
    scores = [capital.get(seat, 0) for seat in range(len(table.board.companies))]
    table.finish(groups[0], reason, groups, scores)


def account(table: PetroleoTable, seat: int) -> CapitalCounted:
    """PT-144, PT-227, PT-286, PT-302, PT-303, PT-304, PT-305: every piece at its price, licences at nothing, loans as
    cash.
    """
    board, edition = table.board, table.book.edition
    company = board.companies[seat]
    cash, loans = company.cash, board.claims_of(seat)
    towers = sum(tower_price(edition, zone) for zone in company.with_building("tower"))
    built = sum(edition.price[plot.building] for plot in company.plots if plot.building not in (None, "tower"))
    covered = share_of_receipt(company, built + len(company.trucks) * edition.price["truck"])
    tankers = board.tanker_halves(seat) * (edition.price["tanker"] // 2)
    return CapitalCounted(
        seat,
        cash=cash,
        loans=loans,
        towers=towers,
        covered=covered,
        tankers=tankers,
        capital=cash + loans + towers + covered + tankers,
        income=income(board, edition, seat),
    )


def _merit(counted: CapitalCounted) -> tuple[int, int, int]:
    return counted.capital, counted.cash + counted.loans, counted.income
