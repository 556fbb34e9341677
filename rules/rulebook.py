"""The rules of one game in force: dispatch from steps and commands to rule functions, and the numbers of a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from events.words import Command, Waits
from projections.game import AnyGame
from projections.projection import Projection
from rules.choices import Option

Cite = tuple[str, str]
"""A rule id and the stable reason word of a refusal."""


class Citations(Struct, frozen=True):
    """What a game's register says about the refusals that the engine gives for every game."""

    wrong_phase: Cite
    stale_decision: Cite
    not_awaited: Cite
    game_over: Cite
    not_a_player: Cite
    seats: Cite


class Rulebook(Struct, frozen=True, kw_only=True):
    """The rules in force. A game's own book is below this one, with its cards and numbers; a variant is
    `replace(book, …)`: another number, or another function in the same slot.

    - `start(table)` begins play; `runs[step type](table, step)` runs a step;
    - `answers[step type, command type](table, step, command)` answers the waiting step, already off the stack;
    - `lobby[command type](table, command)` is what a seat may do before the start, beyond the shared words;
    - `defaults[step type](table, step, seat)` is the answer at a deadline, the step being off the stack;
    - `resign(table, seat, cause)` takes a seat out of the running game, the stack being complete;
    - `options[step type](game, book, seat)` lists what the seat may answer;
    - `unasked` gives the refusal for a seat that a step does not await, where it is not `cites.not_awaited`;
    - `barred[step type, command type]` is that of a command that the step does not take, where it is not
      `cites.wrong_phase`;
    - `check(command, book)` refuses words that the edition does not know (`malformed`), before anything else.
    """

    projection: Projection
    cites: Citations
    start: Callable[[Any], None]
    runs: Mapping[type, Callable[[Any, Any], None]]
    answers: Mapping[tuple[type, type], Callable[[Any, Any, Any], None]]
    defaults: Mapping[type, Callable[[Any, Any, int], None]]
    resign: Callable[[Any, int, str], None]
    options: Mapping[type, Callable[[AnyGame, Any, int], list[Option]]]
    lobby: Mapping[type, Callable[[Any, Any], None]] = {}
    unasked: Mapping[type[Waits], Cite] = {}
    barred: Mapping[tuple[type, type], Cite] = {}
    check: Callable[[Command, Any], None] = lambda _command, _book: None
