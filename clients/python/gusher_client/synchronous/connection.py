"""Made of `asynchronous/connection.py` by `tools/unasync.py`, without `await`."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from itertools import count
from typing import TypeVar

import httpx

from gusher_client import wire
from gusher_client.model import Entry, News, View
from gusher_client.problems import Unreachable
from gusher_client.version import AGENT
from gusher_client.wire import Beat, Call, End, Events, Known, Retry

T = TypeVar("T")


class Connection:
    """What the client and its tables ask through: one caller of one service."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retry: Retry | None = None,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"user-agent": AGENT} | ({} if token is None else {"authorization": f"Bearer {token}"})
        self.url, self.token, self.timeout = url, token, timeout
        self.retry = retry or Retry()
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def read(self, call: Call, kind: type[T]) -> T:
        """The answer as a type. Raises `Problem` and `Unreachable`."""
        return wire.read(self.send(call), kind)

    def read_since(self, call: Call, known: Known[T] | None, kind: type[T]) -> Known[T]:
        """The answer with its version; `known` itself where it is still that. Raises `Problem` and `Unreachable`."""
        response = self.send(call if known is None else wire.unless(call, known.etag))
        if response.status_code == wire.NOT_MODIFIED and known is not None:
            return known
        return Known(wire.read(response, kind), wire.etag_of(response))

    def content(self, call: Call) -> bytes:
        """The answer as it is. Raises `Problem` and `Unreachable`."""
        response = self.send(call)
        if response.is_error:
            raise wire.failure(response)
        return response.content

    def send(self, call: Call) -> httpx.Response:
        """The answer, whatever it says, after as many sendings as it takes. Raises `Unreachable`."""
        for sending in count():
            outcome = self._sent(call)
            pause = self.retry.wait(call, sending, outcome)
            if pause is not None:
                time.sleep(pause)
            elif isinstance(outcome, httpx.TransportError):
                raise Unreachable(f"{call.method} {self.url}{call.path}: {outcome!r}") from outcome
            else:
                return outcome
        raise AssertionError

    def _sent(self, call: Call) -> httpx.Response | httpx.TransportError:
        try:
            return self._http.send(self._request(call))
        except httpx.TransportError as error:
            return error

    def _request(self, call: Call) -> httpx.Request:
        return self._http.build_request(
            call.method, call.path, params=call.query, headers=call.headers, content=call.content
        )

    # ---- streams

    def followed(self, path: str, query: wire.Query, after: int | None) -> Generator[Entry | News | View, None, None]:
        """What a stream tells, over as many connections as it takes. One that has lived is given up only when as many
        in a row as the caller is patient for have brought nothing, not even a beat. Raises `Problem` and `Unreachable`.
        """
        position, lost = after, 0
        while True:
            call = wire.get(path, wire.goes_on(query, position), accept=wire.STREAM)
            last: wire.Told = httpx.ReadError("the stream broke off")
            with closing(self._stream(call)) as told:
                for last in told:
                    if isinstance(last, Beat):
                        lost = 0
                    elif isinstance(last, Entry | News | View):
                        position, lost = wire.place_of(last), 0
                        yield last
                    else:
                        break
            if isinstance(last, End) and last.reason == wire.FINISHED:
                return
            lost = self._lost(call, lost, last)

    def _stream(self, call: Call) -> Generator[wire.Told, None, None]:
        """One connection: what it tells, and then why there is no more of it."""
        try:
            response = self._http.send(self._request(call), stream=True)
            with closing(response):
                if response.status_code == wire.NO_CONTENT:
                    yield End(wire.FINISHED)
                elif response.is_error:
                    response.read()
                    yield response
                else:
                    events = Events()
                    for piece in response.iter_bytes():
                        yield from events.take(piece)
        except httpx.TransportError as error:
            yield error

    def _lost(self, call: Call, lost: int, last: wire.Told) -> int:
        """Wait before the stream is opened again; how often it was lost in a row."""
        outcome = last if isinstance(last, httpx.Response | httpx.TransportError) else httpx.ReadError(repr(last))
        pause = self.retry.wait(call, lost, outcome)
        if pause is None:
            if isinstance(outcome, httpx.Response):
                raise wire.failure(outcome)
            raise Unreachable(f"{self.url}{call.path}: {outcome!r}") from outcome
        time.sleep(pause)
        return lost + 1
