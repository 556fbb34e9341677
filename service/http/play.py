"""See the state, ask what may be done, do it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from rules.choices import Option
from service.handling.await_change import await_question, await_version
from service.handling.check_command import Checked as Found
from service.handling.check_command import check_command as check
from service.handling.read_options import Chooser, OptionsNow, find_chooser
from service.handling.read_view import Sight, look_at
from service.handling.submit_command import resign as give_up
from service.handling.submit_command import submit_command as submit
from service.http.answers import Answer, Ready, answer, encode, unchanged_answer
from service.http.done import Done, done
from service.http.identity import BEARER, NEEDS, OPEN, Asker
from service.http.shapes import (
    BODY,
    FROM_ZERO,
    Eyes,
    GameId,
    IdempotencyKey,
    IfMatch,
    IfNoneMatch,
    Wait,
    fails,
    unchanged,
)
from service.http.streams import held
from service.http.strict import none_match, one_version, viewer_named

TAG = ["play"]

ForSeat = Annotated[
    int | None,
    QueryParameter(
        required=False,
        ge=0,
        schema_extra=FROM_ZERO,
        le=99,
        description="For which seat, where the caller holds several of the game.",
    ),
]
At = Annotated[
    int | None,
    QueryParameter(required=False, ge=1, le=2**53 - 1, description="A version: the state after entry `at`."),
]


class Options(Struct, frozen=True):
    """What is asked of the caller's seat, and every legal answer; none where nothing is asked of it.

    An option's `command` is what to send, complete unless `choose` describes further members.
    """

    version: int
    seat: int | None
    decision_id: int | None
    options: tuple[Option, ...]


class Checked(Struct, frozen=True):
    """The command would be accepted now. `costs` is what it certainly takes from (negative: gives to) the seat."""

    version: int
    seat: int
    decision_id: int | None
    option: str | None
    costs: dict[str, int]


def view_answer(sight: Sight, known: str | None) -> Answer:
    """The view, or 304 where the caller has it."""
    etag = sight.etag
    if etag is not None and none_match(known, etag):
        return unchanged_answer(etag)
    return answer(sight.written(encode), etag=etag)


def options_answer(chooser: Chooser, known: str | None) -> Answer:
    """The options, or 304 where the caller has them."""
    if none_match(known, chooser.etag):
        return unchanged_answer(chooser.etag)
    return answer(chooser.written(_write_options), etag=chooser.etag)


def check_answer(found: Found) -> Answer:
    """That the command would be accepted."""
    return answer(encode(Checked(found.version, found.seat, found.decision_id, found.option, found.costs)))


def _write_options(found: OptionsNow) -> bytes:
    return encode(Options(found.version, found.seat, found.decision_id, found.options))


@get(
    "/v1/games/{game:uuid}/view",
    operation_id="get_view",
    summary="What is the state of the game?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404) | unchanged(),
)
async def get_view(
    *,
    game: GameId,
    caller: Asker,
    state: State,
    at: At = None,
    eyes: Eyes = None,
    known: IfNoneMatch = None,
    wait: Wait = 0,
    request: Request[Any, Any, Any],
) -> Response[dict[str, Any]]:
    """As the caller's seat sees it, or a spectator; now, or at an earlier version. With `wait` and `If-None-Match` the
    answer comes as soon as the game stands at another version, or is 304 after so many seconds.
    """
    if wait and known is not None and at is None:
        change = partial(none_match, known)
        await held(request, await_version(state.desk, caller, str(game), change, seconds=wait))
    return Ready(view_answer(await look_at(state.desk, caller, str(game), viewer=viewer_named(eyes), at=at), known))


@get(
    "/v1/games/{game:uuid}/options",
    operation_id="get_options",
    summary="What may I do?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404) | unchanged(),
)
async def get_options(
    *,
    game: GameId,
    caller: Asker,
    state: State,
    seat: ForSeat = None,
    known: IfNoneMatch = None,
    wait: Wait = 0,
    request: Request[Any, Any, Any],
) -> Response[Options]:
    """Every legal command of the caller's seat, or its described range, with what it costs. With `wait` the answer
    comes as soon as something is asked of the seat (at another version than that of `If-None-Match`) or the game has
    ended, and else after so many seconds.
    """
    if wait:
        change = partial(none_match, known)
        await held(request, await_question(state.desk, caller, str(game), change, seat=seat, seconds=wait))
    return Ready(options_answer(await find_chooser(state.desk, caller, str(game), seat=seat), known))


@post(
    "/v1/games/{game:uuid}/commands",
    operation_id="submit_command",
    summary="Move",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 412, 422, *BODY),
)
async def submit_command(
    *,
    game: GameId,
    data: JSONBody[dict[str, Any]],
    key: IdempotencyKey,
    caller: Asker,
    state: State,
    seat: ForSeat = None,
    if_match: IfMatch = None,
) -> Response[Done]:
    """One accepted command is one entry of the log. `decision_id` in it refuses it once another question is open;
    `If-Match` refuses it once anything at all has happened.
    """
    accepted = await submit(state.desk, caller, str(game), str(key), data, seat=seat, if_match=one_version(if_match))
    return done(accepted)


@post(
    "/v1/games/{game:uuid}/commands:check",
    operation_id="check_command",
    summary="Would this be accepted?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def check_command(
    game: GameId, data: JSONBody[dict[str, Any]], caller: Asker, state: State, seat: ForSeat = None
) -> Response[Checked]:
    """Asked without a trace, and without a look at what is still hidden: no card is drawn for it."""
    found = await check(state.desk, caller, str(game), data, seat=seat)
    return Ready(check_answer(found))


@post(
    "/v1/games/{game:uuid}/resign",
    operation_id="resign",
    summary="Give up",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 412, 422),
)
async def resign(
    *,
    game: GameId,
    key: IdempotencyKey,
    caller: Asker,
    state: State,
    seat: ForSeat = None,
    if_match: IfMatch = None,
) -> Response[Done]:
    """The seat leaves a running game for good."""
    return done(await give_up(state.desk, caller, str(game), str(key), seat=seat, if_match=one_version(if_match)))


ROUTES = [get_view, get_options, submit_command, check_command, resign]
