"""Leaving the table, and questions left open: PO-360 … PO-366, platform rulings where the rulebook is silent."""

from __future__ import annotations

import msgspec

from events.peak_oil.commands import Command
from events.peak_oil.facts import BarrelsPutBack
from events.peak_oil.steps import CheckSpots, FinalReassigns, OpenTurn, RefillDisplay, ResolveSpot
from events.table import DecisionExpired, SeatResigned
from events.words import Waits
from rules.choices import Option
from rules.peak_oil import develop, endgame, options, turn
from rules.peak_oil.book import PeakOilTable
from rules.peak_oil.scoring import score_of
from rules.peak_oil.window import close_window

CAUTIOUS = (
    "pass",
    "end_turn",
    "stop_pulling",
    "end_action",
    "skip_drill",
    "skip_start_ups",
    "decline",
    "hold_position",
    "load_cargo",
)
"""PO-366: answers that do nothing, or no more."""


def resign(table: PeakOilTable, seat: int, cause: str) -> None:
    """PO-360, PO-361: a seat leaves for good; its agents go to the reserve, what it had in hand goes back."""
    in_window = table.board.active == seat
    awaited = seat in table.game.awaited
    if in_window:
        _put_back(table)
    table.emit(SeatResigned(seat, cause))
    if len(table.active) == 1:
        _end_for(table, table.active[0])
    elif in_window or awaited:
        _move_on(table, seat)


def _put_back(table: PeakOilTable) -> None:
    """PO-361: a display is filled up, barrels in hand return to bag or Region, then the window closes."""
    board = table.board
    for step in table.steps:
        if isinstance(step, RefillDisplay):
            develop.refill_display(table, step)
    if board.pulled or board.cargo:
        assert board.active is not None
        table.emit(BarrelsPutBack(board.active, board.pulled, board.cargo, board.cargo_from))
    close_window(table)


def _move_on(table: PeakOilTable, seat: int) -> None:
    """PO-362, PO-363: the rest of what the seat was about to do falls away; play goes on with the next seat."""
    if table.board.phase == "turns":
        table.steps.clear()
        if table.board.marker is None:
            table.next(OpenTurn(turn.next_seat(table, seat)))
        else:
            endgame.open_final_reassigns(table)
        return
    while not isinstance(table.steps[0], FinalReassigns | ResolveSpot | CheckSpots):
        del table.steps[0]


def _end_for(table: PeakOilTable, winner: int) -> None:
    """PO-364: who alone is left has won."""
    seats = range(len(table.board.seats))
    others = tuple(seat for seat in seats if seat != winner)
    scores = [score_of(table, seat).total for seat in seats]
    table.finish([winner], "last_active", [(winner,), others], scores)


def expire(table: PeakOilTable, step: Waits, seat: int) -> None:
    """PO-366, AMB-73: at the deadline the most cautious legal answer is given."""
    table.emit(DecisionExpired(seat, table.board.phase))
    command = msgspec.convert(cautious(list(options.answers(table, step))), Command)
    table.book.answers[type(step), type(command)](table, step, command)


def cautious(listed: list[Option]) -> dict[str, object]:
    """PO-366: do nothing if that is an answer; else bring an agent home, or move one; else the first answer."""
    commands = [option.command for option in listed if option.choose is None]
    nothing = [command for command in commands if command["type"] in CAUTIOUS]
    moves = [command for command in commands if command["type"] == "reassign"]
    homeward = [command for command in moves if command["to"] == "HQ"]
    return (nothing or homeward or moves or commands)[0]
