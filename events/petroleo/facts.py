"""What has happened at a table of Petróleo (register section 3.7). Amounts are whole M."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from events import table
from events.audience import Hidden, OwnSeat, Public
from events.petroleo.codes import Ids, Kind, Party, Payment, Reservoir, Seats, ShownAnswer, ShownBid, Square, Zones
from events.petroleo.steps import StepWord
from events.table import TableEvent
from events.words import Count, Event, Rng, Seat, Word


class CompanyChosen(Event, frozen=True):
    """The seat runs this company."""

    seat: Public[Seat]
    company: Public[Word]


class GameStarted(table.GameStarted, frozen=True):
    """Play has begun: the start seat, what each company and the bank hold, the tower supply, tokens per company."""

    start_seat: Public[Seat]
    cash: Public[Count]
    bank: Public[Count]
    towers: Public[Count]
    licences: Public[Count]
    rng: Public[Rng | UnsetType] = UNSET


class DeckShuffled(Event, frozen=True):
    """The deck lies ready: `order` lists the top card first."""

    size: Public[Count]
    order: Hidden[Ids]
    rng: Public[Rng | UnsetType] = UNSET


class CardsDealt(Event, frozen=True):
    """A company's first hand, dealt from the deck card by card."""

    seat: Public[Seat]
    n: Public[Count]
    cards: OwnSeat[Ids]


class TurnStarted(Event, frozen=True):
    """A company's turn has begun; turns are counted over the whole game."""

    turn: Public[Count]
    seat: Public[Seat]


class SquareResolved(Event, frozen=True):
    """A square takes effect on the active company; `chosen` if named on square 20."""

    seat: Public[Seat]
    square: Public[Square]
    chosen: Public[bool]


class DoubleSpent(Event, frozen=True):
    """The company's one chance to buy two licences at once has come."""

    seat: Public[Seat]


class LicencesBought(Event, frozen=True):
    """Licences lie in these zones; `price` is for all of them."""

    seat: Public[Seat]
    zones: Public[Zones]
    price: Public[Count]


class TowerBought(Event, frozen=True):
    """A tower stands on the plot."""

    seat: Public[Seat]
    zone: Public[Word]
    price: Public[Count]


class LicencesSurrendered(Event, frozen=True):
    """Idle plots were confiscated."""

    seat: Public[Seat]
    zones: Public[Zones]


class WellRanDry(Event, frozen=True):
    """A tower went back to the supply, and its licence with it."""

    seat: Public[Seat]
    zone: Public[Word]


class TankerDamaged(Event, frozen=True):
    """The storm has damaged this tanker."""

    seat: Public[Seat]
    tanker: Public[Word]


class Nationalised(Event, frozen=True):
    """Half of the company's reservoirs and trucks belong to the State from now on."""

    seat: Public[Seat]


class Denationalised(Event, frozen=True):
    """The company is free again."""

    seat: Public[Seat]


class Charged(Event, frozen=True):
    """A company paid the bank what a rule demands. Reasons: the squares' names."""

    seat: Public[Seat]
    amount: Public[Count]
    reason: Public[Word]


class ClaimSetOff(Event, frozen=True):
    """A charge was met by what the bank owes the company from loans, oldest first."""

    seat: Public[Seat]
    amount: Public[Count]
    reason: Public[Word]


class DebtOpened(Event, frozen=True):
    """A company cannot meet a charge and has something to sell."""

    seat: Public[Seat]
    amount: Public[Count]
    reason: Public[Word]


class Received(Event, frozen=True):
    """The bank paid a company. Reasons: price_rise, tanker_half."""

    seat: Public[Seat]
    amount: Public[Count]
    reason: Public[Word]


class CardDrawn(Event, frozen=True):
    """The top card of the deck went to the company's hand."""

    seat: Public[Seat]
    card: OwnSeat[Word]


class CardLaid(Event, frozen=True):
    """A card lies face down beside the deck."""

    seat: Public[Seat]
    card: OwnSeat[Word]


class CardRevealed(Event, frozen=True):
    """The laid card was exercised or offered: everybody knows it now."""

    seat: Public[Seat]
    card: Public[Word]
    kind: Public[Kind]
    advance: Public[Count]


class PrivilegeLost(Event, frozen=True):
    """Nobody made use of the laid card; `seat` is who might have."""

    seat: Public[Seat]


class ReservoirBuilt(Event, frozen=True):
    """A reservoir stands in the tower's place."""

    seat: Public[Seat]
    zone: Public[Word]
    kind: Public[Reservoir]
    price: Public[Count]


class TruckBought(Event, frozen=True):
    """A truck stands in the industrial zone."""

    seat: Public[Seat]
    truck: Public[Word]
    price: Public[Count]


class TankerBought(Event, frozen=True):
    """A tanker lies in the port. `price` is what the commander paid; a partner that is a company paid as much."""

    tanker: Public[Word]
    commander: Public[Seat]
    partner: Public[Party | None]
    price: Public[Count]


class AuctionOpened(Event, frozen=True):
    """The laid card is for sale."""

    seller: Public[Seat]
    kind: Public[Kind]
    min_bid: Public[Count]
    eligible: Public[Seats]


class BidPlaced(Event, frozen=True):
    """A rival has answered the auction; null is a pass."""

    seat: Public[Seat]
    amount: OwnSeat[Count | None]


class AuctionClosed(Event, frozen=True):
    """Every bid that counted, the winner if any, and the price."""

    seller: Public[Seat]
    winner: Public[Seat | None]
    price: Public[Count]
    bids: Public[tuple[ShownBid, ...]]


