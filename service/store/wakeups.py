"""Wake-ups between workers, through Redis: that something moved, and how far. They are hints, and may be lost at any
moment: whoever is woken reads the log, and whoever is not polls it slowly.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.store.breaker import Breaker

logger = logging.getLogger(__name__)

LEISURE: Final = 2.0
"""Seconds that telling others may take: nobody waits for it."""

SUBSCRIPTION_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 15.0

_PREFIX, _SUFFIX = "{", "}:moves"

Woken = Callable[[str, int | None], None]
"""Called with a topic and how far it has come, None where that is not known. Must return at once and never raise."""


class Wakeups(Protocol):
    """Tells the other workers, and is told by them. A topic is a game's id."""

    @property
    def reliable(self) -> bool:
        """Whether wake-ups come through, as far as is known; where not, who waits must look more often."""
        ...

    @property
    def works(self) -> bool:
        """Whether the last try to tell others went well."""
        ...

    def listen(self, woken: Woken) -> None:
        """From now on call this for the topics that are watched."""
        ...

    def send(self, topic: str, version: int) -> None:
        """Tell all workers, some time soon; returns at once."""
        ...

    def watch(self, topic: str) -> None: ...

    def unwatch(self, topic: str) -> None: ...

    async def close(self) -> None: ...


class NoWakeups:
    """A worker that is alone, or has no Redis."""

    reliable = False
    works = True

    def listen(self, woken: Woken) -> None:
        """There is nothing to hear."""

    def send(self, topic: str, version: int) -> None:
        """Nobody is told."""

    def watch(self, topic: str) -> None:
        """There is nothing to watch."""

    def unwatch(self, topic: str) -> None:
        """There was nothing to watch."""

    async def close(self) -> None:
        """There is nothing to close."""


class RedisWakeups:
    """Sharded pub/sub, a channel per topic, `{topic}:moves`: in a cluster it is where the topic's other keys are.

    Telling is one background task; of a topic told several times meanwhile only the last version is sent. Listening is
    another: one connection per worker, however many topics are watched.
    """

    def __init__(self, url: str) -> None:
        self._teller: Redis = Redis.from_url(url, socket_timeout=LEISURE, retry=Retry(NoBackoff(), 0))
        self._hearer: Redis = Redis.from_url(url, socket_connect_timeout=LEISURE, retry=Retry(NoBackoff(), 0))
        self._breaker = Breaker()
        self._untold: dict[str, int] = {}
        self._wanted: set[str] = set()
        self._changed = asyncio.Event()
        self._woken: Woken = _nobody
        self._connected = False
        self._telling: asyncio.Task[None] | None = None
        self._hearing: asyncio.Task[None] | None = None

    @property
    def reliable(self) -> bool:
        return self._connected and self._breaker.works

    @property
    def works(self) -> bool:
        return self._breaker.works

    def listen(self, woken: Woken) -> None:
        self._woken = woken

    def send(self, topic: str, version: int) -> None:
        self._untold[topic] = version
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell(), name="wake-ups: tell")

    def watch(self, topic: str) -> None:
        self._wanted.add(topic)
        self._changed.set()
        if self._hearing is None:
            self._hearing = asyncio.create_task(self._hear(), name="wake-ups: hear")

    def unwatch(self, topic: str) -> None:
        self._wanted.discard(topic)
        self._changed.set()

    async def close(self) -> None:
        if self._telling is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._telling, LEISURE)
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.gather(self._hearing, return_exceptions=True)
        await self._teller.aclose()
        await self._hearer.aclose()

    async def _tell(self) -> None:
        while self._untold:
            told, self._untold = self._untold, {}
            if not self._breaker.closed:
                continue
            try:
                async with asyncio.timeout(LEISURE), self._teller.pipeline(transaction=False) as line:
                    for topic, version in told.items():
                        line.spublish(_channel(topic), str(version))
                    await line.execute()
            except (RedisError, OSError, TimeoutError) as error:
                self._breaker.failed()
                logger.warning("other workers cannot be woken for a while: %s", type(error).__name__)
            else:
                self._breaker.worked()

    async def _hear(self) -> None:
        pause = SUBSCRIPTION_PAUSE
        while True:
            try:
                async with self._hearer.pubsub() as line:
                    await self._follow(line)
            except (RedisError, OSError) as error:
                pause = SUBSCRIPTION_PAUSE if self._connected else min(2 * pause, LONGEST_PAUSE)
                logger.warning("wake-ups are not heard for a while: %s", type(error).__name__)
            self._connected = False
            await asyncio.sleep(pause)

    async def _follow(self, line: PubSub) -> None:
        """Hear until the connection breaks. Whatever is newly subscribed is woken once: it may just have moved."""
        heard: set[str] = set()
        reading: asyncio.Task[Any] | None = None
        try:
            while True:
                self._changed.clear()
                await _subscribe(line, heard, self._wanted)
                self._connected = True
                if reading is None and heard:
                    reading = asyncio.create_task(_read(line))
                changed = asyncio.create_task(self._changed.wait())
                try:
                    waiting = {changed} if reading is None else {changed, reading}
                    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
                if reading is not None and reading.done():
                    message, reading = reading.result(), None
                    self._take(message)
        finally:
            if reading is not None:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    def _take(self, message: Any) -> None:  # noqa: ANN401 - whatever Redis says
        if message is None or message["type"] not in ("smessage", "ssubscribe"):
            return
        topic = message["channel"].decode()[len(_PREFIX) : -len(_SUFFIX)]
        told = message["data"] if message["type"] == "smessage" else b""
        self._woken(topic, int(told) if isinstance(told, bytes) and told.isdigit() else None)


async def _read(line: PubSub) -> Any:  # noqa: ANN401 - whatever Redis says
    return await line.get_message(timeout=None)


async def _subscribe(line: PubSub, heard: set[str], wanted: set[str]) -> None:
    new, gone = wanted - heard, heard - wanted
    if new:
        await line.ssubscribe(*map(_channel, sorted(new)))
    if gone:
        await line.sunsubscribe(*map(_channel, sorted(gone)))
    heard |= new
    heard -= gone


def _channel(topic: str) -> str:
    return f"{_PREFIX}{topic}{_SUFFIX}"


def _nobody(_topic: str, _version: int | None) -> None:
    """Nobody listens yet."""
