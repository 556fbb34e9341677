"""Who a request comes from: what reads the token, and what routes may say about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.types import Scope
from msgspec import Struct

from service.auth.accounts import caller_of
from service.auth.caller import ANYBODY, Caller
from service.failures import Forbidden, Unauthenticated
from service.handling.desk import Desk

BEARER: Final[list[dict[str, list[str]]]] = [{"bearer": []}]
OPEN: Final[list[dict[str, list[str]]]] = [{}, {"bearer": []}]
"""For the OpenAPI document: a token may be sent, and shows more."""

NEEDS: Final = {"needs_account": True}
"""In a route's `opt`: nobody gets in without a token."""

NOBODY: Final = {"needs_nobody": True}
"""In a route's `opt`: nobody is asked who they are, so that the answer needs no database."""

Asker = NamedDependency[Caller]


class Visit(Struct, frozen=True):
    """What is looked at before a request is let in. `forwarded` is `X-Forwarded-For`, `game` the one that the address
    names, `opt` the route's.
    """

    scope: Scope
    authorization: str | None
    forwarded: str
    game: str | None
    opt: Mapping[str, Any]


def visit_of(request: Request[Any, Any, Any]) -> Visit:
    """A request of the framework's as a visit."""
    headers, game = request.headers, request.path_params.get("game")
    return Visit(
        request.scope,
        headers.get("authorization"),
        headers.get("x-forwarded-for", ""),
        None if game is None else str(game),
        request.route_handler.opt,
    )


async def identify(visit: Visit, desk: Desk) -> Caller:
    """Who it is; put into the scope as well. Raises `Unauthenticated`, `Forbidden`."""
    if visit.opt.get("needs_nobody"):
        return ANYBODY
    caller = await caller_of(desk.tokens, visit.authorization)
    if caller.account is None and visit.opt.get("needs_account"):
        raise Unauthenticated("unauthenticated", "This needs a token: `Authorization: Bearer gsh_…`.")
    if caller.read_only and visit.scope.get("method") not in ("GET", "HEAD"):
        raise Forbidden("read_only", "This token may only read.")
    visit.scope["user"] = caller
    return caller


def asker(request: Request[Any, Any, Any]) -> Caller:
    """The caller that `identify` has found."""
    caller: Caller = request.scope["user"]
    return caller


ASKER: Final = Provide(asker, sync_to_thread=False)
