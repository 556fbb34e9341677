"""The window of a turn or opportunity: what triggers Peak Oil, how it closes. PO-060, PO-245, PO-262, PO-365."""

from __future__ import annotations

from events.peak_oil.facts import PeakOilTriggered, WindowClosed
from rules.peak_oil.book import PeakOilTable, mover


def trigger_if_dry(table: PeakOilTable) -> None:
    """PO-245, PO-246, PO-247: the last black has left the bag: Peak Oil, once and for good; the turn goes on."""
    if not table.board.bag_black and table.board.marker is None:
        table.emit(PeakOilTriggered(mover(table), "bag_empty"))


def trigger_if_long(table: PeakOilTable) -> None:
    """PO-365: at the end of the last turn that the host allowed, Peak Oil is triggered by its player."""
    limit = table.book.options_chosen.max_turns
    if limit is not None and table.board.turn >= limit and table.board.marker is None:
        table.emit(PeakOilTriggered(mover(table), "max_turns"))


def close_window(table: PeakOilTable) -> None:
    """PO-060, PO-104, PO-107, PO-262: what was put aside goes back into the bag; counters and marks are gone."""
    window = table.board.window
    table.emit(WindowClosed(mover(table), window.aside_black, window.aside_red))
