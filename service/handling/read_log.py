"""The log of a game as one viewer may see it, page by page; and its signed head."""

from __future__ import annotations

from msgspec import Struct

from projections.redact import SeenEntry, see
from service.auth.caller import Caller
from service.handling.access import readable, reading_as
from service.handling.desk import Desk
from service.handling.version import etag_of


class LogPage(Struct, frozen=True):
    """Entries in order. `version`, `head` and `etag` are the game's, `more` says whether entries follow these."""

    entries: tuple[SeenEntry, ...]
    version: int
    head: str
    etag: str
    more: bool


class SignedHead(Struct, frozen=True):
    """Where a log stands, signed: whoever keeps the note can prove a lost or rewritten entry."""

    game: str
    version: int
    head: str
    etag: str
    note: str


async def read_log(
    desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None, after: int = 0, limit: int = 100
) -> LogPage:
    """At most `limit` entries after `after`. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    eyes = reading_as(now, caller, players, viewer)
    wanted = min(limit, now.version - after)
    rows = await desk.store.rows(hot.id, after, wanted) if wanted > 0 else []
    entries = tuple(see(row.body, row.hash, row.sealed, eyes, ended=now.ended) for row in rows)
    last = entries[-1].seq if entries else after
    return LogPage(entries, now.version, head, etag_of(now.version, head), last < now.version)


async def read_head(desk: Desk, caller: Caller, game: str) -> SignedHead:
    """The signed head. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    version, head = hot.version, hot.head
    return SignedHead(hot.id, version, head, etag_of(version, head), desk.sign(hot.id, version, head, desk.clock()))
