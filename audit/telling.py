"""The report for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.report import EXIT_CODES, Finding, Report

_TITLES = {
    1: "chain: every entry follows the one before",
    2: "form: canonical bytes, known words",
    3: "disclosures: opened fields are the sealed ones",
    4: "note: the last entry is signed",
    5: "fold: the events make a game",
    6: "chance: committed before, the same after",
    7: "moves: every command decided again",
    8: "result: the recorded one is the earned one",
}
_MARKS = {"good": "ok", "broken": "BROKEN", "incomplete": "incomplete"}
_VERDICTS = {
    "good": "GOOD. Everything was checked and nothing is wrong.",
    "broken": "BROKEN. This log is not what it should be.",
    "incomplete": "INCOMPLETE. Nothing wrong was found, but not everything could be checked.",
    "unusable": "UNUSABLE. Nothing was audited.",
}
SHOWN = 10
"""So many findings, and so many open points, are told; the JSON report has more."""


def tell(report: Report) -> str:
    """What was checked, what was found, and the verdict."""
    if report.verdict == "unusable":
        return f"{plain(report.file)}\n\n{_VERDICTS['unusable']}\n  {_sentence(report.findings[0])}\n"
    parts = [_head(report), _checks(report)]
    if report.first is not None:
        parts.append(f"First difference\n  {_sentence(report.first)}\n")
        parts.append(_list("Further differences", report.findings[1:], report.findings_total - 1))
    parts.append(_list("Not checked", report.unchecked, report.unchecked_total))
    parts.append(_VERDICTS[report.verdict] + "\n")
    return "\n".join(part for part in parts if part)


def tell_whole(report: Report) -> str:
    """A heading, then every difference and everything that was not checked, a line each."""
    differs, unchecked = _by_check(report.findings), _by_check(report.unchecked)
    rows = [f"  differs      {told}\n" for told in differs]
    rows += [f"  not checked  {told}\n" for told in unchecked]
    kept = sum(differs.values()) + sum(unchecked.values())
    left = report.findings_total + report.unchecked_total - kept
    more = f"  … and {left} more\n" if left else ""
    return f"{report.verdict.upper():<11} {plain(report.file)}\n{''.join(rows)}{more}"


def tell_line(report: Report) -> str:
    """One line: the verdict, the file, and what it is or what is first wrong with it."""
    facts, counts = report.facts, report.counts
    said = f"{plain(facts.ruleset or 'unknown game')}, {counts.entries} entries"
    if report.findings:
        said = _sentence(report.findings[0])
    elif report.unchecked:
        said = f"{said}; {report.unchecked_total} not checked, first {_sentence(report.unchecked[0])}"
    return f"{report.verdict.upper():<11} {plain(report.file)}  {said}\n"


def tell_total(reports: Sequence[Report]) -> str:
    """One line: how many files came out how, and how much was looked at."""
    verdicts = Counter(report.verdict for report in reports)
    said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in EXIT_CODES if verdicts[verdict])
    entries, events = (sum(getattr(report.counts, name) for report in reports) for name in ("entries", "events"))
    return f"\n{len(reports)} file{'s' * (len(reports) > 1)}: {said}; {entries} entries, {events} events\n"


def _head(report: Report) -> str:
    facts, counts = report.facts, report.counts
    ruleset, edition = plain(facts.ruleset or "unknown game"), plain(facts.edition or "?")
    rules = f"{ruleset}, rules {facts.rules_version or '?'}, edition {edition}"
    signed = f", signed by {plain(facts.signed_by)}" if facts.signed_by else ""
    return (
        f"{plain(report.file)}\n"
        f"  game      {plain(str(facts.game))}\n"
        f"  rules     {rules}\n"
        f"  viewer    {facts.viewer or 'not named'}; {facts.status or 'state unknown'}\n"
        f"  head      {facts.head}{signed}\n"
        f"  read      {counts.lines} lines, {counts.entries} entries, {counts.events} events; "
        f"{counts.opened} sealed fields open, {counts.closed} closed\n"
        f"  replayed  {counts.folded} entries folded, {counts.decided} decided again, {counts.draws} draws\n"
    )


def _checks(report: Report) -> str:
    rows = (f"  {check.number}  {_TITLES[check.number]:<52}{_MARKS[check.outcome]}" for check in report.checks)
    return "\n".join(rows) + "\n"


def _list(title: str, found: tuple[Finding, ...], total: int) -> str:
    """The first findings, and how many more there are."""
    if not found:
        return ""
    told = list(_by_check(found).items())[:SHOWN]
    rows = [f"  {sentence}" for sentence, _ in told]
    left = total - sum(number for _, number in told)
    if left:
        rows.append(f"  … and {left} more")
    return "\n".join([title, *rows]) + "\n"


def _by_check(found: Sequence[Finding]) -> dict[str, int]:
    """The sentences and how many findings each stands for: what says the same for several checks is told once."""
    checks: dict[str, list[str]] = {}
    for one in found:
        checks.setdefault(_sentence(one), []).append(str(one.check))
    return {f"{sentence} (check {', '.join(numbers)})": len(numbers) for sentence, numbers in checks.items()}


def _sentence(one: Finding) -> str:
    places = [
        f"line {one.line}" if one.seq is None and one.line is not None else "",
        f"entry {one.seq}" if one.seq is not None else "",
        f"event {one.event}" if one.event is not None else "",
        one.field or "",
    ]
    place = ", ".join(part for part in places if part)
    return plain(f"[{one.code}] {place + ': ' if place else ''}{one.words}")


def plain(text: str) -> str:
    """Text out of a file that strangers wrote: it may neither break a line nor drive the terminal."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
