"""A small HTTP/1.1 client: keep-alive connections that each have one request under way, timed one by one.

It is as thin as it can be, because it runs on the very cores that it measures, and it is the same for the service and
for what the service is compared with: requests are ready bytes before the clock starts, answers stay bytes until it has
stopped.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Final, cast

from msgspec import Struct

_END_OF_HEAD: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length: "
RESTED: Final = 3.0
"""Seconds after which a connection is made anew."""


class BrokenTalk(Exception):
    """The server closed the connection, or said something that this client does not understand."""


class Answer(Struct, frozen=True):
    """One answer: its status, its body, and the seconds from sending the request to having it whole."""

    status: int
    body: bytes
    seconds: float


def request(method: str, path: str, *, token: str | None = None, key: str | None = None, body: bytes = b"") -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1"]
    if token is not None:
        lines.append(f"authorization: Bearer {token}")
    if key is not None:
        lines.append(f"idempotency-key: {key}")
    if body:
        lines.append("content-type: application/json")
    if method != "GET":
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode() + _END_OF_HEAD + body


class Connection(asyncio.Protocol):
    """One connection: it takes a request whenever the answer to the one before is there."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._left: Iterator[tuple[int, bytes]] = iter(())
        self._answers: list[Answer] = []
        self._done: asyncio.Future[None] | None = None
        self._received = b""
        self._place = 0
        self._sent_at = 0.0

    def ask(self, left: Iterator[tuple[int, bytes]], answers: list[Answer]) -> asyncio.Future[None]:
        """Take requests, which others take too, until none are left; each answer goes to its request's place."""
        self._left, self._answers = left, answers
        self._done = asyncio.get_running_loop().create_future()
        self._next()
        return self._done

    @property
    def open(self) -> bool:
        """Whether a request can be sent: servers hang up on who says nothing for a while."""
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"the connection is gone: {exc}")

    def data_received(self, data: bytes) -> None:
        if self._received:
            data = self._received + data
        head = data.find(_END_OF_HEAD)
        if head < 0:
            self._received = data
            return
        start = head + len(_END_OF_HEAD)
        end = start + _length_of(data, head)
        if len(data) < end:
            self._received = data
            return
        self._received = b""
        taken = time.perf_counter() - self._sent_at
        self._answers[self._place] = Answer(int(data[9:12]), data[start:end], taken)
        self._next()

    def _next(self) -> None:
        wanted = next(self._left, None)
        if wanted is None:
            if self._done is not None and not self._done.done():
                self._done.set_result(None)
            return
        if self._transport is None or not self.open:
            self._fail("the connection is closed")
            return
        self._place, request = wanted
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def _fail(self, why: str) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(BrokenTalk(why))


def _length_of(data: bytes, head: int) -> int:
    found = data.find(_LENGTH, 0, head)
    if found < 0:
        # Both servers are of one make and say it in small letters; what has no length has no body.
        return 0
    start = found + len(_LENGTH)
    return int(data[start : data.find(b"\r", start)])


_NONE: Final = Answer(0, b"", 0.0)


class Burst(Struct, frozen=True):
    """A batch of requests done: the answers in the order of the requests, the seconds it took from first to last, and
    the seconds of a core that this client itself was busy.
    """

    answers: list[Answer]
    seconds: float
    busy: float


class Line:
    """Some connections to one server. They take requests from one queue; each has one under way at a time."""

    def __init__(self, port: int, size: int) -> None:
        self._port = port
        self._connections = [Connection() for _ in range(size)]
        self._used = 0.0

    async def ask(self, requests: Sequence[bytes]) -> Burst:
        """Send all of them."""
        await self._reconnect()
        left, answers = iter(list(enumerate(requests))), [_NONE] * len(requests)
        began, busy = time.perf_counter(), time.process_time()
        await asyncio.gather(*(connection.ask(left, answers) for connection in self._connections))
        self._used = time.monotonic()
        return Burst(answers, time.perf_counter() - began, time.process_time() - busy)

    async def one(self, wanted: bytes) -> Answer:
        """The answer to a single request."""
        return (await self.ask([wanted])).answers[0]

    def close(self) -> None:
        """Hang up."""
        for connection in self._connections:
            connection.close()

    async def _reconnect(self) -> None:
        """Servers hang up on who says nothing for ten seconds; nobody waits until they are just about to."""
        loop = asyncio.get_running_loop()
        rested = time.monotonic() - self._used
        for place, connection in enumerate(self._connections):
            if rested > RESTED or not connection.open:
                connection.close()
                _, self._connections[place] = await loop.create_connection(Connection, "127.0.0.1", self._port)
