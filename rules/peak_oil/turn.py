"""Turns and their steps: PO-050 … PO-062."""

from __future__ import annotations

from events.peak_oil.commands import Reassign
from events.peak_oil.facts import StepSkipped, TurnStarted
from events.peak_oil.steps import CloseTurn, OpenTurn, Step1Choose, Step2Reassign, StepOne, StepThree, StepTwo
from events.words import Runs
from rules.peak_oil import crude, endgame, options
from rules.peak_oil.book import PeakOilTable, mover
from rules.peak_oil.reassign import moves, reassign
from rules.peak_oil.window import close_window, trigger_if_long

TURN: tuple[Runs, ...] = (StepOne(), StepTwo(), StepThree(), CloseTurn())
"""PO-051: the order of a turn."""


def open_turn(table: PeakOilTable, step: OpenTurn) -> None:
    """PO-050, PO-051, PO-309: a turn begins; in Crude, agents that are all stuck on the track come home first."""
    table.emit(TurnStarted(table.board.turn + 1, step.seat))
    crude.release_stuck(table, step.seat)
    table.next(*TURN)


def step_one(table: PeakOilTable, step: StepOne) -> None:
    """PO-052, PO-053, PO-054, PO-061, PO-321: reassign or act; skipped where neither is possible."""
    seat = mover(table)
    question = Step1Choose(awaits=(seat,))
    if next(options.ANSWERS[Step1Choose](table, question), None) is None:
        table.emit(StepSkipped(seat, 1))
    else:
        table.next(question)


def reassign_in_step_one(table: PeakOilTable, step: Step1Choose, command: Reassign) -> None:
    """PO-052, PO-057: instead of an action, an agent moves."""
    reassign(table, command.from_, command.to, "step1")


def step_two(table: PeakOilTable, step: StepTwo) -> None:
    """PO-055, PO-059, PO-061, PO-321: a reassign is due; skipped where none is possible."""
    seat = mover(table)
    if next(moves(table, seat, "step2"), None) is None:
        table.emit(StepSkipped(seat, 2))
    else:
        table.next(Step2Reassign(awaits=(seat,)))


def reassign_in_step_two(table: PeakOilTable, step: Step2Reassign, command: Reassign) -> None:
    """PO-055, PO-073: an agent moves, and not so that all is as it was."""
    reassign(table, command.from_, command.to, "step2")


def close_turn(table: PeakOilTable, step: CloseTurn) -> None:
    """PO-060, PO-104, PO-248: barrels put aside return; the next seat clockwise goes on, or the endgame begins."""
    seat = mover(table)
    trigger_if_long(table)
    close_window(table)
    if table.board.marker is None:
        table.next(OpenTurn(next_seat(table, seat)))
    else:
        endgame.open_final_reassigns(table)


def next_seat(table: PeakOilTable, seat: int) -> int:
    """PO-050, PO-362: the next seat clockwise that has not left."""
    seats = len(table.board.seats)
    clockwise = ((seat + step) % seats for step in range(1, seats + 1))
    return next(other for other in clockwise if other in table.active)
