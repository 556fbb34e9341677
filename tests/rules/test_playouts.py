"""What holds for every game at every moment, asked of random games: the questions that no ruling's test thinks of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import msgspec
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from events import codec
from events.chain import GENESIS
from events.sealing import write
from events.words import Command
from rules.catalogue import rulesets
from rules.choices import Option
from tests.effort import examples
from tests.playouts import a_game, decoded, is_listed, mutated, offered, playing, refusal, reshuffle_hidden, words_of
from tests.scenario import Scenario
from tests.seen import numbered_salts

GAMES = sorted(rulesets())
MOVES = 400
"""Moves looked at in one game; whole games are played by the slow test."""

seeds = st.integers(0, 2**32 - 1)
thorough = examples(12)


def some_moments(name: str, seed: int, every: int) -> Iterator[tuple[Scenario, random.Random]]:
    """A game, stopped now and then while it waits; dice to ask it something."""
    dice = random.Random(~seed)
    for scenario in islice(a_game(name, seed), MOVES):
        if scenario.game.status == "running" and dice.randrange(every) == 0:
            yield scenario, dice


@pytest.mark.parametrize("name", GAMES)
@thorough
@for_all(seed=seeds)
def test_after_every_move_invariants_hold_and_the_entry_can_be_written(name: str, seed: int) -> None:
    """Replay = live and snapshot = live are asserted by `Scenario.when` on the way."""
    hooks = playing(name)
    for scenario in islice(a_game(name, seed), MOVES):
        if scenario.game.status != "lobby":
            hooks.invariants(scenario.game)
        assert scenario.entry is not None
        written = write(scenario.entry, GENESIS, numbered_salts(), scenario.shown)
        assert codec.canonical(codec.decode(written.body)) == written.body


@pytest.mark.parametrize("name", GAMES)
@thorough
@for_all(seed=seeds)
def test_what_is_listed_is_accepted(name: str, seed: int) -> None:
    for scenario, dice in some_moments(name, seed, every=8):
        for seat in scenario.game.awaited:
            options = scenario.options(seat)
            assert options, "awaited, and nothing to answer"
            assert len({option.id for option in options}) == len(options)
            for option in options:
                command = decoded(scenario, option.pick(dice.randrange))
                assert is_listed([option], command), (option, command)
                assert refusal(scenario.game, scenario, seat, command) is None, (option, command)


@pytest.mark.parametrize("name", GAMES)
@thorough
@for_all(seed=seeds)
def test_what_is_not_listed_is_refused_and_changes_nothing(name: str, seed: int) -> None:
    for scenario, dice in some_moments(name, seed, every=8):
        before = msgspec.json.encode(scenario.game)
        words = words_of(msgspec.json.decode(before))
        for seat in scenario.game.awaited:
            options = scenario.options(seat)
            for command in some_mutations(scenario, seat, words, dice):
                refused = refusal(scenario.game, scenario, seat, command)
                assert (refused is None) == is_listed(options, command), (command, options)
                if refused is not None and answers_like(options, command):
                    assert refused[2] is not None, f"a member was changed, and {refused} names none of {command}"
        assert msgspec.json.encode(scenario.game) == before


@pytest.mark.parametrize("name", GAMES)
@thorough
@for_all(seed=seeds)
def test_hidden_facts_make_no_difference_to_who_may_not_know_them(name: str, seed: int) -> None:
    for scenario, dice in some_moments(name, seed, every=8):
        game = scenario.game
        edition = scenario.ruleset.edition(game.edition).edition
        for viewer in (*range(len(game.seats)), None):
            twin = reshuffle_hidden(game, viewer, dice.randrange)
            views = [msgspec.json.encode(scenario.ruleset.view(state, viewer, edition)) for state in (game, twin)]
            assert views[0] == views[1]
            if viewer is None:
                continue
            assert offered(scenario, game, viewer) == offered(scenario, twin, viewer)
            words = words_of(msgspec.json.decode(msgspec.json.encode(game)))
            for command in some_mutations(scenario, viewer, words, dice):
                assert refusal(game, scenario, viewer, command) == refusal(twin, scenario, viewer, command), command


def some_mutations(scenario: Scenario, seat: int, words: list[str], dice: random.Random) -> Iterator[Command]:
    """Commands that are almost listed: what the seat may do, with one thing changed."""
    for option in scenario.options(seat):
        fields = msgspec.json.decode(msgspec.json.encode(option.pick(dice.randrange)))
        try:
            command = decoded(scenario, mutated(fields, words, dice))
        except msgspec.ValidationError:
            continue
        if command.__class__.__name__ not in OUT_OF_TURN:
            yield command


def answers_like(options: list[Option], command: Command) -> bool:
    """Whether a command of this kind is asked for: then it is a member that was changed, not what the command is."""
    return any(option.command["type"] == command.__struct_config__.tag for option in options)


OUT_OF_TURN = ("Resign", "TakeSeat", "LeaveSeat", "StartGame", "AbortGame", "CreateGame", "Expire")
"""Commands that answer no question; a mutation may turn an answer into one."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_game_ends(name: str) -> None:
    """Whole games of every setup, some with deadlines and resignations."""
    hooks = playing(name)
    for number, setup in enumerate(hooks.setups):
        last = None
        for last in a_game(name, number, unrest=0.01 * (number % 2), setup=setup):
            if last.game.status != "lobby":
                hooks.invariants(last.game)
        assert last is not None
        assert last.game.ended
