"""The eight checks over a game's log as one viewer may have it: the program that anybody can run, run here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from audit import Report, audit_lines
from service.failures import Conflict, Unavailable

MOST_ENTRIES: Final = 10_000
"""Longer logs are for whoever wants to know to check: this is seconds of a core."""

MOST_WAITING: Final = 16


class Auditing:
    """One audit at a time in a worker, in a thread beside the event loop; a few more wait for their turn."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def audit(self, pieces: AsyncIterator[bytes], *, name: str, entries: int) -> Report:
        """The report on an export. Raises `Conflict` where it is too long, `Unavailable` where too many wait."""
        if entries > MOST_ENTRIES:
            raise Conflict(
                "too_long", f"Logs of more than {MOST_ENTRIES} entries are not checked here: export it and check it."
            )
        async with self._its_turn():
            content = b"".join([piece async for piece in pieces])
            return await asyncio.to_thread(audit_lines, [content], name=name)

    @asynccontextmanager
    async def _its_turn(self) -> AsyncIterator[None]:
        if self._waiting > MOST_WAITING:
            raise Unavailable("busy", "Too many logs are being checked.", retry_after=2)
        self._waiting += 1
        try:
            async with self._turn:
                yield
        finally:
            self._waiting -= 1
