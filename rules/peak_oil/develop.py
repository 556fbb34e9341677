"""Develop: Drill and Whitewash. PO-165 … PO-176. The displays of both Develop and Invest: PO-260, AMB-17, AMB-20."""

from __future__ import annotations

from collections.abc import Mapping

from events.peak_oil.codes import Display
from events.peak_oil.commands import RefreshOilFields, SkipDrill, StartDrill, TakeOilField, Whitewash
from events.peak_oil.facts import (
    ChoiceDeclined,
    DisplayRefilled,
    DisplayRefreshed,
    OilFieldTaken,
    PrCardWhitewashed,
    ReleasedFromCard,
)
from events.peak_oil.steps import ChooseOption, DrillDisplay, DrillPulls, PeakOption, RefillDisplay
from rules.peak_oil import bag, hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.spots import begin_option

# ---- displays


def display_of(at: At, display: Display) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """PO-024, PO-025: the deck and the open cards of a display."""
    board = at.board
    if display == "oil_fields":
        return board.field_deck, board.field_display
    return board.start_up_deck, board.start_up_display


REFRESH_RULE: Mapping[Display, str] = {"oil_fields": "PO-165", "start_ups": "PO-180"}
"""Which rule has new cards come once, from a deck that has some."""


def refresh_barred(at: At, display: Display, *, refreshed: bool) -> Barred:
    """PO-165, PO-180, PO-260, PO-312: new cards come once in an option, in turns, from a deck that has some."""
    if not at.book.variant.refreshes:
        return "PO-312", "no_refresh"
    if at.board.phase == "peak_oil":
        return "PO-260", "no_refresh"
    if refreshed:
        return REFRESH_RULE[display], "refresh_used"
    return None if display_of(at, display)[0] else (REFRESH_RULE[display], "deck_empty")


def refresh(table: PeakOilTable, display: Display) -> None:
    """PO-165, PO-180, AMB-17: the open cards go under the deck in display order, others are revealed."""
    deck, shown = display_of(table, display)
    revealed = (*deck, *shown)[: table.book.edition.display]
    table.emit(DisplayRefreshed(mover(table), display, shown, revealed))


def refill_display(table: PeakOilTable, step: RefillDisplay) -> None:
    """PO-170, PO-184, PO-260, AMB-20, AMB-30: a new card comes up, not in the Peak Oil phase, and if there is one."""
    deck, shown = display_of(table, step.display)
    missing = table.book.edition.display - len(shown)
    if missing > 0 and deck and table.board.phase != "peak_oil":
        table.emit(DisplayRefilled(step.display, deck[:missing]))


# ---- Drill


def drill_barred(at: At, seat: int) -> Barred:
    """PO-165, PO-166: there must be an open Oil Field, or one to be had by replacing them."""
    if not at.board.field_display and refresh_barred(at, "oil_fields", refreshed=False) is not None:
        return "PO-166", "card_not_in_display"
    if hooks.forbidden(at, seat, "drill"):
        return "PO-127", "option_blocked"
    return None


def start_drill(table: PeakOilTable, step: ChooseOption | PeakOption, command: StartDrill) -> None:
    """PO-165, PO-166: the seat looks at the open Oil Fields."""
    begin_option(table, step, "drill")
    allow(table, drill_barred(table, mover(table)))
    table.next(DrillDisplay(awaits=(mover(table),)))


def refresh_oil_fields(table: PeakOilTable, step: DrillDisplay, command: RefreshOilFields) -> None:
    """PO-165: the open Oil Fields are replaced, once in a Drill."""
    allow(table, refresh_barred(table, "oil_fields", refreshed=step.refreshed))
    refresh(table, "oil_fields")
    table.next(DrillDisplay(refreshed=True, awaits=step.awaits))


def take_oil_field(table: PeakOilTable, step: DrillDisplay, command: TakeOilField) -> None:
    """PO-166, PO-167, PO-168, PO-169, PO-170, PO-171, PO-172: the card, its Security chip, its full barrels, its
    question marks; then a new card.
    """
    board, seat = table.board, mover(table)
    table.require(command.card in board.field_display, "PO-166", "card_not_in_display", field="/card")
    card = table.book.edition.field[command.card]
    table.emit(OilFieldTaken(seat, card.id, min(1 if card.security else 0, board.security)))
    bag.search(table, card.region, card.full)
    marks = hooks.drill_question_marks(table, seat, card.question_marks)
    table.next(DrillPulls(card.region, marks), RefillDisplay("oil_fields"))


def skip_drill(table: PeakOilTable, step: DrillDisplay, command: SkipDrill) -> None:
    """PO-166: no Oil Field need be taken."""
    table.emit(ChoiceDeclined(mover(table), "drill_display"))


# ---- Whitewash


def whitewash_barred(at: At, seat: int, card: str) -> Barred:
    """PO-173, PO-174: one own face-up card, for its price."""
    hq = at.board.seats[seat]
    if card not in hq.pr_up:
        return "PO-174", "card_not_face_up", "/card"
    if hq.black < hooks.whitewash_cost(at, seat, card):
        return "PO-173", "insufficient_barrels", "/card"
    if hooks.forbidden(at, seat, "whitewash"):
        return "PO-127", "option_blocked"
    return None


def whitewash(table: PeakOilTable, step: ChooseOption | PeakOption, command: Whitewash) -> None:
    """PO-130, PO-173, PO-174, PO-175, PO-176: the card goes under its deck, what lay on it comes home."""
    begin_option(table, step, "whitewash")
    seat = mover(table)
    allow(table, whitewash_barred(table, seat, command.card))
    card = table.book.edition.pr_card[command.card]
    table.emit(PrCardWhitewashed(seat, card.id, card.level, hooks.whitewash_cost(table, seat, card.id)))
    held = [thing for thing in table.board.seats[seat].held if thing.card == card.id]
    if held:
        black, agents = sum(thing.black for thing in held), sum(thing.agents for thing in held)
        table.emit(ReleasedFromCard(seat, card.id, black, agents))
