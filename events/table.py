"""Words that all games share: a table is created, seats are taken, the game starts, waits, ends."""

from __future__ import annotations

from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from events.audience import Public, seen_by
from events.words import Answer, Command, Count, Event, Seat, Word

StepT = TypeVar("StepT")

ClientSeed = Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2}){0,64}(?![\s\S])")]
"""0 to 64 bytes in lower-case hex; empty where the seat gave none."""

Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]

Verdict = Literal["dismissed", "corrected", "annulled"]
"""How a dispute ends: nothing changes, the game has another result, the game does not count."""

Statement = Annotated[str, Meta(max_length=4000)]


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """A result as an arbiter gives it: groups of seats from the best place down, scores by seat."""

    winners: tuple[Seat, ...]
    standings: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]


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


class SuspendGame(Command, frozen=True):
    """Nobody may move until an operator has looked. `lost_seq` and `lost_head` name a signed head that is not in the
    log any more.
    """

    reason: Public[Word]
    lost_seq: Public[Count | UnsetType] = UNSET
    lost_head: Public[Hex32 | UnsetType] = UNSET


class ResumeGame(Command, frozen=True):
    """An operator has looked: the game goes on as the log stands."""

    reason: Public[Word]


class FileDispute(Command, frozen=True):
    """A seat says that something is wrong with the entries `first` to `last`.

    The statement is a person's own words: sealed to the table, and erasable. `suspend` is the game's policy.
    """

    reason: Public[Word]
    first: Public[Count]
    last: Public[Count]
    statement: Annotated[Statement, seen_by("actor", personal=True)] = ""
    suspend: Public[bool] = False


class GiveVerdict(Command, frozen=True):
    """An arbiter ends a dispute; `result` goes with `corrected` alone."""

    dispute: Public[Count]
    verdict: Public[Verdict]
    reason: Public[Word]
    result: Public[Standing | UnsetType] = UNSET


PlatformCommand = SuspendGame | ResumeGame | FileDispute | GiveVerdict
"""What happens around a game, at any time, whatever it waits for."""

TableCommand = CreateGame | TakeSeat | LeaveSeat | StartGame | Resign | Expire | AbortGame | PlatformCommand

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


class GameSuspended(Event, frozen=True):
    """Nobody may move. `lost_seq` and `lost_head`: this service signed a head that the log does not have; then a game
    that is over is suspended too, and its result is in doubt.
    """

    reason: Public[Word]
    lost_seq: Public[Count | UnsetType] = UNSET
    lost_head: Public[Hex32 | UnsetType] = UNSET


class GameResumed(Event, frozen=True):
    """The game goes on where it stood. Reasons: an operator's own, or `verdict`."""

    reason: Public[Word]


class DisputeFiled(Event, frozen=True):
    """A seat disputes the entries `first` to `last`. Disputes are numbered from 1."""

    dispute: Public[Count]
    seat: Public[Seat]
    reason: Public[Word]
    first: Public[Count]
    last: Public[Count]


class VerdictGiven(Event, frozen=True):
    """A dispute is settled; what follows from it follows in the entry."""

    dispute: Public[Count]
    verdict: Public[Verdict]
    reason: Public[Word]


class ResultCorrected(Event, frozen=True):
    """A finished game has this result from now on."""

    winners: Public[tuple[Seat, ...]]
    standings: Public[tuple[tuple[Seat, ...], ...]]
    scores: Public[tuple[int, ...]]


class GameAnnulled(Event, frozen=True):
    """The game does not count: it has no result. It may have ended before."""

    reason: Public[Word]
    server_seed: Public[Hex32]


PlatformEvent = GameSuspended | GameResumed | DisputeFiled | VerdictGiven | ResultCorrected | GameAnnulled

AFTER_THE_END: Final = (DisputeFiled, VerdictGiven, ResultCorrected, GameAnnulled, GameSuspended, GameResumed)
"""What may still happen to a game that is over."""

TableEvent = (
    GameCreated | SeatTaken | SeatLeft | DecisionExpired | SeatResigned | GameFinished | GameAborted | PlatformEvent
)
"""The shared events but `Awaiting`, which each game binds to its own steps, and `GameStarted` or the game's own."""
