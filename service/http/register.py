"""The registers of rules, as clients read them: id and sentence, from `docs/rules/`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from rules.register import Rule, read_register

_PLACES: tuple[Traversable, ...] = (
    files("service.http") / "registers",
    Path(__file__).parents[2] / "docs" / "rules",
)
"""In an installed wheel, and in the repository."""

TABLE: Final = "table"
"""The register of what holds around every game."""


@cache
def rules_at(ruleset: str) -> tuple[Rule, ...]:
    """Every rule that a refusal in this ruleset can cite: its own and those of the table, in their registers' order."""
    return (*rules_of(ruleset), *rules_of(TABLE))


def rules_of(register: str) -> tuple[Rule, ...]:
    """The rules of one register; none where there is no such one."""
    for place in _PLACES:
        page = place / f"{register}.md"
        if page.is_file():
            return read_register(page.read_text("utf-8"))
    return ()
