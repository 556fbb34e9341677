"""The ten phases of a turn and how they open, end and close: OG-12 … OG-22, OG-63, OG-177, OG-179, OG-180."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from events.oil_and_gas.codes import Phase
from events.oil_and_gas.commands import FinishPhase
from events.oil_and_gas.facts import PhaseClosed, PhaseOpened, SeatFinished, TurnOpened
from events.oil_and_gas.steps import ClosePhase, OpenPhase, OpenTurn
from events.table import DecisionExpired
from events.words import Waits
from rules.oil_and_gas import company, ending, event_phase, leaving, market
from rules.oil_and_gas.book import OilAndGasTable
from rules.oil_and_gas.order import (
    PHASES,
    QUESTIONS,
    SERIAL,
    clockwise_from,
    give_go,
    open_phase_of,
    phases_after,
    stands_finished,
    stays_open,
)


def open_turn(table: OilAndGasTable, step: OpenTurn) -> None:
    """OG-13, OG-15, OG-16, OG-34: a turn common to all; the deal starts one seat further each turn."""
    turn = table.board.turn + 1
    table.emit(TurnOpened(turn, clockwise_from(table, (turn - 1) % table.seats)[0]))
    table.next(OpenPhase("company"))


def open_phase(table: OilAndGasTable, step: OpenPhase) -> None:
    """OG-14, OG-33, OG-65: what is automatic happens first, then seats are awaited, all at once or one by one."""
    table.emit(PhaseOpened(step.phase))
    if step.phase == "company":
        company.deal(table)
    if step.phase == "event":
        event_phase.roll_for_lead(table)
    table.next(ClosePhase(step.phase))
    if step.phase in SERIAL:
        give_go(table, step.phase, None)
    else:
        _await_all(table, step.phase)


def close_phase(table: OilAndGasTable, step: ClosePhase) -> None:
    """OG-46, OG-76, OG-89, OG-132, OG-152: the next phase opens at once; after the last, the turn ends."""
    if step.phase == "event":
        event_phase.clear_row(table)
    table.emit(PhaseClosed(step.phase))
    if step.phase == PHASES[-1]:
        _close_turn(table)
    else:
        table.next(OpenPhase(phases_after(step.phase)[0]))


def finish_phase(table: OilAndGasTable, step: Waits, command: FinishPhase) -> None:
    """OG-19, OG-46, OG-62, OG-70, OG-134, OG-179: a seat is done with the phase, with later ones too if it says so.

    `discard` belongs to the Company Phase alone. That is judged here, when the question is known to be the open one:
    an answer that comes a phase late is late, not ill-formed.
    """
    phase = open_phase_of(table)
    rule = company.rule_of_discard(table) if phase == "company" else "OG-44"
    table.require((command.discard is UNSET) == (phase != "company"), rule, "malformed", field="/discard")
    if phase == "company":
        company.discard_excess(table, command)
    if command.through_phase is not None:
        later = command.through_phase in phases_after(phase)
        table.require(later, "OG-179", "bad_through_phase", field="/through_phase")
    _finish(table, table.seat, "command", command.through_phase)
    _go_on(table, step, table.seat)


def expire(table: OilAndGasTable, step: Waits, seat: int) -> None:
    """OG-177: at the deadline a seat is finished; in the Company Phase its excess is discarded at random."""
    phase = open_phase_of(table)
    table.emit(DecisionExpired(seat, phase))
    if phase == "company":
        company.discard_for(table, seat)
    _finish(table, seat, "deadline", None)
    _go_on(table, step, seat)


def _close_turn(table: OilAndGasTable) -> None:
    """OG-15, OG-154, OG-182: somebody has won, or who is absent leaves, or the next turn opens."""
    if not (ending.end_of_turn(table) or leaving.resign_absent(table)):
        table.next(OpenTurn())


def _await_all(table: OilAndGasTable, phase: Phase) -> None:
    """OG-179: standing finishes first, in ascending order, tested one by one; the others are awaited together."""
    unfinished = active = table.active
    for seat in active:
        if stays_open(phase, unfinished) and stands_finished(table, seat, phase):
            _finish(table, seat, "standing", None)
            unfinished = tuple([other for other in unfinished if other != seat])
    if stays_open(phase, unfinished):
        table.next(QUESTIONS[phase](awaits=unfinished))


def _finish(table: OilAndGasTable, seat: int, cause: str, through: Phase | None) -> None:
    phase = open_phase_of(table)
    table.emit(SeatFinished(seat, phase, cause, through))
    if phase == "market":
        market.void_offers_of(table, seat)


def _go_on(table: OilAndGasTable, step: Waits, seat: int) -> None:
    phase = open_phase_of(table)
    if phase in SERIAL:
        give_go(table, phase, seat)
        return
    unfinished = tuple([other for other in step.awaits if other != seat])
    if stays_open(phase, unfinished):
        table.next(replace(step, awaits=unfinished))
