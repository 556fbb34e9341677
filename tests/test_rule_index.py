"""Each rule of a register is ruled by a function and held by a test, and nobody cites a rule that no register has."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.catalogue import rulesets
from rules.register import Key, read_register
from rules.ruleset import Ruleset
from service.cli.rules import CODE, places

ROOT = Path(__file__).parents[1]


def register(ruleset: Ruleset) -> set[Key]:
    """The rules of one game, as `docs/rules/` lists them."""
    text = (ROOT / "docs" / "rules" / f"{ruleset.name}.md").read_text("utf-8")
    return {rule.key for rule in read_register(text)}


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_every_rule_has_a_function_and_a_test(name: str) -> None:
    ruleset = rulesets()[name]
    rules = register(ruleset)
    assert rules, "the register has no lines"
    assert not sorted(rules - set(places(CODE))), "rules without a function"
    assert not sorted(rules - set(places(("tests",)))), "rules without a test"


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_every_rule_cited_is_one_of_the_register(name: str) -> None:
    ruleset = rulesets()[name]
    cited = {key for key in (*places(CODE), *places(("tests",))) if key[0] == ruleset.register}
    assert not sorted(cited - register(ruleset))
