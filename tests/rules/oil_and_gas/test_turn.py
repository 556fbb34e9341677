"""The ten phases and what they ask: register, phase table."""

from __future__ import annotations

import pytest

from projections.view import question_of
from rules.oil_and_gas.order import PHASES
from tests.rules.oil_and_gas.tables import a_table

QUESTIONS = (
    "company_actions",
    "market_actions",
    "event_turn",
    "explore_actions",
    "drill_actions",
    "transport_actions",
    "refining_actions",
    "gasoline_actions",
    "production_actions",
    "profit_turn",
)


@pytest.mark.rule("OG-12")
@pytest.mark.parametrize(("phase", "name"), list(zip(PHASES, QUESTIONS, strict=True)))
def test_each_phase_asks_its_own_question(phase: str, name: str) -> None:
    question = question_of(a_table(phase, "", "").game)  # type: ignore[arg-type]
    assert question is not None
    assert question.name == name
