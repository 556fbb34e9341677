"""The fold of Peak Oil: turns, agents and the end."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from events.peak_oil import facts
from events.table import SeatResigned
from events.words import Event
from projections.peak_oil.changes import more, moved, paid, vacated_with, with_hq
from projections.peak_oil.state import HQ, NO_WINDOW, Board, Window, agents_by_place
from projections.table import Evolve


def _turn_started(board: Board, event: facts.TurnStarted) -> Board:
    window = Window(start=agents_by_place(board, event.seat))
    return replace(board, phase="turns", turn=event.turn, active=event.seat, window=window)


def _nothing(board: Board, event: Event) -> Board:
    return board


def _reassigned(board: Board, event: facts.AgentReassigned) -> Board:
    board = moved(moved(board, event.seat, event.from_, -1), event.seat, event.to, 1)
    if event.paid:
        board = paid(board, event.seat, event.paid)
    if board.phase != "turns":
        return board
    window = board.window
    locks = {**window.locks, event.to: window.locks.get(event.to, 0) + 1}
    return replace(board, window=replace(window, vacated=vacated_with(window, event.from_), locks=locks))


def _returned(board: Board, event: facts.AgentsReturned) -> Board:
    if event.agents:
        board = moved(moved(board, event.seat, event.spot, -event.agents), event.seat, HQ, event.agents)
    window = board.window
    locks = {place: n for place, n in window.locks.items() if place != event.spot}
    return replace(board, window=replace(window, vacated=vacated_with(window, event.spot), locks=locks))


def _window_closed(board: Board, event: facts.WindowClosed) -> Board:
    return replace(
        board,
        bag_black=board.bag_black + event.black,
        bag_red=board.bag_red + event.red,
        active=None,
        window=NO_WINDOW,
    )


def _triggered(board: Board, event: facts.PeakOilTriggered) -> Board:
    return replace(board, marker=event.seat, trigger=event.cause)


def _phase_opened(board: Board, event: facts.PhaseOpened) -> Board:
    return replace(board, phase=event.phase, active=None, window=NO_WINDOW)


def _spot_checked(board: Board, event: facts.SpotChecked) -> Board:
    return replace(board, checking=event.spot)


def _opportunity(board: Board, event: facts.OpportunityOpened) -> Board:
    return replace(board, active=event.seat, window=Window(start=agents_by_place(board, event.seat)))


def _put_back(board: Board, event: facts.BarrelsPutBack) -> Board:
    regions = board.regions if event.region is None else more(board.regions, event.region, event.cargo)
    return replace(board, bag_black=board.bag_black + event.pulled, pulled=0, cargo=0, cargo_from=None, regions=regions)


def _resigned(board: Board, event: SeatResigned) -> Board:
    """A seat that left has all its agents in the reserve; its barrels and cards stay where they are."""
    seat, hq = event.seat, board.seats[event.seat]
    on_track = sum(owner == seat for owner in board.track)
    agents = hq.agents + hq.reserve + on_track + sum(thing.agents for thing in hq.held)
    agents += sum(here[seat] for here in board.spots.values())
    held = tuple(replace(thing, agents=0) for thing in hq.held)
    return replace(
        board,
        seats=with_hq(board, seat, agents=0, reserve=agents, held=held),
        spots={spot: (*here[:seat], 0, *here[seat + 1 :]) for spot, here in board.spots.items()},
        track=tuple(None if owner == seat else owner for owner in board.track),
    )


def _scored(board: Board, event: facts.Scored) -> Board:
    return replace(board, phase="finished", scores=event.scores, checking=None)


TURNS: Mapping[type[Event], Evolve] = {
    facts.TurnStarted: _turn_started,
    facts.StepSkipped: _nothing,
    facts.AgentReassigned: _reassigned,
    facts.ActionDeclared: _nothing,
    facts.ChoiceDeclined: _nothing,
    facts.AgentsReturned: _returned,
    facts.WindowClosed: _window_closed,
    facts.PeakOilTriggered: _triggered,
    facts.PhaseOpened: _phase_opened,
    facts.SpotChecked: _spot_checked,
    facts.OpportunityOpened: _opportunity,
    facts.BarrelsPutBack: _put_back,
    facts.Scored: _scored,
    SeatResigned: _resigned,
}
