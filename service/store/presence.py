"""Who else appends to this database, and whether it is still the one that it was."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID, uuid4

from service.store.connections import patiently
from service.store.protocol import StoreUnavailable

if TYPE_CHECKING:
    from service.store.connections import Pool

logger = logging.getLogger(__name__)

PROMPT: Final = 1.0
"""Seconds for which a board may be trusted without having heard who else appends; asked twice as often."""

ARRIVAL: Final = 1.25
"""Seconds that a newcomer waits before its first entry: by then everybody has heard of it."""

LAPSE: Final = 30.0
"""Seconds without having said that one is there, after which one is a newcomer again."""

SAID_AGAIN: Final = timedelta(seconds=5)
"""After this the database is told again. Who was seen there within a minute is there."""

# Two plain statements: on Citus each is one of the coordinator, whichever node is asked, and so are its clock and its
# start. Told and asked in one, the answer there holds what was only just told.
_ASK: Final = """
SELECT
    count(*) FILTER (WHERE board <> $2 AND seen_at > now() - interval '60 seconds') AS others,
    max(seen_at) FILTER (WHERE worker = $1) AS said,
    now() AS now,
    pg_postmaster_start_time() AS started
FROM boards
"""
_SAY: Final = """
INSERT INTO boards (worker, board, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (worker) DO UPDATE SET seen_at = excluded.seen_at
"""
_LEAVE: Final = "DELETE FROM boards WHERE worker = $1 OR seen_at < now() - interval '1 hour'"


class _Found(NamedTuple):
    """When the database's server was started, and when this worker last said there that it is there."""

    started: datetime
    said: datetime


class Presence:
    """Says in the database that this worker appends, and hears whether anybody does who has another board.

    - A worker trusts its board for `PROMPT` seconds after it asked and nobody else was there; it asks all the time, in
      the background.
    - A newcomer says that it is there, and if anybody else is, waits for `ARRIVAL` seconds before its first entry: by
      then those who trusted have heard. If nobody is, nobody trusts.
    - Who has not managed to say so for `LAPSE` seconds is a newcomer again. The others take it to be there for twice as
      long.

    It also hears whether the database is still the one that it was: the same server, not started anew, and with what
    this worker said last. If it is not, a backup was put back, or another server took over, perhaps without the last
    entries: a new *era* begins, in which nothing counts that was noted before. On Citus this is the coordinator; what
    befalls another node is noticed when a game's log is next asked.
    """

    def __init__(
        self,
        pool: Pool,
        board: UUID,
        *,
        seconds: float = 5,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._pool, self._board, self._seconds, self._now, self._pause = pool, board, seconds, now, pause
        self._worker = uuid4()
        self._said_at = self._alone_at = float("-inf")
        self._found: _Found | None = None
        self.era = 0
        self._arriving: asyncio.Task[None] | None = None
        self._saying: asyncio.Task[None] | None = None

    @property
    def alone(self) -> bool:
        """Whether nobody appends who has another board."""
        return self._now() - self._alone_at < PROMPT

    @property
    def known(self) -> bool:
        """Whether everybody knows that this worker appends."""
        return self._now() - self._said_at < LAPSE

    async def start(self) -> None:
        """Arrive, and go on saying so. Raises `StoreUnavailable`."""
        await self.arrive()
        self._saying = asyncio.create_task(self._go_on(), name="presence")

    async def arrive(self) -> None:
        """Say that this worker is there, and wait until everybody knows. Raises `StoreUnavailable`."""
        if self._arriving is None or self._arriving.done():
            self._arriving = asyncio.create_task(self._arrive(), name="presence: arrive")
        await asyncio.shield(self._arriving)

    async def close(self) -> None:
        """No more is appended by this worker."""
        tasks = [task for task in (self._saying, self._arriving) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreUnavailable):
            async with patiently(self._seconds):
                await self._pool.execute(_LEAVE, self._worker)

    async def _arrive(self) -> None:
        await self._say()
        # Of two who arrive in the same moment neither may have seen the other; now one of them does.
        said_at, others = await self._say()
        self._heard(said_at, others)
        if others:
            await self._pause(ARRIVAL)
        self._said_at = said_at

    async def _go_on(self) -> None:
        while True:
            await self._pause(PROMPT / 2)
            try:
                if self.known:
                    self._said_at, others = await self._say()
                    self._heard(self._said_at, others)
                else:
                    await self.arrive()
            except StoreUnavailable:
                continue
            except Exception:
                logger.exception("who else appends is not known for a while: reads ask the log")

    async def _say(self) -> tuple[float, int]:
        """When it was said, and how many others there are."""
        said_at = self._now()
        async with patiently(self._seconds):
            [(others, said, now, started)] = await self._pool.fetch(_ASK, self._worker, self._board)
            if self._found not in (None, _Found(started, said)):
                self.doubt()
            if said is None or now - said > SAID_AGAIN:
                await self._pool.execute(_SAY, self._worker, self._board, now)
                said = now
        self._found = _Found(started, said)
        return said_at, others

    def doubt(self) -> None:
        """Another era begins."""
        self.era += 1

    def _heard(self, asked_at: float, others: int) -> None:
        self._alone_at = float("-inf") if others else asked_at
