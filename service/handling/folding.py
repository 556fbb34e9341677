"""Entries as the store keeps them, read and folded; what cannot be is damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from audit.folding import FAULTS
from events.entry import Entry
from events.opening import UnreadableEntry, read_kept
from events.seals import Seals
from events.words import Event
from projections.fold import fold_entry
from projections.game import AnyGame
from projections.projection import Projection
from service.failures import Damaged
from service.store.protocol import Move, Row


def read_row(row: Row | Move, projection: Projection) -> Entry[Any, Any]:
    """An entry with every sealed field opened. Raises `Damaged`."""
    try:
        return read_kept(row.body, Seals.of(row.sealed), projection.commands, projection.events)
    except UnreadableEntry as error:
        raise Damaged("log_damaged", f"The log cannot be read: {error}.") from error


def fold_rows(rows: Iterable[Row], projection: Projection, game: AnyGame | None = None) -> AnyGame:
    """The game after these entries. Raises `Damaged`."""
    for row in rows:
        game, _ = fold_row(row, projection, game)
    assert game is not None, "only called with entries"
    return game


def fold_row(row: Row | Move, projection: Projection, game: AnyGame | None) -> tuple[AnyGame, tuple[Event, ...]]:
    """The game after one more entry, and its events. Raises `Damaged`."""
    try:
        read = read_row(row, projection)
        return fold_entry(game, read, projection), read.events
    except FAULTS as error:
        raise Damaged("log_damaged", f"The log makes no game: {type(error).__name__}: {error}.") from error
