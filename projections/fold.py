"""The one loop over a log, with or without a snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from events.entry import Entry
from events.table import GameCreated
from projections.game import AnyGame, Folding, Projection, created


class BrokenLog(ValueError):
    """Entries that do not follow one another or do not begin with `game_created`."""


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
