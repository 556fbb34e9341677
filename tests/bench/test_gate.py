"""The rules and the folds may not become much dearer unnoticed. No clock on the wall is looked at: see `bench.gate`."""

from collections.abc import Callable
from typing import Any

import pytest

from bench.gate import DEARER, RECORDED, Price, counted, timed, turn
from rules.catalogue import rulesets
from rules.decide import decide

TRIES = 10
NAMES = sorted(RECORDED)


def bound(name: str) -> Price:
    return Price(RECORDED[name].counted * DEARER.counted, RECORDED[name].timed * DEARER.timed)


def told(name: str, found: float, most: float) -> str:
    return (
        f"{name}: {found:.1f} turns of the loop, at most {most:.1f} were expected. If the change is worth it, "
        "`python -m bench.gate` says what to record in bench/gate.py."
    )


def with_decisions_dearer_by(turns: float) -> Callable[..., Any]:
    def dearer(*arguments: Any) -> Any:
        turn(round(turns))
        return decide(*arguments)

    return dearer


def test_every_game_has_a_recorded_price() -> None:
    assert RECORDED.keys() == rulesets().keys()


@pytest.mark.parametrize("name", NAMES)
def test_deciding_and_folding_take_as_many_instructions_as_they_did(name: str) -> None:
    found, most = counted(rulesets()[name]), bound(name).counted
    assert found <= most, told(name, found, most)


@pytest.mark.parametrize("name", NAMES)
def test_deciding_and_folding_take_as_long_as_they_did(name: str) -> None:
    most = bound(name).timed
    found: list[float] = []
    while not found or (found[-1] > most and len(found) < TRIES):
        found.append(timed(rulesets()[name]))
    assert found[-1] <= most, told(name, min(found), most)


@pytest.mark.parametrize("name", NAMES)
def test_a_few_more_instructions_than_that_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.gate.decide", with_decisions_dearer_by(RECORDED[name].counted * (DEARER.counted - 0.98)))
    assert counted(rulesets()[name]) > bound(name).counted


def test_twice_the_time_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "petroleo"
    monkeypatch.setattr("bench.gate.decide", with_decisions_dearer_by(RECORDED[name].timed))
    assert min(timed(rulesets()[name]) for _ in range(3)) > bound(name).timed
