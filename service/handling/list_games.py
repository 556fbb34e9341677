"""Games in a list, newest first."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from projections.game import Status
from service.auth.caller import Caller
from service.failures import Malformed, bad_query
from service.handling.access import has_scope
from service.handling.desk import Desk
from service.store.protocol import GameQuery, Listed, Visibility


class ListedGame(Struct, frozen=True):
    """A game in a list. `yours` are the caller's seats."""

    game: str
    ruleset: str
    edition: str
    visibility: Visibility
    host: str
    created_at: int
    status: Status
    version: int
    seats: int
    taken: int
    bots: int
    yours: tuple[int, ...]


class GamesPage(Struct, frozen=True):
    """A page. `older` and `newer` are the game ids to go on from, None where nothing follows in that direction."""

    games: tuple[ListedGame, ...]
    older: str | None
    newer: str | None


async def list_games(
    desk: Desk,
    caller: Caller,
    *,
    ruleset: str | None = None,
    status: Status | None = None,
    mine: bool = False,
    after: str | None = None,
    before: str | None = None,
    limit: int = 50,
) -> GamesPage:
    """The games that the caller may know of: those older than the game `after`, or those newer than `before`. A token
    for one game knows of that one.

    Raises `Malformed` for a cursor that is none.
    """
    if after is not None and before is not None:
        raise Malformed("malformed", "A page begins after one game or ends before another, not both.")
    query = GameQuery(
        viewer=caller.account,
        game=caller.game,
        mine=mine,
        everything=has_scope(caller, "admin"),
        ruleset=ruleset,
        status=status,
        after=_read_cursor(after),
        before=_read_cursor(before),
        limit=limit + 1,
    )
    found = await desk.store.games(query)
    more = len(found) > limit
    page = found[-limit:] if before is not None else found[:limit]
    shown = tuple(_listed(one, caller) for one in page)
    if not shown:
        return GamesPage((), None, None)
    older = more if before is None else True
    newer = after is not None if before is None else more
    return GamesPage(shown, shown[-1].game if older else None, shown[0].game if newer else None)


def _read_cursor(cursor: str | None) -> str | None:
    try:
        return None if cursor is None else str(UUID(cursor))
    except ValueError as error:
        raise bad_query("cursor", "not one of this list") from error


def _listed(one: Listed, caller: Caller) -> ListedGame:
    row = one.game
    return ListedGame(
        game=row.id,
        ruleset=row.ruleset,
        edition=row.edition,
        visibility=row.visibility,
        host=row.created_by,
        created_at=row.created_at,
        status=row.status,
        version=one.version,
        seats=row.seats,
        taken=len(one.players),
        bots=sum(player.bot is not None for player in one.players),
        yours=tuple(p.seat for p in one.players if caller.account is not None and p.account == caller.account),
    )
