"""The words of the table in a player's sentences. A game tells its own words beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Teller = Callable[[Mapping[str, Any]], str]

_CAUSES = {"command": "resigns", "absence": "is resigned: absent for too long"}

_TABLE: Mapping[str, Teller] = {
    "game_created": lambda event: f"A table for {event['seats']} is opened.",
    "seat_taken": lambda event: f"Seat {event['seat']} sits down.",
    "seat_left": lambda event: f"Seat {event['seat']} gets up.",
    "game_started": lambda event: f"The game begins with {event['seats']} players.",
    "decision_expired": lambda event: f"Time is up for seat {event['seat']}.",
    "seat_resigned": lambda event: f"Seat {event['seat']} {_CAUSES.get(event['cause'], 'leaves: ' + event['cause'])}.",
    "game_finished": lambda event: f"The game is over: {_winners(event['winners'])} ({event['reason']}).",
    "game_aborted": lambda event: f"The game ends without a result ({event['reason']}).",
    "game_suspended": lambda event: f"The game is suspended ({event['reason']}): nobody may move.",
    "game_resumed": lambda event: f"The game goes on ({event['reason']}).",
    "dispute_filed": lambda event: (
        f"Seat {event['seat']} disputes entries {event['first']} to {event['last']} ({event['reason']})."
    ),
    "verdict_given": lambda event: f"Dispute {event['dispute']} is settled: {event['verdict']} ({event['reason']}).",
    "result_corrected": lambda event: f"The result is corrected: {_winners(event['winners'])}.",
    "game_annulled": lambda event: f"The game is annulled ({event['reason']}): it does not count.",
}


def tell_table(event: Mapping[str, Any]) -> str | None:
    """One sentence about a word that all games share; None for any other, and for what a question asks."""
    teller = _TABLE.get(event["type"])
    return None if teller is None else teller(event)


def number(n: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def listed(things: Iterable[str]) -> str:
    """`a, b and c`; `nothing` where there is none."""
    *others, last = list(things) or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last


def _winners(seats: Sequence[int]) -> str:
    return listed(f"seat {seat}" for seat in seats) + (" wins" if len(seats) == 1 else " win together")
