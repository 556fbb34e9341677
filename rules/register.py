"""The register of rules: each id's sentence, and who rules or tests it. Text in, facts out; no file is read here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

_LINE = re.compile(r"^- \*{0,2}([A-Z]{2}-\d+)\*{0,2} *((?:`?\[[^\]]*\]`?[/ ]*)*)(.*)$")
_ID = re.compile(r"\b([A-Z]{2})-(\d{1,3})\b")
_RANGE = re.compile(r"\b([A-Z]{2})-(\d{1,3}) ?(?:…|\.\.\.?|–) ?\1-(\d{1,3})\b")

Key = tuple[str, int]
"""A rule id as compared: prefix and number, however many zeros stand before it."""


class Rule(Struct, frozen=True):
    """One line of a register."""

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


def read_register(text: str) -> list[Rule]:
    """The rule lines of a register, in order: `- XX-12 [tags] statement`."""
    found = (_LINE.match(line) for line in text.splitlines())
    return [Rule(match[1], match[3].strip()) for match in found if match]


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
