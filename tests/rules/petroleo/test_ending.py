"""The final account: PT-300 … PT-309."""

from __future__ import annotations

from typing import Any

import pytest

from events.petroleo.commands import Forgo
from events.petroleo.facts import CapitalCounted, YearEndPaid
from events.table import Resign
from projections.petroleo.view import LaidView
from tests.rules.petroleo.tables import A, B, C, Side, choosing, co, using
from tests.scenario import Scenario


def last(*sides: Side, **more: Any) -> Scenario:
    """The last company lays the last card of the game, which moves the marker from cell 5 to 6."""
    seat = len(sides) - 1
    scene = using("tower_or_licence", *sides, on_turn=seat, **{"marker": 5, "deck": 0, **more})
    return scene.when(seat, Forgo())


def done(plots: str = "", **more: Any) -> Side:
    """A company that has laid its ten cards."""
    return co(plots, **{"laid": 10, "drawn": 5, "hand": "", **more})


@pytest.mark.rule("PT-300", "PT-301")
def test_the_game_ends_when_everybody_has_laid_ten_cards() -> None:
    """S-145: with one card still to lay it goes on from hand."""
    last(done(cash=1), done(cash=2)).ends("all_cards_laid", B)
    on = last(co(laid=9, drawn=5, hand="c15", cash=1), done(cash=2))
    assert on.game.result is None
    assert on.game.awaited == (A,)


@pytest.mark.rule("PT-302", "PT-303", "PT-304")
def test_every_piece_at_its_price() -> None:
    """S-101: licences count nothing, half a tanker 150."""
    plots = "L01:tower S01:tower L02:oil6 L03:oil6 L04:oil4 L05:gas L06 L07 L08 S02"
    scene = last(done(plots, cash=87, trucks=1), done(cash=0), tankers="TK1:0+1", marker=5)
    scene.then_among_others(
        CapitalCounted(A, cash=87, loans=0, towers=17, covered=38, tankers=150, capital=292, income=121)
    )
    assert scene.game.result is not None
    assert scene.game.result.scores == (292, 150)


@pytest.mark.rule("PT-227", "PT-305")
def test_of_the_nationalised_reservoirs_and_trucks_count_half() -> None:
    plots = "L01:tower L02:oil6 L03:oil4"
    scene = last(done(plots, cash=10, trucks=1, nationalised=True), done(cash=0), tankers="TK1:0")
    scene.then_among_others(
        CapitalCounted(A, cash=10, loans=0, towers=5, covered=11, tankers=300, capital=326, income=119)
    )


@pytest.mark.rule("PT-286", "PT-307")
def test_loans_count_as_cash() -> None:
    """In a tie too."""
    scene = last(done(cash=10), done(cash=40), loans=[(A, 50)], bank=0)
    scene.then_among_others(CapitalCounted(A, cash=10, loans=50, towers=0, covered=0, tankers=0, capital=60, income=0))
    scene.ends("all_cards_laid", A)
    last(done(cash=50), done("L01:oil6", cash=80), loans=[(A, 40)], bank=0).ends("all_cards_laid", A)


@pytest.mark.rule("PT-306")
def test_the_greatest_capital_wins() -> None:
    scene = last(done(cash=50), done("L01:oil6", cash=50), done(cash=70)).ends("all_cards_laid", C)
    assert scene.game.result is not None
    assert scene.game.result.standings == ((C,), (B,), (A,))


@pytest.mark.rule("PT-307")
def test_equal_capital_more_cash_wins() -> None:
    """S-104."""
    last(done(cash=100), done("L01:gas", cash=94)).ends("all_cards_laid", A)


@pytest.mark.rule("PT-307")
def test_then_the_higher_income() -> None:
    last(done("L01:oil2", cash=100), done("", cash=100, trucks=1)).ends("all_cards_laid", A)


@pytest.mark.rule("PT-307")
def test_then_the_victory_is_shared() -> None:
    """S-105."""
    scene = last(done("L01:gas", cash=50), done(cash=10), done("L02:gas", cash=50)).ends("all_cards_laid", A, C)
    assert scene.game.result is not None
    assert scene.game.result.standings == ((A, C), (B,))


@pytest.mark.rule("PT-308")
def test_who_left_comes_last_the_later_one_above() -> None:
    scene = choosing(co(), co(), co(), co()).resigns(C).resigns(3).when(B, Resign()).ends("last_company", A)
    assert scene.game.result is not None
    assert scene.game.result.standings == ((A,), (B,), (3,), (C,))
    assert scene.game.result.scores == (200, 0, 0, 0)


@pytest.mark.rule("PT-054")
def test_the_last_card_still_pays_a_year_end() -> None:
    last(done("L01:gas", cash=0), done(cash=5), marker=47).counts(YearEndPaid, 1).ends("all_cards_laid", A)


@pytest.mark.rule("PT-309")
def test_in_the_end_everything_is_open() -> None:
    """The card that A let lapse, too."""
    scene = using("gas", co(), co(), co()).when(A, Forgo())
    assert scene.view(None).played == (LaidView(A, None, None, 2),)
    scene.resigns(B).resigns(C)
    view = scene.view(None)
    assert view.played == (LaidView(A, "c15", "gas", 2),)
    assert view.deck == scene.board.deck
    assert [company.hand for company in view.companies] == [
        tuple(sorted(company.hand)) for company in scene.board.companies
    ]
