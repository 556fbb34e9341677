"""The addresses that a match lives on, answered without the framework: see the state, ask what may be done, do it.

The lane takes what it knows: one of these addresses with an ordinary request. Anything unusual about the address, the
method, the query, a header or the body's kind is left to the framework's route, before anything was done. What is taken
passes the same gate, goes to the same use case, and is answered by the same functions as in `play`, refusals included;
so an answer never shows which way it came. Why this is worth it: docs/decisions/0028-the-lane.md.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from litestar.datastructures import State
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from service.auth.caller import Caller
from service.handling.act import AS_IN_THE_LOG
from service.handling.check_command import check_command
from service.handling.desk import Desk
from service.handling.read_options import find_chooser
from service.handling.read_view import look_at
from service.handling.submit_command import submit_command
from service.http import play
from service.http.answers import Answer
from service.http.done import done_answer
from service.http.identity import Visit
from service.http.limits import admit, around
from service.http.problems import problem_answer
from service.http.shapes import ETAG_LENGTH, ONE_ETAG
from service.http.strict import MAX_BODY, decode, one_version, read_body

_PATH: Final = re.compile(rf"/v1/games/({AS_IN_THE_LOG})/([a-z:]+)\Z")
_KEY: Final = re.compile(rf"{AS_IN_THE_LOG}\Z")
_HOST: Final = re.compile(rb"[0-9A-Za-z.:\[\]-]+\Z")
_VERSION: Final = re.compile(ONE_ETAG)

Headers = Mapping[bytes, bytes]


class _Asked(Struct, frozen=True):
    """A request that was let in."""

    desk: Desk
    caller: Caller
    game: str
    headers: Headers
    receive: Receive

    async def command(self) -> dict[str, Any]:
        """The body. Raises `Problem`."""
        command: dict[str, Any] = decode(await read_body(self.receive), dict[str, Any])
        return command


async def _view(asked: _Asked) -> Answer:
    return play.view_answer(await look_at(asked.desk, asked.caller, asked.game), _text(asked.headers, b"if-none-match"))


async def _options(asked: _Asked) -> Answer:
    chooser = await find_chooser(asked.desk, asked.caller, asked.game)
    return play.options_answer(chooser, _text(asked.headers, b"if-none-match"))


async def _submit(asked: _Asked) -> Answer:
    key, version = asked.headers[b"idempotency-key"].decode(), one_version(_text(asked.headers, b"if-match"))
    command = await asked.command()
    return done_answer(await submit_command(asked.desk, asked.caller, asked.game, key, command, if_match=version))


async def _check(asked: _Asked) -> Answer:
    return play.check_answer(await check_command(asked.desk, asked.caller, asked.game, await asked.command()))


def _anything(_headers: Headers) -> bool:
    return True


def _with_body(headers: Headers) -> bool:
    """A body of plain JSON that is neither empty nor too large, as far as is said."""
    length = headers.get(b"content-length", b"")
    return (
        headers.get(b"content-type") == b"application/json"
        and b"content-encoding" not in headers
        and length.isdigit()
        and 0 < int(length[:6]) <= MAX_BODY
    )


def _with_key(headers: Headers) -> bool:
    """A body, a key, and a version that may be one."""
    key, version = headers.get(b"idempotency-key"), headers.get(b"if-match")
    return (
        _with_body(headers)
        and key is not None
        and _KEY.match(key.decode("latin-1")) is not None
        and (version is None or (len(version) <= ETAG_LENGTH and _VERSION.match(version.decode("latin-1")) is not None))
    )


class _Address(Struct, frozen=True):
    """What is done at an address, its route, and whether a request's headers are the ordinary ones."""

    work: Callable[[_Asked], Awaitable[Answer]]
    route: HTTPRouteHandler
    ordinary: Callable[[Headers], bool]


_ADDRESSES: Final = {
    ("GET", "view"): _Address(_view, play.get_view, _anything),
    ("GET", "options"): _Address(_options, play.get_options, _anything),
    ("POST", "commands"): _Address(_submit, play.submit_command, _with_key),
    ("POST", "commands:check"): _Address(_check, play.check_command, _with_body),
}


class Lane:
    """Answers beside the framework. `state` is the application's: who runs it puts the desk and the gate there."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def take(self, scope: Any, receive: Receive, send: Send) -> int | None:
        """Answer the request, and say with which status; None, and nothing was done, where the framework is to."""
        found = None if scope["query_string"] or scope.get("root_path") else _PATH.match(scope["path"])
        if found is None:
            return None
        game, name = found.groups()
        address = _ADDRESSES.get((scope["method"], name))
        pairs = scope["headers"]
        headers = dict(pairs)
        if (
            address is None
            or len(headers) != len(pairs)
            or not _HOST.match(headers.get(b"host", b""))
            or not address.ordinary(headers)
        ):
            return None
        scope["route_handler"] = address.route
        answer = await self._answer(address, scope, receive, game, headers)
        await answer.send(send, around(scope))
        return answer.status

    async def _answer(self, address: _Address, scope: Scope, receive: Receive, game: str, headers: Headers) -> Answer:
        try:
            desk: Desk = self._state["desk"]
            visit = Visit(
                scope,
                _text(headers, b"authorization"),
                _text(headers, b"x-forwarded-for") or "",
                game,
                address.route.opt,
            )
            caller = await admit(visit, desk, self._state["gate"])
            return await address.work(_Asked(desk, caller, game, headers, receive))
        except Exception as raised:  # noqa: BLE001 - whatever it is, the caller is told of it, as by the framework's handler
            return problem_answer(raised)


def _text(headers: Headers, name: bytes) -> str | None:
    """A header's value, if it was sent."""
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")
