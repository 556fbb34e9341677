"""How what was measured is told: Markdown tables, each number beside what it was the last time."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.figures import QUANTILES, Figure, Measure, Run, Section, Target

MET: Final = {True: "yes", False: "**no**", None: ""}
HEAD: Final = """
Every number is the median round, with the least and the most of them; quantiles are over all rounds. "Before" is what
the last committed results say. Ratios are taken round by round, so what slows both sides down in a round cancels out.
"Core µs" is processor time for each one, by who spent it; other programs on the machine do not change it much.
"""


def page(run: Run, before: Run | None, plots: Mapping[str, Sequence[str]]) -> str:
    """The whole page. `plots` are the files to show, by the title of the part they belong to ("": the first)."""
    lines = ["# Results", "", f"- commit {run.commit}, `{run.command}`, {run.at}", f"- {run.machine}"]
    if before is not None:
        there, here = (one.machine.partition(" (load")[0] for one in (before, run))
        elsewhere = "" if there == here else f", on another machine: {there}"
        lines.append(f"- before: commit {before.commit}, {before.at}{elsewhere}")
    lines += [HEAD, "## Targets", "", *_targets(run, before), *_shown(plots.get("", ()))]
    for section in run.sections:
        lines += ["", *section_lines(section, same(section, before)), *_shown(plots.get(section.title, ()))]
    return "\n".join([*lines, ""])


def section_lines(section: Section, before: Section | None = None) -> list[str]:
    """One part of the page."""
    lines = [f"## {section.title}", ""]
    lines += [section.made_with, ""] if section.made_with else []
    lines += [f"- {note}" for note in section.notes] + ([""] if section.notes else [])
    known = {figure.name: figure for figure in before.figures} if before is not None else {}
    ratios = [figure for figure in section.figures if figure.unit == "×"]
    others = [figure for figure in section.figures if figure.unit != "×"]
    for figures in filter(None, (ratios, others)):
        lines += [*figures_table(figures, known), ""]
    return lines[:-1]


def figures_table(figures: Sequence[Figure], before: Mapping[str, Figure]) -> list[str]:
    """A table in Markdown; columns with nothing in them are left out."""
    spenders = list(dict.fromkeys(who for figure in figures for who in figure.cost))
    heads = ["what", "median", "min", "max", "before"]
    heads += [f"p{100 * quantile:g} ms" for quantile in QUANTILES]
    heads += [f"core µs: {who}" for who in spenders]
    rows = []
    for one in figures:
        was = before.get(one.name)
        cells = [one.name, *(number(value) + one.unit for value in (one.middle, min(one.rounds), max(one.rounds)))]
        cells += ["" if was is None else number(was.middle) + was.unit]
        cells += [f"{seconds * 1000:.1f}" for seconds in one.quantiles] or [""] * len(QUANTILES)
        cells += [f"{one.cost[who]:,.0f}" if who in one.cost else "" for who in spenders]
        rows.append(cells)
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return list(_table([heads[place] for place in kept], ([row[place] for place in kept] for row in rows)))


def targets_of(run: Run) -> list[Target]:
    """What is wanted, part by part."""
    return [target for section in run.sections for target in section.targets]


def same(section: Section, before: Run | None) -> Section | None:
    """What an earlier run says in this place."""
    known = () if before is None else before.sections
    return next((one for one in known if one.title == section.title), None)


def number(value: float) -> str:
    """A number to read: three digits or more."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def show(measure: Measure) -> None:
    """Measure one part alone and print it: `python -m bench.<part> [--quick]`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="seconds instead of minutes")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory(prefix="gusher-bench-") as folder:
        section = measure(quick=quick, folder=Path(folder), say=Clock())
    told = Run(commit="", command="", at="", machine="", sections=[section])
    print(
        "\n".join([*section_lines(section), "", *_targets(told, None)] if section.targets else section_lines(section))
    )


class Clock:
    """Says things on the standard error, with the seconds since it was made. Whoever has one is measuring: told to end,
    it ends as by Ctrl-C, and takes away what it started.
    """

    def __init__(self) -> None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        self._began = time.monotonic()

    def __call__(self, text: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s  {text}", file=sys.stderr, flush=True)


def _targets(run: Run, before: Run | None) -> Iterator[str]:
    was = {} if before is None else {target.what: target for target in targets_of(before)}
    rows = []
    for one in targets_of(run):
        old = was.get(one.what)
        value = "not measured" if one.value is None else number(one.value) + one.unit
        rows.append([one.what, _wanted(one), _value(old), value, MET[one.met]])
    return _table(["target", "wanted", "before", "measured", "met"], rows)


def _wanted(target: Target) -> str:
    if target.least is not None:
        return f"≥ {target.least:,g}{target.unit}"
    return "told" if target.most is None else f"≤ {target.most:,g}{target.unit}"


def _value(target: Target | None) -> str:
    return "" if target is None or target.value is None else number(target.value) + target.unit


def _shown(plots: Iterable[str]) -> Iterator[str]:
    for plot in plots:
        yield from ("", f"![{Path(plot).stem}]({plot})")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|---" + "|--:" * (len(heads) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
