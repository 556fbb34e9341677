"""The log file of a game (log format, section 5), as one viewer may have it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec import Struct

from events.export import Header, Note, entry_lines, line
from projections.game import AnyGame
from projections.redact import Viewer
from service.handling.access import readable, reading_as
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.version import etag_of

PAGE = 200


class Export(Struct, frozen=True):
    """An export as of a version; `pieces` are whole lines."""

    game: str
    viewer: Viewer
    version: int
    head: str
    etag: str
    pieces: AsyncIterator[bytes]


async def export_log(desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None) -> Export:
    """The file, up to the version that the game stands at now. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    eyes = reading_as(now, caller, players, viewer)
    return Export(hot.id, eyes, now.version, head, etag_of(now.version, head), _pieces(desk, now, head, eyes))


async def _pieces(desk: Desk, game: AnyGame, head: str, viewer: Viewer) -> AsyncIterator[bytes]:
    yield line(
        Header(
            game=game.id,
            ruleset=game.ruleset,
            edition=game.edition,
            options=game.options,
            viewer=viewer,
            vkeys=desk.keys.vkeys,
        )
    )
    for after in range(0, game.version, PAGE):
        rows = await desk.store.rows(game.id, after, min(PAGE, game.version - after))
        yield b"".join(entry_lines(row.seq, row.body, row.sealed, viewer, ended=game.ended) for row in rows)
    yield line(Note(game.version, desk.sign(game.id, game.version, head, desk.clock())))
