"""Taking an action, from the declaration to the agents' way home: PO-080 … PO-095, PO-156 … PO-158."""

from __future__ import annotations

from events.peak_oil.codes import Spot
from events.peak_oil.commands import ActHere, EndAction, HoldPosition, TakeAction
from events.peak_oil.facts import ActionDeclared, AgentsReturned, BarrelsBoxed, ChoiceDeclined
from events.peak_oil.steps import (
    ChooseOption,
    DispatchFollowUp,
    GreyEntries,
    LeaveSpot,
    PullBarrels,
    Step1Choose,
    UseOptions,
)
from events.words import Step
from rules.peak_oil import hooks, options, security
from rules.peak_oil.book import PeakOilTable, allow, mover
from rules.peak_oil.spots import action_barred, standing_on


def take_action(table: PeakOilTable, step: Step1Choose, command: TakeAction) -> None:
    """PO-058, PO-080, PO-084: the one action of the turn is declared."""
    allow(table, action_barred(table, mover(table), command.spot))
    _declare(table, command.spot, dispatched=False)


def act_here(table: PeakOilTable, step: DispatchFollowUp, command: ActHere) -> None:
    """PO-156, PO-157: the dispatched agents act where they are, by the usual rules: asked is only who may."""
    _declare(table, step.spot, dispatched=True)


def hold_position(table: PeakOilTable, step: DispatchFollowUp, command: HoldPosition) -> None:
    """PO-156: the dispatched agents stay where they are."""
    table.emit(ChoiceDeclined(mover(table), "dispatch_follow_up"))


def _declare(table: PeakOilTable, spot: Spot, *, dispatched: bool) -> None:
    """PO-082, PO-083, PO-086, PO-089: the standing is settled now; a tie is pulled for before any option."""
    seat = mover(table)
    standing = standing_on(table, seat, spot)
    assert standing is not None
    table.emit(ActionDeclared(seat, spot, standing, dispatched))
    pulls: list[Step] = [PullBarrels("tie", hooks.tie_pulls(table, seat))] if standing == "tied" else []
    if spot == "GRY":
        then: Step = GreyEntries(hooks.grey_entries(table, seat), standing)
    else:
        then = UseOptions(spot, standing)
    table.next(*pulls, then, LeaveSpot(spot))


def use_options(table: PeakOilTable, step: UseOptions) -> None:
    """PO-090, PO-094, PO-095: asked as long as cards and standing allow an option and one can be used.

    Somebody with a usable Security chip is asked in any case: a flip may open a route.
    """
    seat = mover(table)
    if len(step.used) >= hooks.option_limit(table, seat, step.standing):
        return
    if security.usable(table, seat) or options.any_option(table, seat, step.spot, step.used):
        table.next(ChooseOption(step.spot, step.standing, step.used, awaits=(seat,)))


def end_action(table: PeakOilTable, step: ChooseOption, command: EndAction) -> None:
    """PO-085, PO-090: options may be left unused."""
    table.emit(ChoiceDeclined(mover(table), "choose_option"))


def leave_spot(table: PeakOilTable, step: LeaveSpot) -> None:
    """PO-068, PO-070, PO-091, PO-158: all own agents on the spot go home, free; nobody comes back this turn."""
    send_home(table, step.spot)
    seat = mover(table)
    due = min(hooks.action_end(table, seat), table.board.seats[seat].black)
    if due:
        table.emit(BarrelsBoxed(seat, due, "action_end"))


def send_home(table: PeakOilTable, spot: Spot) -> None:
    """PO-091, PO-258: the agents of the spot are in HQ."""
    seat = mover(table)
    table.emit(AgentsReturned(seat, spot, table.board.spots[spot][seat]))
