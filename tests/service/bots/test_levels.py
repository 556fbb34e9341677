"""House bots: whatever they answer is legal, and `sensible` is worth its name."""

from __future__ import annotations

import pytest

from rules.catalogue import rulesets
from service.bots import LEVELS
from tests.service.bots.playing import play

RULESETS = sorted(rulesets())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", RULESETS)
def test_a_bot_answers_with_a_listed_option_until_the_game_ends(name: str, level: str) -> None:
    ruleset = rulesets()[name]
    for seats in range(ruleset.least_seats, ruleset.most_seats + 1):
        game, _ = play(ruleset, [level] * seats, seats)
        assert game.result is not None


@pytest.mark.parametrize("name", RULESETS)
def test_sensible_beats_random(name: str) -> None:
    """Of ten games of one sensible player among random ones, far more than its share."""
    ruleset = rulesets()[name]
    won = 0
    for number in range(10):
        levels = ["random"] * 3
        levels[number % 3] = "sensible"
        game, _ = play(ruleset, levels, number)
        assert game.result is not None
        won += number % 3 in game.result.winners
    assert won >= 6
