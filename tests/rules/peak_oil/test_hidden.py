"""Who sees what: PO-350 … PO-356, register section 4."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
import pytest

from events.audience import sealed_fields
from events.peak_oil.codes import Barrels
from events.peak_oil.commands import Command, TakeAction
from events.peak_oil.facts import DeckShuffled, EventWord, PortfolioDealt, PrCardDrawn
from events.table import TableCommand
from projections.peak_oil.state import Window
from projections.peak_oil.view import WindowView
from tests.playouts import reshuffle_hidden
from tests.rules.peak_oil.tables import RULESET, a_start, a_table, answers, at_final_reassign, edition


@pytest.mark.rule("PO-350")
def test_what_a_viewer_may_not_know_changes_nothing_it_sees() -> None:
    """T-171; the shared playouts ask the same of random games."""
    game = a_start(4, challenge_start=True).game
    dice = random.Random(1)
    for viewer in (0, 1, 2, 3, None):
        twin = reshuffle_hidden(game, viewer, dice.randrange)
        assert twin.board != game.board
        views = [msgspec.json.encode(RULESET.view(state, viewer, edition())) for state in (game, twin)]
        assert views[0] == views[1]


@pytest.mark.rule("PO-351")
def test_a_seat_sees_its_own_cards_and_a_spectator_nobodys() -> None:
    table = a_start(3, challenge_start=True)
    for viewer in (0, 1, 2, None):
        for hq in table.view(viewer).seats:
            assert (hq.portfolio is not None) is (hq.seat == viewer)
            assert (hq.pr_face_down is not None) is (hq.seat == viewer)
            assert (hq.start_ups is not None) is (hq.seat == viewer)
            assert hq.pr_face_down_level == 1


@pytest.mark.rule("PO-350")
def test_what_is_sealed_and_to_whom() -> None:
    sealed = {
        kind: [(mark.name, mark.readers) for mark in sealed_fields(kind)]
        for kind in get_args(EventWord)
        if isinstance(kind, type) and sealed_fields(kind)
    }
    assert sealed == {
        DeckShuffled: [("order", ())],
        PortfolioDealt: [("card", ("seat",))],
        PrCardDrawn: [("card", ("seat",))],
    }
    own = set(get_args(Command)) - set(get_args(TableCommand))
    assert not [kind for kind in own if sealed_fields(kind)]


@pytest.mark.rule("PO-355")
def test_a_face_down_card_has_no_part_in_what_anybody_may_do() -> None:
    """PR3-5 face down would take the standing away, PR1-4 the way home."""
    plain = answers(a_table(spots={"DEV": [1]}))
    for card, level in (("PR3-5", 3), ("PR1-4", 1)):
        table = a_table(spots={"DEV": [1]}, hq={0: {"pr_down": card, "pr_down_level": level}})
        assert answers(table) == plain
        table.when(0, TakeAction("DEV"))


@pytest.mark.rule("PO-356")
def test_no_command_shows_a_card() -> None:
    names = {kind.__struct_config__.tag for kind in get_args(Command)}
    assert not [name for name in names if "show" in name or "reveal" in name or "portfolio" in name]


@pytest.mark.rule("PO-105", "PO-262")
def test_a_view_shows_what_counts_in_a_window_while_there_is_one() -> None:
    counted: dict[str, Any] = {"first_black_used": True, "first_crisis_used": False, "vacated": ("DEV",)}
    window = Window(**counted, aside_black=2, aside_red=1, locks={"INV": 1, "HQ": 0}, start=(2, *[0] * 9))
    seen = a_table(spots={"INV": [1]}, window=window).view(3)
    assert seen.window == WindowView(**counted, aside=Barrels(2, 1), locked={"INV": 1})
    assert seen.seats[0].pr_face_down_level is None
    assert at_final_reassign(1).view(3).window is None


@pytest.mark.rule("PO-350")
def test_decks_are_numbers_only() -> None:
    view = a_start(5).view(0)
    assert (view.oil_fields.deck, view.start_ups.deck, view.pr_decks) == (22, 22, (6, 6, 6))
