"""The one loop over a log, with or without a snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic

from msgspec.structs import replace

from events.entry import Entry
from events.table import GameCreated
from events.words import Event, Rng
from projections.game import AnyGame, BoardT, Game, SeatState
from projections.projection import Projection


class BrokenLog(ValueError):
    """Entries that do not follow one another or do not begin with `game_created`."""


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


def fold(entries: Iterable[Entry[Any, Any]], projection: Projection, game: AnyGame | None = None) -> AnyGame:
    """The game after these entries, from nothing or from a snapshot. Raises `BrokenLog` on a gap or a wrong start."""
    for entry in entries:
        game = fold_entry(game, entry, projection)
    if game is None:
        message = "a log has at least one entry"
        raise BrokenLog(message)
    return game


def fold_entry(game: AnyGame | None, entry: Entry[Any, Any], projection: Projection) -> AnyGame:
    """The game after one more entry."""
    expected = 1 if game is None else game.version + 1
    if entry.seq != expected:
        message = f"entry {entry.seq} where {expected} was due"
        raise BrokenLog(message)
    events = entry.events
    if game is None:
        first, *events_left = events
        if not isinstance(first, GameCreated):
            message = "entry 1 begins with game_created"
            raise BrokenLog(message)
        game, events = created(entry.game, first, projection), tuple(events_left)
    folding: Folding[Any] = Folding(game, projection)
    for event in events:
        folding.apply(event)
    return folding.close(entry.seq, entry.at)