class CardSold(Event, frozen=True):
    """The winner paid the seller."""

    seller: Public[Seat]
    buyer: Public[Seat]
    price: Public[Count]


class PartnershipAsked(Event, frozen=True):
    """The holder of a tanker card looks for a partner."""

    holder: Public[Seat]
    asked: Public[Seats]


class PartnershipAnswered(Event, frozen=True):
    """A rival has answered the partnership question."""

    seat: Public[Seat]
    accept: OwnSeat[bool]


class PartnershipClosed(Event, frozen=True):
    """Every answer that counted."""

    holder: Public[Seat]
    answers: Public[tuple[ShownAnswer, ...]]


class DissolutionProposed(Event, frozen=True):
    """The commander named a price per half."""

    tanker: Public[Word]
    commander: Public[Seat]
    partner: Public[Seat]
    price: Public[Count]


class DissolutionAnswered(Event, frozen=True):
    """The partner's answer: buy, sell or refuse."""

    tanker: Public[Word]
    partner: Public[Seat]
    answer: Public[Literal["buy", "sell", "refuse"]]


class ShareTransferred(Event, frozen=True):
    """Half a tanker changed hands. `commander` and `partner` own it now; no commander: it is back in the supply.

    A company as buyer has paid `price` with this event; what the bank pays follows as `received`.
    """

    tanker: Public[Word]
    seller: Public[Party]
    buyer: Public[Party]
    price: Public[Count]
    commander: Public[Seat | None]
    partner: Public[Party | None]


class MarkerAdvanced(Event, frozen=True):
    """The marker moved by the laid card's number to this cell."""

    seat: Public[Seat]
    advance: Public[Count]
    cell: Public[Count]


class YearEndPassed(Event, frozen=True):
    """The marker passed or reached a year-end cell; `count` is of the whole game."""

    cell: Public[Count]
    count: Public[Count]


class YearEndPaid(Event, frozen=True):
    """The annual profits were paid, all at once; companies without profit are left out."""

    payments: Public[tuple[Payment, ...]]


class LoanRequested(Event, frozen=True):
    """The bank must pay more than it holds and asks these companies."""

    short: Public[Count]
    asked: Public[Seats]


class LoanOffered(Event, frozen=True):
    """A company has said what it would lend."""

    seat: Public[Seat]
    amount: OwnSeat[Count]


class LoanQuestionClosed(Event, frozen=True):
    """Every offer that counted, and what the bank is still short of."""

    short: Public[Count]
    offers: Public[tuple[Payment, ...]]


class LoanTaken(Event, frozen=True):
    """The bank owes this amount; the interest was paid at once."""

    seat: Public[Seat]
    amount: Public[Count]
    interest: Public[Count]


class LoanRepaid(Event, frozen=True):
    """The bank paid its oldest loan back."""

    seat: Public[Seat]
    amount: Public[Count]


class BankEmission(Event, frozen=True):
    """The bank issued money, for nobody lends enough."""

    amount: Public[Count]


class CompanyClosed(Event, frozen=True):
    """A company's pieces left the board and its cash went to the bank.

    `unpaid` of a charge was written off, and `claims` from loans. `zones` are free, `towers` back in the supply like
    `trucks` and `tankers`; of the tankers in `halves` its half went to the bank, and the partner commands.
    """

    seat: Public[Seat]
    cash: Public[Count]
    unpaid: Public[Count]
    claims: Public[Count]
    zones: Public[Zones]
    towers: Public[Count]
    trucks: Public[Ids]
    tankers: Public[Ids]
    halves: Public[Ids]


class QuestionVoided(Event, frozen=True):
    """A departure made an open question void; sealed answers to it stay sealed until the game is over."""

    question: Public[Word]


class TurnEnded(Event, frozen=True):
    """A company's turn is over."""

    seat: Public[Seat]


class CapitalCounted(Event, frozen=True):
    """The final account of one company. `covered` is the value of reservoirs and trucks, halved if nationalised."""

    seat: Public[Seat]
    cash: Public[Count]
    loans: Public[Count]
    towers: Public[Count]
    covered: Public[Count]
    tankers: Public[Count]
    capital: Public[Count]
    income: Public[Count]


Awaiting = table.Awaiting[StepWord]

EventWord = (
    TableEvent
    | Awaiting
    | CompanyChosen
    | GameStarted
    | DeckShuffled
    | CardsDealt
    | TurnStarted
    | SquareResolved
    | DoubleSpent
    | LicencesBought
    | TowerBought
    | LicencesSurrendered
    | WellRanDry
    | TankerDamaged
    | Nationalised
    | Denationalised
    | Charged
    | ClaimSetOff
    | DebtOpened
    | Received
    | CardDrawn
    | CardLaid
    | CardRevealed
    | PrivilegeLost
    | ReservoirBuilt
    | TruckBought
    | TankerBought
    | AuctionOpened
    | BidPlaced
    | AuctionClosed
    | CardSold
    | PartnershipAsked
    | PartnershipAnswered
    | PartnershipClosed
    | DissolutionProposed
    | DissolutionAnswered
    | ShareTransferred
    | MarkerAdvanced
    | YearEndPassed
    | YearEndPaid
    | LoanRequested
    | LoanOffered
    | LoanQuestionClosed
    | LoanTaken
    | LoanRepaid
    | BankEmission
    | CompanyClosed
    | QuestionVoided
    | TurnEnded
    | CapitalCounted
)
"""Every event of the game."""
