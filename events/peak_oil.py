"""Peak Oil: commands, steps and events, in that order (register sections 3.4 and 3.5, 3.2, 3.8)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events import table
from events.audience import Hidden, OwnSeat, Public
from events.table import TableCommand, TableEvent
from events.words import Answer, Count, Event, Rng, Runs, Seat, Waits, Word

Region = Literal["VEN", "LIB", "NIG", "GUL", "RUS"]
Spot = Literal["EXP", "DEV", "VEN", "LIB", "NIG", "GUL", "RUS", "INV", "GRY"]
Place = Literal["HQ", "EXP", "DEV", "VEN", "LIB", "NIG", "GUL", "RUS", "INV", "GRY"]
Source = Literal["HQ", "VEN", "LIB", "NIG", "GUL", "RUS"]
Refinery = Literal["SIN", "ROT", "PHI"]
Technology = Literal["ETH", "SPM", "AGR", "TID", "HYD"]
Colour = Literal["black", "red", "yellow"]
Reason = Literal["tie", "ship", "drill"]
Standing = Literal["majority", "tied", "peak"]
"""How an action is taken: by majority, tied after a pull, or at an opportunity of the Peak Oil phase."""

OptionName = Literal[
    "recruit",
    "dispatch",
    "drill",
    "whitewash",
    "research",
    "start_ups",
    "technologies",
    "crude_whitewash",
    "black_market",
    "consultants",
    "marketing",
    "ship",
]
InHand = Literal["pull", "cargo"]
"""What a barrel on its way to the Black Market was: one just pulled, or part of a cargo."""

Display = Literal["oil_fields", "start_ups"]
Phase = Literal["setup", "turns", "final_reassign", "peak_oil", "finished"]
SecurityKind = Literal["swap_refinery", "swap_risk", "flip_refinery", "flip_risk"]
ChipKind = Literal["refinery", "risk"]
Face = Annotated[int, Meta(ge=0, le=1)]
Level = Annotated[int, Meta(ge=1, le=3)]
Cards = Annotated[tuple[Word, ...], Meta(max_length=200)]


class Barrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of barrels by colour."""

    black: Count = 0
    red: Count = 0
    yellow: Count = 0


class RegionBarrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Black barrels that came to one Region."""

    region: Region
    black: Count


class TechnologyBarrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Black barrels that came to one technology."""

    technology: Technology
    black: Count


class PlacedChip(Struct, frozen=True, forbid_unknown_fields=True):
    """A chip on its place."""

    place: Word
    chip: Word


