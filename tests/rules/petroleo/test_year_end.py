"""Movement and annual profits: PT-040 … PT-056."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.petroleo.codes import Payment
from events.petroleo.commands import Forgo, PlayCard
from events.petroleo.facts import MarkerAdvanced, SquareResolved, YearEndPaid, YearEndPassed
from events.petroleo.steps import ChooseCard
from projections.petroleo.state import Board
from tests.rules.petroleo.tables import RULESET, A, B, C, a_start, cash, co, edition, paying, three, using

EVERYTHING = "L01:oil6 L02:oil4 L03:oil2 L04:gas"


@pytest.mark.rule("PT-044")
def test_a_piece_of_each_kind_earns_its_profit() -> None:
    """S-10."""
    scene = paying(co(EVERYTHING, cash=0, trucks=1), co(), co(), tankers="TK1:0")
    scene.then_among_others(YearEndPaid((Payment(A, 161),)))
    assert cash(scene)[A] == 161


@pytest.mark.rule("PT-046", "PT-144")
def test_the_state_takes_half_of_reservoirs_and_trucks_together_and_nothing_of_tankers() -> None:
    """S-11."""
    scene = paying(co(EVERYTHING, cash=0, trucks=1, nationalised=True), co(), co(), tankers="TK1:0")
    assert cash(scene)[A] == 130


@pytest.mark.rule("PT-046", "PT-224")
def test_receipts_are_rounded_down() -> None:
    """S-12: and the State's half is no outflow of the bank."""
    scene = paying(co(cash=0, trucks=1, nationalised=True), co(), co(), bank=100)
    assert (cash(scene)[A], scene.board.bank) == (2, 98)


@pytest.mark.rule("PT-047")
def test_the_banks_half_pays_nobody() -> None:
    """S-14."""
    scene = paying(co(cash=0), co(), co(), tankers="TK1:0+bank", bank=1000)
    assert (cash(scene), scene.board.bank) == ((50, 200, 200), 950)


@pytest.mark.rule("PT-045")
def test_towers_and_licences_earn_nothing() -> None:
    """S-15."""
    scene = paying(co("L01 L02 S03 L04:tower S05:tower", cash=7), co(), co())
    scene.then_among_others(YearEndPaid(()))
    assert cash(scene)[A] == 7


@pytest.mark.rule("PT-070")
def test_a_plot_earns_from_the_first_payout_after_its_reservoir() -> None:
    assert cash(paying(co("L01:tower", cash=0), co("L02:gas", cash=0), co()))[:2] == (0, 12)


@pytest.mark.rule("PT-040", "PT-041")
def test_passing_the_year_end_pays_once() -> None:
    """S-16."""
    scene = using("oil6", card="c26", marker=44).when(A, Forgo())
    scene.then_among_others(MarkerAdvanced(A, 9, 5), YearEndPassed(0, 1)).counts(YearEndPaid, 1)
    assert (scene.board.marker, scene.board.year_ends) == (5, 1)


@pytest.mark.rule("PT-042", "PT-150")
def test_stopping_there_pays_the_mover_at_once_and_resolves_to_nothing() -> None:
    """S-17."""
    scene = using("tower_or_licence", co("L01:gas"), co("L02:gas"), co(), card="c03", marker=44).when(A, Forgo())
    scene.then_among_others(YearEndPaid((Payment(A, 12), Payment(B, 12))), SquareResolved(B, 1, chosen=False))
    scene.counts(YearEndPaid, 1).waits_for(ChooseCard, B)


@pytest.mark.rule("PT-043", "PT-051")
def test_everybody_is_paid_whoever_moved() -> None:
    """S-116."""
    scene = paying(*three(trucks=1), year_ends=1)
    assert cash(scene) == (205, 205, 205)
    assert scene.board.year_ends == 2


@pytest.mark.rule("PT-048", "PT-049")
def test_a_second_year_end_pays_and_keeps_its_own_square() -> None:
    """S-18."""
    sides = (co("L01:gas"), co(), co(), co())
    scene = using("tower_or_licence", *sides, card="c03", marker=20, options={"second_year_end": True})
    scene.when(A, Forgo()).then_among_others(YearEndPassed(24, 1), YearEndPaid((Payment(A, 12),)))
    scene.then_among_others(SquareResolved(B, 20, chosen=False))


