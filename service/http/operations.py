"""For operators and auditors: is it alive, is it ready, which keys sign, what is measured."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from service.failures import Forbidden, Unavailable
from service.handling.access import administers
from service.handling.desk import Desk
from service.http.identity import NOBODY, OPEN, Asker
from service.http.limits import UNLIMITED, Gate
from service.http.metering import MEDIA_TYPE
from service.http.shapes import UNCHANGING, fails, json_answer
from service.store.feed import Standing
from service.store.protocol import StoreUnavailable

TAG = ["operations"]


class Health(Struct, frozen=True):
    """It is."""

    status: str


class Keys(Struct, frozen=True):
    """The keys that heads and receipts are checked with, as C2SP verifier keys, newest first. Old ones stay listed."""

    vkeys: tuple[str, ...]


@get(
    "/health/live",
    operation_id="is_live",
    summary="Is the process alive?",
    tags=TAG,
    opt=NOBODY | UNLIMITED,
    responses=fails(),
)
async def is_live() -> Response[Health]:
    """True as long as it answers at all; nothing else is asked."""
    return json_answer(Health("live"))


@get(
    "/health/ready",
    operation_id="is_ready",
    summary="Can it take moves?",
    tags=TAG,
    opt=NOBODY | UNLIMITED,
    responses=fails(),
)
async def is_ready(state: State) -> Response[Health]:
    """Asks the log. Redis may be gone: that costs speed, never a move."""
    try:
        await state.desk.store.ready()
    except Exception as error:
        raise Unavailable("not_ready", "The log does not answer.") from error
    return json_answer(Health("ready"))


@get(
    "/.well-known/gusher-keys",
    operation_id="list_keys",
    summary="Which keys sign heads and receipts?",
    tags=TAG,
    opt=NOBODY,
    responses=fails(),
)
async def list_keys(state: State) -> Response[Keys]:
    """An auditor compares them with the `vkeys` of an export."""
    return json_answer(Keys(tuple(state.desk.keys.vkeys)), headers=UNCHANGING)


@get(
    "/metrics",
    operation_id="get_metrics",
    summary="What do operators measure?",
    tags=TAG,
    security=OPEN,
    media_type=MEDIA_TYPE,
    responses=fails(401, 403)
    | {200: ResponseSpec(str, media_type=MEDIA_TYPE, description="Prometheus' text format.", generate_examples=False)},
)
async def get_metrics(request: Request[Any, Any, Any], caller: Asker, state: State) -> Response[str]:
    """Of all workers together. For administrators, and for the networks of the setting `GUSHER_METRICS`."""
    gate: Gate = state.gate
    if not (
        administers(caller)
        or _is_in(gate.seen_at(request.scope, request.headers.get("x-forwarded-for", "")), state.settings.metrics)
    ):
        raise Forbidden("not_an_operator", "Measures are for the operators of this service.")
    own = state.meter.measures(state.desk, gate)
    text: Any = await to_thread(state.meter.text, own, await _feed(state.desk))
    return Response(text, media_type=MEDIA_TYPE, headers={"cache-control": "no-store"})


async def _feed(desk: Desk) -> Standing | None:
    """How far the feed is, if there is one and the database says."""
    try:
        return None if desk.feed_standing is None else await desk.feed_standing()
    except StoreUnavailable:
        return None


def _is_in(address: str, networks: Sequence[str]) -> bool:
    try:
        return any(ip_address(address) in ip_network(one) for one in networks)
    except ValueError:
        return False


ROUTES = [is_live, is_ready, list_keys, get_metrics]
