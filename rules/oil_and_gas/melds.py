"""Profit Phase: OG-133 … OG-153."""

from __future__ import annotations

from collections import Counter

from events.oil_and_gas.commands import MakeMeld
from events.oil_and_gas.facts import CardsDiscarded, MeldMade, ProfitChanged, TokensChanged
from events.oil_and_gas.steps import ProfitTurn
from projections.oil_and_gas.state import TOKEN_KINDS, counts_of
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.deck import draw
from rules.oil_and_gas.edition import type_of
from rules.oil_and_gas.ending import claim_victory
from rules.oil_and_gas.hands import require_own_cards, require_own_tokens

TYPES = ("X", "O", "T", "R", "G", "P")
"""The card types that fill the slots of a meld; a token of `TOKEN_KINDS` at the same place fills the same slot."""

SINGLE = 4
"""OG-135: the first four slots take exactly one piece each."""


def make_meld(table: OilAndGasTable, step: ProfitTurn, command: MakeMeld) -> None:
    """OG-134, OG-146, OG-147, OG-148, OG-149, OG-150, OG-151, OG-188: pieces leave, PT come, cards are drawn; then the
    seat has its go again, with whatever it drew, unless it has won. A meld takes five pieces at least and brings two,
    so a go ends (OG-153).
    """
    tokens = counts_of(command.tokens)
    require_own_cards(table, command.cards, "OG-138")
    require_own_tokens(table, tokens, "OG-138")
    _require_slots(table, command.cards, tokens)
    _spend(table, command.cards, tokens)
    _earn(table, command, tokens)
    draw(table, table.seat, table.book.edition.cards_per_meld, "meld")
    if not claim_victory(table):
        table.next(ProfitTurn(awaits=(table.seat,)))


def _require_slots(table: OilAndGasTable, cards: tuple[str, ...], tokens: dict[str, int]) -> None:
    """OG-135, OG-136, OG-137, OG-138, OG-139, OG-140, OG-141: one piece each of explore, oil, transport and refinery,
    one or more of gasoline, any of product, and nothing else. A double is one piece.
    """
    held = Counter(type_of(card) for card in cards)
    pieces = [held[type_] + tokens.get(kind, 0) for type_, kind in zip(TYPES, TOKEN_KINDS, strict=True)]
    events = sum(pieces) < len(cards) + sum(tokens.values())
    table.require(not events, "OG-140", "meld_composition", field="/cards")
    too_many = any(tokens.get(kind, 0) > 1 for kind in TOKEN_KINDS[:SINGLE])
    field = "/tokens" if too_many else "/cards"
    table.require(pieces[:SINGLE] == [1] * SINGLE, "OG-135", "meld_composition", field=field)
    table.require(pieces[SINGLE] >= 1, "OG-136", "meld_composition", field="/cards")


def _spend(table: OilAndGasTable, cards: tuple[str, ...], tokens: dict[str, int]) -> None:
    """OG-146: cards go to the discard pile, tokens to the supply."""
    if cards:
        table.emit(CardsDiscarded(table.seat, cards, "meld"))
    for kind in TOKEN_KINDS:
        if kind in tokens:
            table.emit(TokensChanged(table.seat, kind, -tokens[kind], "meld"))


def _earn(table: OilAndGasTable, command: MakeMeld, tokens: dict[str, int]) -> None:
    """OG-20, OG-142, OG-143, OG-144, OG-145: 1 PT a token, each card's weight, the turn's modifier; never below 0."""
    base = sum(tokens.values()) + sum(table.book.edition.card_of(card).weight for card in command.cards)
    modifier = table.board.modifier
    profit = max(0, base + modifier)
    table.emit(MeldMade(table.seat, command.cards, command.tokens, base, modifier, profit))
    if profit:
        table.emit(ProfitChanged(table.seat, profit, "meld"))
