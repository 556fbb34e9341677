"""Words that all games share: a table is created, seats are taken, the game starts, waits, ends."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta

from events.audience import Public
from events.words import Answer, Command, Count, Event, Seat, Word

StepT = TypeVar("StepT")

ClientSeed = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2}){0,64}(?![\s\S])")]
"""0 to 64 bytes in lower-case hex; empty where the seat gave none."""

Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]

# ---- commands


class CreateGame(Command, frozen=True):
    """The host opens a table: entry 1 of a log."""

    ruleset: Public[Word]
    edition: Public[Word]
    options: Public[dict[str, Any]]
    seats: Public[Count]


class TakeSeat(Command, frozen=True):
    """A player sits down, with randomness of their own if they wish."""

    seat: Public[Seat]
    client_seed: Public[ClientSeed] = ""


class LeaveSeat(Command, frozen=True):
    """A seat is given up before the start."""

    seat: Public[Seat]


class StartGame(Command, frozen=True):
    """The game begins: every seat is taken."""


class Resign(Command, frozen=True):
    """The acting seat leaves a running game for good."""


class Expire(Answer, frozen=True):
    """The clock: the deadline of the open question has passed for this seat."""

    seat: Public[Seat]


class AbortGame(Command, frozen=True):
    """The game ends without a result."""

    reason: Public[Word]


TableCommand = CreateGame | TakeSeat | LeaveSeat | StartGame | Resign | Expire | AbortGame

# ---- events


class GameCreated(Event, frozen=True):
    """Entry 1: which game, by which rules and which cards, and the commitment to its chance."""

    ruleset: Public[Word]
    rules_version: Public[Count]
    edition: Public[Word]
    edition_digest: Public[Hex32]
    options: Public[dict[str, Any]]
    seats: Public[Count]
    seed_commit: Public[Hex32]


class SeatTaken(Event, frozen=True):
    """A player sits at this seat now."""

    seat: Public[Seat]
    client_seed: Public[ClientSeed] = ""


class SeatLeft(Event, frozen=True):
    """The seat is free again."""

    seat: Public[Seat]


class GameStarted(Event, frozen=True):
    """Play has begun. A game whose start decides more has a `GameStarted` of its own below this one."""

    seats: Public[Count]


class Awaiting(Event, Generic[StepT], frozen=True):
    """The last event of an entry that leaves a question open: the stack of steps, the waiting one first."""

    steps: Public[tuple[StepT, ...]]


class DecisionExpired(Event, frozen=True):
    """A deadline passed for this seat; what follows in the entry is the default answer."""

    seat: Public[Seat]
    phase: Public[Word]


class SeatResigned(Event, frozen=True):
    """The seat has left the game. Causes: `command`, `absence`, and what a game adds (bankruptcy, say)."""

    seat: Public[Seat]
    cause: Public[Word]


class GameFinished(Event, frozen=True):
    """The result. `standings` lists groups of seats from the best place down; `scores` is by seat, in the game's unit.

    `server_seed` (hex) opens the chance of the whole game (log format, section 3).
    """

    winners: Public[tuple[Seat, ...]]
    reason: Public[Word]
    standings: Public[tuple[tuple[Seat, ...], ...]]
    scores: Public[tuple[int, ...]]
    server_seed: Public[Hex32]


class GameAborted(Event, frozen=True):
    """The game ended without a result."""

    reason: Public[Word]
    server_seed: Public[Hex32]


TableEvent = GameCreated | SeatTaken | SeatLeft | DecisionExpired | SeatResigned | GameFinished | GameAborted
"""The shared events but `Awaiting`, which each game binds to its own steps, and `GameStarted` or the game's own."""
