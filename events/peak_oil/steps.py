"""What the table of Peak Oil does or waits for (register sections 3.2, 3.4)."""

from __future__ import annotations

from events.peak_oil.codes import Display, InHand, OptionName, Reason, Region, Spot, Standing
from events.words import Count, Runs, Seat, Waits, Word

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
