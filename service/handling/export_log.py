"""The log file of a game (log format, section 5), as one viewer may have it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec import Struct

from events.export import Header, Note, entry_lines, line
from projections.game import AnyGame
from projections.redact import Viewer
from service.handling.access import AUDITOR, has_scope, readable, reading_as
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.failures import Forbidden
from service.handling.version import etag_of
from service.store.protocol import DisputeRead

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
    """The file, up to the version that the game stands at now. Raises `Failure`.

    An auditor of a dispute gets it with everything opened, and the players see that.
    """
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    if viewer == AUDITOR and caller.dispute is not None:
        eyes: Viewer = await _for_dispute(desk, caller, now)
    else:
        eyes = reading_as(now, caller, players, viewer)
    return Export(hot.id, eyes, now.version, head, etag_of(now.version, head), _pieces(desk, now, head, eyes))


async def _for_dispute(desk: Desk, caller: Caller, game: AnyGame) -> Viewer:
    """An auditor's eyes, while the dispute is open. It is recorded before anything is read."""
    assert caller.dispute is not None, "asked for these only"
    assert caller.token is not None, "a token that names a dispute has an id"
    if not has_scope(caller, "audit"):
        raise Forbidden("dispute_not_for_reading", "This token settles the dispute; it does not open hidden facts.")
    if game.disputes[caller.dispute - 1].verdict is not None:
        raise Forbidden("dispute_settled", "The dispute is settled: there is nothing more to find out.")
    at = desk.clock()
    await desk.store.record_read(DisputeRead(game.id, caller.dispute, desk.new_id(), caller.token, game.version, at))
    return AUDITOR


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
