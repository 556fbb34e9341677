"""`gusher rules [ID]`: what a rule says, which function rules it, which tests hold it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msgspec import Struct

from rules.catalogue import rulesets
from rules.register import Key, Rule, key_of, rulings
from service.http.register import TABLE, rules_of

ROOT = Path(__file__).parents[2]
CODE = ("rules", "projections", "events")
UNKNOWN = 1


class Place(Struct, frozen=True):
    """Where a rule is cited: `path:line name`."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name}"


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser("rules", help="what a rule says, and the code and tests that cite it")
    parser.add_argument("id", nargs="?", help="a rule id such as OG-43; without it, every rule is listed")
    parser.add_argument("--missing", action="store_true", help="only rules that no function or no test cites")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print one rule in full, or all of them, a line each."""
    rules, code, tests = registers(), places(CODE), places(("tests",))
    if arguments.id:
        return _print_one(arguments.id, rules, code, tests)
    for rule in rules:
        ruled, tested = code.get(rule.key, []), tests.get(rule.key, [])
        if not arguments.missing or not (ruled and tested):
            where = f"{ruled[0].path}:{ruled[0].line}" if ruled else "no function"
            print(f"{rule.id:8} {where:48} {len(tested):3} tests  {_short(rule.sentence)}")
    return 0


def registers() -> list[Rule]:
    """The rules of every game, and those of the table."""
    return [rule for name in (*sorted(rulesets()), TABLE) for rule in rules_of(name)]


def places(folders: tuple[str, ...]) -> dict[Key, list[Place]]:
    """Where each rule is cited in the Python files of these folders."""
    found: dict[Key, list[Place]] = {}
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for ruling in rulings(file.read_text("utf-8")):
                place = Place(str(file.relative_to(ROOT)), ruling.line, ruling.name)
                for key in ruling.rules:
                    found.setdefault(key, []).append(place)
    return found


def _print_one(text: str, rules: list[Rule], code: dict[Key, list[Place]], tests: dict[Key, list[Place]]) -> int:
    try:
        key = key_of(text)
    except ValueError:
        key = ("", 0)
    rule = next((rule for rule in rules if rule.key == key), None)
    if rule is None:
        print(f"no rule {text}", file=sys.stderr)
        return UNKNOWN
    print(f"{rule.id}  {rule.sentence}")
    for title, cites in (("code", code), ("tests", tests)):
        for place in cites.get(key, []):
            print(f"  {title:5}  {place}")
    return 0


def _short(sentence: str, width: int = 90) -> str:
    return sentence if len(sentence) <= width else sentence[: width - 1] + "…"
