"""House bots: they know what their seat sees and what it may answer, nothing else.

`random` picks any listed answer. `sensible` plays to win, simply: the module here of the game's name says how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Literal, get_args

from projections.view import GameView
from rules.choices import Below, Option

Level = Literal["random", "sensible"]
LEVELS: tuple[str, ...] = get_args(Level)

Player = Callable[[GameView[Any], Sequence[Option], Below], dict[str, Any]]
"""A way to play: view and options of one seat, and a source of whole numbers below n, to a command's fields."""


def choose(ruleset: str, level: str, view: GameView[Any], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """The command a bot sends, without `decision_id`. `options` are the seat's, at least one."""
    return player(ruleset, level)(view, options, below)


def play_at_random(_view: GameView[Any], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """Any listed answer, each option as likely as the next."""
    return options[below(len(options))].pick(below)


@cache
def player(ruleset: str, level: str) -> Player:
    """The way to play of this level. Raises `KeyError` for a level that does not exist."""
    if level == "random":
        return play_at_random
    if level == "sensible":
        sensible: Player = import_module(f"service.bots.{ruleset.replace('-', '_')}").play
        return sensible
    raise KeyError(level)
