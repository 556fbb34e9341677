"""How dear deciding and folding are, in two coins.

In steps: lines run and functions called, Python's and C's, for each move of a fixed game. They are the same in every
run, so that a little more is noticed. And in turns of a fixed loop of plain Python in the same process, which shows
what no step does, a longer copy, say: both are timed in seconds of the core, turn by turn, and the least of each
counts. What is left of chance in it a generous factor allows for. `python -m bench.gate` prints both, to be recorded
in `RECORDED` when a change is meant to cost what it costs.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import FrameType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from bench.engine import SEED, a_game
from projections.chance import KeyedChance, game_key
from projections.fold import fold_entry
from rules.catalogue import rulesets
from rules.decide import decide
from rules.playout import Move
from rules.ruleset import Ruleset
from rules.table import Secret

GAME: Final = 7
MOVES: Final = 300
TURNS: Final = 25


class Price(Struct, frozen=True):
    """What deciding and folding one move costs."""

    steps: float
    turns: float


RECORDED: Final[Mapping[str, Price]] = {
    "oil-and-gas": Price(steps=576.3, turns=61.8),
    "petroleo": Price(steps=462.1, turns=46.1),
    "peak-oil": Price(steps=629.8, turns=64.5),
}
"""By game. The turns are the median of thirty runs, of which none was more than 8 % dearer, on a machine with much else
to do.
"""

MORE_STEPS: Final = 1.05
"""By which factor it may take more steps before it is noticed: as much as another Python makes of them."""

MORE_TURNS: Final = 1.6
"""By which factor it may take longer."""


class _State(Struct, frozen=True):
    numbers: tuple[int, ...]
    named: dict[str, int]


def steps(ruleset: Ruleset) -> float:
    """The steps of deciding and folding one move of a fixed game."""
    moves = _moves(ruleset)
    work = _work(ruleset, moves)
    work()
    taken = 0

    def called(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal taken
        taken += event in ("call", "c_call")

    def run(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal taken
        taken += event == "line"
        return run

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(run)
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return taken / len(moves)


def turns(ruleset: Ruleset) -> float:
    """The time that deciding and folding one move of a fixed game takes, in turns of the loop."""
    moves = _moves(ruleset)
    work = _work(ruleset, moves)
    least_work = least_loop = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(TURNS):
            least_loop = min(least_loop, _seconds(_loop))
            least_work = min(least_work, _seconds(work))
    finally:
        gc.enable()
    return least_work / least_loop * LOOPS / len(moves)


def _work(ruleset: Ruleset, moves: Sequence[Move]) -> Callable[[], None]:
    """Every move decided and folded again."""
    book = ruleset.book_of(moves[0].after)
    secret = Secret(KeyedChance(game_key(moves[0].after.id, bytes.fromhex(SEED), [])), SEED)

    def work() -> None:
        for move in moves:
            assert move.before is not None, "running games only"
            decide(move.before, move.entry.command, move.entry.actor, book, secret)
            fold_entry(move.before, move.entry, ruleset.projection)

    return work


LOOPS: Final = 2000


def _loop() -> None:
    """What rules and folds are made of: structs replaced, tuples and dictionaries rebuilt, functions called."""
    state = _State((1, 2, 3, 4, 5), {"a": 1, "b": 2, "c": 3})
    for turn in range(LOOPS):
        state = _turned(state, turn)


def _turned(state: _State, turn: int) -> _State:
    first, *others = state.numbers
    named = {**state.named, "c": turn}
    return replace(state, numbers=(*others, first), named=named) if len(named) == 3 else state


def _seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _moves(ruleset: Ruleset) -> list[Move]:
    """The first moves of a game that is always the same, after its lobby."""
    running = (move for move in a_game(ruleset, GAME) if move.before is not None and move.before.status == "running")
    return list(islice(running, MOVES))


if __name__ == "__main__":
    for name, ruleset in rulesets().items():
        print(f'    "{name}": Price(steps={steps(ruleset):.1f}, turns={turns(ruleset):.1f}),')
