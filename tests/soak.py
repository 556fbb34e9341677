"""`python -m tests.soak`: random games by the thousand over every set-up of every ruleset, invariants after each entry.

A small share of the same runs in `make test` (`tests/rules/test_playouts.py`). A game that fails is named by its
number: `--first N --games 1` plays it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from msgspec import Struct

from projections.game import AnyGame
from rules.catalogue import rulesets
from rules.choices import Option
from rules.playout import Deal, playout
from tests.playouts import playing

CHUNK = 25


class Tally(Struct):
    """What a chunk of games came to."""

    games: int = 0
    commands: int = 0
    seconds: float = 0.0
    longest: int = 0
    endings: Counter[str] = Counter()

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.commands += other.commands
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.endings = self.endings + other.endings


def play(name: str, number: int) -> Tally:
    """Game `number` of a ruleset, to its end. Any assertion names the game."""
    dice = random.Random(number)
    hooks = playing(name)
    setup = hooks.setups[number % len(hooks.setups)]
    ids = (f"00000000-0000-4000-8000-{n:012x}" for n in range(10**9))

    def choose(game: AnyGame, seat: int, options: Sequence[Option]) -> dict[str, Any]:
        assert options, f"seat {seat} is asked and has no answer"
        return options[dice.randrange(len(options))].pick(dice.randrange)

    deal = Deal(
        game=f"00000000-0000-7000-8000-{number:012x}",
        seats=setup.seats,
        server_seed=f"{number:064x}",
        edition=setup.edition,
        options=setup.options,
    )
    began = time.process_time()
    entries, game = 0, None
    try:
        for move in playout(rulesets()[name], deal, choose, lambda: next(ids), dice.choice):
            entries, game = move.entry.seq, move.after
            if game.status != "lobby":
                hooks.invariants(game)
    except Exception as error:
        error.add_note(f"{name}, game {number}, after entry {entries}: {setup}")
        raise
    assert game is not None
    return Tally(1, entries, time.process_time() - began, entries, Counter({str(game.ended_because): 1}))


def play_some(name: str, numbers: Sequence[int]) -> Tally:
    """A chunk of games."""
    total = Tally()
    for number in numbers:
        total.add(play(name, number))
    return total


def soak(name: str, first: int, games: int, workers: int) -> Tally:
    """So many games from number `first` on, with a line that counts them."""
    total = Tally()
    chunks = [range(start, min(start + CHUNK, first + games)) for start in range(first, first + games, CHUNK)]
    with ProcessPoolExecutor(workers) as pool:
        for done in pool.map(play_some, [name] * len(chunks), chunks):
            total.add(done)
            _progress(name, total, games)
    return total


def _progress(name: str, total: Tally, games: int) -> None:
    if sys.stdout.isatty():
        print(f"\r{name}: {total.games} of {games} games", end="", flush=True)
    elif total.games % 1000 < CHUNK:
        print(f"{name}: {total.games} of {games} games", flush=True)


def _lines(name: str, total: Tally) -> Iterator[str]:
    yield f"{name}: {total.games} games, {total.commands} commands, the longest of {total.longest}"
    yield f"  invariants held after every entry; {total.commands / total.seconds:,.0f} commands a second and core"
    yield "  endings: " + ", ".join(f"{reason} {n}" for reason, n in total.endings.most_common())


def main() -> None:
    """Play, and say what it came to; anything that does not hold ends it with a traceback that names the game."""
    parser = argparse.ArgumentParser(description="random games by the thousand, invariants after each entry")
    parser.add_argument("--games", type=int, default=10_000, help="games for each ruleset (default: 10,000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--ruleset", choices=sorted(rulesets()), help="one ruleset only")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    for name in [asked.ruleset] if asked.ruleset else rulesets():
        total = soak(name, asked.first, asked.games, asked.workers)
        print("\n".join(["", *_lines(name, total)]))


if __name__ == "__main__":
    main()
