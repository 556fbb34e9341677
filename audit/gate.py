"""The release gate: games of earlier releases, decided again by the present code, every difference listed."""

from __future__ import annotations

from collections.abc import Sequence

from audit.many import Means, audit_files
from audit.progress import unheard
from audit.report import Report
from audit.telling import tell_line, tell_total, tell_whole


def gate(files: Sequence[str], editions: Sequence[str] = ()) -> list[Report]:
    """A report for each file, in order. A game is held against the rules version that its entry 1 names."""
    return list(audit_files(files, Means(editions=tuple(editions), every=True), unheard))


def tell_gate(reports: Sequence[Report]) -> str:
    """A line for each game that is as it was, and all that differs in the others."""
    told = (tell_line(report) if report.verdict == "good" else tell_whole(report) for report in reports)
    return "".join(told) + tell_total(reports)
