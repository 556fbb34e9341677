"""What a request may look like, before anybody asks what it means. Bodies are held to the profile of the log format."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Final, NoReturn

import msgspec
from litestar import Request
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import Receive
from msgspec import ValidationError

from events import codec
from service.http.problems import Problem, malformed

MAX_BODY: Final = 64 * 1024
_JSON_TYPE = re.compile(r"application/(?:json|[a-z0-9.+-]+\+json)\Z")


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is read strictly: the framework's own reading takes `"3"` for 3 and the last of two members
    with one name.
    """

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
            raise malformed("body: not sent to its end")
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
        raise malformed(f"body: {error}") from error


def read_json(body: bytes) -> Any:
    """Plain data inside the log format's profile. Raises `Problem` (400), also for two members with one name."""
    try:
        value = _json.decode(body.decode())
        codec.check(value)
    except codec.OutsideProfile as error:
        raise malformed(f"body: {error.reason.replace('_', ' ')} at {error.where}") from error
    except RecursionError as error:
        raise malformed("body: too deep") from error
    except ValueError as error:
        raise malformed(f"body: not JSON: {_brief(error)}") from error
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
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


def known_parameters(request: Request[Any, Any, Any]) -> None:
    """Query parameters are the operation's own, each at most once. Raises `Problem` (400)."""
    if not request.scope.get("query_string"):
        return
    seen: set[str] = set()
    known = _query_names(request.route_handler)
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise malformed(f"query: {name[:64]!r} is no parameter of this operation", code="unknown_parameter")
        if name in seen:
            raise malformed(f"query: {name!r} is given twice")
        if value.lower() == "null":
            # The framework would take it for an absent one.
            raise malformed(f"query: {name!r} cannot be null: leave it out")
        seen.add(name)


@cache
def _query_names(handler: HTTPRouteHandler) -> frozenset[str]:
    parameters = handler.parsed_fn_signature.parameters.values()
    return frozenset(name for name in map(_query_name, parameters) if name)


def _query_name(field: Any) -> str | None:
    kwarg = field.kwarg_definition
    return str(kwarg.name or field.name) if isinstance(kwarg, QueryParameter) else None


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
