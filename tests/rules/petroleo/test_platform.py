"""What the engine promises for every game, seen in this one: register sections 3.3 and 3.7."""

from __future__ import annotations

import pytest

from events.petroleo.commands import BuyShare, BuyTower, Exercise, Forgo, PlayCard
from tests.playouts import Setup, a_game
from tests.rules.petroleo.tables import RULESET, A, B, choosing, co


def test_the_same_seed_and_the_same_commands_give_the_same_log() -> None:
    """S-107, S-108: each entry is folded again by `Scenario.when`, without any generator."""
    setup = Setup(3)
    one, two = ([scene.entry for scene in a_game("petroleo", 5, setup=setup)] for _ in range(2))
    assert one == two


@pytest.mark.rule("PT-014", "PT-020")
def test_who_is_not_asked_is_told_so_and_what_is_not_asked_is_refused() -> None:
    scene = choosing(co(), co(), co(), tankers="TK1:0+1")
    scene.refuses(A, BuyShare(), "PT-020", "illegal_choice").refuses(A, Exercise(), "PT-020", "illegal_choice")
    scene.refuses(A, BuyTower("L01"), "PT-020", "illegal_choice").refuses(B, PlayCard("c01"), "PT-014", "not_awaited")


@pytest.mark.rule("PT-301")
def test_after_the_end_nothing_can_be_done() -> None:
    scene = choosing(co(), co()).resigns(B)
    scene.refuses(A, Forgo(), "PT-301", "game_over")


def test_the_ruleset_says_what_it_is() -> None:
    assert (RULESET.name, RULESET.register, RULESET.least_seats, RULESET.most_seats) == ("petroleo", "PT", 2, 6)
