"""Set-up: OG-01 … OG-11."""

from __future__ import annotations

from events.oil_and_gas.facts import GameStarted
from events.oil_and_gas.steps import OpenTurn
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.deck import shuffle


def start(table: OilAndGasTable) -> None:
    """OG-01, OG-02, OG-03, OG-05, OG-07, OG-11: copies by player count, one shuffled deck, 10 PT each; then turn 1
    opens.
    """
    edition = table.book.edition
    seats = table.seats
    copies = edition.copies_for(seats)
    table.emit(GameStarted(seats, copies=copies, profit=edition.starting_profit))
    shuffle(table, edition.instances(copies))
    table.next(OpenTurn())
