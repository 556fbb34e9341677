"""How games ended, in a list, newest word first."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from service.auth.caller import Caller
from service.failures import bad_query
from service.handling.access import has_scope
from service.handling.desk import Desk
from service.store.protocol import FoundResult
from service.store.results import Place, ResultQuery


class Sought(Struct, frozen=True):
    """Of which games: of this ruleset, with this account at the table, whose last word is no older than `since`."""

    ruleset: str | None = None
    account: str | None = None
    since: int | None = None


class ResultsPage(Struct, frozen=True):
    """A page. `older` and `newer` are the places to go on from, None where nothing follows in that direction."""

    results: tuple[FoundResult, ...]
    older: str | None
    newer: str | None


async def list_results(
    desk: Desk, caller: Caller, sought: Sought, *, after: str | None = None, before: str | None = None, limit: int = 50
) -> ResultsPage:
    """The results of games that the caller may know of; a token for one game knows of that one. Raises `Malformed` for
    a cursor that is none.
    """
    query = ResultQuery(
        viewer=caller.account,
        game=caller.game,
        everything=has_scope(caller, "admin"),
        ruleset=sought.ruleset,
        account=sought.account,
        since=sought.since,
        after=None if after is None else _read_place(after),
        before=None if before is None else _read_place(before),
        limit=limit + 1,
    )
    found = await desk.store.results(query)
    more = len(found) > limit
    page = tuple(found[-limit:] if before is not None else found[:limit])
    if not page:
        return ResultsPage((), None, None)
    older = more if before is None else True
    newer = after is not None if before is None else more
    return ResultsPage(page, _place(page[-1]) if older else None, _place(page[0]) if newer else None)


def _place(found: FoundResult) -> str:
    return f"{found.result.at}:{found.result.game}"


def _read_place(cursor: str) -> Place:
    at, _, game = cursor.partition(":")
    try:
        place = Place(int(at), str(UUID(game)))
    except ValueError as error:
        raise bad_query("cursor", "not one of this list") from error
    if not 0 <= place.at < 2**53:
        raise bad_query("cursor", "not one of this list")
    return place
