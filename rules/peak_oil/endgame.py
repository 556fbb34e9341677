"""Final reassigns and the Peak Oil phase: PO-245 … PO-266."""

from __future__ import annotations

from events.peak_oil.codes import Spot
from events.peak_oil.commands import Pass, Reassign
from events.peak_oil.facts import ChoiceDeclined, OpportunityOpened, PhaseOpened, SpotChecked
from events.peak_oil.steps import (
    CheckSpots,
    CloseOpportunity,
    FinalReassigns,
    LeaveSpot,
    PeakEntry,
    PeakOption,
    PeakReassign,
    ResolveSpot,
)
from events.words import Waits, snake_case
from rules.peak_oil import hooks, scoring
from rules.peak_oil.action import send_home
from rules.peak_oil.book import PeakOilTable, mover
from rules.peak_oil.reassign import reassign_finally
from rules.peak_oil.spots import standing_on
from rules.peak_oil.window import close_window

# ---- final reassigns


def open_final_reassigns(table: PeakOilTable) -> None:
    """PO-248, PO-250, PO-251: clockwise from the marker's left neighbour, everybody but the marker player."""
    table.emit(PhaseOpened("final_reassign"))
    _, *others = from_marker(table)
    table.next(FinalReassigns(tuple(others)))


def from_marker(table: PeakOilTable) -> tuple[int, ...]:
    """PO-250, PO-256: all seats clockwise, beginning with the marker player."""
    marker, seats = table.board.marker, len(table.board.seats)
    assert marker is not None
    return tuple((marker + step) % seats for step in range(seats))


def final_reassigns(table: PeakOilTable, step: FinalReassigns) -> None:
    """PO-250, PO-363: one seat after the other, those that left excepted; then the Peak Oil phase begins."""
    waiting = [seat for seat in step.seats if seat in table.active]
    if waiting:
        table.next(PeakReassign(awaits=(waiting[0],)), FinalReassigns(tuple(waiting[1:])))
    else:
        table.emit(PhaseOpened("peak_oil"))
        table.next(CheckSpots(tuple(table.board.spots)))


def final_reassign(table: PeakOilTable, step: PeakReassign, command: Reassign) -> None:
    """PO-250, PO-252: one agent moves, free of charge, to HQ or a spot with room."""
    reassign_finally(table, step.awaits[0], command.from_, command.to)


def pass_final_reassign(table: PeakOilTable, step: PeakReassign, command: Pass) -> None:
    """PO-250, AMB-31: nobody has to."""
    table.emit(ChoiceDeclined(step.awaits[0], "peak_reassign"))


# ---- the Peak Oil phase


def check_spots(table: PeakOilTable, step: CheckSpots) -> None:
    """PO-255, PO-265, PO-266: spot by spot, left to right; then nobody is on the board, and all is scored."""
    if not step.spots:
        scoring.score(table)
        return
    spot, rest = step.spots[0], step.spots[1:]
    table.next(CheckSpots(rest))
    seats = order_on(table, spot)
    if seats:
        table.emit(SpotChecked(spot, seats))
        table.next(ResolveSpot(spot, seats))


def order_on(table: PeakOilTable, spot: Spot) -> tuple[int, ...]:
    """PO-256, PO-257: who alone has the majority is first; the others follow clockwise from the marker player."""
    present = [seat for seat in from_marker(table) if table.board.spots[spot][seat]]
    leaders = [seat for seat in present if standing_on(table, seat, spot) == "majority"]
    return (*leaders, *(seat for seat in present if seat not in leaders))


def resolve_spot(table: PeakOilTable, step: ResolveSpot) -> None:
    """PO-257, PO-258, PO-259, PO-261, PO-262: a window of its own for each seat that still has an agent there."""
    if not step.seats:
        return
    seat, rest = step.seats[0], step.seats[1:]
    table.next(ResolveSpot(step.spot, rest))
    if table.board.spots[step.spot][seat]:
        table.emit(OpportunityOpened(seat, step.spot))
        table.next(_question(table, seat, step.spot), LeaveSpot(step.spot), CloseOpportunity())


def _question(table: PeakOilTable, seat: int, spot: Spot) -> Waits:
    """PO-258, PO-261: Grey Ops asks for its entry barrel first."""
    entries = hooks.grey_entries(table, seat) if spot == "GRY" else 0
    return PeakEntry(entries, awaits=(seat,)) if entries else PeakOption(spot, awaits=(seat,))


def pass_opportunity(table: PeakOilTable, step: PeakOption | PeakEntry, command: Pass) -> None:
    """PO-258: who passes takes the agents home all the same, and pays for no action."""
    seat = mover(table)
    table.emit(ChoiceDeclined(seat, snake_case(type(step).__name__)))
    leave = table.steps.pop(0)
    assert isinstance(leave, LeaveSpot), "below the question lies the way home"
    send_home(table, leave.spot)


def close_opportunity(table: PeakOilTable, step: CloseOpportunity) -> None:
    """PO-262: barrels put aside in this window go back into the bag."""
    close_window(table)
