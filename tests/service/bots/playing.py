"""Bots at a table: whole games in memory, and single answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from projections.game import AnyGame
from projections.view import view_game
from rules.choices import Below, Option
from rules.playout import Deal, playout
from rules.ruleset import Ruleset
from service.bots import player
from tests.scenario import Scenario


def play(
    ruleset: Ruleset, levels: Sequence[str], number: int, edition: str | None = None, **options: Any
) -> tuple[AnyGame, int]:
    """A whole game, and how many moves it took; each answer is checked against the options it was made from."""
    dice = random.Random(number)
    name = edition or ruleset.default_edition

    def choose(game: AnyGame, seat: int, offered: Sequence[Option]) -> dict[str, Any]:
        return answer(ruleset, game, seat, offered, level=levels[seat], below=dice.randrange)

    deal = Deal(
        game=f"00000000-0000-7000-8000-{number:012x}",
        seats=len(levels),
        server_seed=f"{number:064x}",
        edition=name,
        options=options,
    )
    ids = (f"00000000-0000-4000-8000-{n:012x}" for n in range(100_000))
    *_, last = playout(ruleset, deal, choose, lambda: next(ids), dice.choice)
    return last.after, last.entry.seq


def answer(
    ruleset: Ruleset, game: AnyGame, seat: int, offered: Sequence[Option], *, level: str, below: Below
) -> dict[str, Any]:
    """What a bot of this level answers: always something that was offered."""
    view = view_game(game, seat, ruleset.view(game, seat, ruleset.edition(game.edition).edition))
    command = player(ruleset.name, level)(view, offered, below)
    assert any(option.admits(command) for option in offered), command
    return command


def sensible(scene: Scenario, seat: int = 0) -> dict[str, Any]:
    """What a sensible bot answers on this table."""
    return answer(
        scene.ruleset, scene.game, seat, scene.options(seat), level="sensible", below=random.Random(0).randrange
    )
