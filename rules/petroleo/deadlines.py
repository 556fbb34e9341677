"""What a deadline answers for a company that has not: section 3.6, the last column of table 3.2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.petroleo import commands, facts, steps
from events.table import DecisionExpired
from events.words import Waits, snake_case
from rules.petroleo import auction, bank, partnership, payments, privileges, squares, tankers
from rules.petroleo.book import PetroleoTable

Default = Callable[[PetroleoTable, Any, int], None]


def lay_lowest(table: PetroleoTable, step: steps.ChooseCard, seat: int) -> None:
    """PT-028: at the deadline the card with the lowest advance is laid, of equal ones the lowest id."""
    card = table.book.edition.card
    lowest = min(table.board.companies[seat].hand, key=lambda one: (card[one].advance, one))
    table.emit(facts.CardLaid(seat, lowest))


def pass_auction(table: PetroleoTable, step: steps.BidForCard, seat: int) -> None:
    """PT-104: an absent bidder has passed."""
    auction.place_bid(table, step, seat, None)


def refuse_partnership(table: PetroleoTable, step: steps.AnswerTankerPartnership, seat: int) -> None:
    """PT-124: an absent rival has refused."""
    partnership.answer(table, step, seat, accept=False)


def refuse_dissolution(table: PetroleoTable, step: steps.AnswerDissolution, seat: int) -> None:
    """PT-134: an absent partner has refused."""
    tankers.refuse(table, step, commands.Refuse())


def keep_share(table: PetroleoTable, step: steps.SellShareToBankChoice, seat: int) -> None:
    """PT-137: an absent commander keeps its half."""


def lend_nothing(table: PetroleoTable, step: steps.LendToBank, seat: int) -> None:
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
        (steps.BuyLicenceSquare, squares.decline_by_deadline),
        (steps.BuyTowerSquare, squares.decline_by_deadline),
        (steps.SurrenderLicences, squares.surrender_lowest),
        (steps.ChooseDamagedTanker, squares.damage_lowest),
        (steps.ChooseDryTower, squares.surrender_lowest_tower),
        (steps.AtConvenience, squares.decline_by_deadline),
        (steps.ChooseCard, lay_lowest),
        (steps.UseCard, privileges.forgo_by_deadline),
        (steps.BidForCard, pass_auction),
        (steps.UseBoughtCard, privileges.exercise_cheapest),
        (steps.AnswerTankerPartnership, refuse_partnership),
        (steps.ChooseTankerPartner, partnership.choose_nearest),
        (steps.TankerWithBank, partnership.abandon_by_deadline),
        (steps.AnswerDissolution, refuse_dissolution),
        (steps.SellShareToBankChoice, keep_share),
        (steps.SettleDebt, payments.sell_halves),
        (steps.LendToBank, lend_nothing),
    )
}
