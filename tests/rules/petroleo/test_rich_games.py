"""Random games in which everything happens: much money at the companies, little at the bank, many tankers.

On the built-in editions a bank runs dry in one game of ten; here it does so all the time.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from events.petroleo import steps
from events.table import SeatLeft
from events.words import Waits
from projections.petroleo.evolve import EVOLVE
from rules.petroleo.edition import PerOil, PetroleoEdition
from rules.petroleo.rulebook import book
from tests.playouts import Setup, created, decoded, is_listed, played, refusal, reshuffle_hidden, with_unrest
from tests.rules.petroleo.playing import check
from tests.rules.petroleo.tables import RULESET, edition
from tests.scenario import Scenario, Script

CARD = re.compile(r'"(c[0-9]{2})"')
TANKERS = ("c42", "c43", "c44", "c45")
"""Cards that are tanker cards here."""


def rich(name: str) -> PetroleoEdition:
    """A built-in edition with other money, dearer squares and more tankers."""
    data = edition(name)
    dear = PerOil(oil2=150, oil4=200, oil6=250)
    return replace(
        data,
        start_cash=400,
        all_cash=6 * 400,
        profits=replace(data.profits, tanker=600),
        tariffs=replace(
            data.tariffs,
            tanker_storm=400,
            oil_tax=dear,
            price_rise=dear,
            income_tax=replace(data.tariffs.income_tax, tanker=500, levy_percent=60),
        ),
        pieces=replace(data.pieces, tanker=9),
        cards=tuple(replace(card, kind="tanker") if card.id in TANKERS else card for card in data.cards),
    )


KEEN = {"exercise", "buy_licence", "buy_tower", "choose_square", "accept_bank", "choose_partner", "buy_bank_half"}


def keenly(scenario: Scenario, dice: random.Random) -> None:
    """Answers of companies that like to own things, and now and then a deadline or a resignation."""
    if dice.random() < 0.03:
        with_unrest(1)(scenario, dice)
        return
    seat = dice.choice(scenario.game.awaited)
    options = scenario.options(seat)
    keen = [option for option in options if option.command["type"] in KEEN]
    option = dice.choice(keen if keen and dice.random() < 0.8 else options)
    scenario.when(seat, decoded(scenario, option.pick(dice.randrange)))


def a_rich_game(seed: int) -> Iterator[tuple[Scenario, PetroleoEdition]]:
    """A random game, move by move."""
    seats = 2 + seed % 5
    name = ("compact-20", "house-48")[seed % 2]
    setup = Setup(seats, {"second_year_end": seats <= 4}, name)
    scenario = created(RULESET, setup, Script(seed.to_bytes(16, "big")))
    data = rich(name)
    scenario.book = book(data, RULESET.read_options(setup.options), seats)  # type: ignore[arg-type] # our options
    for moved in played(scenario, seed, keenly):
        yield moved, data


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_the_invariants_hold_and_what_is_listed_is_accepted(first: int) -> None:
    for seed in range(first, first + 10):
        dice = random.Random(seed)
        for scenario, data in a_rich_game(seed):
            if scenario.game.status == "lobby":
                continue
            check(scenario.game, data)
            for seat in scenario.game.awaited:
                options = scenario.options(seat)
                assert options, scenario.game.steps
                command = decoded(scenario, dice.choice(options).pick(dice.randrange))
                assert is_listed(options, command)
                assert refusal(scenario.game, scenario, seat, command) is None, command


def test_every_word_of_the_game_is_spoken() -> None:
    """Each event that changes the board, and each question, somewhere in a few dozen games."""
    events: Counter[type] = Counter()
    questions: Counter[type] = Counter()
    for seed in range(60):
        for scenario, _ in a_rich_game(seed):
            events.update(type(event) for event in scenario.happened)
            questions.update([type(scenario.game.waiting)] if scenario.game.waiting else [])
    assert not set(EVOLVE) - set(events) - {SeatLeft}
    asked = {kind for kind in vars(steps).values() if isinstance(kind, type) and issubclass(kind, Waits)}
    assert not asked - set(questions) - {Waits}


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_what_a_seat_cannot_see_makes_no_difference_to_it(first: int) -> None:
    for seed in range(first, first + 5):
        dice = random.Random(seed)
        for scenario, data in a_rich_game(seed):
            if scenario.game.status != "running" or dice.random() < 0.7:
                continue
            for viewer in (*range(len(scenario.game.seats)), None):
                twin = reshuffle_hidden(scenario.game, viewer, dice.randrange)
                views = [msgspec.json.encode(RULESET.view(game, viewer, data)) for game in (scenario.game, twin)]
                assert views[0] == views[1]


@pytest.mark.rule("PT-320", "PT-322")
@pytest.mark.parametrize("first", range(0, 20, 5))
def test_no_card_is_named_to_who_has_not_seen_it(first: int) -> None:
    """In the entries as each viewer reads them, and in the view: every id named is one that the viewer knows."""
    for seed in range(first, first + 5):
        dice = random.Random(seed)
        for scenario, data in a_rich_game(seed):
            if scenario.game.status != "running" or dice.random() < 0.5:
                continue
            viewer = dice.choice((*range(len(scenario.game.seats)), None))
            board = scenario.board
            pile = [*board.played, *([board.laid] if board.laid else [])]
            known = {laid.card for laid in pile if laid.kind or laid.seat == viewer}
            known |= set(() if viewer is None else board.companies[viewer].hand)
            said = [scenario.sees(viewer), RULESET.view(scenario.game, viewer, data)]
            assert set(CARD.findall(msgspec.json.encode(said).decode())) <= known
