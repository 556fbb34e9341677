"""How far an audit is, for whoever waits at a terminal. Elsewhere nothing is written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TextIO, TypeVar

T = TypeVar("T")

Heard = Callable[[str, int, int], None]
"""What is being done, how much of it is done, and how much there is."""

_WIDTH: Final = 60


def unheard(what: str, done: int, whole: int) -> None:
    """Nobody listens."""


class OnTerminal:
    """One line on a terminal that changes with every percent."""

    def __init__(self, out: TextIO = sys.stderr) -> None:
        self._out, self._said = out, ""

    def __call__(self, what: str, done: int, whole: int) -> None:
        self._say(f"{what} {100 * done // max(whole, 1):3} %")

    def close(self) -> None:
        """Leave the line empty."""
        if self._said:
            self._say("")

    def _say(self, words: str) -> None:
        if words != self._said:
            self._said = words
            self._out.write(f"\r{words[:_WIDTH]:<{_WIDTH}}\r{words[:_WIDTH]}")
            self._out.flush()


def listener() -> OnTerminal | None:
    """A line on the terminal, where standard error is one."""
    return OnTerminal() if sys.stderr.isatty() else None


def counted(items: Sequence[T], what: str, heard: Heard) -> Iterator[T]:
    """The items, telling how many of them are done."""
    for done, item in enumerate(items):
        heard(what, done, len(items))
        yield item


def weighed(lines: Iterable[bytes], size: int, heard: Heard) -> Iterator[bytes]:
    """The lines of a file of this size, telling how many bytes are done."""
    done = 0
    for line in lines:
        heard("reading", done, size)
        done += len(line)
        yield line
