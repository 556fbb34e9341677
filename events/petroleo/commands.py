"""What is asked at a table of Petróleo (register section 3.3). Amounts are whole M."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from events.audience import Actor, Public
from events.petroleo.codes import Item, Mode, Zones
from events.table import TableCommand
from events.words import Answer, Count, Seat, Word
from events.words import Command as AnyCommand


class ChooseCompany(AnyCommand, frozen=True):
    """Before the start: run this company."""

    company: Public[Word]


class BuyLicence(Answer, frozen=True):
    """Buy one or two licences on the square; without `zone_ids`, in the lowest free zones."""

    count: Public[Annotated[int, Meta(ge=1, le=2)]]
    zone_ids: Public[Zones | UnsetType] = UNSET


class BuyTower(Answer, frozen=True):
    """Buy a tower for an own bare plot."""

    zone_id: Public[Word]


class Surrender(Answer, frozen=True):
    """Give up these two idle plots."""

    zone_ids: Public[Zones]


class Damage(Answer, frozen=True):
    """Name the tanker that the storm has damaged."""

    tanker_id: Public[Word]


class SurrenderTower(Answer, frozen=True):
    """Name the plot whose well has run dry."""

    zone_id: Public[Word]


class ChooseSquare(Answer, frozen=True):
    """Have this square's effect."""

    square: Public[Annotated[int, Meta(ge=-(2**31), le=2**31)]]


class Decline(Answer, frozen=True):
    """Make no use of the square."""


class PlayCard(Answer, frozen=True):
    """Lay this card of one's own hand, face down."""

    card_id: Actor[Word]


class Exercise(Answer, frozen=True):
    """Use the privilege of the laid card. Which fields it takes depends on the card's kind."""

    zone_id: Public[Word | UnsetType] = UNSET
    item: Public[Item | UnsetType] = UNSET
    mode: Public[Mode | UnsetType] = UNSET


class OfferCard(Answer, frozen=True):
    """Offer the privilege of the laid card to the rivals, at this price or more."""

    min_bid: Public[Count]


class Forgo(Answer, frozen=True):
    """Let the privilege lapse."""


class Bid(Answer, frozen=True):
    """Bid for the offered card; null is a pass."""

    amount: Actor[Count | None] = None


class AnswerPartnership(Answer, frozen=True):
    """Say whether one takes a half of the tanker."""

    accept: Actor[bool]


class ChoosePartner(Answer, frozen=True):
    """Pick one of those who accepted."""

    partner: Public[Seat]


class AcceptBank(Answer, frozen=True):
    """Buy the tanker together with the bank."""


class Abandon(Answer, frozen=True):
    """Buy no tanker after all."""


class ProposeDissolution(Answer, frozen=True):
    """The commander of a tanker names a price at which its partner may buy or sell a half."""

    tanker_id: Public[Word]
    price: Public[Count]


class BuyShare(Answer, frozen=True):
    """The partner buys the commander's half."""


class SellShare(Answer, frozen=True):
    """The partner sells its half to the commander."""


class Refuse(Answer, frozen=True):
    """The partner wants neither."""


class SellToBank(Answer, frozen=True):
    """After a refusal, the commander sells its half to the bank."""


class Keep(Answer, frozen=True):
    """After a refusal, the commander keeps its half."""


class BuyBankHalf(Answer, frozen=True):
    """The commander buys the bank's half."""

    tanker_id: Public[Word]


class SellHalfToBank(Answer, frozen=True):
    """The commander sells its half to the bank, which owns the other one."""

    tanker_id: Public[Word]


class SellHalf(Answer, frozen=True):
    """A debtor sells half a tanker to the bank."""

    tanker_id: Public[Word]


class DeclareBankruptcy(Answer, frozen=True):
    """A debtor gives up."""


class Lend(Answer, frozen=True):
    """Offer the bank a loan; 0 lends nothing."""

    amount: Actor[Count]


Command = (
    TableCommand
    | ChooseCompany
    | BuyLicence
    | BuyTower
    | Surrender
    | Damage
    | SurrenderTower
    | ChooseSquare
    | Decline
    | PlayCard
    | Exercise
    | OfferCard
    | Forgo
    | Bid
    | AnswerPartnership
    | ChoosePartner
    | AcceptBank
    | Abandon
    | ProposeDissolution
    | BuyShare
    | SellShare
    | Refuse
    | SellToBank
    | Keep
    | BuyBankHalf
    | SellHalfToBank
    | SellHalf
    | DeclareBankruptcy
    | Lend
)
