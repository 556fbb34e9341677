"""From a command to events: answer the waiting step, run every step that needs nobody, say what is awaited now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.entry import seat_of
from events.table import (
    AbortGame,
    Awaiting,
    Expire,
    FileDispute,
    GiveVerdict,
    LeaveSeat,
    Resign,
    ResumeGame,
    StartGame,
    SuspendGame,
    TakeSeat,
)
from events.words import Answer, Command, Event, Waits
from projections.game import AnyGame
from rules import disputes, lobby
from rules.refusal import RuleViolation
from rules.rulebook import Rulebook
from rules.table import Secret, Table

AnyTable = Table[Any, Any]

_LOBBY: Mapping[type[Command], Callable[[AnyTable, Any], None]] = {
    TakeSeat: lobby.take_seat,
    LeaveSeat: lobby.leave_seat,
    StartGame: lobby.start_game,
    AbortGame: lobby.abort_game,
}

_PLATFORM: Mapping[type[Command], Callable[[AnyTable, Any], None]] = {
    SuspendGame: disputes.suspend_game,
    ResumeGame: disputes.resume_game,
    FileDispute: disputes.file_dispute,
    GiveVerdict: disputes.give_verdict,
}
"""What may be done at any time: to a game that is suspended or over, too."""


class Decision(Struct, frozen=True):
    """What an accepted command causes: the events of its entry, and who else may read the command's sealed fields."""

    events: tuple[Event, ...]
    shown: dict[str, tuple[int, ...]]
    game: AnyGame


def decide(game: AnyGame, command: Command, actor: str, book: Rulebook, secret: Secret) -> Decision:
    """The events of one command by one actor on this state. Raises `RuleViolation`; then nothing has happened.

    Order of refusals: malformed, game over, suspended, not a player, stale decision, wrong phase, not awaited, the
    game's own.
    `game` of the answer is the state after the events, its version and time still those of before.
    """
    book.check(command, book)
    seat = seat_of(actor)
    table: AnyTable = Table(game, book.projection, book, secret, seat)
    around = _PLATFORM.get(type(command))
    if around is not None:
        around(table, command)
    else:
        _require_open(game, command, seat, book)
        _act(table, command, book)
    _run(table, book)
    return Decision(tuple(table.events), table.shown, table.game)


def _act(table: AnyTable, command: Command, book: Rulebook) -> None:
    kind = type(command)
    if kind in _LOBBY:
        _LOBBY[kind](table, command)
    elif kind in book.lobby:
        book.lobby[kind](table, command)
    elif table.game.status != "running":
        raise RuleViolation("GU-04", "not_running")
    elif isinstance(command, Resign):
        book.resign(table, table.seat, "command")
    elif isinstance(command, Expire):
        _expire(table, command, book)
    elif isinstance(command, Answer):
        _answer(table, command, book)
    else:
        raise RuleViolation(*book.cites.wrong_phase)


def _answer(table: AnyTable, command: Answer, book: Rulebook) -> None:
    step = _open_question(table, command, book)
    handler = book.answers.get((type(step), type(command)))
    if handler is None:
        raise RuleViolation(*book.barred.get((type(step), type(command)), book.cites.wrong_phase))
    _require_awaited(step, table.seat, book)
    del table.steps[0]
    handler(table, step, command)


def _expire(table: AnyTable, command: Expire, book: Rulebook) -> None:
    step = _open_question(table, command, book)
    _require_awaited(step, command.seat, book)
    del table.steps[0]
    book.defaults[type(step)](table, step, command.seat)


def _open_question(table: AnyTable, command: Answer, book: Rulebook) -> Waits:
    step = table.steps[0]
    assert isinstance(step, Waits), "a running game waits"
    if command.decision_id not in (UNSET, step.decision):
        raise RuleViolation(*book.cites.stale_decision, decision=step.decision, field="/decision_id")
    return step


def _require_awaited(step: Waits, seat: int, book: Rulebook) -> None:
    if seat not in step.awaits:
        raise RuleViolation(*book.unasked.get(type(step), book.cites.not_awaited))


def _require_open(game: AnyGame, command: Command, seat: int | None, book: Rulebook) -> None:
    if game.ended:
        raise RuleViolation(*book.cites.game_over)
    if game.status == "suspended" and not isinstance(command, AbortGame):
        raise RuleViolation("GU-06", "suspended", because=game.suspended_for)
    if seat is not None:
        _require_player(game, seat, book)


def _require_player(game: AnyGame, seat: int, book: Rulebook) -> None:
    if seat >= len(game.seats) or game.seats[seat].resigned:
        raise RuleViolation(*book.cites.not_a_player)


def _run(table: AnyTable, book: Rulebook) -> None:
    while table.steps and (run := book.runs.get(type(table.steps[0]))):
        run(table, table.steps.pop(0))
    if table.steps and table.shared.status != "suspended":
        top = table.steps[0]
        if top.decision == 0:
            table.steps[0] = replace(top, decision=table.shared.version + 1)
        table.emit(Awaiting(tuple(table.steps)))
