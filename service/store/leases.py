"""Leases: how many of something long a key holds at the same time, over all workers.

A lease is renewed while it is held, so that those of a worker that was killed come back by themselves.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from uuid import uuid4

from service.store.breaker import PATIENCE, Breaker
from service.store.shared import AWAY, Shared

logger = logging.getLogger(__name__)

SECONDS: Final = 45
"""How long a lease lives that nobody renews; held ones are renewed three times as often."""

LEISURE: Final = 2.0

_TAKE: Final = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""
_RENEW: Final = """
local till = tonumber(redis.call('TIME')[1]) + tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], till, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
"""


class NoneLeft(Exception):
    """The key holds as many as it may; those it holds stay."""


class Leases:
    """Counted in this process; and in Redis too, if a URL names one, for all workers together."""

    def __init__(self, url: str | None = None, *, seconds: int = SECONDS, patience: float = PATIENCE) -> None:
        self._redis = None if url is None else Shared(url, socket_timeout=max(LEISURE, patience))
        self._breaker, self._seconds, self._patience = Breaker(), seconds, patience
        self._counts: Counter[str] = Counter()
        self._held: dict[str, str] = {}
        self._given_back: dict[str, str] = {}
        self._giving: asyncio.Task[None] | None = None
        self._renewing: asyncio.Task[None] | None = None

    @property
    def held(self) -> int:
        """How many are held in this process."""
        return self._counts.total()

    async def open(self) -> None:
        """Know Redis before the first lease is asked for."""
        if self._redis is not None:
            await self._redis.open()

    @property
    def works(self) -> bool:
        """Whether all workers were counted together when it was last tried."""
        return self._breaker.works

    @asynccontextmanager
    async def hold(self, key: str, most: int) -> AsyncIterator[None]:
        """Hold one, and give it back however the holder ends. Raises `NoneLeft`."""
        if self._counts[key] >= most:
            raise NoneLeft(key)
        self._counts[key] += 1
        lease = uuid4().hex
        try:
            await self._take(key, lease, most)
            yield
        finally:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]
            self._give_back(key, lease)

    async def close(self) -> None:
        """What is still held is given back."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        if self._giving is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._giving, LEISURE)
        if self._redis is not None:
            await self._redis.close()

    async def _take(self, key: str, lease: str, most: int) -> None:
        if self._redis is None or self._redis.is_opening() or not self._breaker.closed:
            return
        self._held[lease] = key
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew(), name="leases: renew")
        try:
            async with asyncio.timeout(self._patience):
                redis = await self._redis.client()
                taken: Any = await redis.eval(_TAKE, 1, _name(key), lease, most, self._seconds)
        except AWAY as error:
            if not self._redis.is_opening():
                self._failed(error)
            return
        self._breaker.worked()
        if not taken:
            raise NoneLeft(key)

    def _give_back(self, key: str, lease: str) -> None:
        """Later, by a task of its own: whoever gives back may have been cancelled, and must not wait."""
        if self._held.pop(lease, None) is None:
            return
        self._given_back[lease] = key
        if self._giving is None or self._giving.done():
            self._giving = asyncio.create_task(self._give(), name="leases: give back")

    async def _give(self) -> None:
        while self._given_back:
            given, self._given_back = self._given_back, {}
            await self._ask([("ZREM", _name(key), lease) for lease, key in given.items()])

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / 3)
            await self._ask(
                [("EVAL", _RENEW, 1, _name(key), lease, self._seconds) for lease, key in self._held.items()]
            )

    async def _ask(self, questions: list[tuple[Any, ...]]) -> None:
        if self._redis is None or not questions or not self._breaker.closed:
            return
        try:
            async with asyncio.timeout(LEISURE), (await self._redis.client()).pipeline(transaction=False) as line:
                for question in questions:
                    line.execute_command(*question)
                await line.execute()
        except AWAY as error:
            self._failed(error)
        else:
            self._breaker.worked()

    def _failed(self, error: Exception) -> None:
        self._breaker.failed()
        if self._redis is not None:
            self._redis.doubt()
        logger.warning("leases are counted per process for a while: %s", type(error).__name__)


def _name(key: str) -> str:
    return f"{{{key}}}:streams"
