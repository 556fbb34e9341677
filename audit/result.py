"""Check 8: the recorded result is one that a game can have, and the one that the moves have earned."""

from __future__ import annotations

from audit.entries import Kept
from audit.report import Ledger
from projections.game import AnyGame, Result


def check_result(folded: AnyGame, last: Kept, ledger: Ledger, *, earned: bool) -> None:
    """Look at the result of the folded game. `earned`: every move was decided again, to the very same events, so that
    the result is theirs; a difference in it was found there.
    """
    place = {**last.place, "event": len(last.entry.events) - 1}
    if folded.result is not None:
        for field, words in _faults(folded.result, len(folded.seats)):
            ledger.find(8, "result_impossible", words, field=field, **place)
    if not earned:
        ledger.leave(8, "result_not_recomputed", "not every move could be decided again", **place)


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
