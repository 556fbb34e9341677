"""The table before play, the same for every game: create, sit down, leave, start. `GU-…` are the platform's rules."""

from __future__ import annotations

from typing import Any

from events.table import AbortGame, CreateGame, GameCreated, LeaveSeat, SeatLeft, SeatTaken, StartGame, TakeSeat
from rules.refusal import RuleViolation
from rules.table import Table

AnyTable = Table[Any, Any]


def create_game(command: CreateGame, *, rules_version: int, edition_digest: str, seed_commit: str) -> GameCreated:
    """GU-01: entry 1 names ruleset, version, edition and options, and commits to the chance of the whole game."""
    return GameCreated(
        command.ruleset,
        rules_version,
        command.edition,
        edition_digest,
        command.options,
        command.seats,
        seed_commit,
    )


def take_seat(table: AnyTable, command: TakeSeat) -> None:
    """GU-02: before the start, a free seat of the table may be taken, with a client seed if wished."""
    _require_lobby(table)
    _require_seat(table, command.seat)
    table.require(not table.game.seats[command.seat].taken, "GU-02", "seat_taken", field="/seat", seat=command.seat)
    table.emit(SeatTaken(command.seat, command.client_seed))


def leave_seat(table: AnyTable, command: LeaveSeat) -> None:
    """GU-03: before the start, a seat may be given up."""
    _require_lobby(table)
    _require_seat(table, command.seat)
    table.require(table.game.seats[command.seat].taken, "GU-03", "seat_free", seat=command.seat)
    table.emit(SeatLeft(command.seat))


def start_game(table: AnyTable, command: StartGame) -> None:
    """GU-04: a game starts once, with every seat taken."""
    _require_lobby(table)
    free = tuple(n for n, seat in enumerate(table.game.seats) if not seat.taken)
    table.require(not free, "GU-04", "seats_not_filled", free=free)
    table.book.start(table)


def abort_game(table: AnyTable, command: AbortGame) -> None:
    """GU-05: a game that has not ended may be ended without a result; its seed is published all the same."""
    table.abort(command.reason)


def _require_lobby(table: AnyTable) -> None:
    if table.game.status != "lobby":
        raise RuleViolation("GU-04", "already_started")


def _require_seat(table: AnyTable, seat: int) -> None:
    table.require(seat < len(table.game.seats), "GU-02", "no_such_seat", seat=seat)
