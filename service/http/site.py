"""The routes put together: one application, and around it what no route should have to think of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http import accounts, docs, operations, rulesets
from service.http.identity import ASKER, identify
from service.http.problems import answer_problem
from service.http.strict import MAX_BODY, StrictRequest, known_parameters

ROUTES: Final = [*rulesets.ROUTES, *accounts.ROUTES, *operations.ROUTES]

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]

_SECURITY_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def site(lifespan: Sequence[Lifespan] = (), **settings: Any) -> Litestar:
    """The application. `lifespan` opens what the routes work with and puts it into the state."""
    return Litestar(
        [*ROUTES, *docs.ROUTES],
        lifespan=list(lifespan),
        dependencies={"caller": ASKER},
        guards=[known_parameters, identify],
        exception_handlers={Exception: answer_problem, HTTPException: answer_problem},
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY,
        middleware=[courteous],
        openapi_config=None,
        **settings,
    )


def courteous(app: ASGIApp) -> ASGIApp:
    """Headers for every answer, errors of the router included."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_SECURITY_HEADERS]
            await send(message)

        await app(scope, receive, send_with_headers)

    return answer


class HeadToo:
    """Around the application: HEAD is GET without the body, wherever there is a GET."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one connection."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def without_body(message: Any) -> None:
            if message["type"] == "http.response.body":
                if message.get("more_body", False):
                    return
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await self.app({**scope, "method": "GET"}, receive, without_body)
