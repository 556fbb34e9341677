"""What the table of Petróleo does or waits for (register section 3.2)."""

from __future__ import annotations

from events.petroleo.codes import Kind, Payment, Seats, Square, Terrain
from events.words import Count, Runs, Seat, Waits, Word

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
