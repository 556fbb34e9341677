"""What has happened at a table of Peak Oil (register section 3.8)."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from events import table
from events.audience import Hidden, OwnSeat, Public
from events.peak_oil.codes import (
    Barrels,
    Cards,
    ChipKind,
    Colour,
    Display,
    Face,
    InHand,
    Level,
    Phase,
    Place,
    PlacedChip,
    Reason,
    Refinery,
    Region,
    RegionBarrels,
    SeatScore,
    SecurityKind,
    Source,
    Spot,
    Standing,
    Technology,
    TechnologyBarrels,
)
from events.peak_oil.steps import StepWord
from events.table import TableEvent
from events.words import Count, Event, Rng, Seat, Word

# ---- events: set-up


class GameStarted(table.GameStarted, frozen=True):
    """Play has begun: what is open at this number of seats, and where everything lies before the draws.

    `track` numbers the usable spaces of the PR track (none in the base game).
    """

    spots: Public[tuple[Spot, ...]]
    regions: Public[tuple[Region, ...]]
    technologies: Public[tuple[Technology, ...]]
    hq_agents: Public[Count]
    reserve_agents: Public[Count]
    hq_black: Public[Count]
    security: Public[Count]
    bag: Public[Barrels]
    box: Public[Barrels]
    track: Public[tuple[Count, ...]]


class FirstPlayerChosen(Event, frozen=True):
    """The seat that starts, by choice of the host or by chance."""

    seat: Public[Seat]
    rng: Public[Rng | UnsetType] = UNSET


class ChipsPlaced(Event, frozen=True):
    """Refinery or Risk chips lie on their places."""

    kind: Public[ChipKind]
    chips: Public[tuple[PlacedChip, ...]]
    rng: Public[Rng | UnsetType] = UNSET


class ChipsTurned(Event, frozen=True):
    """Which face of each chip is up, in the order of the places."""

    kind: Public[ChipKind]
    faces: Public[tuple[Face, ...]]
    rng: Public[Rng | UnsetType] = UNSET


class DeckShuffled(Event, frozen=True):
    """A deck lies ready, its top card first in `order`: oil_fields, start_ups, pr_1, pr_2 or pr_3."""

    deck: Public[Word]
    size: Public[Count]
    order: Hidden[Cards]
    rng: Public[Rng | UnsetType] = UNSET


class RegionsStocked(Event, frozen=True):
    """The first Oil Fields were shown, put barrels on their Regions and went under the deck."""

    cards: Public[Cards]
    barrels: Public[tuple[RegionBarrels, ...]]


class PortfolioDealt(Event, frozen=True):
    """A seat has its Private Portfolio."""

    seat: Public[Seat]
    card: OwnSeat[Word]
    rng: Public[Rng | UnsetType] = UNSET


class ConsultantsOffered(Event, frozen=True):
    """The Consultants of one level that are on offer in this game."""

    level: Public[Level]
    cards: Public[Cards]
    rng: Public[Rng | UnsetType] = UNSET


# ---- events: turns and agents


class TurnStarted(Event, frozen=True):
    """A turn has begun; turns are counted over all seats together."""

    turn: Public[Count]
    seat: Public[Seat]


class StepSkipped(Event, frozen=True):
    """A reassign was due and none was possible."""

    seat: Public[Seat]
    step: Public[Count]


class AgentReassigned(Event, frozen=True):
    """An agent has moved; `paid` black went from HQ to the box for it."""

    seat: Public[Seat]
    from_: Public[Place]
    to: Public[Place]
    paid: Public[Count] = 0


class ActionDeclared(Event, frozen=True):
    """A seat takes the action of a spot."""

    seat: Public[Seat]
    spot: Public[Spot]
    standing: Public[Standing]
    dispatched: Public[bool] = False


class ChoiceDeclined(Event, frozen=True):
    """A seat made no use, or no further use, of what it was asked; `decision` is the name of the question."""

    seat: Public[Seat]
    decision: Public[Word]


class AgentsReturned(Event, frozen=True):
    """An action is over: the seat's agents on the spot are in its HQ."""

    seat: Public[Seat]
    spot: Public[Spot]
    agents: Public[Count]


class WindowClosed(Event, frozen=True):
    """A turn, or an opportunity of the Peak Oil phase, is over: barrels put aside are back in the bag."""

    seat: Public[Seat]
    black: Public[Count]
    red: Public[Count]


