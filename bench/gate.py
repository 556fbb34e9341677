"""How dear deciding and folding are, told in turns of a fixed loop of plain Python in the same process.

Counted: instructions of the Python machine, in the work and in the loop. The same on every run, however busy the
machine is, so 15 % more is noticed. What is done within C, by msgspec or a dictionary's copying, is one
instruction however long it takes; so the work is also timed, in seconds of the core, turn by turn with the loop, the
least of each. Neighbours who use up the caches shift that by a fifth, so only three fifths more are noticed by it.
`python -m bench.gate` prints both, to be recorded here when a change is meant to cost what it costs.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from itertools import islice
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    from _typeshed import TraceFunction

GAME: Final = 7
MOVES: Final = 300
TRIES: Final = 25
LOOPS: Final = 2000


class Price(Struct, frozen=True):
    """What deciding and folding one move costs, in turns of the loop: instructions counted, and time."""

    counted: float
    timed: float


RECORDED: Final[Mapping[str, Price]] = {
    "oil-and-gas": Price(counted=48.7, timed=61.8),
    "petroleo": Price(counted=40.3, timed=46.1),
    "peak-oil": Price(counted=54.2, timed=64.5),
}
"""`timed` is the median of thirty runs on a busy machine; the dearest of them took a quarter more."""

RECORDED_ON: Final = (3, 11)
"""The Python whose instructions were counted. Others have others, and do the same work with a fifth more or less."""

DEARER: Final = Price(counted=1.15 if sys.version_info[:2] == RECORDED_ON else 1.5, timed=1.6)
"""By which factor it may be dearer before it is noticed."""


class _State(Struct, frozen=True):
    numbers: tuple[int, ...]
    named: dict[str, int]


def counted(ruleset: Ruleset) -> float:
    """The instructions of deciding and folding one move of a fixed game, in those of a turn of the loop."""
    work, moves = _work(ruleset)
    work()  # what is remembered from then on is remembered
    return _instructions(work) / moves / (_instructions(lambda: turn(LOOPS)) / LOOPS)


def timed(ruleset: Ruleset) -> float:
    """The time of deciding and folding one move of a fixed game, in that of a turn of the loop."""
    work, moves = _work(ruleset)
    least_work = least_loop = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(TRIES):
            least_loop = min(least_loop, _seconds(lambda: turn(LOOPS)))
            least_work = min(least_work, _seconds(work))
    finally:
        gc.enable()
    return least_work / moves / (least_loop / LOOPS)


def turn(times: int) -> None:
    """What rules and folds are made of: structs replaced, tuples and dictionaries rebuilt, functions called."""
    state = _State((1, 2, 3, 4, 5), {"a": 1, "b": 2, "c": 3})
    for number in range(times):
        state = _turned(state, number)


def _turned(state: _State, number: int) -> _State:
    first, *others = state.numbers
    named = {**state.named, "c": number}
    return replace(state, numbers=(*others, first), named=named) if len(named) == 3 else state


def _work(ruleset: Ruleset) -> tuple[Callable[[], None], int]:
    """Decide and fold the first moves, after its lobby, of a game that is always the same; how many they are."""
    running = (move for move in a_game(ruleset, GAME) if move.before is not None and move.before.status == "running")
    moves: list[Move] = list(islice(running, MOVES))
    book = ruleset.book_of(moves[0].after)
    secret = Secret(KeyedChance(game_key(moves[0].after.id, bytes.fromhex(SEED), [])), SEED)

    def work() -> None:
        for move in moves:
            assert move.before is not None, "running games only"
            decide(move.before, move.entry.command, move.entry.actor, book, secret)
            fold_entry(move.before, move.entry, ruleset.projection)

    return work, len(moves)


def _instructions(work: Callable[[], None]) -> int:
    """How many instructions of Python are executed. Whoever traces this process (a debugger) does not meanwhile."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> TraceFunction:  # noqa: ANN401 - whatever the event has
        nonlocal count
        if event == "opcode":
            count += 1
        else:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    before, here = sys.gettrace(), sys._getframe()  # noqa: SLF001 - Python 3.12 looks here whether to count at all
    here.f_trace_opcodes = True
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def _seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    for name, ruleset in rulesets().items():
        print(f'    "{name}": Price(counted={counted(ruleset):.1f}, timed={timed(ruleset):.1f}),')
