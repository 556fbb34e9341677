"""How dear deciding and folding are, told in turns of a fixed loop of plain Python in the same process.

Both are timed in seconds of the core, turn by turn, and the least of each counts: the machine's speed, other programs
and the clock's whims cancel out, so that what is left is how much work the code does. `python -m bench.gate` prints
the ratios, to be recorded in `RECORDED` when a change is meant to cost what it costs.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

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

RECORDED: Final[Mapping[str, float]] = {"oil-and-gas": 61.8, "petroleo": 46.1, "peak-oil": 64.5}
"""What deciding and folding one move costs, in turns of the loop: the median of thirty runs, of which none was more
than 8 % dearer, on a machine with much else to do.
"""

DEARER: Final = 1.15
"""By which factor it may be dearer before it is noticed."""


class _State(Struct, frozen=True):
    numbers: tuple[int, ...]
    named: dict[str, int]


def price(ruleset: Ruleset) -> float:
    """The cost of deciding and folding one move of a fixed game, in turns of the loop."""
    moves = _moves(ruleset)
    book = ruleset.book_of(moves[0].after)
    secret = Secret(KeyedChance(game_key(moves[0].after.id, bytes.fromhex(SEED), [])), SEED)

    def work() -> None:
        for move in moves:
            assert move.before is not None, "running games only"
            decide(move.before, move.entry.command, move.entry.actor, book, secret)
            fold_entry(move.before, move.entry, ruleset.projection)

    least_work = least_loop = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(TURNS):
            least_loop = min(least_loop, _seconds(lambda: turn(LOOPS)))
            least_work = min(least_work, _seconds(work))
    finally:
        gc.enable()
    return least_work / least_loop * LOOPS / len(moves)


LOOPS: Final = 2000


def turn(times: int) -> None:
    """What rules and folds are made of: structs replaced, tuples and dictionaries rebuilt, functions called."""
    state = _State((1, 2, 3, 4, 5), {"a": 1, "b": 2, "c": 3})
    for number in range(times):
        state = _turned(state, number)


def _turned(state: _State, number: int) -> _State:
    first, *others = state.numbers
    named = {**state.named, "c": number}
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
        print(f'    "{name}": {price(ruleset):.1f},')
