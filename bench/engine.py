"""How many commands the rules decide, and how many events the folds take, per second on one core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from statistics import median

from msgspec import Struct

from projections.chance import KeyedChance, game_key
from projections.fold import fold
from rules.decide import decide
from rules.playout import Deal, Move, playout
from rules.ruleset import Ruleset, options_for
from rules.table import Secret

ROUNDS = 7
GAMES = 12
SEED = "5e" * 32


class Rates(Struct, frozen=True):
    """Medians over the rounds, per second, with the least and the most seen."""

    decided: tuple[float, float, float]
    decided_with_options: tuple[float, float, float]
    folded: tuple[float, float, float]
    commands: int
    events: int


def measure(ruleset: Ruleset, *, games: int = GAMES, rounds: int = ROUNDS) -> Rates:
    """Play games at random, then decide and fold their commands again, several rounds."""
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

    return Rates(
        decided=_rate(decided, len(moves), rounds),
        decided_with_options=_rate(with_options, len(moves), rounds),
        folded=_rate(folded, events, rounds),
        commands=len(moves),
        events=events,
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


def _rate(work: Callable[[], None], count: int, rounds: int) -> tuple[float, float, float]:
    rates = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        rates.append(count / (time.perf_counter() - began))
    return median(rates), min(rates), max(rates)
