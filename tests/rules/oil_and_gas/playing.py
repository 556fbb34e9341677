"""What the tests that all games share need to know of Oil and Gas."""

from __future__ import annotations

import random

from msgspec import UNSET

from events.oil_and_gas.codes import Phase
from events.oil_and_gas.commands import FinishPhase
from projections.oil_and_gas.state import Board, OilAndGas
from rules.oil_and_gas.order import PHASES
from tests.playouts import Golden, Playing, Setup, answer, leave, sleep
from tests.rules.oil_and_gas.tables import edition
from tests.scenario import Scenario


def invariants(game: OilAndGas) -> None:
    """OG-31, OG-38, OG-76, OG-86, OG-164, and what the phases promise."""
    board = game.board
    copies = edition().copies_for(len(game.seats))
    assert sorted(_everywhere(board)) == list(edition().instances(copies))
    for seat, company in enumerate(board.companies):
        assert company.profit >= 0
        assert min(company.tokens.values()) >= 0
        assert company.resigned == game.seats[seat].resigned
        assert not (company.resigned and (company.hand or company.profit or any(company.tokens.values())))
    assert board.events_played <= 20 * copies
    assert board.turn <= edition().turn_limit
    _offers_are_backed(board)
    if not game.ended:
        assert board.phase in PHASES
        assert len(game.awaited) > 0
        assert not any(board.companies[seat].finished for seat in game.awaited)


def _everywhere(board: Board) -> list[str]:
    hands = [card for company in board.companies for card in company.hand]
    return [*board.deck, *board.discard, *board.event_row, *hands]


def _offers_are_backed(board: Board) -> None:
    assert board.phase == "market" or not board.offers
    for offer in board.offers:
        assert set(offer.give.cards) <= set(board.companies[offer.proposer].hand)


def finish(scenario: Scenario, dice: random.Random) -> None:
    """The next seat awaited is done with the rest of the turn, in the Company Phase without its last cards drawn."""
    seat = scenario.game.awaited[0]
    excess = scenario.board.companies[seat].hand[edition().hand_limit :]
    company = scenario.board.phase == "company"
    later: Phase | None = "profit" if scenario.board.phase != "profit" else None
    scenario.when(seat, FinishPhase(discard=excess if company else UNSET, through_phase=later))


def leave_in_the_third_turn(scenario: Scenario, dice: random.Random) -> None:
    """Answers, until one seat after the other resigns."""
    (answer if scenario.board.turn < 3 else leave)(scenario, dice)


PLAYING = Playing(
    goldens={
        "first_to_25": Golden(Setup(2), answer, seed=22),
        "victory": Golden(Setup(2, {"victory": "phase_end"}), answer, seed=20),
        "turn_limit": Golden(Setup(2), finish),
        "last_active": Golden(Setup(3), leave_in_the_third_turn, seed=1),
        "absence": Golden(Setup(3), sleep),
    },
    setups=tuple(
        Setup(seats, {"victory": victory, "absence_turns": absence})
        for seats in (2, 3, 4, 5, 6)
        for victory in ("first_to_25", "phase_end")
        for absence in (3, 0)
    ),
    invariants=invariants,
)
