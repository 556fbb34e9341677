"""What the tests that all games share need to know of Peak Oil."""

from __future__ import annotations

import random

from events.table import FileDispute, GiveVerdict, Standing
from projections.peak_oil.state import Board, PeakOil
from rules.peak_oil.setup import fields_in_play
from tests.playouts import Golden, Playing, Setup, decoded, leave
from tests.rules.peak_oil.tables import book, edition
from tests.scenario import Scenario


def invariants(game: PeakOil) -> None:
    """PO-002 … PO-004, PO-065, PO-126, PO-144, PO-340 … PO-343, and that no card or chip is twice or lost."""
    if game.status == "lobby":
        return
    board = game.board
    extra = game.options["extra_barrels"]
    assert black_in_all(board) == edition().barrels.black + extra["black"]
    assert board.bag_red + board.window.aside_red + board.box_red == edition().barrels.red + extra["red"]
    assert board.bag_yellow + board.box_yellow == edition().barrels.yellow + extra["yellow"]
    for seat, hq in enumerate(board.seats):
        assert min(hq.black, hq.agents, hq.reserve, hq.security) >= 0
        assert agents_in_all(board, seat) == edition().agents
        assert (hq.pr_down is None) == (hq.pr_down_level == 0)
        assert [edition().consultant[card].level for card in hq.consultants] == [1, 2, 3][: len(hq.consultants)]
    assert board.security + sum(hq.security for hq in board.seats) == edition().security_chips
    assert all(sum(agents) <= edition().agents_per_spot for agents in board.spots.values())
    _cards_are_all_there(game)
    if not game.ended:
        assert len(game.awaited) == 1
        assert not all(board.market.values()), "a full market goes on at once"
    elif game.ended_because != "last_active":
        assert not any(any(agents) for agents in board.spots.values())


def black_in_all(board: Board) -> int:
    """PO-340: every black barrel, wherever it is."""
    in_hqs = sum(hq.black + sum(thing.black for thing in hq.held) for hq in board.seats)
    lying = sum((*board.regions.values(), *board.market.values(), *board.technologies.values()))
    return board.bag_black + board.window.aside_black + board.pulled + board.cargo + board.box_black + in_hqs + lying


def agents_in_all(board: Board, seat: int) -> int:
    """PO-002: every agent of a seat, wherever it is."""
    hq = board.seats[seat]
    placed = sum(agents[seat] for agents in board.spots.values()) + board.track.count(seat)
    return hq.agents + hq.reserve + sum(thing.agents for thing in hq.held) + placed


def _cards_are_all_there(game: PeakOil) -> None:
    board, seats = game.board, len(game.seats)
    chosen = book(seats, **game.options)
    fields = [*board.field_deck, *board.field_display, *(card for hq in board.seats for card in hq.fields)]
    assert sorted(fields) == sorted(fields_in_play(edition(), chosen.options_chosen, seats))
    start_ups = [*board.start_up_deck, *board.start_up_display, *(card for hq in board.seats for card in hq.start_ups)]
    assert sorted(start_ups) == sorted(card.id for card in edition().start_ups if card.least_seats <= seats)
    hired = [*board.consultants, *(card for hq in board.seats for card in hq.consultants)]
    pr_cards = [card for deck in board.pr_decks for card in deck]
    pr_cards += [card for hq in board.seats for card in (*hq.pr_up, *([hq.pr_down] if hq.pr_down else []))]
    if chosen.variant.cards:
        assert len(set(hired)) == sum(edition().row(seats).consultants) == len(hired)
        assert sorted(pr_cards) == sorted(edition().pr_card)
    else:
        assert not hired
        assert not pr_cards
    for chips in (board.risks, board.refineries):
        assert len({chip.chip for chip in chips.values()}) == len(chips)


FAVOURITES = (
    "take_oil_field",
    "start_drill",
    "pull",
    "take_action",
    "dispatch",
    "act_here",
    "hire_consultant",
    "move_black_market",
    "ship",
    "whitewash",
    "place_technology",
    "buy_start_up",
)


def play(scenario: Scenario, dice: random.Random) -> None:
    """A kind of answer by lot, then one of that kind: games of a sensible length, unlike a lot over all answers."""
    (seat,) = scenario.game.awaited
    options = scenario.options(seat)
    kinds = sorted({option.command["type"] for option in options})
    kind = dice.choice([*kinds, *(kind for kind in kinds if kind in FAVOURITES)])
    option = dice.choice([option for option in options if option.command["type"] == kind])
    scenario.when(seat, decoded(scenario, option.pick(dice.randrange)))


def leave_in_the_second_round(scenario: Scenario, dice: random.Random) -> None:
    """Play on, until one seat after the other resigns."""
    (play if scenario.board.turn <= 2 * len(scenario.game.seats) else leave)(scenario, dice)


CORRECTED = (
    ("1", FileDispute("wrong_score", 3, 9, "I was asked twice.")),
    ("arbiter", GiveVerdict(1, "dismissed", "asked_once")),
    ("0", FileDispute("wrong_score", 2, 9)),
    ("arbiter", GiveVerdict(2, "corrected", "miscounted", Standing((1,), ((1,), (0, 2)), (4, 7, 4)))),
)
"""Two disputes after the end: one is dismissed, the other gives the game another result."""

ANNULLED = (
    ("0", FileDispute("collusion", 5, 24, "They share a sofa.", suspend=True)),
    ("2", FileDispute("collusion", 5, 24)),
    ("arbiter", GiveVerdict(1, "dismissed", "no_sofa")),
    ("arbiter", GiveVerdict(2, "annulled", "annulled")),
)
"""A dispute suspends the game, another one ends it."""

PLAYING = Playing(
    goldens={
        "peak_oil": Golden(Setup(3, {"challenge_start": True}), play, seed=1),
        "max_turns": Golden(Setup(2, {"variant": "crude", "max_turns": 24, "first_player": 1}), play, seed=2),
        "last_active": Golden(Setup(3), leave_in_the_second_round, seed=1),
        "last_active.corrected": Golden(Setup(3), leave_in_the_second_round, seed=1, after=CORRECTED),
        "annulled": Golden(Setup(3), play, seed=3, stop=24, after=ANNULLED),
    },
    setups=tuple(
        Setup(seats, options)
        for seats in (2, 3, 4, 5)
        for options in (
            {},
            {"variant": "crude", "closed_chips": "single_and_double", "max_turns": 40},
            {"dual_fields": True, "challenge_start": True, "closed_chips": "single_and_double", "first_player": 1},
            {"extra_barrels": {"black": 4, "yellow": 3, "red": 1}, "closed_chips": "none", "max_turns": 60},
            {"variant": "crude", "dual_fields": True},
        )
    ),
    invariants=invariants,
)
