"""Make a table, and find one."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct

from events.words import Word
from projections.game import Result, Status
from projections.view import QuestionView
from service.handling.create_game import Table
from service.handling.create_game import create_game as create
from service.handling.create_games import MOST, check_tables
from service.handling.create_games import create_games as create_all
from service.handling.list_games import list_games as find_games
from service.handling.read_game import SeatHeader, read_game
from service.http.done import Done, done, told
from service.http.entries import Moment, moment
from service.http.identity import BEARER, NEEDS, OPEN, Asker
from service.http.shapes import (
    BODY,
    Cursor,
    GameId,
    IdempotencyKey,
    IfNoneMatch,
    PageSize,
    fails,
    json_answer,
    read_cursor,
    turn,
    unchanged,
    versioned,
    write_cursor,
)

TAG = ["games"]
T = TypeVar("T")

OfRuleset = Annotated[
    str | None,
    QueryParameter(required=False, pattern=r"^[a-z0-9-]{1,64}(?![\s\S])", description="Of this ruleset."),
]
InState = Annotated[Status | None, QueryParameter(required=False, description="In this state.")]
Mine = Annotated[bool, QueryParameter(description="Only those that the caller made or sits at.")]


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open. `edition` null is the ruleset's first choice; `options` are the ruleset's own, and what is left
    out has its default. A private game is seen by those who sit at it or were invited. `on_dispute` says whether a
    dispute suspends the game until it is settled.
    """

    ruleset: Word
    seats: Annotated[int, Meta(ge=1, le=99)]
    edition: Word | None = None
    options: dict[str, Any] = {}
    visibility: Literal["public", "private"] = "public"
    on_dispute: Literal["go_on", "suspend"] = "go_on"


@post(
    "/v1/games",
    operation_id="create_game",
    summary="Open a table",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 422, *BODY),
)
async def create_game(data: JSONBody[NewGame], key: IdempotencyKey, caller: Asker, state: State) -> Response[Done]:
    """Entry 1 of a new log. It commits to the chance of the whole game before anybody sits down; `Location` is the
    game's address.
    """
    accepted = await create(state.desk, caller, str(key), _table(data))
    return done(accepted, status=201, location=f"/v1/games/{accepted.game}")


class NewGames(Struct, frozen=True, forbid_unknown_fields=True):
    """Tables to open, all or none."""

    games: Annotated[tuple[NewGame, ...], Meta(min_length=1, max_length=MOST)]


class GamesMade(Struct, frozen=True):
    """The tables that were opened, in the order of the request; none where it was a dry run."""

    tables: Annotated[int, Meta(description="How many tables were asked for.")]
    games: tuple[Done, ...]


DryRun = Annotated[
    bool,
    QueryParameter(description="Only say whether these tables could be opened. No trace is left, also of the key."),
]


@post(
    "/v1/games:batch",
    operation_id="create_games",
    summary="Open many tables at once",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 422, *BODY)
    | {200: ResponseSpec(GamesMade, description="They could be opened (dry run).", generate_examples=False)},
)
async def create_games(
    data: JSONBody[NewGames], key: IdempotencyKey, caller: Asker, state: State, *, dry_run: DryRun = False
) -> Response[GamesMade]:
    """For tournaments: all of them or none. One key stands for all: sent again, it gets the same answer. What is not on
    offer is refused with the `index` of the first such table. As soon as it is answered, every worker knows the games.
    """
    tables = tuple(map(_table, data.games))
    if dry_run:
        await check_tables(state.desk, caller, str(key), tables)
        return json_answer(GamesMade(len(tables), ()))
    made = await create_all(state.desk, caller, str(key), tables)
    return json_answer(GamesMade(len(made), tuple(map(told, made))), status=201)


class ListedGame(Struct, frozen=True):
    """A game in a list. `yours` are the caller's seats."""

    game: str
    ruleset: str
    edition: str
    visibility: Literal["public", "private"]
    host: str
    created_at: Moment
    status: Status
    version: int
    seats: int
    taken: int
    bots: int
    yours: tuple[int, ...]


class Games(Struct, frozen=True):
    """Games, newest first. `next` (older ones) and `previous` (newer ones) are cursors, null where there are none."""

    games: tuple[ListedGame, ...]
    next: str | None
    previous: str | None


class GameShown(Struct, frozen=True, kw_only=True):
    """A game but for its board. `seed_commit` is the commitment to its chance; `head` the hash of its last entry;
    `suspended_for` is why it is suspended, while it is: `head_gone`, where its log lacks an entry that was signed.
    """

    game: str
    ruleset: str
    rules_version: int
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seed_commit: str
    visibility: Literal["public", "private"]
    on_dispute: Literal["go_on", "suspend"]
    host: str
    created_at: Moment
    status: Status
    version: int
    head: str
    etag: str
    at: Moment
    seats: tuple[SeatHeader, ...]
    yours: tuple[int, ...]
    question: QuestionView | None
    result: Result | None
    ended_because: str | None
    suspended_for: str | None


@get(
    "/v1/games",
    operation_id="list_games",
    summary="Which games are there?",
    tags=TAG,
    security=OPEN,
    responses=fails(401),
)
async def list_games(
    *,
    caller: Asker,
    state: State,
    ruleset: OfRuleset = None,
    status: InState = None,
    mine: Mine = False,
    cursor: Cursor = None,
    limit: PageSize = 50,
) -> Response[Games]:
    """Public games, and the caller's own; with a token for one game, that one. Pages are stable: a new game moves none
    from one page to another.
    """
    direction, game = read_cursor(cursor)
    page = await find_games(
        state.desk, caller, ruleset=ruleset, status=status, mine=mine, limit=limit, **{direction: game}
    )
    listed = tuple(_with_times(ListedGame, one) for one in page.games)
    shown = Games(listed, write_cursor("after", page.older), write_cursor("before", page.newer))
    query = {"ruleset": ruleset, "status": status, "mine": "true" if mine else None, "limit": limit}
    return json_answer(shown, headers=turn("/v1/games", query, shown.next, shown.previous))


@get(
    "/v1/games/{game:uuid}",
    operation_id="get_game",
    summary="Which game is this?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404) | unchanged(),
)
async def get_game(game: GameId, caller: Asker, state: State, known: IfNoneMatch = None) -> Response[GameShown]:
    """Ruleset, edition, options, who sits where, what the game waits for, and how it ended."""
    header = await read_game(state.desk, caller, str(game))
    return versioned(_with_times(GameShown, header), header.etag, known)


def _table(new: NewGame) -> Table:
    return Table(**msgspec.structs.asdict(new))


def _with_times(kind: type[T], told: Struct) -> T:
    """The same members, moments written as moments."""
    members = msgspec.structs.asdict(told)
    return kind(**members | {name: moment(members[name]) for name in ("created_at", "at") if name in members})


ROUTES = [create_game, create_games, list_games, get_game]
