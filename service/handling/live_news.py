"""Accounts whose news somebody follows in this worker: woken when there are some, and by a slow poll."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.store.news import NewsStore
from service.store.protocol import StoreUnavailable

logger = logging.getLogger(__name__)

POLL: Final = 5.0
"""Seconds between looks at all followed accounts at once: wake-ups may be lost."""

_POLLED_AT_ONCE: Final = 1000


class Followed:
    """An account that is followed. `position` is the newest that is known of."""

    def __init__(self, account: str) -> None:
        self.account, self.position = account, 0
        self.readers = 0
        self._news = asyncio.Event()

    def moment(self) -> asyncio.Event:
        """What is set when something comes after now: taken before looking, so that nothing falls in between."""
        return self._news

    def wake(self) -> None:
        """Everybody who waits looks again."""
        self._news.set()
        self._news = asyncio.Event()


class LiveNews:
    """Who is told when there are news for an account."""

    def __init__(self, store: NewsStore, *, poll: float = POLL) -> None:
        self._store, self._seconds = store, poll
        self._followed: dict[str, Followed] = {}
        self._polling: asyncio.Task[None] | None = None
        self.closing = False

    def heard(self, accounts: str) -> None:
        """There are news for these accounts: their ids, with spaces between them."""
        if self._followed:
            for account in self._followed.keys() & set(accounts.split()):
                self._followed[account].wake()

    @contextmanager
    def follow(self, account: str) -> Iterator[Followed]:
        """Be woken for this account."""
        followed = self._followed.setdefault(account, Followed(account))
        followed.readers += 1
        if self._polling is None and not self.closing:
            self._polling = asyncio.create_task(self._poll(), name="poll of followed accounts")
        try:
            yield followed
        finally:
            followed.readers -= 1
            if not followed.readers:
                del self._followed[account]

    def end(self) -> None:
        """Everybody who follows is told to come back elsewhere. The process is about to stop."""
        self.closing = True
        for followed in self._followed.values():
            followed.wake()

    async def close(self) -> None:
        """Nobody is told anything any more."""
        self.end()
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            accounts = list(self._followed)
            for first in range(0, len(accounts), _POLLED_AT_ONCE):
                try:
                    newest = await self._store.newest(accounts[first : first + _POLLED_AT_ONCE])
                except StoreUnavailable:
                    continue
                for account, position in newest.items():
                    self._seen(account, position)

    def _seen(self, account: str, position: int) -> None:
        followed = self._followed.get(account)
        if followed is not None and position > followed.position:
            followed.position = position
            followed.wake()


async def news_after(moment: asyncio.Event, seconds: float) -> bool:
    """Wait for that moment, at most so long; whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await moment.wait()
    except TimeoutError:
        return False
    return True
