"""What the tests that all games share need to know of Petróleo."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from events.petroleo.codes import Reservoir
from projections.game import AnyGame
from projections.petroleo.state import Board, Petroleo
from rules.petroleo.edition import PetroleoEdition
from tests.playouts import Golden, Playing, Setup, answer, leave
from tests.rules.petroleo.stack import check_stack
from tests.rules.petroleo.tables import edition
from tests.scenario import Scenario

RESERVOIRS: tuple[Reservoir, ...] = ("gas", "oil6", "oil4", "oil2")


def invariants(game: AnyGame) -> None:
    """PT-004, PT-030, PT-060, PT-074, PT-250, PT-254 and section 8 of the register."""
    check(game, edition(game.edition))


def check(game: Petroleo, data: PetroleoEdition) -> None:
    """The invariants of a game on this edition."""
    board = game.board
    _money_adds_up(board, data)
    _pieces_add_up(board, data)
    _cards_are_one_deck(board, data.deck_for(len(game.seats)))
    check_stack(game)
    assert [seat for seat, company in enumerate(board.companies) if company.left] == sorted(board.departed)
    assert [seat for seat, state in enumerate(game.seats) if state.resigned] == sorted(board.departed)
    laid = [company.laid for company in board.companies if not company.left]
    assert max(laid) - min(laid) <= 1
    if not game.ended:
        assert len(game.awaited) > 0
        assert not set(game.awaited) & set(board.departed)
        assert not {answer.seat for answer in board.answers} & {*game.awaited, *board.departed}


def _money_adds_up(board: Board, data: PetroleoEdition) -> None:
    """PT-004, PT-250, PT-254: to the last M."""
    assert sum(company.cash for company in board.companies) + board.bank == data.all_cash + board.emitted
    assert min(board.bank, *(company.cash for company in board.companies)) >= 0
    assert all(loan.amount > 0 for loan in board.loans)


def _pieces_add_up(board: Board, data: PetroleoEdition) -> None:
    """PT-060, PT-072, PT-074, PT-132: every piece is on the board or in the supply."""
    plots = [plot for company in board.companies for plot in company.plots]
    zones = [plot.zone for plot in plots]
    assert len(set(zones)) == len(zones)
    assert set(zones) <= set(data.terrain)
    assert sum(plot.building == "tower" for plot in plots) + board.towers == data.pieces.tower
    for kind in RESERVOIRS:
        assert sum(plot.building == kind for plot in plots) <= getattr(data.pieces, kind)
    trucks = [truck for company in board.companies for truck in company.trucks]
    assert len(set(trucks)) == len(trucks)
    assert set(trucks) <= set(data.truck_ids)
    assert [tanker.id for tanker in board.tankers] == sorted({tanker.id for tanker in board.tankers})
    for tanker in board.tankers:
        assert tanker.commander != tanker.partner
        assert tanker.id in data.tanker_ids
        owners = [owner for owner in (tanker.commander, tanker.partner) if isinstance(owner, int)]
        assert not any(board.companies[owner].left for owner in owners)
    for seat, company in enumerate(board.companies):
        assert 0 <= board.tokens_in_stock(seat) <= data.pieces.licences
        assert all(one.zone < other.zone for one, other in pairwise(company.plots))
        assert not (company.left and (company.cash or company.plots or company.trucks or company.tokens))


def _cards_are_one_deck(board: Board, deck: Sequence[str]) -> None:
    """PT-007, PT-030: deck, hands and pile hold each card of the game once."""
    hands = [card for company in board.companies for card in company.hand]
    pile = [laid.card for laid in board.played] + ([board.laid.card] if board.laid else [])
    assert sorted([*board.deck, *hands, *pile]) == list(deck)
    assert len(pile) == sum(company.laid for company in board.companies)


def answer_then_leave(scenario: Scenario, dice: random.Random) -> None:
    """Answers, until one company after the other resigns."""
    (answer if scenario.board.turn < 12 else leave)(scenario, dice)


PLAYING = Playing(
    goldens={
        "all_cards_laid": Golden(Setup(3), answer, seed=2),
        "last_company": Golden(Setup(4, {"second_year_end": True}, "house-48"), answer_then_leave, seed=1),
    },
    setups=tuple(
        Setup(seats, {"second_year_end": second, "hand_size": hand}, name)
        for seats in (2, 3, 4, 5, 6)
        for name in ("compact-20", "house-48")
        for second, hand in ((False, 5), (seats <= 4, 4))
    ),
    invariants=invariants,
)
