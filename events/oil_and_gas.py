"""Oil and Gas: commands, steps and events, in that order (register section 3.3, 3.2, 3.4)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from events import table
from events.audience import Actor, Hidden, OwnSeat, Public, seen_by
from events.table import TableCommand, TableEvent
from events.words import Amount, Answer, Count, Event, Rng, Runs, Seat, Waits, Word

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


# ---- commands


class BuyExtraCard(Answer, frozen=True):
    """Pay 1 PT and draw a card."""


class FinishPhase(Answer, frozen=True, kw_only=True):
    """Be done with the open phase (pass, in the Event Phase).

    `discard` names the cards above the hand limit, in the Company Phase only. `through_phase` finishes every phase up
    to and including that one; it is always in the log, null where none was given, sealed to the seat.
    """

    discard: Public[Cards | UnsetType] = UNSET
    through_phase: Actor[Phase | None] = None


class ProposeTrade(Answer, frozen=True):
    """Offer goods to one seat for other goods."""

    to_seat: Public[Seat]
    give: Dealt[Goods]
    want: Dealt[Wanted]


class AcceptTrade(Answer, frozen=True):
    """Accept an offer, naming one own card per request, in the same order."""

    offer: Public[Count]
    cards: Actor[Cards]


class DeclineTrade(Answer, frozen=True):
    """End an offer made to the acting seat."""

    offer: Public[Count]


class WithdrawTrade(Answer, frozen=True):
    """End an offer that the acting seat made."""

    offer: Public[Count]


class PlayEvent(Answer, frozen=True):
    """Play one event card; `target_seat` with Major Oil Spill only."""

    card: Public[Word]
    target_seat: Public[Seat | None] = None


class ConvertCards(Answer, frozen=True):
    """Pay cards of the phase's type for tokens, or for a roll for tokens."""

    cards: Public[Cards]


class MakeMeld(Answer, frozen=True):
    """Turn cards and tokens into profit."""

    cards: Public[Cards]
    tokens: Public[Tokens] = Tokens()


Command = (
    TableCommand
    | BuyExtraCard
    | FinishPhase
    | ProposeTrade
    | AcceptTrade
    | DeclineTrade
    | WithdrawTrade
    | PlayEvent
    | ConvertCards
    | MakeMeld
)

# ---- steps


class OpenTurn(Runs, frozen=True):
    """A new turn begins."""


class OpenPhase(Runs, frozen=True):
    """A phase opens: what is automatic happens, then it waits."""

    phase: Phase


class ClosePhase(Runs, frozen=True):
    """Nobody is awaited in the phase any more."""

    phase: Phase


class CompanyActions(Waits, frozen=True):
    """Buy extra cards, or finish with at most ten in hand."""


class MarketActions(Waits, frozen=True):
    """Trade, or finish."""


class EventTurn(Waits, frozen=True):
    """One seat's go: play one event card, or pass. `order` is the turn's order of play."""


class ConversionActions(Waits, frozen=True):
    """Convert cards of the phase's type, or finish: one question for each of six phases."""


class ExploreActions(ConversionActions, frozen=True):
    """Pay explore cards for an exploration roll, or finish."""


class DrillActions(ConversionActions, frozen=True):
    """Pay oil cards for a drill roll, or finish."""


class TransportActions(ConversionActions, frozen=True):
    """Pay transport cards for a token, or finish."""


class RefiningActions(ConversionActions, frozen=True):
    """Pay refinery cards for a token, or finish."""


class GasolineActions(ConversionActions, frozen=True):
    """Pay gasoline cards for a token, or finish."""


class ProductionActions(ConversionActions, frozen=True):
    """Pay product cards for a token, or finish."""


class ProfitTurn(Waits, frozen=True):
    """One seat's go: make a meld, or finish."""


StepWord = (
    OpenTurn
    | OpenPhase
    | ClosePhase
    | CompanyActions
    | MarketActions
    | EventTurn
    | ExploreActions
    | DrillActions
    | TransportActions
    | RefiningActions
    | GasolineActions
    | ProductionActions
    | ProfitTurn
)

# ---- events


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
