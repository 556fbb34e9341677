"""Petróleo: commands, steps and events, in that order (register sections 3.3, 3.2, 3.7). Amounts are whole M."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events import table
from events.audience import Actor, Hidden, OwnSeat, Public
from events.table import TableCommand, TableEvent
from events.words import Answer, Count, Event, Rng, Runs, Seat, Waits, Word
from events.words import Command as AnyCommand

Kind = Literal["tower_or_licence", "gas", "oil6", "oil4", "oil2", "tanker", "truck"]
Reservoir = Literal["gas", "oil6", "oil4", "oil2"]
Terrain = Literal["land", "sea"]
Item = Literal["tower", "licence_land", "licence_sea"]
Mode = Literal["sole", "partnership"]
Party = Seat | Literal["bank"]
Square = Annotated[int, Meta(ge=1, le=20)]
Zones = Annotated[tuple[Word, ...], Meta(max_length=100)]
Ids = Annotated[tuple[Word, ...], Meta(max_length=100)]
Seats = tuple[Seat, ...]


class Payment(Struct, frozen=True, forbid_unknown_fields=True):
    """What the bank pays, or owes, to one company."""

    seat: Seat
    amount: Count


class ShownBid(Struct, frozen=True, forbid_unknown_fields=True):
    """A bid once the auction has closed; null is a pass."""

    seat: Seat
    amount: Count | None


class ShownAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a partnership question once it has closed."""

    seat: Seat
    accept: bool


# ---- commands


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

# ---- steps that run


class OpenTurn(Runs, frozen=True):
    """The next company's turn begins."""


class ResolveSquare(Runs, frozen=True):
    """A square takes effect on the active company; `chosen` if it was named on square 20."""

    square: Square
    chosen: bool = False


class PayYearEnd(Runs, frozen=True):
    """Every company's annual profit is due."""


class Charge(Runs, frozen=True):
    """A payment that the rules force."""

    seat: Seat
    amount: Count
    reason: Word


class CollectDebt(Runs, frozen=True):
    """What is left of a charge after a debtor has sold something; `by_deadline` if its clock goes on selling for it."""

    seat: Seat
    amount: Count
    reason: Word
    by_deadline: bool


class LevyTenth(Runs, frozen=True):
    """The second part of the income tax."""

    seat: Seat


class PayOut(Runs, frozen=True):
    """The bank pays, all or nothing; `asked` once the companies have been asked for loans."""

    reason: Word
    payments: tuple[Payment, ...]
    asked: bool = False


class DrawCard(Runs, frozen=True):
    """The active company draws."""


class CloseAuction(Runs, frozen=True):
    """All bids are in."""


class ClosePartnership(Runs, frozen=True):
    """All answers to the partnership question are in."""

    holder: Seat


class AdvanceMarker(Runs, frozen=True):
    """The marker moves by the laid card."""


class EndTurn(Runs, frozen=True):
    """The turn is over."""


# ---- steps that wait


class BuyLicenceSquare(Waits, frozen=True):
    """D1: buy a licence of the square's terrain, or two while `double` is open; or decline."""

    terrain: Terrain
    double: bool


class BuyTowerSquare(Waits, frozen=True):
    """D2: buy a tower, or decline."""


class SurrenderLicences(Waits, frozen=True):
    """D3: give up two idle plots."""


class ChooseDamagedTanker(Waits, frozen=True):
    """D4: name the damaged tanker."""


class ChooseDryTower(Waits, frozen=True):
    """D5: name the dry well."""


class AtConvenience(Waits, frozen=True):
    """D6: name a square, or decline."""


class ChooseCard(Waits, frozen=True):
    """D7: lay a card."""


class UseCard(Waits, frozen=True):
    """D8: exercise, offer (once) or forgo the laid card's privilege."""

    offered: bool = False


class BidForCard(Waits, frozen=True):
    """D9: the eligible rivals bid, sealed and all at once."""

    seller: Seat
    kind: Kind
    min_bid: Count
    eligible: Seats


class UseBoughtCard(Waits, frozen=True):
    """D10: the winner exercises or forgoes."""

    seller: Seat


class AnswerTankerPartnership(Waits, frozen=True):
    """D11: the rivals asked say whether they take half a tanker, sealed and all at once."""

    holder: Seat
    asked: Seats


class ChooseTankerPartner(Waits, frozen=True):
    """D12: the holder picks one of several that accepted."""

    acceptors: Seats


class TankerWithBank(Waits, frozen=True):
    """D13: nobody accepted; the holder buys with the bank or not at all."""


class AnswerDissolution(Waits, frozen=True):
    """D14: the partner buys, sells or refuses."""

    tanker: Word
    commander: Seat
    price: Count


class SellShareToBankChoice(Waits, frozen=True):
    """D15: after a refusal, the commander sells its half to the bank or keeps it."""

    tanker: Word
    partner: Seat


class SettleDebt(Waits, frozen=True):
    """D16: a debtor sells half a tanker or declares bankruptcy."""

    amount: Count
    reason: Word


class LendToBank(Waits, frozen=True):
    """D17: the bank is short; companies with cash say what they lend, sealed and all at once."""

    short: Count
    asked: Seats


StepWord = (
    OpenTurn
    | ResolveSquare
    | PayYearEnd
    | Charge
    | CollectDebt
    | LevyTenth
    | PayOut
    | DrawCard
    | CloseAuction
    | ClosePartnership
    | AdvanceMarker
    | EndTurn
    | BuyLicenceSquare
    | BuyTowerSquare
    | SurrenderLicences
    | ChooseDamagedTanker
    | ChooseDryTower
    | AtConvenience
    | ChooseCard
    | UseCard
    | BidForCard
    | UseBoughtCard
    | AnswerTankerPartnership
    | ChooseTankerPartner
    | TankerWithBank
    | AnswerDissolution
    | SellShareToBankChoice
    | SettleDebt
    | LendToBank
)

# ---- events


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