@pytest.mark.rule("PT-050")
def test_without_the_option_the_opposite_cell_pays_nothing() -> None:
    """S-19."""
    scene = using("tower_or_licence", co("L01:gas"), co(), co(), co(), card="c03", marker=20)
    scene.when(A, Forgo()).then_none(YearEndPassed, YearEndPaid)
    scene.then_among_others(SquareResolved(B, 20, chosen=False))


@pytest.mark.rule("PT-041")
def test_the_lap_of_the_default_edition() -> None:
    """S-147."""
    scene = using("tower_or_licence", co(), co(), co(), card="c08", marker=18, name="compact-20").when(A, Forgo())
    scene.then_among_others(MarkerAdvanced(A, 6, 4), YearEndPassed(0, 1), SquareResolved(B, 5, chosen=False))


@pytest.mark.rule("PT-052")
def test_two_year_ends_in_one_move_pay_one_after_the_other() -> None:
    """A track so short needs a custom edition; the rule is kept for those."""
    short = replace(edition(), track=(1, 3, 5, 7))
    scene = using("oil4", co("L01:gas", cash=0), co(), co(), card="c33", marker=1, options={"second_year_end": True})
    scene.book = RULESET.book(short, RULESET.read_options({"second_year_end": True}), 3)
    scene.when(A, Forgo()).counts(YearEndPaid, 2)
    scene.then_among_others(YearEndPassed(2, 1), YearEndPassed(0, 2))
    assert cash(scene)[A] == 24


@pytest.mark.rule("PT-053", "PT-280")
def test_one_payout_is_one_batch() -> None:
    """The bank could pay A, but not both: nobody is paid before the question is closed."""
    scene = paying(co("L01:oil6", cash=0), co("L02:oil6", cash=0), co(cash=9), bank=30)
    assert cash(scene) == (0, 0, 9)
    assert scene.game.awaited == (C,)


@pytest.mark.rule("PT-054", "PT-055")
@pytest.mark.parametrize(("seats", "cells", "year_ends"), [(2, 4, 2), (3, 6, 3), (4, 8, 4), (5, 10, 5), (6, 12, 6)])
def test_the_long_track_over_a_whole_game(seats: int, cells: int, year_ends: int) -> None:
    """S-07: the last card still moves the marker, and the square it reaches is not resolved."""
    board = _whole_game(seats, "house-48")
    assert (board.marker, board.year_ends) == (cells, year_ends)


@pytest.mark.rule("PT-054", "PT-056")
@pytest.mark.parametrize(("seats", "cell", "year_ends"), [(2, 10, 3), (3, 5, 5), (4, 0, 7), (5, 15, 8), (6, 10, 10)])
def test_the_default_track_over_a_whole_game(seats: int, cell: int, year_ends: int) -> None:
    board = _whole_game(seats, "compact-20")
    assert (board.marker, board.year_ends) == (cell, year_ends)


@pytest.mark.rule("PT-055", "PT-056")
@pytest.mark.parametrize(("name", "counts"), [("house-48", (4, 6, 8)), ("compact-20", (7, 10, 14))])
def test_with_the_second_year_end(name: str, counts: tuple[int, ...]) -> None:
    assert tuple(_whole_game(seats, name, second_year_end=True).year_ends for seats in (2, 3, 4)) == counts


def _whole_game(seats: int, name: str, **options: Any) -> Board:
    """Nobody does more than it must: no money is owed that cannot be paid, so nobody leaves."""
    game = a_start(seats, None, name, **options)
    while not game.game.ended:
        seat = game.game.awaited[0]
        if isinstance(game.game.waiting, ChooseCard):
            game.when(seat, PlayCard(game.board.companies[seat].hand[0]))
        else:
            game.expires(seat)
    assert [company.laid for company in game.board.companies] == [10] * seats
    game.counts(SquareResolved, 0)
    board: Board = game.board
    return board
