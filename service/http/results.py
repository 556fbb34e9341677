"""How games ended."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import QueryParameter
from msgspec import Meta, Struct

from events.words import Seat
from service.handling.list_results import Sought
from service.handling.list_results import list_results as find_results
from service.http.entries import Moment, milliseconds, moment
from service.http.games import OfRuleset
from service.http.identity import OPEN, Asker
from service.http.problems import bad_parameter
from service.http.shapes import Cursor, PageSize, fails, json_answer, read_cursor, turn, write_cursor
from service.store.protocol import FoundResult
from service.store.results import Outcome

TAG = ["results"]

_MOMENT: Final = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})(?![\s\S])")

_NO_MOMENT: Final = "no moment in RFC 3339, with offset, such as 2026-11-30T10:00:00Z"

OfAccount = Annotated[
    UUID | None, QueryParameter(required=False, description="Of games at which this account has a seat.")
]
Since = Annotated[
    str | None,
    QueryParameter(
        required=False,
        max_length=40,
        schema_extra={"pattern": _MOMENT.pattern},  # judged here: the framework would answer with the pattern alone
        description="Whose last word was said at this moment or later: RFC 3339, with offset.",
    ),
]


class ResultSeat(Struct, frozen=True):
    """Who sat at a seat at the end: an account, or a house bot of a level."""

    seat: Seat
    account: str | None
    bot: str | None


class ResultShown(Struct, frozen=True, kw_only=True):
    """How a game ended, as its log says it today. `at` and `version` are of the entry that said the last word;
    `corrected`: an arbiter has given it another result; `in_doubt`: the game is suspended, because its log is not the
    one that was signed.
    """

    game: str
    ruleset: str
    outcome: Outcome
    reason: str
    winners: tuple[Seat, ...]
    standings: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]
    corrected: bool
    in_doubt: bool
    at: Moment
    version: int
    seats: Annotated[tuple[ResultSeat, ...], Meta(description="By seat.")]


class ResultsListed(Struct, frozen=True):
    """Results, newest word first. `next` (older ones) and `previous` (newer ones) are cursors, null where there are
    none.
    """

    results: tuple[ResultShown, ...]
    next: str | None
    previous: str | None


@get(
    "/v1/results",
    operation_id="list_results",
    summary="How did games end?",
    tags=TAG,
    security=OPEN,
    responses=fails(401),
)
async def list_results(
    *,
    caller: Asker,
    state: State,
    ruleset: OfRuleset = None,
    account: OfAccount = None,
    since: Since = None,
    cursor: Cursor = None,
    limit: PageSize = 50,
) -> Response[ResultsListed]:
    """Of public games, and of the caller's own; with a token for one game, of that one. A verdict changes a result,
    which then stands first again. Results come a little after their moment: who follows them asks `since` a minute
    before the last one.
    """
    direction, place = read_cursor(cursor)
    sought = Sought(ruleset, None if account is None else str(account), _milliseconds(since))
    page = await find_results(state.desk, caller, sought, limit=limit, **{direction: place})
    told = ResultsListed(
        tuple(map(_shown, page.results)), write_cursor("after", page.older), write_cursor("before", page.newer)
    )
    query = {"ruleset": ruleset, "account": account, "since": since, "limit": limit}
    return json_answer(told, headers=turn("/v1/results", query, told.next, told.previous))


def _milliseconds(since: str | None) -> int | None:
    if since is None:
        return None
    if not _MOMENT.match(since):
        raise bad_parameter("invalid", "query", "since", _NO_MOMENT)
    try:
        return milliseconds(msgspec.convert(since, datetime))
    except (msgspec.ValidationError, OverflowError) as error:
        raise bad_parameter("invalid", "query", "since", _NO_MOMENT) from error


def _shown(found: FoundResult) -> ResultShown:
    result = found.result
    return ResultShown(
        game=result.game,
        ruleset=found.ruleset,
        outcome=result.outcome,
        reason=result.reason,
        winners=result.winners,
        standings=result.standings,
        scores=result.scores,
        corrected=result.corrected,
        in_doubt=found.status == "suspended",
        at=moment(result.at),
        version=result.seq,
        seats=tuple(ResultSeat(player.seat, player.account, player.bot) for player in found.players),
    )


ROUTES = [list_results]
