"""The state of a game as one viewer may see it, now or at an earlier version."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from projections.game import AnyGame
from projections.view import GameView, view_game
from rules.ruleset import Ruleset
from service.handling.access import readable, reading_as, seat_viewed
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.version import etag_of


class SeenGame(Struct, frozen=True):
    """A view, and the version it is of: `head` and `etag` are None for an earlier version."""

    version: int
    head: str | None
    etag: str | None
    view: GameView[Any]


async def read_view(
    desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None, at: int | None = None
) -> SeenGame:
    """The view of `viewer` (`spectator`, a seat, `auditor`; by default the caller's seat). Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    seat = seat_viewed(reading_as(now, caller, players, viewer))
    if at is None or at == now.version:
        return SeenGame(now.version, head, etag_of(now.version, head), view_for(hot.ruleset, now, seat))
    then = await desk.games.at(hot, at)
    return SeenGame(at, None, None, view_for(hot.ruleset, then, seat))


def view_for(ruleset: Ruleset, game: AnyGame, seat: int | None) -> GameView[Any]:
    """The whole view of a seat, or of a spectator."""
    board = ruleset.view(game, seat, ruleset.edition(game.edition).edition)
    return view_game(game, seat, board)
