"""The ten phases of a turn and how they open, end and close: OG-12 … OG-22, OG-63, OG-179, OG-180."""

from __future__ import annotations

from msgspec.structs import replace

from events.oil_and_gas import (
    ClosePhase,
    CompanyActions,
    ConversionActions,
    EventTurn,
    FinishPhase,
    MarketActions,
    OpenPhase,
    OpenTurn,
    Phase,
    PhaseClosed,
    PhaseOpened,
    ProfitTurn,
    SeatFinished,
    TurnOpened,
)
from events.table import DecisionExpired
from events.words import Waits
from rules.oil_and_gas import company, ending, event_phase, market
from rules.oil_and_gas.book import OilAndGasTable

PHASES: tuple[Phase, ...] = (
    "company",
    "market",
    "event",
    "explore",
    "drill",
    "transport",
    "refining",
    "gasoline",
    "production",
    "profit",
)
"""OG-12: the order of a turn."""

SERIAL = ("event", "profit")
"""Phases in which one seat at a time has the go (OG-67, OG-133); in all others everybody is awaited at once."""


def open_turn(table: OilAndGasTable, step: OpenTurn) -> None:
    """OG-13, OG-15, OG-16, OG-34: a turn common to all; the deal starts one seat further each turn."""
    turn = table.board.turn + 1
    seats = len(table.board.companies)
    first = (turn - 1) % seats
    while first not in table.active:
        first = (first + 1) % seats
    table.emit(TurnOpened(turn, first))
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
    """OG-15, OG-46, OG-76, OG-89, OG-132, OG-152: the next phase opens at once; after the last, the turn ends."""
    if step.phase == "event":
        event_phase.clear_row(table)
    table.emit(PhaseClosed(step.phase))
    if step.phase == PHASES[-1]:
        ending.close_turn(table)
    else:
        table.next(OpenPhase(PHASES[PHASES.index(step.phase) + 1]))


def finish_phase(table: OilAndGasTable, step: Waits, command: FinishPhase) -> None:
    """OG-19, OG-46, OG-62, OG-70, OG-134, OG-179: a seat is done with the phase, with later ones too if it says so."""
    phase = _open(table)
    if phase == "company":
        company.discard_excess(table, command)
    if command.through_phase is not None:
        later = PHASES.index(command.through_phase) > PHASES.index(phase)
        table.require(later, "OG-179", "bad_through_phase")
    _finish(table, table.seat, "command", command.through_phase)
    _go_on(table, step, table.seat)


def expire(table: OilAndGasTable, step: Waits, seat: int) -> None:
    """OG-177: at the deadline a seat is finished; in the Company Phase its excess is discarded at random."""
    phase = _open(table)
    table.emit(DecisionExpired(seat, phase))
    if phase == "company":
        company.discard_for(table, seat)
    _finish(table, seat, "deadline", None)
    _go_on(table, step, seat)


def leave_question(table: OilAndGasTable, seat: int) -> None:
    """OG-22, OG-63, OG-181: a seat that resigned is awaited no more; the go moves on, a phase may close."""
    had_go = seat in table.game.awaited
    table.release(seat)
    phase = _open(table)
    if phase in SERIAL:
        if had_go:
            give_go(table, phase, seat)
    elif phase == "market":
        step = table.steps[0]
        if isinstance(step, MarketActions) and not _stays_open(phase, step.awaits):
            del table.steps[0]


def give_go(table: OilAndGasTable, phase: Phase, after: int | None) -> None:
    """OG-68 … OG-71, OG-133, OG-134: the go passes to the next seat in order that has not finished, if any."""
    order = table.board.order
    start = 0 if after is None else order.index(after) + 1
    for seat in (*order[start:], *order[:start]):
        if table.board.companies[seat].finished:
            continue
        if _stands_finished(table, seat, phase):
            _finish(table, seat, "standing", None)
            continue
        table.next(EventTurn(awaits=(seat,)) if phase == "event" else ProfitTurn(awaits=(seat,)))
        return


def _open(table: OilAndGasTable) -> Phase:
    phase = table.board.phase
    assert phase is not None, "a running game waits inside a phase"
    return phase


def _await_all(table: OilAndGasTable, phase: Phase) -> None:
    unfinished = table.active
    for seat in table.active:
        if _stays_open(phase, unfinished) and _stands_finished(table, seat, phase):
            _finish(table, seat, "standing", None)
            unfinished = tuple(other for other in unfinished if other != seat)
    if _stays_open(phase, unfinished):
        table.next(_question(phase, unfinished))


def _question(phase: Phase, awaits: tuple[int, ...]) -> Waits:
    if phase == "company":
        return CompanyActions(awaits=awaits)
    if phase == "market":
        return MarketActions(awaits=awaits)
    return ConversionActions(phase, awaits=awaits)


def _stays_open(phase: Phase, unfinished: tuple[int, ...]) -> bool:
    """OG-46, OG-63, OG-132: a market needs two, any other phase one."""
    return len(unfinished) >= (2 if phase == "market" else 1)


def _stands_finished(table: OilAndGasTable, seat: int, phase: Phase) -> bool:
    """OG-179: whether an earlier finish of this turn covers the phase."""
    through = table.board.companies[seat].through
    return through is not None and PHASES.index(through) >= PHASES.index(phase)


def _finish(table: OilAndGasTable, seat: int, cause: str, through: Phase | None) -> None:
    phase = _open(table)
    table.emit(SeatFinished(seat, phase, cause, through))
    if phase == "market":
        market.void_offers_of(table, seat)


def _go_on(table: OilAndGasTable, step: Waits, seat: int) -> None:
    phase = _open(table)
    if phase in SERIAL:
        give_go(table, phase, seat)
        return
    unfinished = tuple(other for other in step.awaits if other != seat)
    if _stays_open(phase, unfinished):
        table.next(replace(step, awaits=unfinished))
