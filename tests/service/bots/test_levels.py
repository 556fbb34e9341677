"""House bots: whatever they answer is legal, and `sensible` is worth its name."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from projections.game import AnyGame
from projections.view import view_game
from rules.catalogue import Ruleset, rulesets
from rules.choices import Option
from rules.playout import Deal, playout
from service.bots import LEVELS, player

RULESETS = sorted(rulesets())


def play(ruleset: Ruleset, levels: Sequence[str], number: int, seats: int) -> AnyGame:
    """A whole game; each answer is checked against the options it was made from."""
    dice = random.Random(number)
    edition = ruleset.edition(ruleset.default_edition).edition

    def choose(game: AnyGame, seat: int, options: Sequence[Option]) -> dict[str, object]:
        view = view_game(game, seat, ruleset.view(game, seat, edition))
        command = player(ruleset.name, levels[seat])(view, options, dice.randrange)
        assert any(option.admits(command) for option in options), command
        return command

    deal = Deal(game=f"00000000-0000-7000-8000-{number:012x}", seats=seats, server_seed=f"{number:064x}")
    ids = (f"00000000-0000-4000-8000-{n:012x}" for n in range(100_000))
    *_, last = playout(ruleset, deal, choose, lambda: next(ids), dice.choice)
    return last.after


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", RULESETS)
def test_a_bot_answers_with_a_listed_option_until_the_game_ends(name: str, level: str) -> None:
    ruleset = rulesets()[name]
    for seats in range(ruleset.least_seats, ruleset.most_seats + 1):
        game = play(ruleset, [level] * seats, seats, seats)
        assert game.result is not None


@pytest.mark.parametrize("name", RULESETS)
def test_sensible_beats_random(name: str) -> None:
    """Of ten games of one sensible player among random ones, far more than its share."""
    ruleset = rulesets()[name]
    won = 0
    for number in range(10):
        levels = ["random"] * 3
        levels[number % 3] = "sensible"
        game = play(ruleset, levels, number, 3)
        assert game.result is not None
        won += number % 3 in game.result.winners
    assert won >= 6
