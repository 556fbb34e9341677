"""What all games have in common: the table, its seats, the question it waits for, its end."""

from __future__ import annotations

from typing import Any, Final, Generic, Literal, TypeVar

from msgspec import Struct

from events.table import Verdict
from events.words import Waits

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
