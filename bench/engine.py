"""How many commands the rules decide, and how many events the folds take, per second of one core's time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from bench.figures import Figure, Say, Section, Target
from bench.page import show
from projections.chance import KeyedChance, game_key
from projections.fold import fold
from rules.catalogue import rulesets
from rules.decide import decide
from rules.playout import Deal, Move, playout
from rules.ruleset import Ruleset, options_for
from rules.table import Secret

SEED = "5e" * 32


TARGETS: Final[Mapping[str, float]] = {"oil-and-gas": 20_000, "petroleo": 20_000, "peak-oil": 12_000}
"""Commands decided per second; half of that where what may be done next is listed too."""


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Every ruleset."""
    del folder
    figures, targets = [], []
    for name, ruleset in rulesets().items():
        say(f"deciding and folding: {name}")
        decided, listed, folded = rates(ruleset, games=2 if quick else 8, rounds=3 if quick else 7)
        figures += [decided, listed, folded]
        for figure, least in ((decided, TARGETS[name]), (listed, TARGETS[name] / 2)):
            targets.append(Target(what=figure.name, value=figure.middle, least=least, unit="/s"))
    return Section(title="Deciding and folding, one core", figures=figures, targets=targets)


def rates(ruleset: Ruleset, *, games: int, rounds: int) -> tuple[Figure, Figure, Figure]:
    """Play games at random, then decide and fold their commands again, several rounds: per second of a core, commands
    decided, the same with listing what may be done next, and events folded.
    """
    played = [list(a_game(ruleset, number)) for number in range(games)]
    moves = [(move.before, move.entry) for game in played for move in game if move.before is not None]
    events = sum(len(move.entry.events) for game in played for move in game)
    book = ruleset.book_of(moves[0][0])
    secret = Secret(KeyedChance(game_key(played[0][0].after.id, bytes.fromhex(SEED), [])), SEED)

    def decided() -> None:
        for before, entry in moves:
            decide(before, entry.command, entry.actor, book, secret)

    def with_options() -> None:
        for before, entry in moves:
            decision = decide(before, entry.command, entry.actor, book, secret)
            for seat in decision.game.awaited:
                options_for(decision.game, book, seat)

    def folded() -> None:
        for game in played:
            fold((move.entry for move in game), ruleset.projection)

    return (
        _timed(f"commands decided, {ruleset.name}", decided, len(moves), rounds),
        _timed(f"decided, with options, {ruleset.name}", with_options, len(moves), rounds),
        _timed(f"events folded, {ruleset.name}", folded, events, rounds),
    )


def a_game(ruleset: Ruleset, number: int, game: str | None = None) -> Iterator[Move]:
    """A game at random, always the same one for a number."""
    dice = random.Random(number)
    deal = Deal(game=game or f"00000000-0000-7000-8000-{number:012x}", seats=3, server_seed=SEED)
    return playout(
        ruleset,
        deal,
        lambda _game, _seat, options: options[dice.randrange(len(options))].pick(dice.randrange),
        lambda: f"00000000-0000-7000-8000-{dice.getrandbits(48):012x}",
        dice.choice,
    )


def _timed(name: str, work: Callable[[], None], count: int, rounds: int) -> Figure:
    found = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        found.append(count / (time.process_time() - began))
    return Figure(name=name, rounds=tuple(found))


if __name__ == "__main__":
    show(measure)
