"""Around the table before play: seats, invitations, house bots, the start."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from events.table import ClientSeed
from events.words import Seat
from service.handling import invitations
from service.handling.leave_seat import leave_seat as leave
from service.handling.start_game import abort_game as abort
from service.handling.start_game import start_game as start
from service.handling.take_seat import add_bot as seat_bot
from service.handling.take_seat import take_seat as sit_down
from service.http.done import Done, done
from service.http.entries import Moment, moment
from service.http.identity import BEARER, NEEDS, Asker
from service.http.shapes import BODY, FROM_ZERO, GameId, IdempotencyKey, IfMatch, fails, json_answer
from service.http.strict import one_version
from service.store.protocol import Invitation

TAG = ["games"]
_SEAT = PathParameter(description="The seat's number, from 0.", ge=0, le=99, schema_extra=FROM_ZERO)


class SitDown(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat to take. `seat` null is the first free one; `client_seed` is randomness of the caller's own, mixed
    into the chance of the game; `invitation` is the code that a private game asks for.
    """

    seat: Seat | None = None
    client_seed: ClientSeed = ""
    invitation: Annotated[str, Meta(max_length=200)] | None = None


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A house bot to seat; `seat` null is the first free one."""

    level: Literal["random", "sensible"] = "sensible"
    seat: Seat | None = None


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation to make; `seat` null is any free one."""

    seat: Seat | None = None


class InvitationMade(Struct, frozen=True):
    """A new invitation. Whoever sends the `code` when taking a seat is let in, once."""

    invitation: str
    game: str
    code: str
    seat: int | None


class InvitationShown(Struct, frozen=True):
    """An invitation, without its code. `state` is `open`, `used` or `revoked`."""

    invitation: str
    seat: int | None
    created_at: Moment
    state: Literal["open", "used", "revoked"]


class Invitations(Struct, frozen=True):
    """The invitations of a game, oldest first."""

    invitations: tuple[InvitationShown, ...]


@post(
    "/v1/games/{game:uuid}/seats",
    operation_id="take_seat",
    summary="Sit down",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def take_seat(
    game: GameId, data: JSONBody[SitDown], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """Before the start. The client seed goes into the game's chance, so that nobody can have chosen it alone."""
    accepted = await sit_down(
        state.desk,
        caller,
        str(game),
        str(key),
        seat=data.seat,
        client_seed=data.client_seed,
        invitation=data.invitation,
    )
    return done(accepted, status=201)


@delete(
    "/v1/games/{game:uuid}/seats/{seat:int}",
    operation_id="leave_seat",
    summary="Get up again",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422),
)
async def leave_seat(
    game: GameId, seat: Annotated[int, _SEAT], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """Before the start, by whoever holds the seat or by the host."""
    return done(await leave(state.desk, caller, str(game), str(key), seat))


@post(
    "/v1/games/{game:uuid}/bots",
    operation_id="add_bot",
    summary="Seat a house bot",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def add_bot(
    game: GameId, data: JSONBody[NewBot], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """By the host. A bot knows what its seat sees, and nothing else; it moves whenever it is asked."""
    return done(await seat_bot(state.desk, caller, str(game), str(key), data.level, seat=data.seat), status=201)


@post(
    "/v1/games/{game:uuid}/start",
    operation_id="start_game",
    summary="Begin to play",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 412, 422),
)
async def start_game(
    game: GameId, key: IdempotencyKey, caller: Asker, state: State, if_match: IfMatch = None
) -> Response[Done]:
    """By the host, once every seat is taken."""
    return done(await start(state.desk, caller, str(game), str(key), if_match=one_version(if_match)))


@post(
    "/v1/games/{game:uuid}/abort",
    operation_id="abort_game",
    summary="End it without a result",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 412, 422),
)
async def abort_game(
    game: GameId, key: IdempotencyKey, caller: Asker, state: State, if_match: IfMatch = None
) -> Response[Done]:
    """By the host; before the start only, if the host plays. The seed is published all the same."""
    return done(await abort(state.desk, caller, str(game), str(key), if_match=one_version(if_match)))


@post(
    "/v1/games/{game:uuid}/invitations",
    operation_id="create_invitation",
    summary="Invite somebody to a private game",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def create_invitation(
    game: GameId, data: JSONBody[NewInvitation], key: IdempotencyKey, caller: Asker, state: State
) -> Response[InvitationMade]:
    """By the host. The code is good for one seat, and shown in this answer only."""
    made = await invitations.create_invitation(state.desk, caller, str(game), str(key), seat=data.seat)
    return json_answer(InvitationMade(made.id, made.game, made.code, made.seat), status=201)


@get(
    "/v1/games/{game:uuid}/invitations",
    operation_id="list_invitations",
    summary="Which invitations are there?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404),
)
async def list_invitations(game: GameId, caller: Asker, state: State) -> Response[Invitations]:
    """For the host, without their codes."""
    listed = await invitations.list_invitations(state.desk, caller, str(game))
    return json_answer(Invitations(tuple(map(_shown, listed))))


@delete(
    "/v1/games/{game:uuid}/invitations/{invitation:uuid}",
    operation_id="revoke_invitation",
    summary="Take an invitation back",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404),
)
async def revoke_invitation(
    game: GameId,
    invitation: Annotated[UUID, PathParameter(description="The invitation's id, which is not its code.")],
    caller: Asker,
    state: State,
) -> None:
    """By the host. Who sits already, stays."""
    await invitations.revoke_invitation(state.desk, caller, str(game), str(invitation))


def _shown(invitation: Invitation) -> InvitationShown:
    state: Literal["open", "used", "revoked"] = "revoked" if invitation.revoked else "open"
    if invitation.used_by is not None:
        state = "used"
    return InvitationShown(invitation.id, invitation.seat, moment(invitation.created_at), state)


ROUTES = [
    take_seat,
    leave_seat,
    add_bot,
    start_game,
    abort_game,
    create_invitation,
    list_invitations,
    revoke_invitation,
]
