"""The rules and the folds may not become much dearer unnoticed. No clock on the wall is looked at: see `bench.gate`."""

from typing import Any

import pytest

from bench.gate import DEARER, RECORDED, price, turn
from rules.catalogue import rulesets
from rules.decide import decide

TRIES = 4


def test_every_game_has_a_recorded_price() -> None:
    assert RECORDED.keys() == rulesets().keys()


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_deciding_and_folding_cost_what_they_did(name: str) -> None:
    bound = RECORDED[name] * DEARER
    prices: list[float] = []
    for _ in range(TRIES):
        prices.append(price(rulesets()[name]))
        if prices[-1] <= bound:
            return
    pytest.fail(
        f"{name}: {min(prices):.1f} turns of the loop, at most {bound:.1f} were expected. If the change is worth it, "
        "`python -m bench.gate` says what to record in bench/gate.py."
    )


def test_a_fifth_more_work_in_each_decision_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "petroleo"

    def dearer(*arguments: Any) -> Any:
        turn(round(RECORDED[name] / 5))
        return decide(*arguments)

    monkeypatch.setattr("bench.gate.decide", dearer)
    assert min(price(rulesets()[name]) for _ in range(TRIES)) > RECORDED[name] * DEARER
