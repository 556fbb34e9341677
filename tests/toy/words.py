"""Wildcat, a game for tests: sealed bids with cards, then dice for oil. Commands, steps, events."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from events import table
from events.audience import Actor, Hidden, OwnSeat, Public, seen_by
from events.table import TableCommand, TableEvent
from events.words import Answer, Count, Event, Rng, Runs, Seat, Waits, Word

Cards = Annotated[tuple[Word, ...], Meta(max_length=60)]


class BidCard(Answer, frozen=True):
    """Bid one card of the hand, sealed until all have bid."""

    card: Actor[Word]


class DrillWell(Answer, frozen=True):
    """Roll that many dice."""

    dice: Public[Count]


class DrillLoudly(Answer, frozen=True):
    """Roll that many dice with a remark, which stays private, may be erased, and influences nothing."""

    dice: Public[Count]
    remark: Annotated[Word | None, seen_by("actor", personal=True)] = None


Command = TableCommand | BidCard | DrillWell | DrillLoudly


class OpenRound(Runs, frozen=True):
    """A round begins."""


class RevealBids(Runs, frozen=True):
    """All have bid."""


class Bids(Waits, frozen=True):
    """Everybody bids one card."""


class Drilling(Waits, frozen=True):
    """The highest bidder drills."""


Step = OpenRound | RevealBids | Bids | Drilling


class DeckShuffled(Event, frozen=True):
    """The deck, top card first."""

    order: Hidden[Cards]
    rng: Public[Rng | UnsetType] = UNSET


class CardsDealt(Event, frozen=True):
    """Cards from the top of the deck to a hand."""

    seat: Public[Seat]
    n: Public[Count]
    cards: OwnSeat[Cards]


class BidSealed(Event, frozen=True):
    """A seat has bid."""

    seat: Public[Seat]
    card: OwnSeat[Word]


class BidsRevealed(Event, frozen=True):
    """The bids by active seat, ascending, and who bid highest."""

    cards: Public[Cards]
    winner: Public[Seat]


class WellDrilled(Event, frozen=True):
    """Dice and the oil they found."""

    seat: Public[Seat]
    rolls: Public[tuple[Count, ...]]
    oil: Public[Count]
    rng: Public[Rng | UnsetType] = UNSET


Awaiting = table.Awaiting[Step]
EventWord = (
    TableEvent | Awaiting | table.GameStarted | DeckShuffled | CardsDealt | BidSealed | BidsRevealed | WellDrilled
)
