"""Wake-ups between workers, through Redis: that something moved, and how far. They are hints, and may be lost at any
moment: whoever is woken reads the log, and whoever is not polls it slowly.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final, Protocol

from redis.asyncio import Redis

from service.store.breaker import Breaker
from service.store.ears import Ears, Woken, channel_of
from service.store.shared import AWAY, Shared

logger = logging.getLogger(__name__)

LEISURE: Final = 2.0
"""Seconds that telling others may take: nobody waits for it."""

GATHER: Final = 0.01
"""Seconds from one telling to the next: under load many topics are told of at once, at the price of one."""


# To an only server all is told in one text: a client takes longer for each command than Redis for all of them.
_TELL: Final = """
for channel, version in string.gmatch(ARGV[1], '(%S+) (%d+)') do redis.call('SPUBLISH', channel, version) end
"""


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
    """Sharded pub/sub, a channel per topic: in a cluster it is where the topic's other keys are.

    Telling is one background task; of a topic told several times meanwhile only the last version is sent. Listening is
    another: one connection per worker, in a cluster one to each node, however many topics are watched.
    """

    def __init__(self, url: str) -> None:
        self._teller = Shared(url, socket_timeout=LEISURE)
        self._ears = Ears(Shared(url, socket_connect_timeout=LEISURE), self._hear)
        self._breaker = Breaker()
        self._script: Any = None
        self._untold: dict[str, int] = {}
        self._woken: Woken = _nobody
        self._telling: asyncio.Task[None] | None = None

    @property
    def reliable(self) -> bool:
        return self._ears.hear and self._breaker.works

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
        self._ears.watch(topic)

    def unwatch(self, topic: str) -> None:
        self._ears.unwatch(topic)

    async def close(self) -> None:
        if self._telling is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._telling, LEISURE)
        await self._ears.close()
        await self._teller.close()

    def _hear(self, topic: str, version: int | None) -> None:
        self._woken(topic, version)

    async def _tell(self) -> None:
        while self._untold:
            told, self._untold = self._untold, {}
            if not self._breaker.closed:
                continue
            try:
                async with asyncio.timeout(LEISURE):
                    await self._publish(told)
            except AWAY as error:
                self._breaker.failed()
                self._teller.doubt()
                logger.warning("other workers cannot be woken for a while: %s", type(error).__name__)
            else:
                self._breaker.worked()
            await asyncio.sleep(GATHER)

    async def _publish(self, told: dict[str, int]) -> None:
        teller = await self._teller.client()
        if isinstance(teller, Redis):
            if self._script is None:
                self._script = teller.register_script(_TELL)
            await self._script(args=[" ".join([f"{channel_of(topic)} {version}" for topic, version in told.items()])])
            return
        async with teller.pipeline(transaction=False) as line:
            for topic, version in told.items():
                line.spublish(channel_of(topic), str(version))
            await line.execute()


def _nobody(_topic: str, _version: int | None) -> None:
    """Nobody listens yet."""
