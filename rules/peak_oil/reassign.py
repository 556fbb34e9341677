"""Reassigning an agent: PO-063 … PO-075."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from events.peak_oil.codes import Place
from events.peak_oil.facts import AgentReassigned
from projections.peak_oil.state import HQ, Board, agents_by_place, places
from rules.peak_oil import hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover

Kind = Literal["step1", "step2", "step3", "final"]


def agents_at(board: Board, seat: int, place: Place) -> int:
    """PO-072: a seat's agents at a place they can be reassigned from: HQ or an open spot."""
    if place == HQ:
        return board.seats[seat].agents
    return board.spots[place][seat] if place in board.spots else 0


def reassign_barred(at: At, seat: int, origin: Place, to: Place, kind: Kind) -> Barred:
    """PO-063, PO-064, PO-065, PO-066, PO-067, PO-068, PO-069, PO-070, PO-071, PO-072, PO-073, PO-252: why an agent may
    not move like this; the final reassign knows no window.
    """
    board, window = at.board, at.board.window
    final = kind == "final"
    here = agents_at(board, seat, origin)
    cite: Barred = None
    if not (_is_open(board, origin) and _is_open(board, to)):
        cite = "PO-009", "spot_closed", "/to" if _is_open(board, origin) else "/from"
    elif not here:
        cite = "PO-063", "no_agent_there", "/from"
    elif not final and here <= window.locks.get(origin, 0):
        cite = "PO-069", "agent_locked", "/from"
    elif origin == to:
        cite = "PO-064", "same_place", "/to"
    elif to != HQ and sum(board.spots[to]) >= at.book.edition.agents_per_spot:
        cite = "PO-065", "spot_full", "/to"
    elif not final and to in window.vacated:
        cite = "PO-066", "spot_vacated", "/to"
    elif kind in {"step2", "step3"} and restores_start(board, seat, origin, to):
        cite = "PO-073", "null_turn", "/to"
    elif hooks.forbidden_target(at, seat, to):
        cite = "PO-127", "option_blocked", "/to"
    return cite


def _is_open(board: Board, place: Place) -> bool:
    return place == HQ or place in board.spots


def restores_start(board: Board, seat: int, origin: Place, to: Place) -> bool:
    """PO-073: whether the move would leave all agents where they were when the turn began."""
    now, then = agents_by_place(board, seat), board.window.start
    where = places(board)
    from_, into = where.index(origin), where.index(to)
    if now[from_] - 1 != then[from_] or now[into] + 1 != then[into]:
        return False
    return all(now[at] == then[at] for at in range(len(where)) if at not in {from_, into})


def moves(at: At, seat: int, kind: Kind) -> Iterator[tuple[Place, Place]]:
    """PO-063, PO-071: every reassign that nothing bars."""
    board = at.board
    everywhere = places(board)
    for origin in everywhere:
        if agents_at(board, seat, origin):
            for to in everywhere:
                if reassign_barred(at, seat, origin, to, kind) is None:
                    yield origin, to


def reassign(table: PeakOilTable, origin: Place, to: Place, kind: Kind, *, paid: int = 0) -> None:
    """PO-063, PO-074: one own agent of the seat on turn moves; nothing else does, and nothing is pulled."""
    allow(table, reassign_barred(table, mover(table), origin, to, kind))
    table.emit(AgentReassigned(mover(table), origin, to, paid))


def reassign_finally(table: PeakOilTable, seat: int, origin: Place, to: Place) -> None:
    """PO-252: one own agent of a seat moves, outside of any turn."""
    allow(table, reassign_barred(table, seat, origin, to, "final"))
    table.emit(AgentReassigned(seat, origin, to))
