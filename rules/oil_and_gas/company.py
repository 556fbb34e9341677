"""Company Phase: OG-33 … OG-46."""

from __future__ import annotations

from msgspec import UNSET

from events.oil_and_gas.commands import BuyExtraCard, FinishPhase
from events.oil_and_gas.facts import CardsDiscarded, ProfitChanged
from events.oil_and_gas.steps import CompanyActions
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.deck import draw
from rules.oil_and_gas.hands import require_own_cards
from rules.oil_and_gas.order import clockwise_from


def deal(table: OilAndGasTable) -> None:
    """OG-33, OG-34, OG-35: rounds of one card for each active seat, clockwise from the turn's first seat."""
    seats = clockwise_from(table, table.board.deal_start)
    for _ in range(table.book.edition.cards_dealt):
        for seat in seats:
            draw(table, seat, 1, "base")


def buy_extra_card(table: OilAndGasTable, step: CompanyActions, command: BuyExtraCard) -> None:
    """OG-36, OG-37, OG-38, OG-39, OG-40, OG-41: 1 PT for a card, twice a turn at most, whatever the hand size, while
    there are cards.
    """
    company = table.board.companies[table.seat]
    edition = table.book.edition
    table.require(company.extra_cards < edition.extra_cards, "OG-37", "extra_limit_reached")
    table.require(company.profit >= edition.extra_card_price, "OG-38", "insufficient_profit")
    table.require(table.board.deck or table.board.discard, "OG-39", "no_cards_left")
    table.emit(ProfitChanged(table.seat, -edition.extra_card_price, "extra"))
    draw(table, table.seat, 1, "extra")
    table.next(step)


def discard_excess(table: OilAndGasTable, command: FinishPhase) -> None:
    """OG-42, OG-43, OG-44: who finishes with more than ten cards names exactly the excess, else none."""
    assert command.discard is not UNSET, "checked by `finish_phase`"
    due, rule = excess(table, table.seat), rule_of_discard(table)
    require_own_cards(table, command.discard, rule, "/discard")
    table.require(len(command.discard) == due, rule, "bad_discard_count", field="/discard", due=due)
    if command.discard:
        table.emit(CardsDiscarded(table.seat, command.discard, "excess"))


def rule_of_discard(table: OilAndGasTable) -> str:
    """OG-43, OG-44: whether the seat must name cards to discard, or none, when it finishes the Company Phase."""
    return "OG-43" if excess(table, table.seat) else "OG-44"


def discard_for(table: OilAndGasTable, seat: int) -> None:
    """OG-43, OG-177: at the deadline the excess is picked at random."""
    if count := excess(table, seat):
        hand = sorted(table.board.companies[seat].hand)
        cards, rng = table.choose(f"auto_discard/{table.board.turn}/{seat}", count, hand)
        table.emit(CardsDiscarded(seat, cards, "auto_discard", rng))


def excess(table: OilAndGasTable, seat: int) -> int:
    """OG-42: the cards above the hand limit."""
    return max(0, len(table.board.companies[seat].hand) - table.book.edition.hand_limit)
