"""Check 5: the events, folded from nothing, make a game that waits for somebody until it ends."""

from __future__ import annotations

from typing import Any, Final

from audit.entries import Kept
from audit.report import Ledger
from events.table import AFTER_THE_END, Awaiting, GameAborted, GameCreated, GameFinished
from projections.fold import fold_entry
from projections.game import AnyGame
from projections.projection import Projection
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


class Whole:
    """The whole entries of a log, in order, up to the first that is none."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.ruleset: Ruleset | None = None
        self._stopped = False
        self.entries: list[Kept] = []

    def stop(self, code: str, words: str, **where: Any) -> None:
        """From here on nothing can be folded; said once, for the checks that need a folded game."""
        if not self._stopped:
            self._stopped = True
            for check in (5, 7, 8):
                self._ledger.leave(check, code, words, **where)

    def break_off(self, kept: Kept) -> None:
        """Neither is this entry folded nor what follows."""
        self.stop("fold_stopped", "from this entry on nothing is folded: it is broken", **kept.place)

    @property
    def complete(self) -> bool:
        """Whether every entry so far is there."""
        return not self._stopped and bool(self.entries)

    @property
    def created(self) -> GameCreated | None:
        """The first event of the log, where entry 1 could be read."""
        first = self.entries[0].entry.events[0] if self.entries else None
        return first if isinstance(first, GameCreated) else None

    def begin(self, ruleset: Ruleset) -> None:
        """The ruleset that entry 1 names."""
        self.ruleset = ruleset

    def add(self, kept: Kept) -> None:
        """One more entry, unless an earlier one is missing."""
        if self._stopped or self.ruleset is None:
            return
        if not self.entries and not self._may_begin(kept, self.ruleset):
            self.break_off(kept)
            return
        self.entries.append(kept)

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


class Fold:
    """The game that the events make, entry by entry."""

    def __init__(self, projection: Projection, ledger: Ledger) -> None:
        self._projection, self._ledger = projection, ledger
        self.game: AnyGame | None = None

    def fold(self, kept: Kept) -> bool:
        """Fold one entry; False, with a finding, where the events cannot have happened."""
        try:
            after = fold_entry(self.game, kept.entry, self._projection)
        except FAULTS as error:
            words = f"the events cannot have happened: {type(error).__name__}: {error}"
            self._ledger.find(5, "fold_fails", words, **kept.place)
            return False
        self.go_on(kept, after)
        return True

    def go_on(self, kept: Kept, after: AnyGame) -> None:
        """The entry is folded, and this is the game after it."""
        before, self.game = self.game, after
        self._ledger.counts.folded += 1
        if before is not None and before.ended and not _is_around(kept):
            self._ledger.find(5, "entry_after_end", "the game has ended before", **kept.place)
        last = kept.entry.events[-1]
        if after.status == "running" and (not isinstance(last, Awaiting) or after.waiting is None):
            words = "a running game waits: the last event is `awaiting`, with a question on top"
            self._ledger.find(5, "nothing_awaited", words, event=len(kept.entry.events) - 1, **kept.place)
        elif after.ended and not isinstance(last, (GameFinished, GameAborted, *AFTER_THE_END)):
            words = "nothing happens after the end"
            self._ledger.find(5, "event_after_end", words, event=len(kept.entry.events) - 1, **kept.place)


def _is_around(kept: Kept) -> bool:
    """Whether the entry is of a dispute, which may follow the end."""
    return all(isinstance(event, AFTER_THE_END) for event in kept.entry.events)
