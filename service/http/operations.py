"""For operators and auditors: is it alive, is it ready, which keys sign."""

from __future__ import annotations

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct

from service.handling.failures import Unavailable
from service.http.identity import NOBODY
from service.http.limits import UNLIMITED
from service.http.shapes import UNCHANGING, fails, json_answer

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


ROUTES = [is_live, is_ready, list_keys]
