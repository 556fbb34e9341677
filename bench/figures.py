"""Measured values with their spread, targets, and how both are written down."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from msgspec import Struct

QUANTILES: Final = (0.5, 0.95, 0.99, 0.999)


class Figure(Struct, frozen=True, kw_only=True):
    """One thing measured in several rounds: per second (or in `unit`), and how long single ones took, in seconds.

    `cores` is how many seconds of a core each one cost the server under measurement, in microseconds.
    """

    name: str
    rounds: tuple[float, ...]
    unit: str = "/s"
    quantiles: tuple[float, ...] = ()
    cores: float | None = None

    @property
    def middle(self) -> float:
        """The median round."""
        return median(self.rounds)


class Target(Struct, frozen=True, kw_only=True):
    """What is wanted of a number, and whether it is so. `value` None: not measured in this run."""

    what: str
    wanted: str
    value: float | None
    met: bool | None


class Series:
    """Rounds of one figure while they are made."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._rounds: list[float] = []
        self._seconds: list[float] = []
        self._cores: list[float] = []

    def add(self, count: int, seconds: float, single: Sequence[float] = (), cores: float | None = None) -> None:
        """One round: so many in so many seconds, how long each took, seconds of a core used for all of them."""
        self._rounds.append(count / seconds)
        self._seconds.extend(single)
        if cores is not None:
            self._cores.append(cores / count * 1e6)

    def figure(self) -> Figure:
        """The rounds so far."""
        ordered = sorted(self._seconds)
        quantiles = tuple(ordered[min(int(q * len(ordered)), len(ordered) - 1)] for q in QUANTILES) if ordered else ()
        return Figure(
            name=self.name,
            rounds=tuple(self._rounds),
            quantiles=quantiles,
            cores=median(self._cores) if self._cores else None,
        )


def ratio(name: str, one: Figure, other: Figure) -> Figure:
    """One figure over another, round by round: what slows both down in the same round cancels out."""
    pairs = zip(one.rounds, other.rounds, strict=False)
    return Figure(name=name, rounds=tuple(a / b for a, b in pairs), unit="×")


def at_least(what: str, least: float, figure: Figure | None, unit: str = "") -> Target:
    """A target that the median is to reach."""
    value = None if figure is None else figure.middle
    return Target(what=what, wanted=f"≥ {least:,g}{unit}", value=value, met=None if value is None else value >= least)


def at_most(what: str, most: float, value: float | None, unit: str = "") -> Target:
    """A target that is not to be passed."""
    return Target(what=what, wanted=f"≤ {most:,g}{unit}", value=value, met=None if value is None else value <= most)


def figures_table(figures: Sequence[Figure]) -> list[str]:
    """A table in Markdown: the middle round with the least and the most, and the quantiles in milliseconds."""
    lines = [
        "| what | median | min | max | p50 ms | p95 ms | p99 ms | p99.9 ms | core µs each |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in figures:
        times = [f"{seconds * 1000:.1f}" for seconds in one.quantiles] or [""] * len(QUANTILES)
        spread = [_number(value) + one.unit for value in (one.middle, min(one.rounds), max(one.rounds))]
        cores = "" if one.cores is None else f"{one.cores:,.0f}"
        lines.append("| " + " | ".join([one.name, *spread, *times, cores]) + " |")
    return lines


def targets_table(targets: Sequence[Target]) -> list[str]:
    """A table in Markdown: what is wanted, what is, and whether that will do."""
    lines = ["| target | wanted | measured | met |", "|---|--:|--:|---|"]
    words = {True: "yes", False: "**no**", None: "not measured"}
    for one in targets:
        value = "" if one.value is None else _number(one.value)
        lines.append(f"| {one.what} | {one.wanted} | {value} | {words[one.met]} |")
    return lines


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
