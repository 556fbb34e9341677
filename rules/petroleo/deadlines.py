"""What a deadline answers for a company that has not: section 3.6, the last column of table 3.2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events import petroleo as words
from events.table import DecisionExpired
from events.words import Waits, snake_case
from rules.petroleo import auction, bank, partnership, payments, privileges, squares, tankers
from rules.petroleo.book import PetroleoTable

Default = Callable[[PetroleoTable, Any, int], None]


def lay_lowest(table: PetroleoTable, step: words.ChooseCard, seat: int) -> None:
    """PT-028: at the deadline the card with the lowest advance is laid, of equal ones the lowest id."""
    card = table.book.edition.card
    lowest = min(table.board.companies[seat].hand, key=lambda one: (card[one].advance, one))
    table.emit(words.CardLaid(seat, lowest))


def pass_auction(table: PetroleoTable, step: words.BidForCard, seat: int) -> None:
    """PT-104: an absent bidder has passed."""
    auction.place_bid(table, step, seat, None)


def refuse_partnership(table: PetroleoTable, step: words.AnswerTankerPartnership, seat: int) -> None:
    """PT-124: an absent rival has refused."""
    partnership.answer(table, step, seat, accept=False)


def refuse_dissolution(table: PetroleoTable, step: words.AnswerDissolution, seat: int) -> None:
    """PT-134: an absent partner has refused."""
    tankers.refuse(table, step, words.Refuse())


def keep_share(table: PetroleoTable, step: words.SellShareToBankChoice, seat: int) -> None:
    """PT-137: an absent commander keeps its half."""


def lend_nothing(table: PetroleoTable, step: words.LendToBank, seat: int) -> None:
    """PT-287: an absent company lends nothing."""
    bank.offer(table, step, seat, 0)


def announced(default: Default) -> Default:
    """The default, with the event that says why it came."""

    def expire(table: PetroleoTable, step: Waits, seat: int) -> None:
        table.emit(DecisionExpired(seat, snake_case(type(step).__name__)))
        default(table, step, seat)

    return expire


DEFAULTS: Mapping[type, Default] = {
    step: announced(default)
    for step, default in (
        (words.BuyLicenceSquare, squares.decline_by_deadline),
        (words.BuyTowerSquare, squares.decline_by_deadline),
        (words.SurrenderLicences, squares.surrender_lowest),
        (words.ChooseDamagedTanker, squares.damage_lowest),
        (words.ChooseDryTower, squares.surrender_lowest_tower),
        (words.AtConvenience, squares.decline_by_deadline),
        (words.ChooseCard, lay_lowest),
        (words.UseCard, privileges.forgo_by_deadline),
        (words.BidForCard, pass_auction),
        (words.UseBoughtCard, privileges.exercise_cheapest),
        (words.AnswerTankerPartnership, refuse_partnership),
        (words.ChooseTankerPartner, partnership.choose_nearest),
        (words.TankerWithBank, partnership.abandon_by_deadline),
        (words.AnswerDissolution, refuse_dissolution),
        (words.SellShareToBankChoice, keep_share),
        (words.SettleDebt, payments.sell_halves),
        (words.LendToBank, lend_nothing),
    )
}
