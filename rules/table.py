"""One command being decided: what a rule function gets its hands on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NoReturn, TypeVar

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from events.table import GameAborted, GameAnnulled, GameFinished
from events.words import Event, Rng, Step, Waits
from projections.chance import Chance, Draw
from projections.fold import Folding
from projections.game import AnyGame
from projections.projection import Projection
from rules.refusal import RuleViolation

BoardT = TypeVar("BoardT")
BookT = TypeVar("BookT")
T = TypeVar("T")

Drawn = Rng | UnsetType


class Secret(Struct, frozen=True):
    """What only the server holds while a game runs: its chance, and the server seed (hex) that opens it at the end."""

    chance: Chance
    server_seed: str


class Table(Folding[BoardT], Generic[BoardT, BookT]):
    """A rule may do three things: `emit` an event, which is folded at once by the very fold that a replay uses;
    put steps `next`; `require` a condition, naming the rule. Chance is drawn here, under the labels of the game.

    `board` is what only this ruleset knows, as it stands after the events emitted so far; `game` all of it.
    """

    def __init__(
        self, game: AnyGame, projection: Projection, book: BookT, secret: Secret, seat: int | None = None
    ) -> None:
        super().__init__(game, projection)
        self._secret, self._seat = secret, seat
        self._positions: dict[str, int] = {}
        self.book = book
        self.events: list[Event] = []
        self.steps: list[Any] = list(game.steps)
        self.shown: dict[str, tuple[int, ...]] = {}

    @property
    def seat(self) -> int:
        """The seat whose command is being decided."""
        assert self._seat is not None, "only a player's command has a seat"
        return self._seat

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that have not resigned, ascending."""
        return self.shared.active

    @property
    def seats(self) -> int:
        """How many seats the game has, resigned ones included."""
        return len(self.shared.seats)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the command found awaited."""
        return self.shared.awaited

    def left_at(self, seat: int) -> int:
        """The `seq` of the entry in which the seat resigned, 0 while it plays."""
        return self.shared.seats[seat].left_at

    def emit(self, event: Event) -> None:
        """It has happened."""
        self.events.append(event)
        self.apply(event)

    def next(self, *steps: Step) -> None:
        """Put steps on top of the stack, the first one uppermost."""
        self.steps[:0] = steps

    def release(self, seat: int) -> None:
        """Await this seat no more, in any waiting step of the stack; a step that awaits nobody any more is dropped."""
        kept: list[Any] = []
        for step in self.steps:
            if isinstance(step, Waits) and seat in step.awaits:
                left = tuple(other for other in step.awaits if other != seat)
                if left:
                    kept.append(replace(step, awaits=left))
            else:
                kept.append(step)
        self.steps = kept

    def require(self, holds: object, rule: str, reason: str, **facts: Any) -> None:
        """Refuse the command unless the condition holds."""
        if not holds:
            raise RuleViolation(rule, reason, **facts)

    def refuse(self, rule: str, reason: str, **facts: Any) -> NoReturn:
        """Refuse the command."""
        raise RuleViolation(rule, reason, **facts)

    def show(self, field: str, *seats: int) -> None:
        """Let further seats read a sealed field of the command being decided (the other party of a trade, say)."""
        self.shown[field] = (*self.shown.get(field, ()), *seats)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[tuple[T, ...], Drawn]:
        """A permutation of the items, and the words it took."""
        draw = self._draw(label)
        return self._taken(label, draw, draw.shuffle(items))

    def choose(self, label: str, k: int, items: Sequence[T]) -> tuple[tuple[T, ...], Drawn]:
        """Pick k of the items, in the order picked, and the words it took."""
        draw = self._draw(label)
        return self._taken(label, draw, draw.choose(k, items))

    def below(self, label: str, n: int) -> tuple[int, Drawn]:
        """An integer from 0 to n-1, and the words it took."""
        draw = self._draw(label)
        return self._taken(label, draw, draw.below(n))

    def die(self, label: str) -> tuple[int, Drawn]:
        """A six-sided die, and the words it took."""
        draw = self._draw(label)
        return self._taken(label, draw, draw.die())

    def weighted(self, label: str, weights: Sequence[int]) -> tuple[int, Drawn]:
        """The index of one weight, each with the chance of its weight, and the words it took."""
        draw = self._draw(label)
        return self._taken(label, draw, draw.weighted(weights))

    def finish(
        self,
        winners: Sequence[int],
        reason: str,
        standings: Sequence[Sequence[int]],
        scores: Sequence[int],
    ) -> None:
        """The game is over: publish result and server seed, and leave no step."""
        places = tuple(tuple(group) for group in standings)
        self.emit(GameFinished(tuple(winners), reason, places, tuple(scores), self._secret.server_seed))
        self.steps.clear()

    def abort(self, reason: str) -> None:
        """The game ends without a result; the server seed is published all the same."""
        self.emit(GameAborted(reason, self._secret.server_seed))
        self.steps.clear()

    def annul(self, reason: str) -> None:
        """The game does not count, whether it has ended or not; the server seed is published all the same."""
        self.emit(GameAnnulled(reason, self._secret.server_seed))
        self.steps.clear()

    def _draw(self, label: str) -> Draw:
        start = self._positions.get(label)
        return Draw(self._secret.chance, label, self.shared.drawn.get(label, 0) if start is None else start)

    def _taken(self, label: str, draw: Draw, outcome: T) -> tuple[T, Drawn]:
        self._positions[label] = draw.position
        return outcome, draw.rng
