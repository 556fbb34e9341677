"""What a request may look like, before anybody asks what it means. Bodies are held to the profile of the log format."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Final, NoReturn, get_args

import msgspec
from litestar import Request
from litestar.datastructures import URL
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import Receive
from msgspec import ValidationError

from events import codec
from service.faults import Fault, body_fault, pointer
from service.http.problems import Problem, bad_parameter, malformed

MAX_BODY: Final = 64 * 1024

LONGEST_NAME: Final = 64
"""Of a member of a body."""

LONGEST_QUERY: Final = 2048
"""No operation is asked for more. What is longer is not looked at: the framework remembers what it has parsed."""

_JSON_TYPE = re.compile(r"application/(?:json|[a-z0-9.+-]+\+json)\Z")


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read strictly: the framework's own reading takes `"3"` for 3 and the last of two members
    with one name.
    """

    @property
    def url(self) -> URL:
        """The path alone. Nobody here asks for more, but the framework does on the way to saying what is wrong, and
        would break off at a `Host` that makes no address.
        """
        return URL.from_components(path=self.scope["path"])

    async def json(self) -> Any:
        """The body as the type that the route declares for it. Raises `Problem`."""
        self._require_plain_json()
        return decode(await self.body(), _body_type(self.route_handler))

    async def body(self) -> bytes:
        """The whole body. The framework's own reading is an asynchronous generator, dear for a small body."""
        if isinstance(self._body, bytes):
            return self._body
        if (self.content_length or 0) > MAX_BODY:
            raise RequestEntityTooLarge
        body = await read_body(self.receive)
        self._body = body
        return body

    def _require_plain_json(self) -> None:
        if self.headers.get("content-encoding", "identity") != "identity":
            raise Problem("unsupported_media_type", "Bodies are taken as they are, without Content-Encoding.")
        if not _JSON_TYPE.match(self.content_type[0].lower()):
            raise Problem("unsupported_media_type", "The body must be application/json.")
        if self.content_type[1].get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise Problem("unsupported_media_type", "JSON is written in UTF-8.")


async def read_body(receive: Receive) -> bytes:
    """The whole body. Raises `RequestEntityTooLarge`, and `Problem` (400) where the client has gone."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise malformed(Fault("body", "", "not sent to its end"))
        body += message["body"]
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise RequestEntityTooLarge
    return body


@cache
def _body_type(handler: HTTPRouteHandler) -> Any:
    return handler.parsed_fn_signature.parameters["data"].annotation


def decode(body: bytes, kind: Any) -> Any:
    """Bytes as a value of this type. Raises `Problem` (400) for anything that is not exactly it."""
    try:
        return msgspec.convert(read_json(body), kind)
    except ValidationError as error:
        raise malformed(body_fault(error)) from error


def read_json(body: bytes) -> Any:
    """Plain data inside the log format's profile. Raises `Problem` (400), also for two members with one name."""
    simple = codec.read_simple(body)
    if simple is not None:
        return simple
    try:
        value = _json.decode(body.decode())
        codec.check(value)
    except codec.OutsideProfile as error:
        raise malformed(Fault("body", pointer(error.where), _OUTSIDE[error.reason])) from error
    except RecursionError as error:
        raise malformed(Fault("body", "", "too deep")) from error
    except ValueError as error:
        raise malformed(Fault("body", "", f"not JSON: {_brief(error)}")) from error
    return value


_OUTSIDE: Final = {
    "float": "a float: numbers are whole here",
    "integer_too_large": "integer too large: they are within ±(2^53−1)",
    "lone_surrogate": "lone surrogate: half of a character",
    "member_name": "the name of a member is not of a-z, 0-9 and _",
    "too_deep": f"too deep: at most {codec.MAX_DEPTH} levels",
}
"""What the log format's profile does not admit in what was read as JSON."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if any(len(name) > LONGEST_NAME for name in members):
        message = f"a member's name is longer than {LONGEST_NAME} characters"
        raise ValueError(message)
    if len(members) < len(pairs):
        message = "two members of an object have the same name"
        raise ValueError(message)
    return members


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is no number of JSON"
    raise ValueError(message)


_json: Final = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_refuse_constant)


def _brief(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start}"
    return f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else str(error)[:100]


_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")

_ONCE: Final = {
    b"authorization": "Authorization",
    b"content-type": "Content-Type",
    b"idempotency-key": "Idempotency-Key",
    b"if-match": "If-Match",
    b"last-event-id": "Last-Event-ID",
}
"""Headers that can have one value, by how they arrive."""


def known_parameters(request: Request[Any, Any, Any]) -> None:
    """Query parameters are the operation's own; they and headers are given at most once. Raises `Problem` (400)."""
    single = [name for name, _ in request.scope["headers"] if name in _ONCE]
    if len(single) > len(set(single)):
        twice = next(name for name in single if single.count(name) > 1)
        raise bad_parameter("repeated", "header", _ONCE[twice], "given twice")
    query = request.scope.get("query_string")
    if not query:
        return
    if len(query) > LONGEST_QUERY:
        raise bad_parameter("invalid", "query", "", f"longer than {LONGEST_QUERY} bytes")
    seen: set[str] = set()
    known = _query_parameters(request.route_handler)
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise bad_parameter("unknown", "query", name[:64], "no parameter of this operation")
        if name in seen:
            raise bad_parameter("repeated", "query", name, "given twice")
        if value.lower() == "null":
            # The framework would take it for an absent one.
            raise bad_parameter("invalid", "query", name, "cannot be null: leave it out")
        if known[name] and not _WHOLE.match(value):
            # The framework would take `1e3`, `7.0` and ` 7` for numbers too.
            raise bad_parameter("invalid", "query", name, "not a whole number")
        seen.add(name)


@cache
def _query_parameters(handler: HTTPRouteHandler) -> dict[str, bool]:
    """The names of the operation's query parameters, and whether each is a whole number."""
    return {
        str(field.kwarg_definition.name or field.name): int in (field.annotation, *get_args(field.annotation))
        for field in handler.parsed_fn_signature.parameters.values()
        if isinstance(field.kwarg_definition, QueryParameter)
    }


_LISTED: Final = re.compile(r'(?:W/)?"([^"]*)"')


def one_version(if_match: str | None) -> str | None:
    """The version that `If-Match` names; None where any will do."""
    return None if if_match in (None, "*") else if_match.strip('"')


def none_match(value: str | None, etag: str) -> bool:
    """Whether `If-None-Match` holds this version, so that the answer is 304."""
    return value is not None and (value.strip() == "*" or etag in _LISTED.findall(value))


def viewer_named(eyes: str | None) -> str | int | None:
    """The viewer of `as=`: a seat's number, or the word."""
    return int(eyes[5:]) if eyes is not None and eyes.startswith("seat:") else eyes
