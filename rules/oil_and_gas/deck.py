"""Draw deck, discard pile, reshuffle: OG-23 … OG-32."""

from __future__ import annotations

from events.oil_and_gas.facts import CardsDrawn, DeckShuffled, DrawLapsed
from rules.oil_and_gas.book import OilAndGasTable


def shuffle(table: OilAndGasTable, cards: tuple[str, ...]) -> None:
    """OG-05, OG-24, OG-173: these cards, sorted first so that history has no influence, become the deck."""
    index = table.board.shuffles
    order, rng = table.shuffle(f"shuffle/{index}", sorted(cards))
    table.emit(DeckShuffled(index, len(order), order, rng))


def draw(table: OilAndGasTable, seat: int, n: int, reason: str) -> None:
    """OG-23, OG-24, OG-25, OG-26, OG-27, OG-28, OG-29: cards from the top, going on across a reshuffle; what is not
    there lapses.

    The discard pile is shuffled only when a card is due from an empty deck. A card is always in one place (OG-31).
    """
    while n and (table.board.deck or table.board.discard):
        if not table.board.deck:
            shuffle(table, table.board.discard)
        cards = table.board.deck[:n]
        table.emit(CardsDrawn(seat, len(cards), reason, cards))
        n -= len(cards)
    if n:
        table.emit(DrawLapsed(seat, n, reason))
