"""What a command names as one's own: cards and tokens that the seat holds, however they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from projections.oil_and_gas.state import Company
from rules.oil_and_gas.book import OilAndGasTable


def require_own_cards(table: OilAndGasTable, cards: Sequence[str], rule: str, field: str = "/cards") -> None:
    """OG-18, OG-49, OG-73, OG-111, OG-138: each card once, from one's own hand; where else it may be, nobody learns."""
    hand = table.board.companies[table.seat].hand
    table.require(len(set(cards)) == len(cards), rule, "duplicate_card", field=field)
    table.require(all(card in hand for card in cards), rule, "card_not_in_hand", field=field)


def require_own_tokens(table: OilAndGasTable, tokens: Mapping[str, int], rule: str, field: str = "/tokens") -> None:
    """OG-52, OG-55, OG-138: nobody names more tokens than the seat holds."""
    company = table.board.companies[table.seat]
    table.require(holds_tokens(company, tokens), rule, "insufficient_tokens", field=field)


def holds_tokens(company: Company, tokens: Mapping[str, int]) -> bool:
    """Whether a seat has these industry tokens, and profit tokens where they are named."""
    return all(n <= (company.profit if kind == "profit" else company.tokens[kind]) for kind, n in tokens.items())
