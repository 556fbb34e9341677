"""Answers whose headers and body are bytes already, for who answers through the framework and who answers beside it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Litestar, Request, Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send
from msgspec import Struct

Headers = list[tuple[bytes, bytes]]

JSON: Final = b"application/json"

encode: Final = msgspec.json.Encoder().encode
_NO_STORE: Final = (b"cache-control", b"no-store")
_ITS_READER: Final = (b"cache-control", b"private, no-cache")
_BY_TOKEN: Final = (b"vary", b"Authorization")


class Answer(Struct, frozen=True):
    """A whole answer. `headers` are its own; what every answer carries is put to them by `send`'s caller."""

    status: int
    headers: Headers
    body: bytes

    async def send(self, send: Send, more: Headers) -> None:
        """Both messages, with more headers."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers + more})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def answer(
    body: bytes,
    *,
    status: int = 200,
    etag: str | None = None,
    headers: dict[str, str] | None = None,
    kind: bytes = JSON,
    kept: bool = True,
) -> Answer:
    """A body, whole. With a version it may be kept, but by its reader alone: another token may see more, or less."""
    found = _headers(etag, headers, kept=kept)
    found += [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    return Answer(status, found, body)


def unchanged_answer(etag: str, headers: dict[str, str] | None = None) -> Answer:
    """304: the caller has this version."""
    return Answer(HTTPStatus.NOT_MODIFIED, _headers(etag, headers), b"")


def _headers(etag: str | None, more: dict[str, str] | None, *, kept: bool = True) -> Headers:
    """What is said of keeping the answer, unless `more` says it otherwise."""
    if etag is None:
        found = [_NO_STORE]
    else:
        found = [_ITS_READER if kept else _NO_STORE, _BY_TOKEN, (b"etag", b'"%b"' % etag.encode())]
    if more:
        said = ((name.encode("latin-1"), value.encode("latin-1")) for name, value in more.items())
        return list((dict(found) | dict(said)).items())
    return found


class Ready(Response[Any]):
    """An answer on its way through the framework, without what that would merge, look up and encode for each one."""

    def __init__(self, ready: Answer) -> None:
        super().__init__(ready.body, status_code=ready.status)
        self._ready = ready

    def to_asgi_response(
        self,
        app: Litestar | None,  # noqa: ARG002 - as the framework calls it
        request: Request[Any, Any, Any],  # noqa: ARG002 - likewise
        **_: Any,
    ) -> ASGIResponse:
        """The answer as bytes."""
        return _Sent(self._ready)


class _Sent(ASGIResponse):
    def __init__(self, ready: Answer) -> None:  # the framework's own would make everything anew
        self._ready = ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI
        await self._ready.send(send, [])