# ---- events: bag, crises and market


class BarrelPulled(Event, frozen=True):
    """A barrel came out of the bag. `to`: `market` (a slot is still to be chosen), `aside`, `region` or `box`."""

    seat: Public[Seat]
    colour: Public[Colour]
    reason: Public[Reason]
    extra: Public[bool]
    to: Public[Literal["market", "aside", "region", "box"]]
    region: Public[Region | None] = None
    rng: Public[Rng | UnsetType] = UNSET


class BagSearched(Event, frozen=True):
    """Black was taken out of the bag on to a Region."""

    seat: Public[Seat]
    region: Public[Region]
    black: Public[Count]


class MarketFilled(Event, frozen=True):
    """A barrel just pulled, or one of a cargo, lies on a slot; `auto` where no choice was left."""

    seat: Public[Seat]
    technology: Public[Technology]
    source: Public[InHand]
    auto: Public[bool] = False


class EntryPlaced(Event, frozen=True):
    """An entry barrel of Grey Ops lies on a slot; `auto` where no choice was left."""

    seat: Public[Seat]
    technology: Public[Technology]
    source: Public[Source]
    auto: Public[bool] = False


class MarketDistributed(Event, frozen=True):
    """The full market went on to the Regions, one barrel on each."""

    regions: Public[tuple[Region, ...]]


class MarketMoved(Event, frozen=True):
    """The barrels of the market went on to technologies."""

    seat: Public[Seat]
    slots: Public[tuple[Technology, ...]]
    technologies: Public[tuple[TechnologyBarrels, ...]]


class BarrelsBoxed(Event, frozen=True):
    """Black went from a seat's HQ to the box."""

    seat: Public[Seat]
    black: Public[Count]
    cause: Public[Word]


class CrisisSuffered(Event, frozen=True):
    """A PR Crisis: `loss` black went from HQ to the box; only the first of a window may cost some."""

    seat: Public[Seat]
    loss: Public[Count]
    first: Public[bool]


class PrCardDrawn(Event, frozen=True):
    """A PR Crisis card lies face down in an HQ."""

    seat: Public[Seat]
    level: Public[Level]
    card: OwnSeat[Word]


class PrCardFlipped(Event, frozen=True):
    """The PR Crisis card lies face up now."""

    seat: Public[Seat]
    card: Public[Word]


class PrCardWhitewashed(Event, frozen=True):
    """A PR Crisis card went under the deck of its level, for a price."""

    seat: Public[Seat]
    card: Public[Word]
    level: Public[Level]
    paid: Public[Count]


class HeldOnCard(Event, frozen=True):
    """Barrels from HQ, or an agent, lie on a PR Crisis card."""

    seat: Public[Seat]
    card: Public[Word]
    black: Public[Count] = 0
    agent_from: Public[Place | None] = None


class ReleasedFromCard(Event, frozen=True):
    """What lay on a PR Crisis card is back in HQ."""

    seat: Public[Seat]
    card: Public[Word]
    black: Public[Count]
    agents: Public[Count]


class AgentToTrack(Event, frozen=True):
    """Crude: an agent went on a space of the PR track."""

    seat: Public[Seat]
    from_: Public[Place]
    space: Public[Count]


class AgentBumped(Event, frozen=True):
    """Crude: an agent was pushed one space on, or (`to` null) off the track and home."""

    seat: Public[Seat]
    from_: Public[Count]
    to: Public[Count | None]


class TrackCleared(Event, frozen=True):
    """Crude: all agents of a seat left the PR track for its HQ. Causes: `stuck`, `whitewash`."""

    seat: Public[Seat]
    agents: Public[Count]
    cause: Public[Word]


# ---- events: options


class AgentRecruited(Event, frozen=True):
    """An agent came from the reserve to HQ."""

    seat: Public[Seat]


class AgentsDispatched(Event, frozen=True):
    """All agents of a seat on Expand went to another spot."""

    seat: Public[Seat]
    to: Public[Spot]
    agents: Public[Count]


class DisplayRefilled(Event, frozen=True):
    """Cards came from a deck into its display."""

    display: Public[Display]
    cards: Public[Cards]


class DisplayRefreshed(Event, frozen=True):
    """The open cards went under their deck, others were shown."""

    seat: Public[Seat]
    display: Public[Display]
    under: Public[Cards]
    revealed: Public[Cards]


