"""The log file of a game (log format, section 5), as one viewer may have it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.export import AUDITOR, SPECTATOR, Header, Note, entry_lines, line
from projections.game import ENDED, AnyGame
from projections.redact import Viewer, viewer_of
from service.auth.caller import Caller
from service.failures import Damaged, Forbidden, NotFound
from service.handling.access import has_scope, readable, reading_as, seats_of
from service.handling.desk import Desk
from service.handling.version import etag_of
from service.store.protocol import DisputeRead, Head

PAGE = 200


class Export(Struct, frozen=True):
    """An export as of a version; `pieces` are whole lines."""

    game: str
    viewer: Viewer
    version: int
    head: str
    etag: str
    pieces: AsyncIterator[bytes]

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.game}-{self.viewer.replace(':', '-')}.jsonl"


async def export_log(desk: Desk, caller: Caller, game: str, *, viewer: str | int | None = None) -> Export:
    """The file, up to the version that the game stands at now. Raises `Failure`.

    An auditor of a dispute gets it with everything opened, and the players see that. A damaged log is exported as it
    is kept, so that anybody can find out what is wrong with it; its head is not signed.
    """
    try:
        hot = await readable(desk, caller, game)
    except Damaged:
        return await _as_kept(desk, caller, game, viewer)
    players = await hot.players(desk.store)
    now, head = hot.game, hot.head
    if viewer == AUDITOR and caller.dispute is not None:
        eyes: Viewer = await _for_dispute(desk, caller, now)
    else:
        eyes = reading_as(now, caller, players, viewer)
    header = Header(game=hot.id, ruleset=now.ruleset, edition=now.edition, options=now.options, viewer=eyes, vkeys=[])
    pieces = _pieces(desk, header, Head(now.version, head), ended=now.ended, signed=True)
    return Export(hot.id, eyes, now.version, head, etag_of(now.version, head), pieces)


async def _as_kept(desk: Desk, caller: Caller, game: str, viewer: str | int | None) -> Export:
    """The file of a log that makes no game, for who may know of it. Raises `Failure`.

    Who sits where is known beside the log.
    """
    row, head = await desk.store.game(game), await desk.store.head(game)
    if row is None or head is None:
        raise NotFound("no_such_game", "There is no log of such a game.")
    seats = seats_of(caller, await desk.store.players(game))
    if viewer not in (None, SPECTATOR, *seats):
        raise Forbidden("not_your_seat", "The caller may not read this game with these eyes.")
    wanted = viewer if viewer is not None or len(seats) != 1 else seats[0]
    eyes = viewer_of(wanted) if isinstance(wanted, int) else SPECTATOR
    header = Header(game=game, ruleset=row.ruleset, edition=row.edition, viewer=eyes, vkeys=[])
    pieces = _pieces(desk, header, head, ended=row.status in ENDED, signed=False)
    return Export(game, eyes, head.seq, head.hash, etag_of(head.seq, head.hash), pieces)


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


async def _pieces(desk: Desk, header: Header, head: Head, *, ended: bool, signed: bool) -> AsyncIterator[bytes]:
    yield line(replace(header, vkeys=desk.keys.vkeys))
    viewer = SPECTATOR if header.viewer is UNSET else header.viewer
    for after in range(0, head.seq, PAGE):
        rows = await desk.store.rows(header.game, after, min(PAGE, head.seq - after))
        yield b"".join(entry_lines(row.seq, row.body, row.sealed, viewer, ended=ended) for row in rows)
    if signed:
        yield line(Note(head.seq, desk.sign(header.game, head.seq, head.hash, desk.clock())))
