"""Event Phase, what the cards do: OG-82, OG-84 … OG-86, OG-90 … OG-109. The edition says which card does what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType

from events.oil_and_gas.facts import CardsDiscarded, CardsStolen, ModifierChanged, ProfitChanged, TokensChanged
from events.words import Rng
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.deck import draw
from rules.oil_and_gas.edition import (
    AnyEffect,
    DiscardHand,
    DiscardRandom,
    DrawCards,
    GainToken,
    LoseProfit,
    MeldModifier,
    StealRandom,
)
from rules.oil_and_gas.order import clockwise_from


def take_effect(table: OilAndGasTable, effect: AnyEffect, card: str, target: int | None) -> None:
    """OG-77, OG-87, OG-88: one effect of an event card, resolved completely. `card` is its base id."""
    _EFFECTS[type(effect)](table, effect, card, target)


def gain_token(table: OilAndGasTable, effect: GainToken, card: str, target: int | None) -> None:
    """OG-90, OG-92, OG-101, OG-102, OG-103: the player gains industry tokens."""
    table.emit(TokensChanged(table.seat, effect.token, effect.n, card))


def steal_random(table: OilAndGasTable, effect: StealRandom, card: str, target: int | None) -> None:
    """OG-83, OG-84, OG-85, OG-91: the player takes random cards out of the target's hand; both know which."""
    assert target is not None, "a card that steals has a target"
    cards, rng = _random_cards(table, "steal", target, effect.n)
    if cards:
        table.emit(CardsStolen(target, table.seat, len(cards), cards, rng))


def change_modifier(table: OilAndGasTable, effect: MeldModifier, card: str, target: int | None) -> None:
    """OG-81, OG-93, OG-94, OG-95, OG-96, OG-97, OG-98, OG-106, OG-108: melds of the turn, everybody's, earn more or
    less; all changes add up.
    """
    table.emit(ModifierChanged(effect.delta, table.board.modifier + effect.delta))


def discard_random(table: OilAndGasTable, effect: DiscardRandom, card: str, target: int | None) -> None:
    """OG-82, OG-84, OG-85, OG-99: each other seat, clockwise, discards random cards."""
    for victim in _others(table):
        cards, rng = _random_cards(table, "wars", victim, effect.n)
        if cards:
            table.emit(CardsDiscarded(victim, cards, card, rng))


def lose_profit(table: OilAndGasTable, effect: LoseProfit, card: str, target: int | None) -> None:
    """OG-82, OG-86, OG-104, OG-105: each other seat, clockwise, loses PT to the supply, as far as it has them."""
    for victim in _others(table):
        lost = min(effect.n, table.board.companies[victim].profit)
        if lost:
            table.emit(ProfitChanged(victim, -lost, card))


def draw_cards(table: OilAndGasTable, effect: DrawCards, card: str, target: int | None) -> None:
    """OG-100, OG-107, OG-109: the player draws, or everybody does, the player first and then clockwise."""
    for seat in clockwise_from(table, table.seat) if effect.who == "everyone" else [table.seat]:
        draw(table, seat, effect.n, card)


def discard_hand(table: OilAndGasTable, effect: DiscardHand, card: str, target: int | None) -> None:
    """OG-109: the player discards what is left of the own hand, perhaps nothing; tokens stay."""
    hand = table.board.companies[table.seat].hand
    if hand:
        table.emit(CardsDiscarded(table.seat, tuple(sorted(hand)), card))


_EFFECTS: dict[type[Any], Callable[[OilAndGasTable, Any, str, int | None], None]] = {
    GainToken: gain_token,
    StealRandom: steal_random,
    MeldModifier: change_modifier,
    DiscardRandom: discard_random,
    LoseProfit: lose_profit,
    DrawCards: draw_cards,
    DiscardHand: discard_hand,
}


def _others(table: OilAndGasTable) -> list[int]:
    """OG-82: every other active seat, clockwise from the player, whether it has passed or not."""
    return clockwise_from(table, table.seat)[1:]


def _random_cards(
    table: OilAndGasTable, draw_name: str, victim: int, n: int
) -> tuple[tuple[str, ...], Rng | UnsetType]:
    """OG-84, OG-85, OG-173: n random cards of a hand sorted first; a hand of no more goes whole, without chance."""
    hand = sorted(table.board.companies[victim].hand)
    if len(hand) <= n:
        return tuple(hand), UNSET
    play = table.board.events_played - 1
    return table.choose(f"{draw_name}/{table.board.turn}/{play}/{victim}", n, hand)
