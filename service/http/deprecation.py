"""How an operation goes: marked first, gone a year later at the earliest. The policy is in docs/guide/versions.md."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import cache
from typing import Any, Final

from litestar.types import Scope
from msgspec import Struct

LEAST: Final = timedelta(days=365)
POLICY: Final = "/docs/guide/versions"
_MARK: Final = "deprecated"


class Deprecated(Struct, frozen=True):
    """An operation is deprecated from the day `since` on, may be gone from the day `until` on, and `instead` is the id
    of the operation that replaces it.
    """

    since: date
    until: date
    instead: str


class TooSoon(ValueError):
    """An operation that would go sooner than the policy promises."""


def deprecated(since: date, until: date, instead: str) -> dict[str, Any]:
    """For a route's `opt`. Raises `TooSoon`."""
    if until - since < LEAST:
        raise TooSoon(f"{since} to {until} is less than {LEAST.days} days")
    return {_MARK: Deprecated(since, until, instead)}


def mark_of(opt: dict[str, Any]) -> Deprecated | None:
    """The mark in a route's `opt`."""
    mark: Deprecated | None = opt.get(_MARK)
    return mark


def headers_of(scope: Scope) -> list[tuple[bytes, bytes]]:
    """`Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the policy's `Link`, where the route has the mark."""
    route: Any = scope.get("route_handler")
    mark = None if route is None else route.opt.get(_MARK)
    return [] if mark is None else _headers(mark)


@cache
def _headers(mark: Deprecated) -> list[tuple[bytes, bytes]]:
    return [
        (b"deprecation", b"@%d" % _midnight(mark.since).timestamp()),
        (b"sunset", format_datetime(_midnight(mark.until), usegmt=True).encode()),
        (b"link", f'<{POLICY}>; rel="deprecation"; type="text/html"'.encode()),
    ]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
