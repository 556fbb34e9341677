"""The feed at work in one process: the sequencer, if no other process has it, and the readers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from service.store.feed import Deposed, Handler, Overtaken, Reader, Sequencer

if TYPE_CHECKING:
    from service.store.connections import Pool

logger = logging.getLogger(__name__)

SLOW_POLL: Final = 1.0
"""Seconds between looks at the feed where no wake-up has come: they may be lost."""

QUICK_POLL: Final = 0.2
"""Seconds between looks at what was appended by other processes."""

GATHER: Final = 0.1
"""Seconds from one batch to the next while there is something to do. A batch costs what ten entries cost by themselves,
so under load many are numbered and read together; after a quiet moment the first is numbered at once.
"""

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0


class Following:
    """Runs until closed. Nothing that goes wrong ends it: it is logged, and tried again after a pause.

    The process that numbers wakes its own readers, and the others' look slowly: read everywhere at once, a batch would
    be written once and undone elsewhere. What readers announce on further channels is passed on to who `hears` it; it
    may be lost, like every wake-up.
    """

    def __init__(
        self, pool: Pool, handlers: Collection[Handler], hears: Mapping[str, Callable[[str], None]] | None = None
    ) -> None:
        self._pool = pool
        self._hears = hears or {}
        self.sequencer = Sequencer(pool)
        self.readers = {handler.name: Reader(pool, handler) for handler in handlers}
        self._appended, self._numbered = asyncio.Event(), {name: asyncio.Event() for name in self.readers}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin."""
        jobs: dict[str, Callable[[], Awaitable[None]]] = {"sequencer": self._sequence}
        if self._hears and self._pool.get_max_size() > 1:
            # Listening keeps a connection. Where there is only one, whoever waits for announcements looks slowly.
            jobs["announcements"] = self._listen
        jobs.update({name: _reading(reader, self._numbered[name]) for name, reader in self.readers.items()})
        self._tasks = [asyncio.create_task(_for_ever(name, job), name=f"feed: {name}") for name, job in jobs.items()]

    def appended(self, _game: str, _version: int) -> None:
        """An entry was appended here: there is something to number."""
        self._appended.set()

    async def close(self) -> None:
        """End, leaving the sequencer's place to whoever is next."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            await self.sequencer.resign()

    async def _sequence(self) -> None:
        if not self.sequencer.works and not await self.sequencer.acquire():
            await asyncio.sleep(SLOW_POLL)
            return
        self._appended.clear()
        with suppress(Deposed):
            if await self.sequencer.number():
                for numbered in self._numbered.values():
                    numbered.set()
                await asyncio.sleep(GATHER)
            else:
                await _wait(self._appended, QUICK_POLL)

    async def _listen(self) -> None:
        """Pass on what readers announce, in whatever process."""
        gone = asyncio.Event()
        async with self._pool.acquire() as connection:
            connection.add_termination_listener(lambda _connection: gone.set())
            channels = {name: _passing_on(hears) for name, hears in self._hears.items()}
            try:
                for channel, callback in channels.items():
                    await connection.add_listener(channel, callback)
                await gone.wait()
            finally:
                if not connection.is_closed():
                    for channel, callback in channels.items():
                        await connection.remove_listener(channel, callback)


def _passing_on(hears: Callable[[str], None]) -> Callable[..., None]:
    def heard(_connection: object, _pid: int, _channel: str, payload: object) -> None:
        hears(str(payload))

    return heard


def _reading(reader: Reader, numbered: asyncio.Event) -> Callable[[], Awaitable[None]]:
    async def read() -> None:
        numbered.clear()
        with suppress(Overtaken):
            if await reader.read() < reader.most:
                await _wait(numbered, SLOW_POLL)

    return read


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


async def _for_ever(name: str, job: Callable[[], Awaitable[None]]) -> None:
    pause = FIRST_PAUSE
    while True:
        try:
            await job()
            pause = FIRST_PAUSE
        except Exception:
            logger.exception("feed: %s pauses for %.1f s", name, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
