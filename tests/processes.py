"""Processes that a test ends, or that end by themselves."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress

import psutil


def lives(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def all_gone(pids: Collection[int], seconds: float = 120) -> bool:
    """Whether all have ended, now or in a while: a process that was killed lives on until it is its turn to die."""
    give_up = time.monotonic() + seconds
    while any(map(lives, pids)):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True
