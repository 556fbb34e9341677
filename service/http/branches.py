"""What if? Copies of games, apart from the games they are of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from events.export import Viewer
from events.words import Seat
from projections.game import Status
from projections.view import QuestionView
from rules.choices import Option
from service.handling import branches as handling
from service.handling.make_branch import make_branch as make
from service.handling.play_branch import play_branch as play
from service.http.entries import Moment, moment
from service.http.identity import BEARER, NEEDS, Asker
from service.http.play import ForSeat
from service.http.shapes import BODY, Eyes, GameId, IdempotencyKey, fails, json_answer
from service.http.streams import JSONL
from service.http.strict import viewer_named

TAG = ["branches"]
BranchId = Annotated[UUID, PathParameter(description="The copy's id: the Idempotency-Key that it was made with.")]


class NewBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """A copy to make. `version` null is the current one. `viewer` is for whose eyes hidden facts are drawn anew, null
    being the caller's own; for an `auditor`, once the game has ended, they are the true ones.
    """

    version: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None
    viewer: Viewer | None = None


class BranchShown(Struct, frozen=True):
    """A copy of a game, and where it stands. `hidden` says whether what the copy hides is true or drawn anew."""

    branch: str
    game: str
    ruleset: str
    from_version: int
    from_head: str
    viewer: str
    hidden: Literal["true", "redrawn"]
    version: int
    status: Status
    question: QuestionView | None
    created_at: Moment
    expires_at: Moment


class BranchOptions(Struct, frozen=True):
    """What is asked of a seat of the copy, and every legal answer; none where nothing is asked of it."""

    version: int
    seat: Seat
    decision_id: int | None
    options: tuple[Option, ...]


class BranchMove(Struct, frozen=True):
    """What was played in a copy. It has no hash and no receipt: it never happened in the game."""

    seq: int
    actor: str
    command: dict[str, Any]
    events: list[dict[str, Any]]


@post(
    "/v1/games/{game:uuid}/branches",
    operation_id="create_branch",
    summary="What if?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def create_branch(
    game: GameId, data: JSONBody[NewBranch], key: IdempotencyKey, caller: Asker, state: State
) -> Response[BranchShown]:
    """A copy from any version at which the game runs, to play all seats of. The game does not know of it, it is in no
    list, nobody else can see it, and it expires.
    """
    made = await make(state.desk, caller, str(game), str(key), version=data.version, viewer=viewer_named(data.viewer))
    location = {"location": f"/v1/games/{made.game}/branches/{made.branch}"}
    return json_answer(_shown(made), status=201, headers=location)


@get(
    "/v1/games/{game:uuid}/branches/{branch:uuid}",
    operation_id="get_branch",
    summary="Where does the copy stand?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404),
)
async def get_branch(game: GameId, branch: BranchId, caller: Asker, state: State) -> Response[BranchShown]:
    """Which game and version it is of, what it waits for, and when it expires."""
    return json_answer(_shown(await handling.read_branch(state.desk, caller, str(game), str(branch))))


@delete(
    "/v1/games/{game:uuid}/branches/{branch:uuid}",
    operation_id="delete_branch",
    summary="Throw the copy away",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=204,
    responses=fails(401, 403, 404),
)
async def delete_branch(game: GameId, branch: BranchId, caller: Asker, state: State) -> None:
    """It would have expired by itself."""
    await handling.drop_branch(state.desk, caller, str(game), str(branch))


@get(
    "/v1/games/{game:uuid}/branches/{branch:uuid}/view",
    operation_id="view_branch",
    summary="What is the state of the copy?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404),
)
async def view_branch(
    game: GameId, branch: BranchId, caller: Asker, state: State, eyes: Eyes = None
) -> Response[Mapping[str, Any]]:
    """With the eyes of any seat: what the others hold is not what they hold in the game."""
    view = await handling.view_branch(state.desk, caller, str(game), str(branch), viewer=viewer_named(eyes))
    return json_answer(view)


@get(
    "/v1/games/{game:uuid}/branches/{branch:uuid}/options",
    operation_id="get_branch_options",
    summary="What may be done in the copy?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404),
)
async def get_branch_options(
    game: GameId, branch: BranchId, caller: Asker, state: State, seat: ForSeat = None
) -> Response[BranchOptions]:
    """The legal commands of a seat, by default of the first one awaited."""
    found = await handling.branch_options(state.desk, caller, str(game), str(branch), seat=seat)
    return json_answer(BranchOptions(found.version, found.seat, found.decision_id, found.options))


@post(
    "/v1/games/{game:uuid}/branches/{branch:uuid}/commands",
    operation_id="play_branch",
    summary="Move in the copy",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422, *BODY),
)
async def play_branch(
    *,
    game: GameId,
    branch: BranchId,
    data: JSONBody[dict[str, Any]],
    key: IdempotencyKey,
    caller: Asker,
    state: State,
    seat: ForSeat = None,
) -> Response[BranchMove]:
    """A command of any seat, by default of the first one awaited. Chance is the copy's own."""
    move = await play(state.desk, caller, str(game), str(branch), data, key=str(key), seat=seat)
    return json_answer(BranchMove(move.seq, move.actor, move.command, move.events))


@get(
    "/v1/games/{game:uuid}/branches/{branch:uuid}/export",
    operation_id="export_branch",
    summary="Take the copy home",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    media_type=JSONL,
    responses=fails(401, 403, 404)
    | {200: ResponseSpec(str, media_type=JSONL, description="`gusher-branch/1`.", generate_examples=False)},
)
async def export_branch(game: GameId, branch: BranchId, caller: Asker, state: State) -> Response[str]:
    """Lines of JSON: the first says that this is a copy and of what, the others are its moves. It is no log: it proves
    nothing, and `gusher audit` refuses it.
    """
    content: Any = await handling.export_branch(state.desk, caller, str(game), str(branch))
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="branch-{branch}.jsonl"'}
    return Response(content, media_type=JSONL, headers=headers)


def _shown(made: handling.Branch) -> BranchShown:
    members = msgspec.structs.asdict(made)
    return BranchShown(**members | {name: moment(members[name]) for name in ("created_at", "expires_at")})


ROUTES = [
    create_branch,
    get_branch,
    delete_branch,
    view_branch,
    get_branch_options,
    play_branch,
    export_branch,
]
