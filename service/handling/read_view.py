"""The state of a game as one viewer may see it, now or at an earlier version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from events.entry import seat_of
from projections.game import AnyGame
from projections.view import GameView, view_game
from rules.ruleset import Ruleset
from service.auth.caller import Caller
from service.handling.access import readable, reading_as
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.version import etag_of
from service.handling.written import Written


class SeenGame(Struct, frozen=True):
    """A view, and the version it is of: `head` and `etag` are None for an earlier version."""

    version: int
    head: str | None
    etag: str | None
    view: GameView[Any]


class Sight(Struct, frozen=True):
    """What a viewer may see, not looked at yet: who has that version already needs no view. `head` is None for an
    earlier version.
    """

    hot: Hot
    game: AnyGame
    head: str | None
    seat: int | None
    kept: Written

    @property
    def etag(self) -> str | None:
        """The version's name; None for an earlier one."""
        return None if self.head is None else etag_of(self.game.version, self.head)

    def view(self) -> GameView[Any]:
        """The view."""
        return view_for(self.hot.ruleset, self.game, self.seat)

    def written(self, write: Callable[[GameView[Any]], bytes]) -> bytes:
        """The view in the one way that views are written; of the present version it is kept."""
        if self.head is None:
            return write(self.view())
        return self.kept.get(self.game.id, ("view", self.seat), self.head, lambda: write(self.view()))


async def look_at(
    desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None, at: int | None = None
) -> Sight:
    """What `viewer` (`spectator`, a seat, `auditor`; by default the caller's seat) may see. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    seat = seat_of(reading_as(now, caller, players, viewer))
    if at is None or at == now.version:
        return Sight(hot, now, head, seat, desk.written)
    return Sight(hot, await desk.games.at(hot, at), None, seat, desk.written)


async def read_view(
    desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None, at: int | None = None
) -> SeenGame:
    """The view of `viewer`, as for `look_at`. Raises `Failure`."""
    sight = await look_at(desk, caller, game, viewer=viewer, at=at)
    return SeenGame(sight.game.version, sight.head, sight.etag, sight.view())


def view_for(ruleset: Ruleset, game: AnyGame, seat: int | None) -> GameView[Any]:
    """The whole view of a seat, or of a spectator."""
    board = ruleset.view(game, seat, ruleset.edition(game.edition).edition)
    return view_game(game, seat, board)
