"""The Redis that workers share, by its URL: one server, or a cluster of them.

Which of the two it is, is asked of it once, before the first command; `redis+cluster://` says so beforehand. A cluster
may be named by any of its nodes. Each key of ours has one part in braces, and lies where that says.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

Client = Redis | RedisCluster

AWAY: Final = (RedisError, RedisClusterException, OSError, TimeoutError, RuntimeError)
"""What is raised where Redis is not there, or is not well. `RuntimeError` is uvloop's word for a connection that closed
while something was written to it.
"""

LEISURE: Final = 2.0

CLUSTER_SCHEME: Final = "redis+cluster://"


class Shared:
    """A client for one purpose. Nothing is asked before it is needed, and what fails is not tried again by itself:
    whoever asks has a breaker. `options` are those of the connections.
    """

    def __init__(self, url: str, **options: Any) -> None:  # noqa: ANN401 - whatever the client takes
        self._known_as_cluster = url.startswith(CLUSTER_SCHEME)
        self._plain = url.replace(CLUSTER_SCHEME, "redis://", 1)
        self._options = options
        self._client: Client | None = None
        self._cluster: RedisCluster | None = None
        self._opening: asyncio.Task[Client] | None = None

    def is_opening(self) -> bool:
        """Whether it is being asked right now which kind it is; of a cluster that may take a tenth of a second."""
        return self._opening is not None and not self._opening.done()

    async def open(self) -> None:
        """Have it asked before the first question, if it answers in a while; later, if it does not."""
        with suppress(*AWAY):
            async with asyncio.timeout(LEISURE):
                await self.client()

    async def client(self) -> Client:
        """The client, once it is known of which kind. Raises what `AWAY` names.

        Who stops waiting does not stop the others, nor the question; whoever comes next is told how it went.
        """
        if self._client is not None:
            return self._client
        if self._opening is None:
            self._opening = asyncio.create_task(self._open(), name="Redis: one or many")
        opening = self._opening
        try:
            self._client = await asyncio.shield(opening)
        finally:
            if opening.done():
                self._opening = None
        return self._client

    def doubt(self) -> None:
        """Something went wrong. A cluster may have other primaries now: it is asked before the next question."""
        if isinstance(self._client, RedisCluster):
            self._cluster, self._client = self._client, None

    def node(self, name: str | None) -> Redis:
        """A client of its own for a node of the cluster, `host:port`; or for the only server."""
        parts = urlsplit(self._plain)
        login, at, _ = parts.netloc.rpartition("@")
        url = self._plain if name is None else urlunsplit(parts._replace(netloc=f"{login}{at}{name}"))
        return Redis.from_url(url, retry=_once(), **self._options)

    async def close(self) -> None:
        """No connection is left."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        client = self._client or self._cluster
        if client is not None:
            await client.aclose()

    async def _open(self) -> Client:
        if self._cluster is not None:
            await self._cluster.nodes_manager.initialize()
            return self._cluster
        if not self._known_as_cluster:
            single = self.node(None)
            try:
                clustered = (await single.info("cluster"))["cluster_enabled"]
            except BaseException:
                await single.aclose()
                raise
            if not clustered:
                return single
            await single.aclose()
        # Slots that nobody serves for a while are no reason to leave the others alone.
        cluster = RedisCluster.from_url(self._plain, retry=_once(), require_full_coverage=False, **self._options)
        try:
            await cluster.initialize()
        except BaseException:
            await cluster.aclose()
            raise
        return cluster


def _once() -> Retry:
    return Retry(NoBackoff(), 0)
