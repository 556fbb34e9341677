"""A game as one viewer may see it: what all games share, and the board built up by the game's own view."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import Struct, to_builtins

from events.words import Count, Seat, Step, Word, snake_case
from projections.game import AnyGame, Result, Status

BoardViewT = TypeVar("BoardViewT")


class SeatView(Struct, frozen=True):
    """A place at the table, as everybody sees it."""

    seat: Seat
    taken: bool
    resigned: bool
    awaited: bool


class QuestionView(Struct, frozen=True):
    """The open question: its public id, its name, the seats it still awaits, and what it is about: the further members
    of its step, which the log shows to everybody (the terrain of a licence, the route of a shipment, say).
    """

    decision_id: Count
    name: Word
    awaits: tuple[Seat, ...]
    about: dict[str, Any]


class GameView(Struct, Generic[BoardViewT], frozen=True):
    """The state of a game for one viewer; `viewer` is a seat number, or null for a spectator."""

    game: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    version: Count
    status: Status
    viewer: Seat | None
    seats: tuple[SeatView, ...]
    question: QuestionView | None
    result: Result | None
    ended_because: Word | None
    board: BoardViewT


def view_game(game: AnyGame, viewer: int | None, board: Any) -> GameView[Any]:
    """The shared part, with the board as the game's own view has built it."""
    awaited = game.awaited
    return GameView(
        game=game.id,
        ruleset=game.ruleset,
        edition=game.edition,
        options=game.options,
        version=game.version,
        status=game.status,
        viewer=viewer,
        seats=tuple(
            [SeatView(number, seat.taken, seat.resigned, number in awaited) for number, seat in enumerate(game.seats)]
        ),
        question=question_of(game),
        result=game.result,
        ended_because=game.ended_because,
        board=board,
    )


_OF_EVERY_STEP = frozenset({"step", "awaits", "decision"})


def question_of(game: AnyGame) -> QuestionView | None:
    """What the game waits for, if anything."""
    step = game.waiting
    if step is None:
        return None
    about = {name: value for name, value in to_builtins(step).items() if name not in _OF_EVERY_STEP}
    return QuestionView(step.decision, step_name(step), step.awaits, about)


def step_name(step: Step) -> str:
    """A step's name as clients see it: `company_actions`."""
    return snake_case(type(step).__name__)
