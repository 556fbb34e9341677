"""How games ended, as their logs say it, verdicts included: what ratings and tables of honour count."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from events.opening import read_body

Outcome = Literal["finished", "aborted", "annulled"]

_OUTCOMES: Final[dict[str, Outcome]] = {
    "game_finished": "finished",
    "game_aborted": "aborted",
    "game_annulled": "annulled",
}
_CORRECTED: Final = "result_corrected"
_TELLING: Final = re.compile(rb'"(?:game_finished|game_aborted|game_annulled|result_corrected)"').search


def tells_a_result(body: bytes) -> bool:
    """Whether an entry may say anything about how its game ended. Nearly none does, and those are not read; a text that
    looks like it costs little.
    """
    return _TELLING(body) is not None


class GameResult(Struct, frozen=True):
    """How a game ended. `corrected`: an arbiter has given it another result; `at` and `seq` are of the entry that said
    the last word.
    """

    game: str
    outcome: Outcome
    reason: str
    winners: tuple[int, ...]
    standings: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    at: int
    seq: int
    corrected: bool = False


class Place(Struct, frozen=True, order=True):
    """Where a result stands among all: by the moment of its last word, then by its game."""

    at: int
    game: str


class ResultQuery(Struct, frozen=True, kw_only=True):
    """Which results to list, newest word first: those after the place `after` or, read backwards, before `before`.

    `viewer` sees those of public games and of games that it takes part in; `everything` is for administrators.
    `account` sits at the game; `since` is the earliest moment; `game`: of this one alone.
    """

    viewer: str | None = None
    game: str | None = None
    everything: bool = False
    ruleset: str | None = None
    account: str | None = None
    since: int | None = None
    after: Place | None = None
    before: Place | None = None
    limit: int = 50


def result_after(before: GameResult | None, text: bytes) -> GameResult | None:
    """The result of a game after one more entry, given its body; None while there is none."""
    if not tells_a_result(text):
        return before
    body = read_body(text)
    for event in body.events:
        outcome = _OUTCOMES.get(str(event["type"]))
        if outcome is not None:
            corrected = before is not None and before.corrected
            before = GameResult(
                body.game, outcome, event["reason"], *_standing(event), body.at, body.seq, corrected=corrected
            )
        elif event["type"] == _CORRECTED and before is not None:
            winners, standings, scores = _standing(event)
            before = replace(
                before,
                winners=winners,
                standings=standings,
                scores=scores,
                at=body.at,
                seq=body.seq,
                corrected=True,
            )
    return before


def _standing(event: dict[str, Any]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Winners, standings, scores; empty where a game ends without."""
    standings = tuple(tuple(group) for group in event.get("standings", ()))
    return tuple(event.get("winners", ())), standings, tuple(event.get("scores", ()))
