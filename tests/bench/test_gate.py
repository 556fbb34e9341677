"""The rules and the folds may not become much dearer unnoticed. No clock on the wall is looked at: see `bench.gate`."""

import pytest

from bench.gate import MORE_STEPS, MORE_TURNS, RECORDED, steps, turns
from rules.catalogue import rulesets

TRIES = 10
HINT = "If the change is worth it, `python -m bench.gate` says what to record in bench/gate.py."


def test_every_game_has_a_recorded_price() -> None:
    assert RECORDED.keys() == rulesets().keys()


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_deciding_and_folding_take_as_many_steps_as_they_did(name: str) -> None:
    taken = steps(rulesets()[name])
    assert taken == steps(rulesets()[name]), "steps are counted, not measured"
    assert taken <= RECORDED[name].steps * MORE_STEPS, HINT


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_deciding_and_folding_take_about_as_long_as_they_did(name: str) -> None:
    bound = RECORDED[name].turns * MORE_TURNS
    taken: list[float] = []
    while not taken or (taken[-1] > bound and len(taken) < TRIES):
        taken.append(turns(rulesets()[name]))
    assert min(taken) <= bound, HINT
