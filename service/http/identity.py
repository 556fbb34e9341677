"""Who a request comes from: the guard that reads the token, and what routes may say about it."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler

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


async def identify(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A guard: puts the `Caller` into the scope. Raises `Unauthenticated`, `Forbidden`."""
    if handler.opt.get("needs_nobody"):
        return
    store = connection.app.state.desk.store
    caller = await caller_of(store, connection.headers.get("authorization"))
    if caller.account is None and handler.opt.get("needs_account"):
        raise Unauthenticated("unauthenticated", "This needs a token: `Authorization: Bearer gsh_…`.")
    if caller.read_only and connection.scope.get("method") not in ("GET", "HEAD"):
        raise Forbidden("read_only", "This token may only read.")
    connection.scope["user"] = caller


def asker(request: Request[Any, Any, Any]) -> Caller:
    """The caller that the guard has found."""
    caller: Caller = request.scope["user"]
    return caller


ASKER: Final = Provide(asker, sync_to_thread=False)
