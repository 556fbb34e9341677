"""What is new in a test is the same in every run: ids, keys, salts, seeds and the clock follow from the test's name.

A game's id and seeds are its chance, so that a test plays the same games wherever it runs, alone or among others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final
from uuid import UUID

START: Final = 1_764_451_200_000
"""When every test begins: milliseconds since 1970."""


class Course:
    """Everything new that one name leads to, one after the other."""

    def __init__(self, name: str) -> None:
        self._name, self._dice = name, random.Random(name)
        self._times, self._ids, self._desks = count(START), count(START), count()

    def clock(self) -> int:
        """Milliseconds since 1970: each look at the clock is a millisecond after the one before."""
        return next(self._times)

    def new_id(self) -> str:
        """A UUIDv7, which sorts after those before it."""
        bits = self._dice.getrandbits(74)
        return str(UUID(int=next(self._ids) << 80 | 0x7 << 76 | bits >> 62 << 64 | 0x2 << 62 | bits & (1 << 62) - 1))

    def new_key(self) -> str:
        """A UUIDv4."""
        return str(UUID(int=self._dice.getrandbits(128), version=4))

    def entropy(self) -> Callable[[int], bytes]:
        """A source of bytes that shares nothing with those before it: who draws from one disturbs no other."""
        return random.Random(f"{self._name} {next(self._desks)}").randbytes


_courses = [Course("what modules make when they are imported")]


def course() -> Course:
    """That of the test which is running."""
    return _courses[-1]


@contextmanager
def on_course(name: str) -> Iterator[None]:
    """Meanwhile everything new follows from this name."""
    _courses.append(Course(name))
    try:
        yield
    finally:
        _courses.pop()
