"""Pictures of what was measured, as SVG: rows with a dot at the median, a line from the least to the most round, and a
ring where it was before. Drawn by hand, because five pictures of one kind are no reason for a library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from msgspec import Struct

from bench.figures import QUANTILES, Figure, Run, Section, Target
from bench.page import number, same, targets_of

WIDTH: Final = 980
LABELS: Final = 450
RIGHT: Final = 70
ROW: Final = 22
TOP: Final = 58
BOTTOM: Final = 34

INK: Final = "#1f2937"
PALE: Final = "#9ca3af"
GRID: Final = "#e5e7eb"
BLUE: Final = "#2563eb"
GREEN: Final = "#15803d"
RED: Final = "#b91c1c"
FAN: Final = ("#1e3a8a", "#2563eb", "#60a5fa", "#93c5fd")


class Row(Struct, frozen=True, kw_only=True):
    """One line of a picture: dots, the range around them, where it was before, and what is wanted of it."""

    label: str
    dots: tuple[float, ...]
    span: tuple[float, float] | None = None
    before: float | None = None
    wanted: float | None = None
    colour: str = BLUE


def draw(run: Run, before: Run | None, folder: Path) -> dict[str, list[str]]:
    """Write the pictures; their names, relative to the page, by the title of the part that they belong to."""
    folder.mkdir(exist_ok=True)
    shown: dict[str, list[str]] = {}
    for title, name, picture in _pictures(run, before):
        (folder / f"{name}.svg").write_text(picture)
        shown.setdefault(title, []).append(f"{folder.name}/{name}.svg")
    return shown


def _pictures(run: Run, before: Run | None) -> Iterator[tuple[str, str, str]]:
    wanted = [target for target in targets_of(run) if target.met is not None]
    if wanted:
        was = {} if before is None else {target.what: target for target in targets_of(before)}
        rows = [_target(target, was.get(target.what)) for target in wanted]
        yield "", "targets", strips("How far each number is above what is wanted (1 is just met)", rows, mark=1)
    for section in run.sections:
        known = same(section, before)
        name = section.title.lower().replace(" ", "-")
        timed = [figure for figure in section.figures if figure.quantiles]
        if timed:
            words = ", ".join(f"p{100 * quantile:g}" for quantile in QUANTILES)
            rows = [Row(label=one.name, dots=tuple(1000 * each for each in one.quantiles)) for one in timed]
            yield section.title, f"{name}-times", strips(f"Milliseconds until the answer: {words}", rows)
        ratios = [figure for figure in section.figures if figure.unit == "×"]
        if ratios:
            rows = list(_ratios(ratios, section, known))
            yield section.title, f"{name}-ratios", strips("Ratios, round by round", rows, mark=1)


def _ratios(figures: Iterable[Figure], section: Section, before: Section | None) -> Iterator[Row]:
    known = {} if before is None else {figure.name: figure.middle for figure in before.figures}
    wanted = {target.what: target for target in section.targets}
    for one in figures:
        target = wanted.get(one.name)
        yield Row(
            label=one.name,
            dots=(one.middle,),
            span=(min(one.rounds), max(one.rounds)),
            before=known.get(one.name),
            wanted=None if target is None else target.least or target.most,
            colour=BLUE if target is None or target.met is None else _colour(target),
        )


def _target(target: Target, before: Target | None) -> Row:
    old = None if before is None or before.value is None else _above(target, before.value)
    assert target.value is not None, "only what was measured"
    return Row(label=target.what, dots=(_above(target, target.value),), before=old, colour=_colour(target))


def _above(target: Target, value: float) -> float:
    if target.least is not None:
        return value / target.least
    assert target.most is not None, "a target has a bound"
    return target.most / max(value, target.most / 1000)


def _colour(target: Target) -> str:
    return GREEN if target.met else RED


def strips(title: str, rows: Sequence[Row], *, mark: float | None = None) -> str:
    """The picture: one row below the other over a logarithmic axis."""
    axis = _Axis(rows, mark)
    height = TOP + ROW * len(rows) + BOTTOM
    style = "font-family:system-ui,sans-serif;font-size:12px"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" style="{style}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="24" fill="{INK}" font-size="14" font-weight="600">{escape(title)}</text>',
    ]
    for value in axis.ticks:
        strong = mark is not None and math.isclose(value, mark)
        lines.append(_line((axis.x(value), TOP - 8), (axis.x(value), height - BOTTOM), PALE if strong else GRID))
        lines.append(_text(axis.x(value), height - BOTTOM + 16, f"{value:g}", "middle", PALE))
    for place, row in enumerate(rows):
        lines += _row(row, axis, TOP + ROW * place + ROW / 2)
    return "\n".join([*lines, *_legend(rows), "</svg>", ""])


class _Axis:
    """Where values are, from left to right."""

    def __init__(self, rows: Sequence[Row], mark: float | None) -> None:
        every = [value for row in rows for value in (*row.dots, *(row.span or ()), row.before, row.wanted, mark)]
        known = [value for value in every if value is not None and value > 0]
        self._low, self._high = math.log10(min(known)) - 0.05, math.log10(max(known)) + 0.05
        decades = range(math.floor(self._low), math.ceil(self._high) + 1)
        steps = (1, 2, 5) if self._high - self._low < 3 else (1,)
        ticks = (step * 10.0**decade for decade in decades for step in steps)
        self.ticks = [tick for tick in ticks if self._low <= math.log10(tick) <= self._high]

    def x(self, value: float) -> float:
        """The place of a value."""
        share = (math.log10(max(value, 10**self._low)) - self._low) / (self._high - self._low)
        return LABELS + share * (WIDTH - LABELS - RIGHT)


def _row(row: Row, axis: _Axis, y: float) -> Iterator[str]:
    yield _text(LABELS - 12, y + 4, row.label, "end", INK)
    if row.span is not None:
        ends = (axis.x(row.span[0]), y), (axis.x(row.span[1]), y)
        yield _line(*ends, row.colour, 'stroke-opacity="0.35" stroke-width="5"')
    elif len(row.dots) > 1:
        yield _line((axis.x(row.dots[0]), y), (axis.x(row.dots[-1]), y), GRID, 'stroke-width="3"')
    if row.wanted is not None:
        yield _line((axis.x(row.wanted), y - 8), (axis.x(row.wanted), y + 8), INK, 'stroke-width="2"')
    if row.before is not None:
        yield _dot(axis.x(row.before), y, f'fill="#ffffff" stroke="{PALE}" stroke-width="2"')
    for place, value in enumerate(row.dots):
        colour = row.colour if len(row.dots) == 1 else FAN[place]
        yield _dot(axis.x(value), y, f'fill="{colour}"')
    yield _text(WIDTH - 12, y + 4, number(row.dots[0]) if len(row.dots) == 1 else number(row.dots[-2]), "end", INK)


def _legend(rows: Sequence[Row]) -> Iterator[str]:
    words = []
    if any(row.before is not None for row in rows):
        words.append("ring: before")
    if any(row.span is not None for row in rows):
        words.append("line: least to most round")
    if any(row.wanted is not None for row in rows):
        words.append("upright stroke: wanted")
    if any(row.colour in (GREEN, RED) for row in rows):
        words.append("green: met, red: not met")
    words.append("right: p99" if any(len(row.dots) > 1 for row in rows) else "right: the dot")
    yield _text(16, 42, ";  ".join(words), "start", PALE)


def _dot(x: float, y: float, more: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {more}/>'


def _text(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def _line(begin: tuple[float, float], end: tuple[float, float], colour: str, more: str = "") -> str:
    (x1, y1), (x2, y2) = begin, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'
