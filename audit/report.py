"""What an audit found: differences, what could not be checked, counts and a verdict."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

CHECKS: Final = {
    1: "chain",
    2: "form",
    3: "disclosures",
    4: "note",
    5: "fold",
    6: "chance",
    7: "moves",
    8: "result",
}
"""The eight checks of the log format, section 6, by number."""

Verdict = Literal["good", "broken", "incomplete", "unusable"]
Outcome = Literal["good", "broken", "incomplete"]

EXIT_CODES: Final[dict[Verdict, int]] = {"good": 0, "broken": 1, "incomplete": 2, "unusable": 64}
KEPT: Final = 1000
"""So many findings, and so many open points, are kept; the rest is counted."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """A difference. `code` is stable; `event` counts from 0, `field` is a path inside the event, the command
    (`command.…`) or the entry; `line` counts from 1; `rule` is the id of the rule that refuses a move.
    """

    check: int
    code: str
    words: str
    line: int | None = None
    seq: int | None = None
    event: int | None = None
    field: str | None = None
    rule: str | None = None


class Tally(Struct):
    """How much was looked at. `decided` are the entries whose command was decided again."""

    lines: int = 0
    entries: int = 0
    events: int = 0
    opened: int = 0
    closed: int = 0
    draws: int = 0
    folded: int = 0
    decided: int = 0


class Facts(Struct, omit_defaults=True):
    """What the file says it is, and its last entry's hash."""

    game: str | None = None
    ruleset: str | None = None
    rules_version: int | None = None
    edition: str | None = None
    edition_digest: str | None = None
    viewer: str | None = None
    status: str | None = None
    head: str | None = None
    signed_by: str | None = None


class Check(Struct, frozen=True):
    """One of the eight checks and how it came out."""

    number: int
    name: str
    outcome: Outcome


class Report(Struct, frozen=True, kw_only=True):
    """The whole report. `first` is the first difference in the order of the file."""

    report: str = "gusher-audit/1"
    file: str
    verdict: Verdict
    exit: int
    facts: Facts
    counts: Tally
    checks: tuple[Check, ...]
    first: Finding | None
    findings: tuple[Finding, ...]
    findings_total: int
    unchecked: tuple[Finding, ...]
    unchecked_total: int

    def to_json(self) -> bytes:
        """The report for programs: one JSON object, members as named here."""
        return msgspec.json.format(msgspec.json.encode(self)) + b"\n"

    def to_json_line(self) -> bytes:
        """The same object on one line."""
        return msgspec.json.encode(self) + b"\n"


class Unusable(Exception):
    """The input is no log of this format at all; the message says why. `line` is None where it is something else that
    cannot be used: the file as a whole, an edition, a key, a receipt.
    """

    def __init__(self, words: str, line: int | None = 1) -> None:
        super().__init__(words)
        self.line = line


class Ledger:
    """Where the checks write down what they find."""

    def __init__(self, file: str) -> None:
        self.file = file.encode("utf-8", "backslashreplace").decode()
        self.counts, self.facts = Tally(), Facts()
        self._found: list[Finding] = []
        self._open: list[Finding] = []
        self._found_total = self._open_total = 0
        self._outcomes: dict[int, Outcome] = dict.fromkeys(CHECKS, "good")

    @property
    def broken(self) -> bool:
        """Whether any difference was found."""
        return self._found_total > 0

    def find(self, check: int, code: str, words: str, **where: Any) -> None:
        """A difference: `line`, `seq`, `event`, `field` say where."""
        self._outcomes[check] = "broken"
        self._found_total += 1
        if len(self._found) < KEPT:
            self._found.append(Finding(check, code, words, **where))

    def leave(self, check: int, code: str, words: str, **where: Any) -> None:
        """Something that could not be checked, and why."""
        if self._outcomes[check] == "good":
            self._outcomes[check] = "incomplete"
        self._open_total += 1
        if len(self._open) < KEPT:
            self._open.append(Finding(check, code, words, **where))

    def report(self) -> Report:
        """The verdict over all that was written down."""
        return self._report("broken" if self._found_total else "incomplete" if self._open_total else "good")

    def unusable(self, why: Unusable) -> Report:
        """The report on an input that is no log of this format."""
        self.find(2, "unusable", str(why), line=why.line)
        return self._report("unusable")

    def _report(self, verdict: Verdict) -> Report:
        found = sorted(self._found, key=_position)
        return Report(
            file=self.file,
            verdict=verdict,
            exit=EXIT_CODES[verdict],
            facts=self.facts,
            counts=self.counts,
            checks=tuple(Check(n, name, self._outcomes[n]) for n, name in CHECKS.items()),
            first=found[0] if found else None,
            findings=tuple(found),
            findings_total=self._found_total,
            unchecked=tuple(sorted(self._open, key=_position)),
            unchecked_total=self._open_total,
        )


def _position(one: Finding) -> tuple[int, int, int]:
    """The order of the file; what has no line comes last, but for what made all of it unusable."""
    line = one.line if one.line is not None else 0 if one.code == "unusable" else 2**53
    return line, one.event if one.event is not None else -1, one.check
