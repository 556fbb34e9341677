"""How the words that all games share change a game: seats, start and end, disputes and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from events.table import (
    Awaiting,
    DecisionExpired,
    DisputeFiled,
    GameAborted,
    GameAnnulled,
    GameFinished,
    GameResumed,
    GameStarted,
    GameSuspended,
    ResultCorrected,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    VerdictGiven,
)
from events.words import Event, Step
from projections.game import AnyGame, Dispute, Result, SeatState

Evolve = Callable[[Any, Any], Any]
"""A fold step `(state, event) -> state` without an opinion about legality."""


def _with_seat(game: AnyGame, seat: int, state: SeatState) -> AnyGame:
    return replace(game, seats=(*game.seats[:seat], state, *game.seats[seat + 1 :]))


def _seat_taken(game: AnyGame, event: SeatTaken) -> AnyGame:
    return _with_seat(game, event.seat, SeatState(taken=True, client_seed=event.client_seed))


def _seat_left(game: AnyGame, event: SeatLeft) -> AnyGame:
    return _with_seat(game, event.seat, SeatState())


def _started(game: AnyGame, event: GameStarted) -> AnyGame:
    return replace(game, status="running")


def _awaiting(game: AnyGame, event: Awaiting[Step]) -> AnyGame:
    return replace(game, steps=event.steps)


def _resigned(game: AnyGame, event: SeatResigned) -> AnyGame:
    left = replace(game.seats[event.seat], resigned=True, left_at=game.version + 1)
    return _with_seat(game, event.seat, left)


def _expired(game: AnyGame, event: DecisionExpired) -> AnyGame:
    return game


def _finished(game: AnyGame, event: GameFinished) -> AnyGame:
    result = Result(event.winners, event.reason, event.standings, event.scores)
    return replace(game, status="finished", steps=(), result=result, ended_because=event.reason)


_GOES_ON: Final[Mapping[str, Any]] = {"suspended_for": None, "interrupted": None}


def _aborted(game: AnyGame, event: GameAborted) -> AnyGame:
    return replace(game, status="aborted", steps=(), ended_because=event.reason, **_GOES_ON)


def _suspended(game: AnyGame, event: GameSuspended) -> AnyGame:
    return replace(game, status="suspended", suspended_for=event.reason, interrupted=game.status)


def _resumed(game: AnyGame, event: GameResumed) -> AnyGame:
    return replace(game, status=game.interrupted or game.status, **_GOES_ON)


def _disputed(game: AnyGame, event: DisputeFiled) -> AnyGame:
    dispute = Dispute(event.seat, event.reason, event.first, event.last, game.version + 1)
    return replace(game, disputes=(*game.disputes, dispute))


def _settled(game: AnyGame, event: VerdictGiven) -> AnyGame:
    before = game.disputes[event.dispute - 1]
    after = replace(before, verdict=event.verdict, verdict_reason=event.reason, settled=game.version + 1)
    return replace(game, disputes=(*game.disputes[: event.dispute - 1], after, *game.disputes[event.dispute :]))


def _corrected(game: AnyGame, event: ResultCorrected) -> AnyGame:
    reason = game.result.reason if game.result else "corrected"
    return replace(game, result=Result(event.winners, reason, event.standings, event.scores))


def _annulled(game: AnyGame, event: GameAnnulled) -> AnyGame:
    return replace(game, status="annulled", steps=(), result=None, ended_because=event.reason, **_GOES_ON)


TABLE_EVOLVE: Mapping[type[Event], Evolve] = {
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    GameStarted: _started,
    Awaiting: _awaiting,
    SeatResigned: _resigned,
    DecisionExpired: _expired,
    GameFinished: _finished,
    GameAborted: _aborted,
    GameSuspended: _suspended,
    GameResumed: _resumed,
    DisputeFiled: _disputed,
    VerdictGiven: _settled,
    ResultCorrected: _corrected,
    GameAnnulled: _annulled,
}


def table_fold_of(kind: type[Event]) -> Evolve | None:
    """The shared fold step for an event type, also for a game's own shape of a shared word."""
    return next((TABLE_EVOLVE[base] for base in kind.__mro__ if base in TABLE_EVOLVE), None)
