"""The routes put together: one application, and around it what no route should have to think of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from time import perf_counter
from typing import Any, Final

from litestar import Litestar, Request, Response, route
from litestar.datastructures import State
from litestar.enums import HttpMethod, ScopeType
from litestar.exceptions import HTTPException
from litestar.handlers.http_handlers import HTTPRouteHandler
from litestar.types import Message, Receive, Scope, Send

from service.handling.desk import Desk
from service.http import docs
from service.http.identity import ASKER, NOBODY, visit_of
from service.http.lane import Lane
from service.http.limits import Gate, admit, around
from service.http.metering import Meter, operation_of
from service.http.problems import allowed, answer_problem
from service.http.routes import ROUTES
from service.http.streams import BODILESS
from service.http.strict import MAX_BODY, StrictRequest, known_parameters
from service.settings import Settings
from service.store.budgets import ProcessBudgets
from service.store.leases import Leases

LONGEST_PATH: Final = 512
"""No address is longer. The router remembers where it was asked the way to, however long that is."""

NOWHERE: Final = "/-"
"""The address of nothing."""

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def site(desk: Desk | None, settings: Settings, lifespan: Sequence[Lifespan] = ()) -> Litestar:
    """The application. Where there is no desk yet, `lifespan` opens one and puts it into the state."""
    gate = Gate(settings, ProcessBudgets(), Leases())
    return Litestar(
        _with_options([*ROUTES, *docs.ROUTES]),
        lifespan=list(lifespan),
        dependencies={"caller": ASKER},
        before_request=_admit,
        exception_handlers={Exception: answer_problem, HTTPException: answer_problem},
        request_class=StrictRequest,
        request_max_body_size=MAX_BODY,
        openapi_config=None,
        logging_config=None,
        state=State({"desk": desk, "settings": settings, "gate": gate, "meter": Meter(settings.measures)}),
    )


async def _admit(request: Request[Any, Any, Any]) -> None:
    """What every request passes first. Not guards: the framework copies a route for each guard of each request, and
    runs plain functions among them in a thread.
    """
    known_parameters(request)
    await admit(visit_of(request), request.app.state.desk, request.app.state.gate)


def _with_options(routes: list[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """The routes, and for each address an answer to OPTIONS that knows all of its methods.

    Litestar makes its own from the first handler of an address alone.
    """
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for handler in routes:
        for path in handler.paths:
            methods[path] |= handler.http_methods
    return [*(_options(path, allowed(found)) for path, found in methods.items()), *routes]


def _options(path: str, allow: str) -> HTTPRouteHandler:
    @route(path, http_method=[HttpMethod.OPTIONS], status_code=204, include_in_schema=False, opt=NOBODY)
    async def which_methods() -> Response[None]:
        return Response(None, headers={"allow": allow})

    return which_methods


class Front:
    """Around the application: HEAD is GET without the body wherever there is a GET, every answer carries the headers
    that each answer is to have, and what a match lives on goes by the lane, unless there is to be none.
    """

    def __init__(self, app: Litestar, *, lane: bool = True) -> None:
        self.app = app
        self._meter: Meter = app.state.meter
        self._lane = Lane(app.state) if lane else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        begun = perf_counter()
        taken = None if self._lane is None else await self._lane.take(scope, receive, send)
        if taken is not None:
            self._meter.answered(operation_of(scope), taken, perf_counter() - begun)
            return
        if len(scope["path"]) > LONGEST_PATH:
            scope["path"] = NOWHERE
        bodiless = scope["method"] == "HEAD"
        if bodiless:
            scope["method"] = HttpMethod.GET
            scope[BODILESS] = True  # type: ignore[typeddict-unknown-key]

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *around(scope)]
                self._meter.answered(operation_of(scope), message["status"], perf_counter() - begun)
            elif message["type"] == "http.response.body" and bodiless:
                if message.get("more_body", False):
                    return
                message["body"] = b""
            await send(message)

        await self.app(scope, receive, answer)
