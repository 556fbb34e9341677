"""Check 8: the recorded result is one that a game can have, and the one that the moves have earned."""

from __future__ import annotations

from msgspec import to_builtins

from audit.differences import first_difference
from audit.entries import Kept
from audit.report import Ledger
from projections.game import AnyGame, Result


def check_result(folded: AnyGame, decided: AnyGame | None, last: Kept, ledger: Ledger) -> None:
    """Compare the folded game with the one decided again; `decided` is None where that did not reach the end."""
    place = {**last.place, "event": len(last.entry.events) - 1}
    if folded.result is not None:
        for field, words in _faults(folded.result, len(folded.seats)):
            ledger.find(8, "result_impossible", words, field=field, **place)
    if decided is None:
        ledger.leave(8, "result_not_recomputed", "not every move could be decided again", **place)
        return
    found = None if folded == decided else first_difference(to_builtins(folded), to_builtins(decided))
    if found is not None:
        words = f"the log ends with {found.recorded}, the moves decided again with {found.due}"
        ledger.find(8, "result_differs", words, field=found.path, **place)


def _faults(result: Result, seats: int) -> list[tuple[str, str]]:
    placed = [seat for group in result.standings for seat in group]
    faults = []
    if sorted(placed) != list(range(seats)):
        faults.append(("standings", "not every seat has exactly one place"))
    if len(result.scores) != seats:
        faults.append(("scores", f"{len(result.scores)} scores for {seats} seats"))
    if result.standings and set(result.winners) - set(result.standings[0]):
        faults.append(("winners", "a winner is not in first place"))
    return faults
