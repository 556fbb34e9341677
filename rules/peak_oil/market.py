"""The Black Market: PO-140 … PO-147."""

from __future__ import annotations

from events.peak_oil.codes import InHand, Technology
from events.peak_oil.commands import PlaceOnMarket
from events.peak_oil.facts import MarketDistributed, MarketFilled
from events.peak_oil.steps import ChooseMarketSlot, PlaceBarrels
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.security import usable


def empty_slots(at: At) -> list[Technology]:
    """PO-140, PO-144: the slots that hold no barrel."""
    return [slot for slot, barrels in at.board.market.items() if not barrels]


def slot_barred(at: At, slot: Technology) -> Barred:
    """PO-008, PO-141: a barrel goes on an empty slot of an open technology."""
    if slot not in at.board.market:
        return "PO-008", "tech_closed", "/technology"
    if at.board.market[slot]:
        return "PO-141", "slot_occupied", "/technology"
    return None


def forced_slot(at: At) -> Technology | None:
    """PO-141: the only slot left, where the seat could not do anything else either; else the seat chooses."""
    empty = empty_slots(at)
    if len(empty) > 1 or usable(at, mover(at)):
        return None
    return empty[0]


def place_barrels(table: PeakOilTable, step: PlaceBarrels) -> None:
    """PO-103, PO-141, PO-145, PO-146, PO-215: barrels in hand go on slots one by one."""
    if not step.left:
        return
    slot = forced_slot(table)
    if slot is None:
        table.next(ChooseMarketSlot(step.source, step.left, awaits=(mover(table),)))
    else:
        _place(table, step.source, step.left, slot, auto=True)


def place_on_market(table: PeakOilTable, step: ChooseMarketSlot, command: PlaceOnMarket) -> None:
    """PO-141: whoever places a barrel chooses any empty slot."""
    allow(table, slot_barred(table, command.technology))
    _place(table, step.source, step.left, command.technology, auto=False)


def _place(table: PeakOilTable, source: InHand, left: int, slot: Technology, *, auto: bool) -> None:
    table.emit(MarketFilled(mover(table), slot, source, auto))
    distribute(table)
    table.next(PlaceBarrels(source, left - 1))


def distribute(table: PeakOilTable) -> None:
    """PO-142, PO-143, PO-147: a full market goes on to the open Regions at once, one barrel on each."""
    if all(table.board.market.values()):
        table.emit(MarketDistributed(tuple(table.board.regions)))
