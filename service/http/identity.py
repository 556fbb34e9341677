"""Who a request comes from: what reads the token, and what routes may say about it."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency, Provide

from service.auth.accounts import caller_of
from service.handling.caller import Caller
from service.handling.failures import Forbidden, Unauthenticated

BEARER: Final[list[dict[str, list[str]]]] = [{"bearer": []}]
OPEN: Final[list[dict[str, list[str]]]] = [{}, {"bearer": []}]
"""For the OpenAPI document: a token may be sent, and shows more."""

NEEDS: Final = {"needs_account": True}
"""In a route's `opt`: nobody gets in without a token."""

NOBODY: Final = {"needs_nobody": True}
"""In a route's `opt`: nobody is asked who they are, so that the answer needs no database."""

Asker = NamedDependency[Caller]


async def identify(request: Request[Any, Any, Any]) -> None:
    """Put the `Caller` into the scope. Raises `Unauthenticated`, `Forbidden`."""
    opt = request.route_handler.opt
    if opt.get("needs_nobody"):
        return
    caller = await caller_of(request.app.state.desk.tokens, request.headers.get("authorization"))
    if caller.account is None and opt.get("needs_account"):
        raise Unauthenticated("unauthenticated", "This needs a token: `Authorization: Bearer gsh_…`.")
    if caller.read_only and request.scope.get("method") not in ("GET", "HEAD"):
        raise Forbidden("read_only", "This token may only read.")
    request.scope["user"] = caller


def asker(request: Request[Any, Any, Any]) -> Caller:
    """The caller that `identify` has found."""
    caller: Caller = request.scope["user"]
    return caller


ASKER: Final = Provide(asker, sync_to_thread=False)
