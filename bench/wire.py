"""A small HTTP/1.1 client: keep-alive connections that each have one request under way, timed one by one.

It is as thin as it can be, because it runs on the very cores that it measures, and it is the same for the service and
for what the service is compared with.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Final, cast

from msgspec import Struct

_END_OF_HEAD: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"


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
    """One connection: it sends the requests it is given, each when the answer to the one before is there."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._left: Iterator[bytes] = iter(())
        self._answers: list[Answer] = []
        self._done: asyncio.Future[list[Answer]] | None = None
        self._received = b""
        self._sent_at = 0.0

    def ask(self, requests: Sequence[bytes]) -> asyncio.Future[list[Answer]]:
        """The answers to these requests, in order."""
        self._left, self._answers = iter(requests), []
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
        self._received = self._received + data if self._received else data
        head = self._received.find(_END_OF_HEAD)
        if head < 0:
            return
        length = _length_of(self._received[:head])
        if length is None:
            self._fail("an answer without Content-Length")
            return
        whole = head + len(_END_OF_HEAD) + length
        if len(self._received) < whole:
            return
        status, body = int(self._received[9:12]), self._received[head + len(_END_OF_HEAD) : whole]
        self._answers.append(Answer(status, body, time.perf_counter() - self._sent_at))
        self._received = b""
        self._next()

    def _next(self) -> None:
        wanted = next(self._left, None)
        if wanted is None:
            if self._done is not None and not self._done.done():
                self._done.set_result(self._answers)
            return
        if self._transport is None or not self.open:
            self._fail("the connection is closed")
            return
        self._sent_at = time.perf_counter()
        self._transport.write(wanted)

    def _fail(self, why: str) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(BrokenTalk(why))


def _length_of(head: bytes) -> int | None:
    lowered = head.lower()
    found = lowered.find(_LENGTH)
    if found < 0:
        return 0 if lowered[9:12] in (b"204", b"304") else None
    line = lowered[found + len(_LENGTH) :]
    return int(line.partition(b"\r\n")[0])


class Burst(Struct, frozen=True):
    """A batch of requests done: the answers in the order of the requests, the seconds it took from first to last, and
    the seconds of a core that this client itself was busy.
    """

    answers: list[Answer]
    seconds: float
    busy: float


class Line:
    """Some connections to one server. Requests are shared out among them; each has one under way at a time."""

    def __init__(self, port: int, size: int) -> None:
        self._port = port
        self._connections = [Connection() for _ in range(size)]

    def __len__(self) -> int:
        return len(self._connections)

    async def ask(self, requests: Sequence[bytes], by: Sequence[int] | None = None) -> Burst:
        """Send all of them. `by` says for each request which connection takes it (modulo their number)."""
        await self._reconnect()
        size = len(self._connections)
        places = range(len(requests)) if by is None else by
        shares: list[list[int]] = [[] for _ in range(size)]
        for index, place in enumerate(places):
            shares[place % size].append(index)
        began, busy = time.perf_counter(), time.process_time()
        found = await asyncio.gather(
            *(
                connection.ask([requests[index] for index in share])
                for connection, share in zip(self._connections, shares, strict=True)
            )
        )
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        answers: dict[int, Answer] = {}
        for share, ours in zip(shares, found, strict=True):
            answers.update(zip(share, ours, strict=True))
        return Burst([answers[index] for index in range(len(requests))], seconds, busy)

    async def one(self, wanted: bytes) -> Answer:
        """The answer to a single request."""
        return (await self.ask([wanted])).answers[0]

    def close(self) -> None:
        """Hang up."""
        for connection in self._connections:
            connection.close()

    async def _reconnect(self) -> None:
        loop = asyncio.get_running_loop()
        for place, connection in enumerate(self._connections):
            if not connection.open:
                _, self._connections[place] = await loop.create_connection(Connection, "127.0.0.1", self._port)
