"""Listening for wake-ups: a connection to one Redis, or to each node of a cluster that a watched topic lies on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.client import PubSub
from redis.exceptions import RedisClusterException

from service.store.shared import AWAY, Client, Shared

logger = logging.getLogger(__name__)

PATIENCE: Final = 5.0
"""Seconds for a look at who serves what."""

PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 15.0

_PREFIX, _SUFFIX = "{", "}:moves"
_ALONE: Final = ""
"""The name of the only ear where there is no cluster."""

Woken = Callable[[str, int | None], None]
"""Called with a topic and how far it has come, None where that is not known. Must return at once and never raise."""


class Ear:
    """Hears one server. A connection that breaks is made anew; what was told in between is lost, so that everything
    that is subscribed, then or for the first time, is woken once.
    """

    def __init__(self, server: Redis, woken: Woken, lost: Callable[[], None], *, together: bool) -> None:
        self._server, self._woken, self._lost = server, woken, lost
        self._together = together
        self._changed = asyncio.Event()
        self._hearing: asyncio.Task[None] | None = None
        self.topics: set[str] = set()
        self.connected = False

    def watch(self, topic: str) -> None:
        """Hear of this topic too."""
        self.topics.add(topic)
        self._changed.set()
        if self._hearing is None:
            self._hearing = asyncio.create_task(self._hear(), name="wake-ups: hear")

    def unwatch(self, topic: str) -> None:
        """Hear of it no more."""
        self.topics.discard(topic)
        self._changed.set()

    async def close(self) -> None:
        """Hear nothing."""
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.gather(self._hearing, return_exceptions=True)
        await self._server.aclose()

    async def _hear(self) -> None:
        pause = PAUSE
        while True:
            try:
                async with self._server.pubsub() as line:
                    await self._follow(line)
            except AWAY as error:
                logger.warning("wake-ups are not heard for a while: %s", type(error).__name__)
            except Exception:
                # Whatever it is, a worker that stayed deaf and did not know it would poll slowly for ever.
                logger.exception("wake-ups are not heard for a while")
            pause = PAUSE if self.connected else min(2 * pause, LONGEST_PAUSE)
            self.connected = False
            self._lost()
            await asyncio.sleep(pause)

    async def _follow(self, line: PubSub) -> None:
        """Hear until the connection breaks."""
        heard: set[str] = set()
        reading: asyncio.Task[Any] | None = None
        try:
            while True:
                self._changed.clear()
                await self._subscribe(line, heard)
                self.connected = True
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

    async def _subscribe(self, line: PubSub, heard: set[str]) -> None:
        new, gone = self.topics - heard, heard - self.topics
        if new:
            await self._each(line.ssubscribe, new)
        if gone:
            await self._each(line.sunsubscribe, gone)
        heard |= new
        heard -= gone

    async def _each(self, say: Callable[..., Any], topics: set[str]) -> None:
        """In one command, or one for each: those of a command must lie in one slot of a cluster."""
        channels = [channel_of(topic) for topic in sorted(topics)]
        if self._together:
            await say(*channels)
        else:
            for channel in channels:
                await say(channel)

    def _take(self, message: Any) -> None:  # noqa: ANN401 - whatever Redis says
        if message is None or message["type"] not in ("smessage", "ssubscribe", "sunsubscribe"):
            return
        topic = message["channel"].decode()[len(_PREFIX) : -len(_SUFFIX)]
        if message["type"] == "sunsubscribe":
            if topic in self.topics:
                # The server says by itself that the topic lies elsewhere now.
                self._lost()
            return
        told = message["data"] if message["type"] == "smessage" else b""
        self._woken(topic, int(told) if isinstance(told, bytes) and told.isdigit() else None)


class Ears:
    """Hears every topic where it lies: from one server, or from the nodes of a cluster, also when they change."""

    def __init__(self, shared: Shared, woken: Woken) -> None:
        self._shared, self._woken = shared, woken
        self._client: Client | None = None
        self._ears: dict[str, Ear] = {}
        self._wanted: set[str] = set()
        self._placed: dict[str, str] = {}
        self._arranging: asyncio.Task[None] | None = None

    @property
    def hear(self) -> bool:
        """Whether something was watched, and all of it is heard, as far as is known."""
        return bool(self._ears) and self._settled

    def watch(self, topic: str) -> None:
        """Hear of this topic too."""
        self._wanted.add(topic)
        self._put(topic)
        if topic not in self._placed:
            self._arrange_later()

    def unwatch(self, topic: str) -> None:
        """Hear of it no more."""
        self._wanted.discard(topic)
        self._take_away(topic)

    async def close(self) -> None:
        """Hear nothing."""
        if self._arranging is not None:
            self._arranging.cancel()
            await asyncio.gather(self._arranging, return_exceptions=True)
        for ear in self._ears.values():
            await ear.close()
        await self._shared.close()

    @property
    def _settled(self) -> bool:
        return len(self._placed) == len(self._wanted) and all(ear.connected for ear in self._ears.values())

    def _put(self, topic: str) -> None:
        """To the ear at the node that it lies on, as far as is known; to none where nobody serves it."""
        name = self._name_of(topic)
        if name == self._placed.get(topic):
            return
        self._take_away(topic)
        if name is not None:
            self._placed[topic] = name
            self._ear(name).watch(topic)

    def _take_away(self, topic: str) -> None:
        name = self._placed.pop(topic, None)
        if name is not None:
            self._ears[name].unwatch(topic)

    def _name_of(self, topic: str) -> str | None:
        if not isinstance(self._client, RedisCluster):
            return None if self._client is None else _ALONE
        try:
            node = self._client.get_node_from_key(channel_of(topic))
        except RedisClusterException:
            return None
        return None if node is None else str(node.name)

    def _ear(self, name: str) -> Ear:
        if name not in self._ears:
            alone = name == _ALONE
            server = self._shared.node(None if alone else name)
            self._ears[name] = Ear(server, self._woken, self._lost, together=alone)
        return self._ears[name]

    def _lost(self) -> None:
        """A node is gone, or no longer has what it had. An only server is waited for by its ear."""
        if isinstance(self._client, RedisCluster):
            self._arrange_later()

    def _arrange_later(self) -> None:
        if self._arranging is None or self._arranging.done():
            self._arranging = asyncio.create_task(self._arrange(), name="wake-ups: arrange")

    async def _arrange(self) -> None:
        """Every topic is heard where it lies; until then, look again and again."""
        pause = PAUSE
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._look()
            except AWAY as error:
                logger.warning("wake-ups are not heard for a while: %s", type(error).__name__)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                pause = PAUSE
            for topic in self._wanted:
                self._put(topic)
            await self._leave_the_idle()
            if self._settled or isinstance(self._client, Redis):
                return
            await asyncio.sleep(pause)

    async def _look(self) -> None:
        """Who serves what."""
        self._shared.doubt()
        self._client = await self._shared.client()
        if isinstance(self._client, Redis):
            # It was asked what it is; the ear has a connection of its own.
            await self._client.aclose()

    async def _leave_the_idle(self) -> None:
        for name, ear in list(self._ears.items()):
            if not ear.topics and name != _ALONE:
                del self._ears[name]
                await ear.close()


async def _read(line: PubSub) -> Any:  # noqa: ANN401 - whatever Redis says
    return await line.get_message(timeout=None)


def channel_of(topic: str) -> str:
    """The channel of a topic: in a cluster it is where the topic's keys are."""
    return f"{_PREFIX}{topic}{_SUFFIX}"
