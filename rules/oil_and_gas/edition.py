"""The cards and numbers of Oil and Gas, checked when an edition file is read."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.oil_and_gas.codes import MOST_CARDS, Phase, TokenKind
from rules.edition import Edition, Rejected

CommodityType = Literal["X", "O", "T", "R", "G", "P"]
Positive = Annotated[int, Meta(ge=1, le=10**6)]
NotNegative = Annotated[int, Meta(ge=0, le=10**6)]
CardId = Annotated[str, Meta(pattern=r"^[XOTRGP][0-9]{2}(?![\s\S])")]
EventId = Annotated[str, Meta(pattern=r"^V[0-9]{2}(?![\s\S])")]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A base card. `weight` is 2 for a double; `roll_bonus` counts in the roll that the card pays for."""

    id: CardId
    name: str
    type: CommodityType
    weight: Annotated[int, Meta(ge=1, le=2)]
    roll_bonus: NotNegative


class Effect(Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """One thing that an event card does."""


class GainToken(Effect, frozen=True, tag="gain_token"):
    """The player gains industry tokens."""

    who: Literal["self"]
    token: TokenKind
    n: Positive


class StealRandom(Effect, frozen=True, tag="steal_random"):
    """The player takes random cards of one other seat."""

    who: Literal["target"]
    n: Positive


class MeldModifier(Effect, frozen=True, tag="meld_modifier"):
    """Every meld of the turn earns more or less."""

    delta: Annotated[int, Meta(ge=-(10**6), le=10**6)]


class DiscardRandom(Effect, frozen=True, tag="discard_random"):
    """The other seats discard random cards."""

    who: Literal["others"]
    n: Positive


class LoseProfit(Effect, frozen=True, tag="lose_profit"):
    """The other seats lose profit tokens, as far as they have them."""

    who: Literal["others"]
    n: Positive


class DrawCards(Effect, frozen=True, tag="draw"):
    """The player, or everybody from the player on clockwise, draws cards."""

    who: Literal["self", "everyone"]
    n: Positive


class DiscardHand(Effect, frozen=True, tag="discard_hand"):
    """The player discards the rest of the hand."""

    who: Literal["self"]


AnyEffect = GainToken | StealRandom | MeldModifier | DiscardRandom | LoseProfit | DrawCards | DiscardHand


class EventCard(Struct, frozen=True, forbid_unknown_fields=True):
    """An event card; at most one Economy card is played a turn."""

    id: EventId
    name: str
    economy: bool
    effects: Annotated[tuple[AnyEffect, ...], Meta(min_length=1)]

    @property
    def targeted(self) -> bool:
        """Whether the player names another seat."""
        return any(isinstance(effect, StealRandom) for effect in self.effects)


class Conversion(Struct, frozen=True, forbid_unknown_fields=True):
    """What a phase turns cards into: `need` is a weight. With `by_total` a die is rolled, and the entry at the total
    (1 first, the last one also for more) is the number of tokens; without it, it is one token.
    """

    phase: Phase
    type: CommodityType
    need: Positive
    token: TokenKind
    by_total: Annotated[tuple[NotNegative, ...], Meta(min_length=6)] | None = None


class CopiesFor(Struct, frozen=True, forbid_unknown_fields=True):
    """How many copies of each base card a game of so many seats uses."""

    seats: Positive
    copies: Positive


class OilAndGasEdition(Edition, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A whole edition."""

    copies: tuple[CopiesFor, ...]
    starting_profit: NotNegative
    cards_dealt: NotNegative
    hand_limit: Positive
    extra_cards: NotNegative
    extra_card_price: Positive
    cards_per_meld: NotNegative
    victory_profit: Positive
    turn_limit: Positive
    absence_turns: NotNegative
    max_open_offers: Positive
    max_proposals: Positive
    conversions: tuple[Conversion, ...]
    cards: tuple[Card, ...]
    events: tuple[EventCard, ...]

    @cached_property
    def card(self) -> dict[str, Card]:
        """Commodity cards by base id."""
        return {card.id: card for card in self.cards}

    @cached_property
    def event(self) -> dict[str, EventCard]:
        """Event cards by base id."""
        return {card.id: card for card in self.events}

    @cached_property
    def conversion(self) -> dict[str, Conversion]:
        """Conversions by phase."""
        return {conversion.phase: conversion for conversion in self.conversions}

    def card_of(self, card: str) -> Card:
        """The commodity card of an instance."""
        return self.card[base_of(card)]

    def copies_for(self, seats: int) -> int:
        """How many copies of each base card a game of so many seats uses (OG-03)."""
        return next(row.copies for row in self.copies if row.seats == seats)

    def instances(self, copies: int) -> tuple[str, ...]:
        """Every card of the game by instance id, ascending (OG-03, OG-04)."""
        bases = [*self.card, *self.event]
        return tuple(sorted(f"{base}.{copy}" for base in bases for copy in range(1, copies + 1)))


def base_of(card: str) -> str:
    """The base id of a card instance: `X01` of `X01.2`."""
    return card.partition(".")[0]


def type_of(card: str) -> str:
    """The type of a card, by its id: `X` of `X01.2`."""
    return card[0]


CONVERSION_PHASES: tuple[Phase, ...] = ("explore", "drill", "transport", "refining", "gasoline", "production")


def check_edition(edition: OilAndGasEdition) -> None:
    """What the shape of the file cannot say. Raises `Rejected` with the path of the value at fault."""
    _require_distinct([card.id for card in edition.cards], "$.cards", ".id")
    _require_distinct([card.id for card in edition.events], "$.events", ".id")
    for index, card in enumerate(edition.cards):
        if card.id[0] != card.type:
            raise Rejected(f"$.cards[{index}].type", f"the id {card.id} says another type")
    phases = [conversion.phase for conversion in edition.conversions]
    if sorted(phases) != sorted(CONVERSION_PHASES):
        raise Rejected("$.conversions", f"one conversion for each of {', '.join(CONVERSION_PHASES)}")
    if edition.starting_profit >= edition.victory_profit:
        raise Rejected("$.victory_profit", "more than each seat begins with")
    if [row.seats for row in edition.copies] != [2, 3, 4, 5, 6]:
        raise Rejected("$.copies", "one row for each of 2, 3, 4, 5 and 6 seats, in this order")
    for index, row in enumerate(edition.copies):
        if row.copies * len((*edition.cards, *edition.events)) > MOST_CARDS:
            raise Rejected(f"$.copies[{index}].copies", f"at most {MOST_CARDS} cards in a game")


def _require_distinct(values: list[str], path: str, field: str) -> None:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise Rejected(f"{path}[{index}]{field}", "used before")
