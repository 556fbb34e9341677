"""The register of rules: each id's sentence, and who rules or tests it. Text in, facts out; no file is read here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

_LINE = re.compile(r"- \**(?P<id>[A-Z]{2}-\d+)\**[.:]? (?P<text>.+)")
_TAG = re.compile(r"`?\[[^\]\[]+\]`?/?\s*")
_TAGS_AT_THE_END = re.compile(r"(?:\s*\[[^\]\[]+\])+\Z")
_ID = re.compile(r"\b([A-Z]{2})-(\d{1,3})\b")
_RANGE = re.compile(r"\b([A-Z]{2})-(\d{1,3}) ?(?:…|\.\.\.?|–) ?\1-(\d{1,3})\b")

Key = tuple[str, int]
"""A rule id as compared: prefix and number, however many zeros stand before it."""


class Rule(Struct, frozen=True):
    """A rule of a game: what code, tests and refusals cite, and what it says."""

    id: str
    sentence: str

    @property
    def key(self) -> Key:
        return key_of(self.id)


class Ruling(Struct, frozen=True):
    """A function, class or test that cites rules in its docstring or mark, and the line it begins on."""

    name: str
    line: int
    rules: frozenset[Key]


def key_of(rule: str) -> Key:
    """`XX-07` as `("XX", 7)`. Raises `ValueError` for what is no rule id."""
    prefix, _, number = rule.upper().partition("-")
    return prefix, int(number)


def read_register(page: str) -> tuple[Rule, ...]:
    """The rule lines of a register, in order: `- XX-12 [tags] statement`; a line goes on where the next is indented."""
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
    return _TAGS_AT_THE_END.sub("", text)


def cited(text: str) -> frozenset[Key]:
    """The rules that a text cites; `XX-23 … XX-32` stands for all between."""
    keys = {(prefix, int(number)) for prefix, number in _ID.findall(text)}
    for prefix, first, last in _RANGE.findall(text):
        keys.update((prefix, number) for number in range(int(first), int(last) + 1))
    return frozenset(keys)


def rulings(source: str) -> Iterator[Ruling]:
    """The functions and classes of a Python source that cite rules: in the docstring, or a test in `mark.rule(…)`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            marks = " ".join(ast.unparse(mark) for mark in node.decorator_list if ".mark.rule(" in ast.unparse(mark))
            keys = cited(f"{marks} {ast.get_docstring(node) or ''}")
            if keys:
                yield Ruling(node.name, node.lineno, keys)
