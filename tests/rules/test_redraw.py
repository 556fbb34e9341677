"""A what-if game hides other facts than the true one, and nobody who asked for it could know better."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from events import chain, codec
from events.chain import GENESIS
from events.entry import Sealed, write
from projections.game import AnyGame
from projections.knowledge import StoredEntry, known_words
from projections.redact import viewer_of
from projections.view import view_game
from rules.catalogue import rulesets
from rules.redraw import remixed
from tests.effort import examples
from tests.playouts import a_game, answer, offered, playing
from tests.scenario import Scenario, Script
from tests.seen import numbered_salts

GAMES = sorted(rulesets())
MOVES = 120

seeds = st.integers(0, 2**32 - 1)
thorough = examples(8)


def redrawn(scenario: Scenario, log: Sequence[StoredEntry], viewer: int | None, dice: random.Random) -> AnyGame:
    """The game as somebody could take it to be who has read the log with these eyes."""
    game, ruleset = scenario.game, scenario.ruleset
    known = known_words(log, viewer_of(viewer))
    return ruleset.redraw(game, viewer, known, ruleset.edition(game.edition).edition, dice.randrange)


def seen(scenario: Scenario, game: AnyGame, viewer: int | None) -> bytes:
    """The whole view."""
    edition = scenario.ruleset.edition(game.edition).edition
    return msgspec.json.encode(view_game(game, viewer, scenario.ruleset.view(game, viewer, edition)))


@pytest.mark.parametrize("name", GAMES)
@thorough
@for_all(seed=seeds)
def test_who_asked_sees_no_difference_and_the_game_goes_on(name: str, seed: int) -> None:
    """View and options of the viewer are the same, the invariants hold, and they do in every game played on from it."""
    dice = random.Random(~seed)
    log: list[StoredEntry] = []
    stop = dice.randrange(8, MOVES)
    for scenario in islice(a_game(name, seed), MOVES):
        assert scenario.entry is not None
        written = write(scenario.entry, GENESIS, numbered_salts(), scenario.shown)
        log.append((written.body, written.sealed))
        if len(log) < stop or scenario.game.status != "running":
            continue
        for viewer in (*scenario.game.active, None):
            other = redrawn(scenario, log, viewer, dice)
            assert seen(scenario, other, viewer) == seen(scenario, scenario.game, viewer)
            if viewer is not None:
                assert offered(scenario, other, viewer) == offered(scenario, scenario.game, viewer)
            playing(name).invariants(other)
        play_on(Scenario(scenario.ruleset, other, Script(seed.to_bytes(16, "big"))), dice)
        return


def play_on(scenario: Scenario, dice: random.Random) -> None:
    """So many moves more, whoever is awaited giving any legal answer."""
    for _ in range(30):
        if scenario.game.ended:
            return
        answer(scenario, dice)
        playing(scenario.game.ruleset).invariants(scenario.game)


@pytest.mark.parametrize("name", GAMES)
def test_hidden_facts_are_others(name: str) -> None:
    log: list[StoredEntry] = []
    for scenario in islice(a_game(name, 3, unrest=0), 30):
        assert scenario.entry is not None
        written = write(scenario.entry, GENESIS, numbered_salts(), scenario.shown)
        log.append((written.body, written.sealed))
    for viewer in (0, 1, None):
        assert redrawn(scenario, log, viewer, random.Random(5)).board != scenario.game.board


def test_what_was_seen_to_move_is_known_until_something_moves_there_unseen() -> None:
    log = [stored(1, ["a", "b"], None), stored(2, ["a"], (0, 1)), stored(3, ["b"], ())]
    assert known_words(log, "seat:1") & {"a", "b"} == {"a"}
    assert known_words(log, "spectator") & {"a", "b"} == set()
    assert known_words([*log, stored(4, ["c"], (0,))], "seat:1") & {"a", "b", "c"} == {"a"}
    assert known_words([*log, stored(4, ["c"], (2, 3))], "seat:1") & {"a", "b", "c"} == {"a"}
    assert known_words([*log, stored(4, ["c"], (0, 2))], "seat:1") & {"a", "b", "c"} == set()
    assert known_words([*log, stored(4, ["b"], None)], "spectator") & {"a", "b"} == {"b"}


def stored(seq: int, cards: list[str], audience: tuple[int, ...] | None) -> StoredEntry:
    """An entry with one event, its cards public (None) or sealed to these seats."""
    sealed: list[Sealed] = []
    event: dict[str, Any] = {"cards": cards}
    if audience is not None:
        text = chain.disclose(seq.to_bytes(16, "big"), "cards", cards)
        sealed = [Sealed(chain.digest_of(text), audience, "g", text)]
        event = {"_sd": [sealed[0].digest]}
    body = {
        "v": 1,
        "game": "g",
        "seq": seq,
        "prev": GENESIS,
        "at": 1,
        "actor": "host",
        "command": {"type": "x"},
        "events": [{"type": "moved", "schema": 1, **event}],
    }
    return codec.canonical(body), sealed


def test_known_cards_stay_in_their_places() -> None:
    piles = [("a", "b", "c"), ("d", "e")]
    mixed = remixed(piles, {"b", "d"}, random.Random(1).randrange)
    assert (mixed[0][1], mixed[1][0]) == ("b", "d")
    assert sorted(card for pile in mixed for card in pile) == ["a", "b", "c", "d", "e"]
    assert list(map(len, mixed)) == [3, 2]
