"""Measured values with their spread, what is wanted of them, and the parts of the page that they make up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, Protocol

from msgspec import Struct

QUANTILES: Final = (0.5, 0.95, 0.99, 0.999)


class Figure(Struct, frozen=True, kw_only=True):
    """One thing measured in several rounds: per second (or in `unit`), and how long single ones took, in seconds.

    `cost` is what each one took of a core, in microseconds, by who spent it.
    """

    name: str
    rounds: tuple[float, ...]
    unit: str = "/s"
    quantiles: tuple[float, ...] = ()
    cost: dict[str, float] = {}

    @property
    def middle(self) -> float:
        """The median round."""
        return median(self.rounds)


class Target(Struct, frozen=True, kw_only=True):
    """What is wanted of a number: `least` or `most`, or neither, where it is told only. `value` None: not measured."""

    what: str
    value: float | None
    least: float | None = None
    most: float | None = None
    unit: str = ""

    @property
    def met(self) -> bool | None:
        """Whether it is so; None where there is nothing to compare."""
        if self.value is None or (self.least is None and self.most is None):
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)


class Section(Struct, frozen=True, kw_only=True):
    """A part of the page: what was measured, what is wanted of it, and sentences that a reader needs beside it.

    `made_with` says how, where that is not what the page says of itself: a part that is measured more seldom.
    """

    title: str
    figures: list[Figure]
    targets: list[Target] = []
    notes: list[str] = []
    made_with: str = ""


class Run(Struct, frozen=True, kw_only=True):
    """Everything measured in one go, and what it was made with."""

    commit: str
    command: str
    at: str
    machine: str
    sections: list[Section]


Say = Callable[[str], None]


class Measure(Protocol):
    """What each module here offers as `measure`: a part of the page, in an empty folder that is removed afterwards.

    `quick` is for a look that takes seconds, not minutes.
    """

    def __call__(self, *, quick: bool, folder: Path, say: Say) -> Section: ...


class Series:
    """Rounds of one figure while they are made."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._rounds: list[float] = []
        self._seconds: list[float] = []
        self._spent: dict[str, float] = {}
        self._count = 0

    def add(
        self, count: int, seconds: float, single: Sequence[float] = (), spent: Mapping[str, float] | None = None
    ) -> None:
        """One round: so many in so many seconds, how long each took, seconds of a core that all of them took."""
        self._rounds.append(count / seconds)
        self._seconds.extend(single)
        self._count += count
        for who, used in (spent or {}).items():
            self._spent[who] = self._spent.get(who, 0.0) + used

    def figure(self) -> Figure:
        """The rounds so far."""
        ordered = sorted(self._seconds)
        quantiles = tuple(ordered[min(int(q * len(ordered)), len(ordered) - 1)] for q in QUANTILES) if ordered else ()
        cost = {who: used / self._count * 1e6 for who, used in self._spent.items()}
        return Figure(name=self.name, rounds=tuple(self._rounds), quantiles=quantiles, cost=cost)


def ratio(name: str, one: Figure, other: Figure) -> Figure:
    """One figure over another, round by round: what slows both down in the same round cancels out."""
    pairs = zip(one.rounds, other.rounds, strict=True)
    return Figure(name=name, rounds=tuple(a / b for a, b in pairs), unit="×")


def ratio_by_cores(name: str, one: Figure, other: Figure) -> Figure:
    """One figure over another where cores are all that limits both: what each of the other took of them, all spenders
    together, over what each of the one took. Other programs on the machine hardly change it.
    """
    return Figure(name=name, rounds=(sum(other.cost.values()) / sum(one.cost.values()),), unit="×")
