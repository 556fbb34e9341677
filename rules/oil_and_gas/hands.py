"""Cards named by a command: they are different ones, and the seat's own."""

from __future__ import annotations

from collections.abc import Sequence

from rules.oil_and_gas.book import OilAndGasTable


def require_own_cards(table: OilAndGasTable, cards: Sequence[str]) -> None:
    """OG-49, OG-73, OG-111, OG-138: each card once, from one's own hand; wherever else it is, the answer is the same."""
    hand = table.board.companies[table.seat].hand
    table.require(len(set(cards)) == len(cards), "OG-31", "duplicate_card")
    table.require(all(card in hand for card in cards), "OG-111", "card_not_in_hand")
