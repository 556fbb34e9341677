"""What is asked at a table of Oil and Gas (register section 3.3)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from events.audience import Actor, Public
from events.oil_and_gas.codes import Cards, Dealt, Goods, Phase, Tokens, Wanted
from events.table import TableCommand
from events.words import Answer, Count, Seat, Word


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
