"""A breaker: what has just failed is left alone for a while, longer each time, so that it costs its timeout once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 0.05
"""Seconds that a request waits for Redis, unless told otherwise; then the breaker opens."""


class Breaker:
    """Closed while things work. A failure opens it for `first` seconds, further ones up to `longest`."""

    def __init__(self, *, first: float = 1, longest: float = 30, now: Callable[[], float] = time.monotonic) -> None:
        self._first, self._longest, self._now = first, longest, now
        self._pause, self._until = first, 0.0

    @property
    def closed(self) -> bool:
        """Whether to try. When the pause is over one try is made, and the others wait for how it goes."""
        now = self._now()
        if now < self._until:
            return False
        if self._until:
            self._until = now + self._first
        return True

    @property
    def works(self) -> bool:
        """Whether the last try went well; asking is no try."""
        return not self._until

    def worked(self) -> None:
        """It works."""
        self._pause, self._until = self._first, 0.0

    def failed(self) -> None:
        """It does not work: leave it alone for a while."""
        self._until = self._now() + self._pause
        self._pause = min(2 * self._pause, self._longest)
