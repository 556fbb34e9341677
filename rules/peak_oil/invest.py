"""Invest: Start-Ups and Technologies. PO-180 … PO-187."""

from __future__ import annotations

from events.peak_oil.codes import Technology
from events.peak_oil.commands import BuyStartUp, Decline, PlaceTechnology, RefreshStartUps, SkipStartUps, StartStartUps
from events.peak_oil.facts import ChoiceDeclined, StartUpBought, TechnologyPlaced
from events.peak_oil.steps import ChooseOption, PeakOption, RefillDisplay, SecondTechnology, StartUpDisplay
from rules.peak_oil import develop, hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.spots import begin_option


def start_ups_barred(at: At, seat: int) -> Barred:
    """PO-180, PO-181, PO-185: there must be a Start-Up that can be paid for, or others to be had."""
    affordable = any(purchase_barred(at, seat, card) is None for card in at.board.start_up_display)
    if not affordable and develop.refresh_barred(at, "start_ups", refreshed=False) is not None:
        return "PO-181", "insufficient_barrels"
    if hooks.forbidden(at, seat, "start_ups"):
        return "PO-127", "option_blocked"
    return None


def start_start_ups(table: PeakOilTable, step: ChooseOption | PeakOption, command: StartStartUps) -> None:
    """PO-180, PO-181: the seat looks at the open Start-Ups."""
    begin_option(table, step, "start_ups")
    allow(table, start_ups_barred(table, mover(table)))
    table.next(StartUpDisplay(awaits=(mover(table),)))


def refresh_start_ups(table: PeakOilTable, step: StartUpDisplay, command: RefreshStartUps) -> None:
    """PO-180, PO-185: the open Start-Ups are replaced, once in an option, money or not."""
    allow(table, develop.refresh_barred(table, "start_ups", refreshed=step.refreshed))
    develop.refresh(table, "start_ups")
    table.next(StartUpDisplay(refreshed=True, awaits=step.awaits))


def purchase_barred(at: At, seat: int, card: str) -> Barred:
    """PO-181, PO-183: an open Start-Up costs what lies on its technology now; that may be nothing."""
    if card not in at.board.start_up_display:
        return "PO-181", "card_not_in_display", "/card"
    price = hooks.start_up_price(at, seat, at.book.edition.start_up[card].technology)
    return None if at.board.seats[seat].black >= price else ("PO-181", "insufficient_barrels", "/card")


def buy_start_up(table: PeakOilTable, step: StartUpDisplay, command: BuyStartUp) -> None:
    """PO-181, PO-182, PO-184, PO-354: paid to the box, shown to all, kept face down; then a new card."""
    seat = mover(table)
    allow(table, purchase_barred(table, seat, command.card))
    card = table.book.edition.start_up[command.card]
    table.emit(StartUpBought(seat, card.id, card.technology, hooks.start_up_price(table, seat, card.technology)))
    table.next(RefillDisplay("start_ups"))


def skip_start_ups(table: PeakOilTable, step: StartUpDisplay, command: SkipStartUps) -> None:
    """PO-181, PO-185: nothing need be bought."""
    table.emit(ChoiceDeclined(mover(table), "start_up_display"))


def technology_barred(at: At, seat: int, technology: Technology) -> Barred:
    """PO-009, PO-186, PO-187: 1 black from HQ on any open technology, however much lies there."""
    if technology not in at.board.technologies:
        return "PO-009", "tech_closed", "/technology"
    if not at.board.seats[seat].black:
        return "PO-186", "insufficient_barrels"
    if hooks.forbidden(at, seat, "technologies"):
        return "PO-127", "option_blocked"
    return None


def place_technology(table: PeakOilTable, step: ChooseOption | PeakOption, command: PlaceTechnology) -> None:
    """PO-186: a barrel of one's own on a technology; a card may allow more."""
    begin_option(table, step, "technologies")
    allow(table, technology_barred(table, mover(table), command.technology))
    _place(table, command.technology, hooks.further_technologies(table, mover(table)))


def place_second_technology(table: PeakOilTable, step: SecondTechnology, command: PlaceTechnology) -> None:
    """PO-186: the further barrel that CN2-4 allows."""
    allow(table, technology_barred(table, mover(table), command.technology))
    _place(table, command.technology, step.left - 1)


def _place(table: PeakOilTable, technology: Technology, further: int) -> None:
    seat = mover(table)
    table.emit(TechnologyPlaced(seat, technology))
    if further and table.board.seats[seat].black:
        table.next(SecondTechnology(further, awaits=(seat,)))


def decline(table: PeakOilTable, step: SecondTechnology, command: Decline) -> None:
    """PO-186: the further barrel is a permission."""
    table.emit(ChoiceDeclined(mover(table), "second_technology"))
