"""What is asked of a seat, and every legal answer."""

from __future__ import annotations

from msgspec import Struct

from rules.choices import Option
from rules.ruleset import options_for
from service.handling.access import acting_seat, readable, seats_of
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.version import etag_of


class OptionsNow(Struct, frozen=True):
    """The open question as it concerns a seat; nothing is asked of it where `options` is empty."""

    version: int
    head: str
    etag: str
    seat: int | None
    decision_id: int | None
    options: tuple[Option, ...]


async def read_options(desk: Desk, caller: Caller, game: str, *, seat: int | None = None) -> OptionsNow:
    """The options of the caller's seat; none for who holds none. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    asked = acting_seat(caller, players, seat) if seat is not None or seats_of(caller, players) else None
    options = () if asked is None else tuple(options_for(now, hot.book, asked))
    waiting = now.waiting
    decision = waiting.decision if waiting is not None and options else None
    return OptionsNow(now.version, head, etag_of(now.version, head), asked, decision, options)
