"""What is asked of a seat, and every legal answer."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from projections.game import AnyGame
from rules.choices import Option
from rules.ruleset import options_for
from service.auth.caller import Caller
from service.handling.access import acting_seat, readable, seats_of
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.version import etag_of
from service.handling.written import Written


class OptionsNow(Struct, frozen=True):
    """The open question as it concerns a seat; nothing is asked of it where `options` is empty."""

    version: int
    head: str
    etag: str
    seat: int | None
    decision_id: int | None
    options: tuple[Option, ...]


class Chooser(Struct, frozen=True):
    """A seat (None: a caller without one) at a version of its game. Its options are not listed yet: who has that
    version already needs no list.
    """

    hot: Hot
    game: AnyGame
    head: str
    seat: int | None
    kept: Written

    @property
    def etag(self) -> str:
        """The version's name."""
        return etag_of(self.game.version, self.head)

    def options(self) -> OptionsNow:
        """The list. Raises `Conflict` where the game's rules are not at hand."""
        now, waiting = self.game, self.game.waiting
        options = () if self.seat is None else tuple(options_for(now, self.hot.book, self.seat))
        decision = waiting.decision if waiting is not None and options else None
        return OptionsNow(now.version, self.head, self.etag, self.seat, decision, options)

    def written(self, write: Callable[[OptionsNow], bytes]) -> bytes:
        """The list in the one way that lists are written; of the present version it is kept."""
        return self.kept.get(self.game.id, ("options", self.seat), self.head, lambda: write(self.options()))


async def find_chooser(desk: Desk, caller: Caller, game: str, *, seat: int | None = None) -> Chooser:
    """The caller's seat, or which of them is meant. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    asked = acting_seat(caller, players, seat) if seat is not None or seats_of(caller, players) else None
    return Chooser(hot, hot.game, hot.head, asked, desk.written)


async def read_options(desk: Desk, caller: Caller, game: str, *, seat: int | None = None) -> OptionsNow:
    """The options of the caller's seat; none for who holds none. Raises `Failure`."""
    return (await find_chooser(desk, caller, game, seat=seat)).options()
