"""Each rule of a register is ruled by a function and held by a test, and nobody cites a rule that no register has."""

from __future__ import annotations

import pytest

from rules.catalogue import rulesets
from rules.register import Key
from service.cli.rules import CODE, places
from service.http.register import TABLE, rules_of

REGISTERS = (*sorted(rulesets()), TABLE)


def register(name: str) -> set[Key]:
    """The rules of one register; they share a prefix, that of its game."""
    keys = {rule.key for rule in rules_of(name)}
    assert len({prefix for prefix, _ in keys}) == 1
    assert name == TABLE or keys <= {(rulesets()[name].register, number) for _, number in keys}
    return keys


@pytest.mark.parametrize("name", REGISTERS)
def test_every_rule_has_a_function_and_a_test(name: str) -> None:
    rules = register(name)
    assert not sorted(rules - set(places(CODE))), "rules without a function"
    assert not sorted(rules - set(places(("tests",)))), "rules without a test"


@pytest.mark.parametrize("name", REGISTERS)
def test_every_rule_cited_is_one_of_the_register(name: str) -> None:
    rules = register(name)
    prefix, _ = next(iter(rules))
    cited = {key for key in (*places(CODE), *places(("tests",))) if key[0] == prefix}
    assert not sorted(cited - rules)
