"""The end of a game in words, as every subcommand tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Outcome(Protocol):
    """What the end of a game has to say."""

    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def reason(self) -> str: ...
    @property
    def standings(self) -> Sequence[Sequence[int]]: ...
    @property
    def scores(self) -> Sequence[int]: ...


class Ended(Protocol):
    """A game that may have a result."""

    @property
    def result(self) -> Outcome | None: ...
    @property
    def ended_because(self) -> str | None: ...


def result_lines(game: Ended) -> list[str]:
    """Who won and why, then every seat with its place and score."""
    result = game.result
    if result is None:
        return [f"no result: {game.ended_because}"]
    names = " and ".join(f"seat {seat}" for seat in result.winners)
    lines = [f"{names} {'wins' if len(result.winners) == 1 else 'win'} ({result.reason})"]
    place = 1
    for group in result.standings:
        lines += [f"  {place}. seat {seat}: {result.scores[seat]}" for seat in group]
        place += len(group)
    return lines