class SeatScore(Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat scores, and the cards it turns up for it."""

    seat: Seat
    start_up_score: int
    consultant_score: int
    pr_score: int
    total: int
    portfolio: Word
    start_ups: Cards
    face_down: Word | None


# ---- commands: the steps of a turn


class Reassign(Answer, frozen=True):
    """Move one own agent."""

    from_: Public[Place]
    to: Public[Place]


class PayReassign(Answer, frozen=True):
    """Pay for one more reassign, and move one own agent."""

    from_: Public[Place]
    to: Public[Place]


class EndTurn(Answer, frozen=True):
    """Do without the third step."""


class TakeAction(Answer, frozen=True):
    """Take the action of one spot."""

    spot: Public[Spot]


class EndAction(Answer, frozen=True):
    """Use no further option of the action."""


class Pass(Answer, frozen=True):
    """Do nothing where one may do something once."""


# ---- commands: barrels, chips and agents on the way


class Pull(Answer, frozen=True):
    """Pull the barrel that may be pulled."""


class StopPulling(Answer, frozen=True):
    """Pull no more."""


class PlaceOnMarket(Answer, frozen=True):
    """Put the barrel in hand on an empty slot of the Black Market."""

    technology: Public[Technology]


class PlaceEntry(Answer, frozen=True):
    """Pay the barrel that Grey Ops asks for, on an empty slot of the Black Market."""

    technology: Public[Technology]
    source: Public[Source]


class LoadCargo(Answer, frozen=True):
    """Load now, with the chips as they lie."""


class ActHere(Answer, frozen=True):
    """Take the action of the spot that agents were dispatched to."""


class HoldPosition(Answer, frozen=True):
    """Leave the dispatched agents where they are."""


class ChooseOwnAgent(Answer, frozen=True):
    """Say from where the agent is taken that a PR Crisis asks for."""

    from_: Public[Place]


class UseSecurity(Answer, frozen=True):
    """Return a Security chip to swap two chips of a kind, or to flip one."""

    kind: Public[SecurityKind]
    places: Public[Annotated[tuple[Word, ...], Meta(max_length=2)]]


# ---- commands: options


class Recruit(Answer, frozen=True):
    """Expand: take an agent out of the reserve."""


class Dispatch(Answer, frozen=True):
    """Expand: send all own agents from Expand to another spot."""

    spot: Public[Spot]


class StartDrill(Answer, frozen=True):
    """Develop: drill."""


class RefreshOilFields(Answer, frozen=True):
    """While drilling: have the open Oil Fields replaced first."""


class TakeOilField(Answer, frozen=True):
    """While drilling: take an open Oil Field."""

    card: Public[Word]


class SkipDrill(Answer, frozen=True):
    """While drilling: take no Oil Field."""


class Whitewash(Answer, frozen=True):
    """Develop: get rid of a face-up PR Crisis card."""

    card: Public[Word]


class Research(Answer, frozen=True):
    """Develop (Crude): have both displays replaced."""


class StartStartUps(Answer, frozen=True):
    """Invest: look at the Start-Ups."""


class RefreshStartUps(Answer, frozen=True):
    """While investing: have the open Start-Ups replaced first."""


class BuyStartUp(Answer, frozen=True):
    """While investing: buy an open Start-Up."""

    card: Public[Word]


class SkipStartUps(Answer, frozen=True):
    """While investing: buy no Start-Up."""


class PlaceTechnology(Answer, frozen=True):
    """Invest: put a barrel of one's own on a technology."""

    technology: Public[Technology]


class Decline(Answer, frozen=True):
    """Do without the further barrel that a card allows."""


class CrudeWhitewash(Answer, frozen=True):
    """Invest (Crude): take one's agents off the PR track."""


class MoveBlackMarket(Answer, frozen=True):
    """Grey Ops: move the Black Market on to the technologies, one barrel elsewhere if a card allows it."""

    redirect_from: Public[Technology | UnsetType] = UNSET
    redirect_to: Public[Technology | UnsetType] = UNSET


class HireConsultant(Answer, frozen=True):
    """Grey Ops: take a Consultant."""

    card: Public[Word]


class MarketPlace(Answer, frozen=True):
    """Grey Ops (Crude): put a barrel of one's own on a technology."""

    technology: Public[Technology]


class MarketMove(Answer, frozen=True):
    """Grey Ops (Crude): move a barrel from one technology to another, for a price."""

    from_technology: Public[Technology]
    to_technology: Public[Technology]


class Ship(Answer, frozen=True):
    """Region: ship along a route."""

    route: Public[Word]


Command = (
    TableCommand
    | Reassign
    | PayReassign
    | EndTurn
    | TakeAction
    | EndAction
    | Pass
    | Pull
    | StopPulling
    | PlaceOnMarket
    | PlaceEntry
    | LoadCargo
    | ActHere
    | HoldPosition
    | ChooseOwnAgent
    | UseSecurity
    | Recruit
    | Dispatch
    | StartDrill
    | RefreshOilFields
    | TakeOilField
    | SkipDrill
    | Whitewash
    | Research
    | StartStartUps
    | RefreshStartUps
    | BuyStartUp
    | SkipStartUps
    | PlaceTechnology
    | Decline
    | CrudeWhitewash
    | MoveBlackMarket
    | HireConsultant
    | MarketPlace
    | MarketMove
    | Ship
)

# ---- steps that run


class OpenTurn(Runs, frozen=True):
    """A seat's turn begins."""

    seat: Seat


class StepOne(Runs, frozen=True):
    """Step 1: reassign or act."""


class StepTwo(Runs, frozen=True):
    """Step 2: reassign."""


class StepThree(Runs, frozen=True):
    """Step 3: perhaps one more reassign, for a price."""


class CloseTurn(Runs, frozen=True):
    """The turn ends."""


class PullBarrels(Runs, frozen=True):
    """Barrels are owed: pulled one by one. `region` is where black goes that was pulled for drilling."""

    reason: Reason
    owed: Count
    region: Region | None = None
    extra: bool = False


class OfferExtraPull(Runs, frozen=True):
    """After a crisis: one more pull is on offer."""

    reason: Reason
    region: Region | None = None


class PlaceBarrels(Runs, frozen=True):
    """Barrels in hand go to the Black Market one by one: one just pulled, or those that pirates take of a cargo."""

    source: InHand
    left: Count


class GreyEntries(Runs, frozen=True):
    """Entry barrels are due; then the options of Grey Ops are open."""

    left: Count
    standing: Standing


class UseOptions(Runs, frozen=True):
    """The options of the spot that are still to be had."""

    spot: Spot
    standing: Standing
    used: tuple[OptionName, ...] = ()


class LeaveSpot(Runs, frozen=True):
    """The action is over: the agents go home."""

    spot: Spot


class DrillPulls(Runs, frozen=True):
    """Question marks of an Oil Field are left."""

    region: Region
    left: Count


class RefillDisplay(Runs, frozen=True):
    """A card is missing in a display."""

    display: Display


class LoadTanker(Runs, frozen=True):
    """The pulls of a shipping are done."""

    route: Word


class UnloadTanker(Runs, frozen=True):
    """The pirates have had theirs: the rest of the cargo comes home."""

    route: Word
    demand: Count
    cargo: Count
    skulls: Count


class FinalReassigns(Runs, frozen=True):
    """These seats may each reassign once more, in this order."""

    seats: tuple[Seat, ...]


class CheckSpots(Runs, frozen=True):
    """The Peak Oil phase checks these spots, in this order."""

    spots: tuple[Spot, ...]


class ResolveSpot(Runs, frozen=True):
    """The spot being checked, and the seats still to come, in this order."""

    spot: Spot
    seats: tuple[Seat, ...]


class CloseOpportunity(Runs, frozen=True):
    """A seat's opportunity on a spot is over."""


# ---- steps that wait


class Step1Choose(Waits, frozen=True):
    """Reassign an agent, or take the action of a spot."""


class Step2Reassign(Waits, frozen=True):
    """Reassign an agent."""


class Step3Optional(Waits, frozen=True):
    """Pay to reassign once more, or end the turn."""


class ChooseMarketSlot(Waits, frozen=True):
    """Choose the slot for a barrel in hand; `left` counts it."""

    source: InHand
    left: Count


class ExtraPull(Waits, frozen=True):
    """Pull once more, or stop."""

    reason: Reason
    region: Region | None = None


class GreyEntry(Waits, frozen=True):
    """Pay an entry barrel of Grey Ops; `left` counts it."""

    left: Count
    standing: Standing


class ChooseOption(Waits, frozen=True):
    """Use an option of the spot, or end the action."""

    spot: Spot
    standing: Standing
    used: tuple[OptionName, ...] = ()


class DrillDisplay(Waits, frozen=True):
    """Take an open Oil Field, or have them replaced first, or leave it."""

    refreshed: bool = False


class DrillPull(Waits, frozen=True):
    """Pull for a question mark, or stop."""

    region: Region
    left: Count


class StartUpDisplay(Waits, frozen=True):
    """Buy an open Start-Up, or have them replaced first, or leave it."""

    refreshed: bool = False


class SecondTechnology(Waits, frozen=True):
    """Place one more barrel on a technology, or decline."""

    left: Count


class ShipLoad(Waits, frozen=True):
    """Use Security chips before loading, or load."""

    route: Word


class DispatchFollowUp(Waits, frozen=True):
    """Act on the spot dispatched to, or hold."""

    spot: Spot


class CustodyAgent(Waits, frozen=True):
    """Choose the agent that goes on a PR Crisis card."""

    card: Word


class CrudeCrisisAgent(Waits, frozen=True):
    """Choose the agent that goes on the PR track."""


class PeakReassign(Waits, frozen=True):
    """Reassign one last time, or pass."""


class PeakOption(Waits, frozen=True):
    """Use one option of the spot being checked, or pass."""

    spot: Spot


class PeakEntry(Waits, frozen=True):
    """Pay the entry barrel of Grey Ops in the Peak Oil phase, or pass; `left` counts it."""

    left: Count


StepWord = (
    OpenTurn
    | StepOne
    | StepTwo
    | StepThree
    | CloseTurn
    | PullBarrels
    | OfferExtraPull
    | PlaceBarrels
    | GreyEntries
    | UseOptions
    | LeaveSpot
    | DrillPulls
    | RefillDisplay
    | LoadTanker
    | UnloadTanker
    | FinalReassigns
    | CheckSpots
    | ResolveSpot
    | CloseOpportunity
    | Step1Choose
    | Step2Reassign
    | Step3Optional
    | ChooseMarketSlot
    | ExtraPull
    | GreyEntry
    | ChooseOption
    | DrillDisplay
    | DrillPull
    | StartUpDisplay
    | SecondTechnology
    | ShipLoad
    | DispatchFollowUp
    | CustodyAgent
    | CrudeCrisisAgent
    | PeakReassign
    | PeakOption
    | PeakEntry
)

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
