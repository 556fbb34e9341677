"""The log of a game as it grows: from any position, for ever, until the game is over."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial
from typing import Protocol

from msgspec import Struct

from projections.redact import SeenEntry, Viewer, see
from service.auth.caller import Caller
from service.failures import Conflict, bad_query
from service.handling.access import readable, reading_as, require_game, require_readable
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.live import Watched
from service.handling.read_view import SeenGame, read_view
from service.handling.streaming import End, Still, Welcome, next_of
from service.store.protocol import Row

AT_ONCE = 64
"""Entries read from the log at a time."""

PIECE = 16 * 1024
"""Bytes handed on at a time, unless a single entry is larger: what a reader that has stopped holds up stays small."""


class Form(Protocol):
    """How what happens is written down."""

    name: str

    def entry(self, entry: SeenEntry) -> bytes: ...

    def view(self, seen: SeenGame) -> bytes: ...

    def beat(self) -> bytes:
        """Nothing has happened for a while."""
        ...

    def end(self, end: End) -> bytes: ...


class Reading(Struct, frozen=True, kw_only=True):
    """What a reader wants: a game with some eyes, the entries after `after`, perhaps the state of then before them; and
    how. Every `beat` seconds `still` is asked who the reader is now; it raises where the reader is nobody any more.
    """

    caller: Caller
    game: str
    viewer: str | int | None = None
    after: int | None = None
    state: bool = False
    form: Form
    still: Still
    beat: float


class Begun(Struct, frozen=True):
    """A stream that can be given: from here on nothing is refused any more."""

    reading: Reading
    position: int
    first: SeenGame | None


async def follow_log(desk: Desk, reading: Reading) -> Begun | None:
    """The stream, not yet begun; None where the game has ended and the reader has it all. Raises `Failure`.

    Without a position it begins with the first entry, or with the state of now if the state is wanted.
    """
    hot = await readable(desk, reading.caller, reading.game)
    reading_as(hot.game, reading.caller, await hot.players(desk.store), reading.viewer)
    after, version = reading.after, hot.version
    if after is not None and after > version:
        raise Conflict("ahead_of_log", "The log has not come so far.", game_version=version)
    if hot.game.ended and after == version and not reading.state:
        return None
    if not reading.state:
        return Begun(reading, after or 0, None)
    if after == 0:
        raise bad_query("after", "there is no state before the first entry")
    first = await read_view(desk, reading.caller, reading.game, viewer=reading.viewer, at=after)
    return Begun(reading, first.version, first)


async def pieces(desk: Desk, begun: Begun) -> AsyncGenerator[bytes]:
    """The stream, piece by piece; the last one says why it ends and where to go on."""
    reading = begun.reading
    welcome = Welcome(reading.caller, reading.still, reading.beat)
    if begun.first is not None:
        yield reading.form.view(begun.first)
    hot = await desk.games.get(reading.game)
    with desk.live.watch(reading.game, hot.version) as watched:
        reader = _Reader(desk, begun, watched, welcome)
        while True:
            piece = await next_of(reader)
            if isinstance(piece, End):
                yield reading.form.end(piece)
                return
            yield piece


class _Reader:
    """One reader's place in one log."""

    def __init__(self, desk: Desk, begun: Begun, watched: Watched, welcome: Welcome) -> None:
        self._desk, self._wanted, self._watched, self._welcome = desk, begun.reading, watched, welcome
        self.position = begun.position
        self._rows: list[Row] = []

    async def next(self) -> bytes | End:
        """The next piece, as soon as there is one. Raises `Failure` where the reader may read no further."""
        if self._desk.live.closing:
            return End("closing", self.position)
        await self._welcome.renew()
        watched = self._watched
        hot = await self._desk.games.get(watched.game)
        eyes = await self._eyes(hot)
        if not self._rows:
            self._rows = await self._read()
        if self._rows:
            return self._written(eyes, ended=hot.game.ended)
        if hot.game.ended and self.position >= hot.version:
            return End("finished", self.position)
        if self.position < watched.version or hot.version < self.position:
            return End("log_changed", self.position)
        moved = await watched.beyond(self.position, self._wanted.beat)
        return b"" if moved or self._desk.live.closing else self._wanted.form.beat()

    async def _read(self) -> list[Row]:
        watched = self._watched
        if self.position >= watched.version:
            return []
        kept = watched.kept(self.position)
        if kept:
            return kept
        wanted = min(AT_ONCE, watched.version - self.position)
        return await self._desk.store.rows(watched.game, self.position, wanted)

    def _written(self, eyes: Viewer, *, ended: bool) -> bytes:
        """As many entries as fit into a piece, at least one."""
        made, size = [], 0
        while self._rows and size < PIECE:
            row = self._rows.pop(0)
            key = (row.seq, eyes, ended, self._wanted.form.name)
            made.append(self._watched.rendered(key, partial(self._write, row, eyes, ended=ended)))
            size += len(made[-1])
            self.position = row.seq
        return b"".join(made)

    def _write(self, row: Row, eyes: Viewer, *, ended: bool) -> bytes:
        return self._wanted.form.entry(see(row.body, row.hash, row.sealed, eyes, ended=ended))

    async def _eyes(self, hot: Hot) -> Viewer:
        """With which eyes the reader may read now: seats are taken and left."""
        players, caller = await hot.players(self._desk.store), self._welcome.caller
        require_game(caller, hot.id)
        require_readable(hot, caller, players)
        return reading_as(hot.game, caller, players, self._wanted.viewer)
