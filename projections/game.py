"""What all games have in common: the table, its seats, the question it waits for, its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from events.table import (
    Awaiting,
    DecisionExpired,
    DisputeFiled,
    GameAborted,
    GameAnnulled,
    GameCreated,
    GameFinished,
    GameResumed,
    GameStarted,
    GameSuspended,
    ResultCorrected,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    Verdict,
    VerdictGiven,
)
from events.words import Event, Rng, Step, Waits

BoardT = TypeVar("BoardT")
StepT = TypeVar("StepT")

Status = Literal["lobby", "running", "suspended", "finished", "aborted", "annulled"]


ENDED: Final[frozenset[Status]] = frozenset({"finished", "aborted", "annulled"})


class SeatState(Struct, frozen=True):
    """One place at the table. `left_at` is the `seq` of the entry in which the seat resigned, 0 while it plays."""

    taken: bool = False
    client_seed: str = ""
    resigned: bool = False
    left_at: int = 0


class Result(Struct, frozen=True):
    """How a finished game ended: groups of seats from the best place down, the scores by seat."""

    winners: tuple[int, ...]
    reason: str
    standings: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]


class Dispute(Struct, frozen=True):
    """A claim by a seat over the entries `first` to `last`, filed in entry `filed`; open while it has no verdict."""

    seat: int
    reason: str
    first: int
    last: int
    filed: int
    verdict: Verdict | None = None
    verdict_reason: str | None = None
    settled: int | None = None


class Game(Struct, Generic[BoardT, StepT], frozen=True):
    """The whole truth about one game at one version. `board` is what only this ruleset knows.

    `steps` is the stack of steps, the waiting one first; `drawn` says how many words of each label are used up.
    `disputes` are in the order of their numbers, from 1. While it is suspended, `suspended_for` is the reason, and
    `interrupted` what it was before.
    """

    id: str
    ruleset: str
    rules_version: int
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seed_commit: str
    seats: tuple[SeatState, ...]
    board: BoardT
    version: int = 0
    at: int = 0
    status: Status = "lobby"
    steps: tuple[StepT, ...] = ()
    drawn: dict[str, int] = {}
    result: Result | None = None
    ended_because: str | None = None
    disputes: tuple[Dispute, ...] = ()
    suspended_for: str | None = None
    interrupted: Status | None = None

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that have not resigned, ascending."""
        return tuple([n for n, seat in enumerate(self.seats) if not seat.resigned])

    @property
    def waiting(self) -> Waits | None:
        """The open question, if the game waits for one; while it is suspended it waits for nobody."""
        top = self.steps[0] if self.steps and self.status != "suspended" else None
        return top if isinstance(top, Waits) else None

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the open question awaits."""
        return self.waiting.awaits if self.waiting else ()

    @property
    def ended(self) -> bool:
        """Whether play is over; a dispute may still be filed and settled."""
        return (self.interrupted or self.status) in ENDED


AnyGame = Game[Any, Any]

Evolve = Callable[[Any, Any], Any]
"""A fold step `(state, event) -> state` without an opinion about legality."""


class Projection(Struct, frozen=True, dict=True):
    """How one ruleset's logs are read and folded.

    `begin` makes the board of a game just created; `evolve` has one function per event type that concerns the board.
    """

    ruleset: str
    game: Any
    commands: Any
    events: Any
    begin: Callable[[GameCreated], Any]
    evolve: Mapping[type[Event], Evolve]

    @cached_property
    def folds(self) -> Folds:
        """What is done for each type of event."""
        return Folds(self.evolve)


def created(game: str, event: GameCreated, projection: Projection) -> AnyGame:
    """The game that entry 1 begins."""
    return Game(
        id=game,
        ruleset=event.ruleset,
        rules_version=event.rules_version,
        edition=event.edition,
        edition_digest=event.edition_digest,
        options=event.options,
        seed_commit=event.seed_commit,
        seats=(SeatState(),) * event.seats,
        board=projection.begin(event),
    )


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


class UnknownEvent(TypeError):
    """An event that neither the table nor the game's board can fold."""


class Folds(dict[type[Event], tuple[Evolve | None, Evolve | None, bool]]):
    """By event type the fold step of the table, that of the board, and whether its events may have drawn; found out
    when the type is first met.
    """

    def __init__(self, evolve: Mapping[type[Event], Evolve]) -> None:
        super().__init__()
        self._evolve = evolve

    def __missing__(self, kind: type[Event]) -> tuple[Evolve | None, Evolve | None, bool]:
        table_step, board_step = table_fold_of(kind), self._evolve.get(kind)
        if table_step is None and board_step is None:
            message = f"no fold for {kind.__name__}"
            raise UnknownEvent(message)
        found = self[kind] = table_step, board_step, "rng" in kind.__struct_fields__
        return found


class Folding(Generic[BoardT]):
    """A game being folded, event by event: replays and rules use this one loop.

    The board changes on its own; `game` puts the two together. `shared` is the rest of the game; its board may be an
    older one.
    """

    def __init__(self, game: AnyGame, projection: Projection) -> None:
        self.shared = game
        self.board: BoardT = game.board
        self._folds = projection.folds

    @property
    def game(self) -> AnyGame:
        """The game as it stands after the events applied so far."""
        if self.shared.board is not self.board:
            self.shared = replace(self.shared, board=self.board)
        return self.shared

    def apply(self, event: Event) -> None:
        """Fold one event."""
        table_step, board_step, may_have_drawn = self._folds[type(event)]
        if table_step is not None:
            self.shared = table_step(self.shared, event)
        if board_step is not None:
            self.board = board_step(self.board, event)
        if may_have_drawn and isinstance(rng := getattr(event, "rng", None), Rng):
            self.shared = replace(self.shared, drawn={**self.shared.drawn, rng.label: rng.to})

    def close(self, version: int, at: int) -> AnyGame:
        """The game after an entry: its version and time are the entry's."""
        return replace(self.shared, board=self.board, version=version, at=at)