class OilFieldTaken(Event, frozen=True):
    """An Oil Field went into an HQ; `security` chips came with it."""

    seat: Public[Seat]
    card: Public[Word]
    security: Public[Count]


class StartUpBought(Event, frozen=True):
    """A Start-Up was bought: shown once, face down from now on."""

    seat: Public[Seat]
    card: Public[Word]
    technology: Public[Technology]
    price: Public[Count]


class TechnologyPlaced(Event, frozen=True):
    """A barrel went from HQ to a technology."""

    seat: Public[Seat]
    technology: Public[Technology]


class TechnologyMoved(Event, frozen=True):
    """Crude: a barrel went from one technology to another; `paid` black went from HQ to the box."""

    seat: Public[Seat]
    from_: Public[Technology]
    to: Public[Technology]
    paid: Public[Count]


class ConsultantHired(Event, frozen=True):
    """A Consultant works for a seat."""

    seat: Public[Seat]
    card: Public[Word]


class CargoLoaded(Event, frozen=True):
    """Barrels of a Region are in hand."""

    seat: Public[Seat]
    region: Public[Region]
    black: Public[Count]


class Shipped(Event, frozen=True):
    """A shipping is done: of the cargo, pirates got `skulls`, the box `boxed`, the HQ `earned`."""

    seat: Public[Seat]
    route: Public[Word]
    demand: Public[Count]
    cargo: Public[Count]
    skulls: Public[Count]
    boxed: Public[Count]
    earned: Public[Count]


class ChipsFlipped(Event, frozen=True):
    """The chips of a route were turned."""

    refinery: Public[Refinery]
    risks: Public[tuple[Word, ...]]


class SecurityUsed(Event, frozen=True):
    """A Security chip went back to the reserve, and chips were swapped or flipped."""

    seat: Public[Seat]
    kind: Public[SecurityKind]
    places: Public[tuple[Word, ...]]


# ---- events: the end


class PeakOilTriggered(Event, frozen=True):
    """Peak Oil: the bag ran out of black in this seat's turn (`bag_empty`), or turns ran out (`max_turns`)."""

    seat: Public[Seat]
    cause: Public[Literal["bag_empty", "max_turns"]]


class PhaseOpened(Event, frozen=True):
    """The endgame goes on with this phase."""

    phase: Public[Phase]


class SpotChecked(Event, frozen=True):
    """A spot is being checked: these seats have their opportunity, in this order."""

    spot: Public[Spot]
    seats: Public[tuple[Seat, ...]]


class OpportunityOpened(Event, frozen=True):
    """A seat has its opportunity on the spot being checked."""

    seat: Public[Seat]
    spot: Public[Spot]


class BarrelsPutBack(Event, frozen=True):
    """A seat left in the middle of something: what it had pulled is in the bag, its cargo on the Region again."""

    seat: Public[Seat]
    pulled: Public[Count]
    cargo: Public[Count]
    region: Public[Region | None]


class Scored(Event, frozen=True):
    """Everything is turned up and counted."""

    scores: Public[tuple[SeatScore, ...]]


Awaiting = table.Awaiting[StepWord]

EventWord = (
    TableEvent
    | Awaiting
    | GameStarted
    | FirstPlayerChosen
    | ChipsPlaced
    | ChipsTurned
    | DeckShuffled
    | RegionsStocked
    | PortfolioDealt
    | ConsultantsOffered
    | TurnStarted
    | StepSkipped
    | AgentReassigned
    | ActionDeclared
    | ChoiceDeclined
    | AgentsReturned
    | WindowClosed
    | BarrelPulled
    | BagSearched
    | MarketFilled
    | EntryPlaced
    | MarketDistributed
    | MarketMoved
    | BarrelsBoxed
    | CrisisSuffered
    | PrCardDrawn
    | PrCardFlipped
    | PrCardWhitewashed
    | HeldOnCard
    | ReleasedFromCard
    | AgentToTrack
    | AgentBumped
    | TrackCleared
    | AgentRecruited
    | AgentsDispatched
    | DisplayRefilled
    | DisplayRefreshed
    | OilFieldTaken
    | StartUpBought
    | TechnologyPlaced
    | TechnologyMoved
    | ConsultantHired
    | CargoLoaded
    | Shipped
    | ChipsFlipped
    | SecurityUsed
    | PeakOilTriggered
    | PhaseOpened
    | SpotChecked
    | OpportunityOpened
    | BarrelsPutBack
    | Scored
)
"""Every event of the game."""
