"""The words that Petróleo's commands, steps and events are made of. Amounts are whole M."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.words import Count, Seat, Word

Kind = Literal["tower_or_licence", "gas", "oil6", "oil4", "oil2", "tanker", "truck"]
Reservoir = Literal["gas", "oil6", "oil4", "oil2"]
Terrain = Literal["land", "sea"]
Item = Literal["tower", "licence_land", "licence_sea"]
Mode = Literal["sole", "partnership"]
Party = Seat | Literal["bank"]
Square = Annotated[int, Meta(ge=1, le=20)]
Zones = Annotated[tuple[Word, ...], Meta(max_length=100)]
Ids = Annotated[tuple[Word, ...], Meta(max_length=100)]
Seats = tuple[Seat, ...]


class Payment(Struct, frozen=True, forbid_unknown_fields=True):
    """What the bank pays, or owes, to one company."""

    seat: Seat
    amount: Count


class ShownBid(Struct, frozen=True, forbid_unknown_fields=True):
    """A bid once the auction has closed; null is a pass."""

    seat: Seat
    amount: Count | None


class ShownAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a partnership question once it has closed."""

    seat: Seat
    accept: bool
