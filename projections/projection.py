"""What makes logs of a ruleset readable: its words, its board, and a fold step for each event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from events.table import GameCreated
from events.words import Event
from projections.table import Evolve, table_fold_of


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
