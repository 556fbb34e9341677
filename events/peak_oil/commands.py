"""What a seat may ask for in Peak Oil (register sections 3.4, 3.5)."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from events.audience import Public
from events.peak_oil.codes import Place, SecurityKind, Source, Spot, Technology
from events.table import TableCommand
from events.words import Answer, Word

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
