"""Who is asked: the order of phases and goes, standing finishes. OG-12, OG-67 … OG-71, OG-133, OG-179."""

from __future__ import annotations

from collections.abc import Mapping

from events.oil_and_gas.codes import Phase
from events.oil_and_gas.facts import SeatFinished
from events.oil_and_gas.steps import (
    CompanyActions,
    DrillActions,
    EventTurn,
    ExploreActions,
    GasolineActions,
    MarketActions,
    ProductionActions,
    ProfitTurn,
    RefiningActions,
    TransportActions,
)
from events.words import Waits
from rules.oil_and_gas.book import OilAndGasTable

QUESTIONS: Mapping[Phase, type[Waits]] = {
    "company": CompanyActions,
    "market": MarketActions,
    "event": EventTurn,
    "explore": ExploreActions,
    "drill": DrillActions,
    "transport": TransportActions,
    "refining": RefiningActions,
    "gasoline": GasolineActions,
    "production": ProductionActions,
    "profit": ProfitTurn,
}
"""OG-12: the phases of a turn in order, and what each asks."""

PHASES: tuple[Phase, ...] = tuple(QUESTIONS)

SERIAL = ("event", "profit")
"""Phases in which one seat at a time has the go (OG-67, OG-133); in all others everybody is awaited at once."""


def open_phase_of(table: OilAndGasTable) -> Phase:
    """The phase that the open question belongs to."""
    phase = table.board.phase
    assert phase is not None, "a running game waits inside a phase"
    return phase


def phases_after(phase: Phase) -> tuple[Phase, ...]:
    """OG-12, OG-14: what is still to come in the turn."""
    return PHASES[PHASES.index(phase) + 1 :]


def clockwise_from(table: OilAndGasTable, seat: int) -> list[int]:
    """OG-02, OG-22: the active seats in ascending order, wrapping, from this one on."""
    seats = table.seats
    return [other for step in range(seats) if (other := (seat + step) % seats) in table.active]


def stays_open(phase: Phase, unfinished: tuple[int, ...]) -> bool:
    """OG-46, OG-63, OG-132: a market needs two who have not finished, any other phase one."""
    return len(unfinished) >= (2 if phase == "market" else 1)


def stands_finished(table: OilAndGasTable, seat: int, phase: Phase) -> bool:
    """OG-179, OG-180: whether an earlier finish of this turn covers the phase. Nothing else finishes a seat unasked."""
    through = table.board.companies[seat].through
    return through is not None and PHASES.index(through) >= PHASES.index(phase)


def give_go(table: OilAndGasTable, phase: Phase, after: int | None) -> None:
    """OG-67, OG-68, OG-69, OG-70, OG-71, OG-133, OG-134: the go passes to the next seat in order that has not finished,
    if there is one.

    That may be the same seat again, and no go is skipped for what a hand does not hold (OG-180).
    """
    order = table.board.order
    start = 0 if after is None else order.index(after) + 1
    for seat in (*order[start:], *order[:start]):
        if table.board.companies[seat].finished:
            continue
        if stands_finished(table, seat, phase):
            table.emit(SeatFinished(seat, phase, "standing", None))
            continue
        table.next(QUESTIONS[phase](awaits=(seat,)))
        return


def leave_question(table: OilAndGasTable, seat: int) -> None:
    """OG-22, OG-63, OG-181: a seat that left is awaited no more; its go moves on, and a parallel phase may close."""
    had_go = seat in table.awaited
    table.release(seat)
    phase = open_phase_of(table)
    if phase in SERIAL:
        if had_go:
            give_go(table, phase, seat)
        return
    step = table.steps[0]
    if isinstance(step, MarketActions) and not stays_open(phase, step.awaits):
        del table.steps[0]
