"""The registers of rules, as clients read them: id and sentence, from `docs/rules/`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from msgspec import Struct

_LINE = re.compile(r"- \**(?P<id>[A-Z]{2}-\d+[a-z]?)\**[.:]? (?P<text>.+)")
_TAG = re.compile(r"`?\[[^\]\[]+\]`?/?\s*")
_PLACES: tuple[Traversable, ...] = (
    files("service.http") / "registers",
    Path(__file__).parents[2] / "docs" / "rules",
)
"""In an installed wheel, and in the repository."""

TABLE: Final = "table"
"""The register of what holds around every game."""


class Rule(Struct, frozen=True):
    """A rule of a game: what code, tests and refusals cite, and what it says."""

    id: str
    sentence: str


@cache
def rules_at(ruleset: str) -> tuple[Rule, ...]:
    """Every rule that a refusal in this ruleset can cite: its own and those of the table, in their registers' order."""
    return (*_register(ruleset), *_register(TABLE))


def _register(name: str) -> tuple[Rule, ...]:
    """The rules of one register; none where there is no such one."""
    for place in _PLACES:
        page = place / f"{name}.md"
        if page.is_file():
            return read_register(page.read_text("utf-8"))
    return ()


def read_register(page: str) -> tuple[Rule, ...]:
    """The rule lines of a register; a line goes on where the next is indented."""
    lines: list[str] = []
    for line in page.splitlines():
        if _LINE.match(line):
            lines.append(line)
        elif lines and line.startswith("  ") and line.strip():
            lines[-1] += f" {line.strip()}"
        else:
            lines.append("")
    found = (match for match in map(_LINE.match, lines) if match)
    return tuple(Rule(match["id"], _without_tags(match["text"])) for match in found)


def _without_tags(text: str) -> str:
    """The sentence alone; where it comes from is the register's own concern."""
    while (tag := _TAG.match(text)) is not None:
        text = text[tag.end() :]
    return re.sub(r"(?:\s*\[[^\]\[]+\])+\Z", "", text)
