"""The words that commands, steps and events of Oil and Gas are made of."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from events.audience import seen_by
from events.words import Count, Word

T = TypeVar("T")

Phase = Literal[
    "company", "market", "event", "explore", "drill", "transport", "refining", "gasoline", "production", "profit"
]
TokenKind = Literal["explore", "oil", "transport", "refinery", "gasoline", "product"]
CardType = Literal["X", "O", "T", "R", "G", "P", "V"]
MOST_CARDS = 200
"""The longest list of cards that a command or an event can hold: a whole deck."""

Cards = Annotated[tuple[Word, ...], Meta(max_length=MOST_CARDS)]
Positive = Annotated[int, Meta(ge=1, le=2**31)]

Dealt = Annotated[T, seen_by("actor", "to_seat")]
"""In a proposal: sealed to the seat that sent it and to the seat it is made to."""

Parties = Annotated[T, seen_by("from_", "to")]
"""In an event: sealed to the two seats concerned."""


class Tokens(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Numbers of industry tokens by kind; kinds of which there are none are left out."""

    explore: Positive | UnsetType = UNSET
    oil: Positive | UnsetType = UNSET
    transport: Positive | UnsetType = UNSET
    refinery: Positive | UnsetType = UNSET
    gasoline: Positive | UnsetType = UNSET
    product: Positive | UnsetType = UNSET


class Purse(Tokens, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Tokens as they change hands in a trade, where profit tokens (PT) are a kind too."""

    profit: Positive | UnsetType = UNSET


class AnyCard(Struct, frozen=True, tag_field="kind", tag="any", forbid_unknown_fields=True):
    """A request that any card meets."""


class CardOfType(Struct, frozen=True, tag_field="kind", tag="type", forbid_unknown_fields=True):
    """A request that a card of one type meets."""

    type: CardType


class CardNamed(Struct, frozen=True, tag_field="kind", tag="card", forbid_unknown_fields=True):
    """A request that one copy of a base card meets."""

    base_id: Word


Request = AnyCard | CardOfType | CardNamed


class Goods(Struct, frozen=True, forbid_unknown_fields=True):
    """What a proposer hands over: card instances and tokens."""

    cards: Cards
    tokens: Purse


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """What a proposer asks for: one request per card, and tokens."""

    cards: Annotated[tuple[Request, ...], Meta(max_length=200)]
    tokens: Purse


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """What everybody learns of one side of a trade: how many cards, which tokens."""

    cards: Count
    tokens: Purse
