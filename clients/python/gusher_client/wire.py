"""What both clients do without waiting for anything: requests as values, what may be sent again, lines of a stream."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID, uuid4

import httpx
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gusher_client.model import Entry, News, View
from gusher_client.problems import Problem, problem_of

T = TypeVar("T")
Method = Literal["GET", "POST", "DELETE"]
Query = Mapping[str, str | int | bool | None]

STREAM = "text/event-stream"
FINISHED = "finished"
NOT_MODIFIED = 304
NO_CONTENT = 204

_SENT_AGAIN = frozenset({429, 500, 502, 503, 504})
_NOT_DONE = frozenset({429})
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Call(Struct, frozen=True, kw_only=True):
    """One request, however often it is sent. `once` says that sending it twice does it once."""

    method: Method
    path: str
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    content: bytes | None = None
    once: bool


class Retry(Struct, frozen=True):
    """How patient a client is: so many sendings at most, between them `first` seconds, doubled each time up to `most`.

    Where the service names a time itself (`Retry-After`), that is kept to, unless it is longer than `patience`.
    """

    sendings: int = 6
    first: float = 0.2
    most: float = 10.0
    patience: float = 60.0

    def wait(self, call: Call, sending: int, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Seconds until it is sent again; None where it is not.

        What has no key is repeated only where it cannot have been done.
        """
        if sending + 1 >= self.sendings:
            return None
        if isinstance(outcome, httpx.TransportError):
            return self.pause(sending) if call.once or isinstance(outcome, _NEVER_SENT) else None
        if outcome.status_code not in (_SENT_AGAIN if call.once else _NOT_DONE):
            return None
        asked = outcome.headers.get("retry-after", "")
        if not asked.isdecimal():
            return self.pause(sending)
        return float(asked) if float(asked) <= self.patience else None

    def pause(self, sending: int) -> float:
        """A random part of a growing time, so that many clients do not come back all at once."""
        longest: float = min(self.most, self.first * 2.0**sending)
        return random.uniform(longest / 2, longest)


class Known(Struct, Generic[T], frozen=True):
    """Something with the version that it was read at: give it back as `known`, and only what is new is sent."""

    value: T
    etag: str


def get(path: str, query: Query | None = None, *, accept: str | None = None) -> Call:
    """A request that reads."""
    headers = {} if accept is None else {"accept": accept}
    return Call(method="GET", path=path, query=plain(query), headers=headers, once=True)


def unless(call: Call, etag: str) -> Call:
    """The same request, to be answered only where the version is another one."""
    return replace(call, headers={**call.headers, "if-none-match": quoted(etag)})


def goes_on(query: Query, position: int | None) -> Query:
    """The query of a stream, from the place that was reached: there the state has been sent already."""
    state = query.get("state") if position is None else None
    return {**query, "state": state, "after": position}


def place_of(told: Entry | News | View) -> int:
    """Where a stream goes on after this."""
    if isinstance(told, News):
        return told.position
    return told.seq if isinstance(told, Entry) else told.version


def command(
    path: str,
    body: Mapping[str, Any] | None = None,
    *,
    method: Method = "POST",
    query: Query | None = None,
    key: UUID | None = None,
    if_match: str | None = None,
) -> Call:
    """A request that does something, once for its key."""
    headers = {"idempotency-key": str(key or uuid4())}
    if if_match is not None:
        headers["if-match"] = quoted(if_match)
    content = None
    if body is not None:
        content, headers["content-type"] = msgspec.json.encode(body), "application/json"
    return Call(method=method, path=path, query=plain(query), headers=headers, content=content, once=True)


def unkeyed(path: str, body: Mapping[str, Any], *, once: bool = False, query: Query | None = None) -> Call:
    """A request with a body but without a key: making accounts and tokens, and asking whether something may be done."""
    return Call(
        method="POST",
        path=path,
        query=plain(query),
        headers={"content-type": "application/json"},
        content=msgspec.json.encode(body),
        once=once,
    )


def plain(query: Query | None) -> dict[str, str]:
    """Query parameters as they are written; what is None is left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in (query or {}).items()
        if value is not None
    }


def given(**members: Any) -> dict[str, Any]:
    """The members of a body that are given."""
    return {name: value for name, value in members.items() if value is not None}


def read(response: httpx.Response, kind: type[T]) -> T:
    """The answer as a type. Raises `Problem`."""
    if response.is_error:
        raise failure(response)
    return msgspec.json.decode(response.content, type=kind)


def failure(response: httpx.Response) -> Problem:
    """The exception for an answer that is one."""
    return problem_of(response.status_code, response.content)


def etag_of(response: httpx.Response) -> str:
    """The version's name, without its quotes."""
    etag: str = response.headers.get("etag", "")
    return etag.strip('"')


def quoted(etag: str) -> str:
    """The version's name as a header has it."""
    return etag if etag == "*" or etag.startswith('"') else f'"{etag}"'


class End(Struct, frozen=True):
    """The last word of a stream: why it ends, and what was sent last. Only after `finished` nothing more will come."""

    reason: str
    last: int | None = None


class Beat(Struct, frozen=True):
    """The service is there, and has nothing to tell."""


Told = Entry | News | View | Beat | End | httpx.Response | httpx.TransportError
"""What comes of a stream: entries, news, the state and beats, and then one of the others."""


_EVENTS: Mapping[bytes, msgspec.json.Decoder[Entry | News | View | End]] = {
    b"entry": msgspec.json.Decoder(Entry),
    b"news": msgspec.json.Decoder(News),
    b"view": msgspec.json.Decoder(View),
    b"end": msgspec.json.Decoder(End),
}


class Events:
    """Server-sent events, piece by piece: entries, news, the state, the end. A comment is a beat. Other events are
    passed over.

    Lines are split at line feeds only: what Python takes for line breaks besides may stand inside of JSON.
    """

    def __init__(self) -> None:
        self._rest, self._event, self._data = b"", b"", b""

    def take(self, piece: bytes) -> Iterator[Entry | News | View | Beat | End]:
        """What is complete with this piece."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            yield from self._line(line.removesuffix(b"\r"))

    def _line(self, line: bytes) -> Iterator[Entry | News | View | Beat | End]:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            self._event = value
        elif name == b"data":
            self._data += value
        elif line.startswith(b":"):
            yield Beat()
        elif not line:
            event, data = self._event, self._data
            self._event, self._data = b"", b""
            if event in _EVENTS:
                yield _EVENTS[event].decode(data)
