"""Nationalisation: PT-173, PT-178, PT-220 … PT-228."""

from __future__ import annotations

import pytest

from events.petroleo.commands import Exercise
from events.petroleo.facts import Denationalised, Nationalised
from tests.rules.petroleo.tables import A, cash, co, paying, resolving, using


@pytest.mark.rule("PT-173", "PT-220", "PT-221", "PT-222")
def test_the_flag_covers_reservoirs_and_trucks_later_ones_too() -> None:
    """S-51: no red marker on a tanker, a tower or a licence."""
    scene = resolving(13, co("L01:oil2 L02:oil6 L03:gas L04:tower L05", trucks=1), co(), co(), tankers="TK1:0")
    scene.then_among_others(Nationalised(A))
    assert scene.view(None).companies[A].covered == 4
    again = resolving(13, co(nationalised=True), co(), co()).then_none(Nationalised)
    assert again.board.companies[A].nationalised
    bought = using("truck", co("L01:oil2 L02:oil6 L03:gas", trucks=1, nationalised=True), co(), co())
    assert bought.when(A, Exercise()).view(None).companies[A].covered == 5


@pytest.mark.rule("PT-178", "PT-220")
def test_free_enterprise_ends_it() -> None:
    """S-56."""
    scene = resolving(17, co("L01:oil6", nationalised=True), co(), co()).then_among_others(Denationalised(A))
    assert not scene.board.companies[A].nationalised
    assert scene.view(None).companies[A].covered == 0
    resolving(17).then_none(Denationalised)
    assert cash(paying(co("L01:oil6", cash=0), co(), co()))[A] == 20


@pytest.mark.rule("PT-223", "PT-224")
def test_what_is_paid_is_rounded_up_what_is_received_down() -> None:
    assert cash(resolving(9, co("L01:oil2", cash=10, nationalised=True), co(), co()))[A] == 7
    assert cash(paying(co(cash=0, trucks=1, nationalised=True), co(), co()))[A] == 2


@pytest.mark.rule("PT-225")
def test_halving_is_applied_once_to_the_total() -> None:
    """S-134."""
    scene = resolving(8, co("L01:oil2 L02:oil2 L03:oil2", cash=10, nationalised=True), co(), co())
    assert cash(scene)[A] == 7


@pytest.mark.rule("PT-228")
def test_the_twenty_first_piece_is_covered_though_markers_are_twenty() -> None:
    """S-135."""
    more = " ".join(f"L{n:02}:oil2" for n in range(1, 10)) + " " + " ".join(f"S{n:02}:gas" for n in range(1, 13))
    assert cash(paying(co(more, cash=0, nationalised=True), co(), co()))[A] == (90 + 144) // 2
