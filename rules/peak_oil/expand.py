"""Expand: Recruit and Dispatch. PO-150 … PO-160."""

from __future__ import annotations

from events.peak_oil.codes import Spot
from events.peak_oil.commands import Dispatch, Recruit
from events.peak_oil.facts import AgentRecruited, AgentsDispatched
from events.peak_oil.steps import ChooseOption, DispatchFollowUp, PeakOption
from rules.peak_oil import hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.spots import action_barred, begin_option


def recruit_barred(at: At, seat: int) -> Barred:
    """PO-150, PO-003: an agent comes out of the reserve, as long as there is one."""
    if not at.board.seats[seat].reserve:
        return "PO-150", "reserve_empty"
    if hooks.forbidden(at, seat, "recruit"):
        return "PO-127", "option_blocked"
    return None


def recruit(table: PeakOilTable, step: ChooseOption | PeakOption, command: Recruit) -> None:
    """PO-150, PO-151, PO-264: one own agent from the reserve is in HQ, free to be used at once."""
    begin_option(table, step, "recruit")
    allow(table, recruit_barred(table, mover(table)))
    table.emit(AgentRecruited(mover(table)))


def dispatch_barred(at: At, seat: int, spot: Spot) -> Barred:
    """PO-152, PO-153, PO-154, PO-160, PO-263: why all agents on Expand may not go there."""
    board = at.board
    agents = board.spots["EXP"][seat]
    if spot not in board.spots:
        return "PO-009", "spot_closed", "/spot"
    if spot == "EXP":
        return "PO-160", "same_place", "/spot"
    if not agents:
        return "PO-152", "no_agent_there"
    if sum(board.spots[spot]) + agents > at.book.edition.agents_per_spot:
        return "PO-153", "no_room_for_all", "/spot"
    if spot in board.window.vacated:
        return "PO-154", "spot_vacated", "/spot"
    if hooks.forbidden(at, seat, "dispatch"):
        return "PO-127", "option_blocked"
    return None


def dispatch(table: PeakOilTable, step: ChooseOption | PeakOption, command: Dispatch) -> None:
    """PO-152, PO-155, PO-156, PO-159, PO-263: they go together; in a turn the seat may act there at once."""
    begin_option(table, step, "dispatch")
    seat = mover(table)
    allow(table, dispatch_barred(table, seat, command.spot))
    table.emit(AgentsDispatched(seat, command.spot, table.board.spots["EXP"][seat]))
    if table.board.phase == "turns" and action_barred(table, seat, command.spot) is None:
        table.next(DispatchFollowUp(command.spot, awaits=(seat,)))
