"""What has happened at a table of Oil and Gas (register section 3.4)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from events import table
from events.audience import Hidden, OwnSeat, Public
from events.oil_and_gas.codes import Cards, Goods, Moved, Parties, Phase, TokenKind, Tokens, Wanted
from events.oil_and_gas.steps import StepWord
from events.table import TableEvent
from events.words import Amount, Count, Event, Rng, Seat, Word


class GameStarted(table.GameStarted, frozen=True):
    """Play has begun with this many copies of each base card, and this many profit tokens for each seat."""

    copies: Public[Count]
    profit: Public[Count]


class DeckShuffled(Event, frozen=True):
    """The draw deck was made anew: `order` lists the top card first. `index` counts the shuffles of the game from 0."""

    index: Public[Count]
    size: Public[Count]
    order: Hidden[Cards]
    rng: Public[Rng | UnsetType] = UNSET


class TurnOpened(Event, frozen=True):
    """A turn, common to all, has begun; the deal starts at this seat."""

    turn: Public[Count]
    deal_start_seat: Public[Seat]


class PhaseOpened(Event, frozen=True):
    """A phase of the turn has opened."""

    phase: Public[Phase]


class PhaseClosed(Event, frozen=True):
    """A phase of the turn has closed."""

    phase: Public[Phase]


class CardsDrawn(Event, frozen=True):
    """Cards went from the top of the deck to a hand. Reasons: base, extra, V11, V18, V20, meld."""

    seat: Public[Seat]
    n: Public[Count]
    reason: Public[Word]
    cards: OwnSeat[Cards]


class DrawLapsed(Event, frozen=True):
    """Cards were due, and neither deck nor discard pile had any."""

    seat: Public[Seat]
    n: Public[Count]
    reason: Public[Word]


class ProfitChanged(Event, frozen=True):
    """A seat gained or lost profit tokens (PT). Reasons: extra, V15, V16, meld, resign."""

    seat: Public[Seat]
    delta: Public[Amount]
    reason: Public[Word]


class TokensChanged(Event, frozen=True):
    """A seat gained or lost industry tokens. Reasons: an event's base id, conversion, meld, resign."""

    seat: Public[Seat]
    kind: Public[TokenKind]
    delta: Public[Amount]
    reason: Public[Word]


class CardsDiscarded(Event, frozen=True):
    """Cards went from a hand to the discard pile. Reasons: excess, auto_discard, conversion, meld, V10, V20, resign."""

    seat: Public[Seat]
    cards: Public[Cards]
    reason: Public[Word]
    rng: Public[Rng | UnsetType] = UNSET


class SeatFinished(Event, frozen=True):
    """A seat is done with the phase, or with all `through_phase`. Causes: command, standing, deadline."""

    seat: Public[Seat]
    phase: Public[Phase]
    cause: Public[Word]
    through_phase: OwnSeat[Phase | None]


class TradeProposed(Event, frozen=True):
    """An offer stands open."""

    offer: Public[Count]
    from_: Public[Seat]
    to: Public[Seat]
    give: Parties[Goods]
    want: Parties[Wanted]


class TradeClosed(Event, frozen=True):
    """An offer ended without a trade: declined, withdrawn or voided."""

    offer: Public[Count]
    how: Public[Word]


class TradeCompleted(Event, frozen=True):
    """An offer was accepted: `from` gave `given` and received `received`, all at once."""

    offer: Public[Count]
    from_: Public[Seat]
    to: Public[Seat]
    given: Public[Moved]
    received: Public[Moved]
    given_cards: Parties[Cards]
    received_cards: Parties[Cards]


class RollOff(Event, frozen=True):
    """One die of the roll for the lead. Round 0 is everybody's, later ones are re-rolls of those tied."""

    round: Public[Count]
    seat: Public[Seat]
    roll: Public[Count]
    rng: Public[Rng | UnsetType] = UNSET


class TurnLeaderSet(Event, frozen=True):
    """The highest roll leads the Event and the Profit Phase; the others follow clockwise."""

    seat: Public[Seat]


class EventPlayed(Event, frozen=True):
    """An event card lies in the event row; `economy` says whether it is the turn's one Economy card."""

    seat: Public[Seat]
    card: Public[Word]
    target: Public[Seat | None]
    economy: Public[bool]


class CardsStolen(Event, frozen=True):
    """Random cards went from one hand to another."""

    from_: Public[Seat]
    to: Public[Seat]
    n: Public[Count]
    cards: Parties[Cards]
    rng: Public[Rng | UnsetType] = UNSET


class ModifierChanged(Event, frozen=True):
    """The meld modifier of the turn changed by `delta` to `total`."""

    delta: Public[Amount]
    total: Public[Amount]


class EventRowCleared(Event, frozen=True):
    """The events played this turn went to the discard pile."""

    cards: Public[Cards]


class ConversionMade(Event, frozen=True):
    """A payment became tokens; roll, bonus and total are null where nothing is rolled."""

    seat: Public[Seat]
    phase: Public[Phase]
    cards: Public[Cards]
    roll: Public[Count | None]
    bonus: Public[Count | None]
    total: Public[Count | None]
    tokens: Public[Count]
    rng: Public[Rng | UnsetType] = UNSET


class MeldMade(Event, frozen=True):
    """A meld earned its base plus the modifier, never below 0."""

    seat: Public[Seat]
    cards: Public[Cards]
    tokens: Public[Tokens]
    base: Public[Count]
    modifier: Public[Amount]
    profit: Public[Count]


Awaiting = table.Awaiting[StepWord]

EventWord = (
    TableEvent
    | Awaiting
    | GameStarted
    | DeckShuffled
    | TurnOpened
    | PhaseOpened
    | PhaseClosed
    | CardsDrawn
    | DrawLapsed
    | ProfitChanged
    | TokensChanged
    | CardsDiscarded
    | SeatFinished
    | TradeProposed
    | TradeClosed
    | TradeCompleted
    | RollOff
    | TurnLeaderSet
    | EventPlayed
    | CardsStolen
    | ModifierChanged
    | EventRowCleared
    | ConversionMade
    | MeldMade
)
"""Every event of the game."""
