"""The bag and pulling: PO-100 … PO-115."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from events.peak_oil.codes import Colour, Region
from events.peak_oil.commands import Pull, StopPulling
from events.peak_oil.facts import BagSearched, BarrelPulled, ChoiceDeclined
from events.peak_oil.steps import DrillPull, DrillPulls, ExtraPull, OfferExtraPull, PlaceBarrels, PullBarrels
from events.words import snake_case
from projections.peak_oil.state import bag_total
from rules.peak_oil import hooks
from rules.peak_oil.book import PeakOilTable, mover
from rules.peak_oil.window import trigger_if_dry

COLOURS: tuple[Colour, ...] = ("black", "red", "yellow")
"""PO-015: the order in which the barrels of the bag are counted for a pull."""


def pull_barrels(table: PeakOilTable, step: PullBarrels) -> None:
    """PO-101, PO-112: owed barrels are pulled one by one, each resolved before the next; an empty bag ends it."""
    if not step.owed or not bag_total(table.board):
        return
    if step.owed > 1:
        table.next(replace(step, owed=step.owed - 1))
    _pull(table, step)


def _pull(table: PeakOilTable, step: PullBarrels) -> None:
    """PO-015, PO-102, PO-107, PO-108, PO-109, PO-110, PO-111: one barrel of those now in the bag, each with the same
    chance.
    """
    board, seat = table.board, mover(table)
    index, rng = table.weighted("pull", (board.bag_black, board.bag_red, board.bag_yellow))
    colour = COLOURS[index]
    to = _destination(table, colour, step)
    region = step.region if to == "region" else None
    table.emit(BarrelPulled(seat, colour, step.reason, step.extra, to, region, rng))
    if colour == "black":
        trigger_if_dry(table)
        if to == "market":
            table.next(PlaceBarrels("pull", 1))
    elif not hooks.harmless(table, seat, step.reason):
        table.next(OfferExtraPull(step.reason, step.region))
        table.book.variant.crisis(table)


def _destination(table: PeakOilTable, colour: Colour, step: PullBarrels) -> Literal["market", "aside", "region", "box"]:
    """PO-103, PO-104, PO-105, PO-106, PO-107, PO-108, PO-115: where a barrel of this colour goes when pulled for this
    reason.
    """
    if colour == "yellow":
        return "box"
    if colour == "red":
        return "aside"
    if step.reason == "drill":
        return "region"
    return "aside" if table.board.window.first_black_used else "market"


def offer_extra_pull(table: PeakOilTable, step: OfferExtraPull) -> None:
    """PO-107, PO-109, PO-112: after its crisis a red or yellow barrel grants one more pull, if the bag has any."""
    if bag_total(table.board):
        table.next(ExtraPull(step.reason, step.region, awaits=(mover(table),)))


def take_extra_pull(table: PeakOilTable, step: ExtraPull, command: Pull) -> None:
    """PO-109, PO-110, PO-111: the extra pull keeps its reason, and pays for nothing that was owed."""
    table.next(PullBarrels(step.reason, 1, step.region, extra=True))


def drill_pulls(table: PeakOilTable, step: DrillPulls) -> None:
    """PO-169, PO-112: a pull for each question mark, as long as there is a barrel."""
    if step.left and bag_total(table.board):
        table.next(DrillPull(step.region, step.left, awaits=(mover(table),)))


def take_drill_pull(table: PeakOilTable, step: DrillPull, command: Pull) -> None:
    """PO-106, PO-169: one pull for a question mark."""
    table.next(PullBarrels("drill", 1, step.region), DrillPulls(step.region, step.left - 1))


def stop_pulling(table: PeakOilTable, step: ExtraPull | DrillPull, command: StopPulling) -> None:
    """PO-107, PO-169: pulls that are on offer may be left; drilling, all that remain."""
    table.emit(ChoiceDeclined(mover(table), snake_case(type(step).__name__)))


def search(table: PeakOilTable, region: Region, full: int) -> None:
    """PO-113, PO-168: black is looked for and taken, as far as there is any; no chance, no crisis, no market."""
    found = min(full, table.board.bag_black)
    if found:
        table.emit(BagSearched(mover(table), region, found))
        trigger_if_dry(table)
