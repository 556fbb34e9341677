"""Check 5: the events, folded from nothing, make a game that waits for somebody until it ends."""

from __future__ import annotations

from typing import Any, Final

from audit.entries import Kept
from audit.report import Ledger
from events.table import AFTER_THE_END, Awaiting, GameAborted, GameCreated, GameFinished
from projections.fold import fold_entry
from projections.game import AnyGame, Projection
from rules.ruleset import Ruleset

FAULTS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What folds and rules, which trust their log, raise on one that no game can have written."""


class Fold:
    """The game as far as the log could be folded, and the whole entries it was folded from."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ruleset: Ruleset | None = None
        self._stopped = False
        self.game: AnyGame | None = None
        self.kept: list[Kept] = []

    def stop(self, code: str, words: str, **where: Any) -> None:
        """From here on nothing can be folded; said once, for the checks that need a folded game."""
        if not self._stopped:
            self._stopped = True
            for check in (5, 7, 8):
                self._ledger.leave(check, code, words, **where)

    @property
    def whole(self) -> bool:
        """Whether every entry so far was folded."""
        return not self._stopped and self.game is not None

    @property
    def created(self) -> GameCreated | None:
        """The first event of the log, where entry 1 could be read."""
        first = self.kept[0].entry.events[0] if self.kept else None
        return first if isinstance(first, GameCreated) else None

    def begin(self, ruleset: Ruleset) -> None:
        """The ruleset that entry 1 names."""
        self._ruleset = ruleset

    def add(self, kept: Kept) -> None:
        """Fold one entry, unless an earlier one could not be."""
        if self._stopped or self._ruleset is None:
            return
        if self.game is None and not self._may_begin(kept, self._ruleset):
            self.stop("fold_stopped", "from this entry on nothing is folded: it is broken", **kept.place)
            return
        try:
            self._fold(kept, self._ruleset.projection)
        except FAULTS as error:
            words = f"the events cannot have happened: {type(error).__name__}: {error}"
            self._ledger.find(5, "fold_fails", words, **kept.place)
            self.stop("fold_stopped", "from this entry on nothing is folded: it is broken", **kept.place)

    def _may_begin(self, kept: Kept, ruleset: Ruleset) -> bool:
        first = kept.entry.events[0]
        if not isinstance(first, GameCreated):
            self._ledger.find(5, "no_creation", "a log begins with `game_created`", event=0, **kept.place)
            return False
        if not ruleset.least_seats <= first.seats <= ruleset.most_seats:
            words = f"{first.seats} seats where {ruleset.title} has {ruleset.least_seats} to {ruleset.most_seats}"
            self._ledger.find(7, "unlawful_move", words, event=0, field="seats", **kept.place)
            return False
        return True

    def _fold(self, kept: Kept, projection: Projection) -> None:
        before = self.game
        around = all(isinstance(event, AFTER_THE_END) for event in kept.entry.events)
        if before is not None and before.ended and not around:
            self._ledger.find(5, "entry_after_end", "the game has ended before", **kept.place)
        self.game = fold_entry(before, kept.entry, projection)
        self.kept.append(kept)
        self._ledger.counts.folded += 1
        self._says_who_is_next(kept, self.game)

    def _says_who_is_next(self, kept: Kept, game: AnyGame) -> None:
        last = kept.entry.events[-1]
        if game.status == "running" and (not isinstance(last, Awaiting) or game.waiting is None):
            words = "a running game waits: the last event is `awaiting`, with a question on top"
            self._ledger.find(5, "nothing_awaited", words, event=len(kept.entry.events) - 1, **kept.place)
        elif game.ended and not isinstance(last, (GameFinished, GameAborted, *AFTER_THE_END)):
            words = "nothing happens after the end"
            self._ledger.find(5, "event_after_end", words, event=len(kept.entry.events) - 1, **kept.place)
