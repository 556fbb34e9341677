"""Answers without an end: server-sent events, and JSON line by line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import aclosing, closing
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from litestar.params import HeaderParameter, QueryParameter
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta, Struct

from projections.redact import SeenEntry
from service.handling.read_view import SeenGame
from service.handling.streaming import End
from service.http.entries import Moment, moment, shown
from service.http.limits import Gate
from service.http.problems import Problem
from service.store.news import WORDS, News

logger = logging.getLogger("service.http")

JSON: Final = "application/json"
SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
JSONL: Final = "application/jsonl"

BODILESS: Final = "gusher.bodiless"
"""In the scope of a HEAD request: there is nothing to stream."""

_RETRY: Final = b"retry: 1000\n\n"
_encode = msgspec.json.Encoder().encode

T = TypeVar("T")


Follow = Annotated[
    bool,
    QueryParameter(
        description="Go on, line by line: NDJSON, unless `Accept` asks for server-sent events, which always go on."
    ),
]
LastEvent = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        required=False,
        pattern=r"^(?:0|[1-9][0-9]{0,14})(?![\s\S])",
        max_length=15,
        description="Of a stream: the last `id` that the client has. It goes before `after`; no state is sent again.",
    ),
]


class NewsShown(Struct, frozen=True):
    """An entry of a game that concerns the caller. `seats` are the caller's own that are asked something new."""

    position: Annotated[int, Meta(description="Its place in the feed.")]
    game: str
    seq: Annotated[int, Meta(description="The entry of the game's log.")]
    at: Moment
    what: Annotated[tuple[str, ...], Meta(description=f"One or more of {', '.join(WORDS)}.")]
    seats: tuple[int, ...]


def news_shown(news: News) -> NewsShown:
    """News as they are told over HTTP."""
    return NewsShown(news.pos, news.game, news.seq, moment(news.at), news.what, news.seats)


def kind_wanted(request: Request[Any, Any, Any], *, follow: bool) -> str:
    """In which form the answer is wanted: a page where nothing else is asked for. Raises `Problem` (406)."""
    offered = [NDJSON, JSONL, SSE] if follow else [JSON, NDJSON, JSONL, SSE]
    kind = request.accept.best_match(offered)
    if kind is None:
        raise Problem("not_acceptable", f"This comes as {', '.join(offered)}.")
    return kind


class ServerSentEvents:
    """`id` is where to go on from: an entry's seq, the version of a view, the position of news."""

    name = "sse"

    def entry(self, entry: SeenEntry) -> bytes:
        return _event("entry", shown(entry), entry.seq)

    def view(self, seen: SeenGame) -> bytes:
        return _event("view", seen.view, seen.version)

    def news(self, news: News) -> bytes:
        return _event("news", news_shown(news), news.pos)

    def beat(self) -> bytes:
        return b":\n\n"

    def end(self, end: End) -> bytes:
        return _event("end", end, None)


class Lines:
    """Entries and news are lines as they are; everything else is an object of one member that says what it is."""

    name = "lines"

    def entry(self, entry: SeenEntry) -> bytes:
        return _encode(shown(entry)) + b"\n"

    def view(self, seen: SeenGame) -> bytes:
        return _encode({"view": seen.view}) + b"\n"

    def news(self, news: News) -> bytes:
        return _encode(news_shown(news)) + b"\n"

    def beat(self) -> bytes:
        return b"\n"

    def end(self, end: End) -> bytes:
        return _encode({"end": end}) + b"\n"


FORMS: Final[dict[str, ServerSentEvents | Lines]] = {SSE: ServerSentEvents(), NDJSON: Lines(), JSONL: Lines()}


class Streaming(Response[Any]):
    """A response that goes on. It holds one of the caller's streams from before its first byte until it has ended,
    however it ends; a reader that does not read for `patience` seconds is cut off, and goes on from the last `id` it
    got.
    """

    def __init__(
        self, gate: Gate, pieces: Callable[[], AsyncGenerator[bytes]], *, media_type: str, patience: float
    ) -> None:
        super().__init__(b"", media_type=media_type)
        self._gate, self._pieces, self._patience = gate, pieces, patience

    def to_asgi_response(self, app: Any, request: Request[Any, Any, Any], **_: Any) -> ASGIApp:  # type: ignore[override] # noqa: ARG002
        """The application that streams. Nothing has been taken yet, so nothing is lost if it is never called."""

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            async with self._gate.stream(request):
                await send({"type": "http.response.start", "status": 200, "headers": self._start()})
                if BODILESS not in scope:
                    pace = Pace(self._patience)
                    await while_there(receive, self._pump(send, pace), pace.lost())
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        return stream

    def _start(self) -> list[tuple[bytes, bytes]]:
        return [
            (b"content-type", str(self.media_type).encode()),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization, Accept"),
            (b"x-accel-buffering", b"no"),
        ]

    async def _pump(self, send: Send, pace: Pace) -> None:
        first = _RETRY if self.media_type == SSE else b"\n"
        try:
            await pace.sent(send, first)
            async with aclosing(self._pieces()) as pieces:
                async for piece in pieces:
                    if piece:
                        await pace.sent(send, piece)
        except Exception:
            logger.exception("a stream broke off")


class Pace:
    """How long a reader has been taking what it was sent last. Looked at seldom, so that sending costs no timer."""

    def __init__(self, patience: float) -> None:
        self._patience, self._clock = patience, asyncio.get_running_loop().time
        self._since: float | None = None

    async def sent(self, send: Send, piece: bytes) -> None:
        """Send, and return once the connection has taken it."""
        self._since = self._clock()
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        self._since = None

    async def lost(self) -> None:
        """Return once the reader has not read for too long."""
        left = self._patience
        while left > 0:
            await asyncio.sleep(left)
            left = self._left()
        logger.info("a stream was closed: its reader does not read")

    def _left(self) -> float:
        return self._patience if self._since is None else self._since + self._patience - self._clock()


async def held(request: Request[Any, Any, Any], waiting: Coroutine[Any, Any, None]) -> None:
    """Wait for as long as the client does. It holds one of the caller's streams meanwhile."""
    gate: Gate = request.app.state.gate
    with closing(waiting):
        async with gate.stream(request):
            await while_there(request.receive, waiting)


async def while_there(receive: Receive, work: Awaitable[T], *ends: Awaitable[None]) -> T | None:
    """Do it while the client is there, and none of the other ends has come; None where one was first."""
    working = asyncio.ensure_future(work)
    leaving = [asyncio.ensure_future(one) for one in (_gone(receive), *ends)]
    try:
        await asyncio.wait({working, *leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for one in (working, *leaving):
            one.cancel()
        await asyncio.gather(working, *leaving, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: object, at: int | None) -> bytes:
    """JSON has no line breaks, so that one line of data is enough."""
    place = b"" if at is None else b"id: %d\n" % at
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), place, _encode(data))
