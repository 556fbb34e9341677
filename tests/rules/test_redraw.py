"""A what-if game hides other facts than the true one, and nobody who asked for it could know better."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain as chain_of
from itertools import islice
from statistics import mean, pvariance
from typing import Any

import msgspec
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from events import chain, codec
from events.chain import GENESIS
from events.sealing import write
from events.seals import Sealed
from projections.game import AnyGame
from projections.knowledge import StoredEntry, known_words
from projections.redact import viewer_of
from projections.view import view_game
from rules.catalogue import rulesets
from rules.redraw import remixed
from tests.effort import examples
from tests.playouts import a_game, answer, offered, playing
from tests.scenario import Scenario, Script
from tests.sealing import disclose
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


def at_entry(name: str, number: int, length: int) -> tuple[Scenario, list[StoredEntry]]:
    """A game without unrest, so many entries long, and its log."""
    log: list[StoredEntry] = []
    for scenario in islice(a_game(name, number, unrest=0), length):
        assert scenario.entry is not None
        written = write(scenario.entry, GENESIS, numbered_salts(), scenario.shown)
        log.append((written.body, written.sealed))
    return scenario, log


def held(game: AnyGame, seat: int) -> tuple[str, ...]:
    """Cards that only this seat knows it has."""
    if game.ruleset == "peak-oil":
        hq = game.board.seats[seat]
        return (hq.portfolio,)
    hand: tuple[str, ...] = game.board.companies[seat].hand
    return hand


def is_even(counts: Mapping[str, int], draws: int, share: float) -> bool:
    """Whether each was drawn about as often as its share is: within 4.5 standard deviations."""
    spread = 4.5 * (draws * share * (1 - share)) ** 0.5
    return all(abs(count - draws * share) < spread for count in counts.values())


def test_mixed_cards_lie_in_every_order_equally_often() -> None:
    dice, draws = random.Random(11), 4800
    piles = [("a", "k", "b"), ("c",), ("d",)]
    counts = Counter(str(remixed(piles, {"k"}, dice.randrange)) for _ in range(draws))
    assert len(counts) == 24
    assert is_even(counts, draws, 1 / 24)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", [0, None])
def test_every_card_that_may_be_there_is_there_equally_often(name: str, viewer: int | None) -> None:
    """Whoever asks often learns nothing: the true cards come no more often than others that could be there."""
    scenario, log = at_entry(name, 3, 12)
    known = known_words(log, viewer_of(viewer))
    dice, draws = random.Random(5), 1500
    counts = Counter(card for _ in range(draws) for card in held(redrawn(scenario, log, viewer, dice), 1))
    certain = {card for card in held(scenario.game, 1) if card in known}
    assert all(counts.pop(card) == draws for card in certain)
    assert len(counts) > len(held(scenario.game, 1))
    assert is_even(counts, draws, (len(held(scenario.game, 1)) - len(certain)) / len(counts))


@pytest.mark.rule("PT-322")
def test_where_a_marker_shows_the_advance_every_fitting_deal_is_equally_likely() -> None:
    """Held against deals made at random of which those that do not fit are thrown away."""
    scenario, log = veiled_game()
    game, dice, draws = scenario.game, random.Random(2), 2000
    edition: Any = scenario.ruleset.edition(game.edition).edition
    shown = {laid.advance for laid in veiled(game)} - {None}
    known = known_words(log, viewer_of(0))
    others = [company.hand for company in game.board.companies[1:]]
    loose = [card for card in chain_of(*others, game.board.deck) if card not in known]
    loose += [laid.card for laid in veiled(game) if laid.card not in known]
    share = sum(edition.card[card].advance in shown for card in loose)

    def in_hands(hands: Iterable[Sequence[str]]) -> int:
        return sum(edition.card[card].advance in shown for hand in hands for card in hand)

    ours = [
        in_hands(company.hand for company in redrawn(scenario, log, 0, dice).board.companies[1:]) for _ in range(draws)
    ]
    due = [in_hands(by_rejection(game, loose, known, edition, dice)) for _ in range(draws)]
    assert share > len(veiled(game)), "there is something to be drawn wrongly"
    spread = ((pvariance(ours) + pvariance(due)) / draws) ** 0.5
    assert abs(mean(ours) - mean(due)) < 4 * spread, (mean(ours), mean(due))


def veiled(game: AnyGame) -> list[Any]:
    """Cards that lie face down before others than seat 0."""
    laid = [*game.board.played, *([game.board.laid] if game.board.laid else [])]
    return [one for one in laid if one.kind is None and one.seat != 0]


def veiled_game() -> tuple[Scenario, list[StoredEntry]]:
    """A game with a card of another seat whose advance is known to seat 0, and its kind is not."""
    for number in range(200):
        log: list[StoredEntry] = []
        for scenario in islice(a_game("petroleo", number, unrest=0), 60):
            assert scenario.entry is not None
            written = write(scenario.entry, GENESIS, numbered_salts(), scenario.shown)
            log.append((written.body, written.sealed))
            hidden = veiled(scenario.game) if scenario.game.status == "running" else []
            if any(one.advance is not None for one in hidden) and len(scenario.game.board.companies) > 2:
                return scenario, log
    raise AssertionError("no such game")


def by_rejection(
    game: AnyGame, loose: Sequence[str], known: frozenset[str], edition: Any, dice: random.Random
) -> list[list[str]]:
    """The other hands of a deal in which every card face down has the advance that is shown."""
    free = [laid for laid in veiled(game) if laid.card not in known]
    while True:
        deal = iter(dice.sample(loose, len(loose)))
        under = [next(deal) for _ in free]
        fits = all(laid.advance in (None, edition.card[card].advance) for laid, card in zip(free, under, strict=True))
        if fits:
            return [
                [card if card in known else next(deal) for card in company.hand] for company in game.board.companies[1:]
            ]


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
        text = disclose(seq.to_bytes(16, "big"), "cards", cards)
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
