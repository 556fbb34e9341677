"""The log of a game as it grows: from any position, for ever, until the game is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Annotated, Protocol

from msgspec import Meta, Struct

from projections.redact import SeenEntry, Viewer, see
from service.handling.access import readable, reading_as, require_game, require_readable
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.failures import Conflict, Failure, bad_query
from service.handling.hot import Hot
from service.handling.live import Watched
from service.handling.read_view import SeenGame, read_view
from service.store.protocol import Row, StoreUnavailable

AT_ONCE = 64
"""Entries read from the log at a time."""

PIECE = 16 * 1024
"""Bytes handed on at a time, unless a single entry is larger: what a reader that has stopped holds up stays small."""


class End(Struct, frozen=True):
    """The last word of a stream: why it ends, and the place to go on from."""

    reason: Annotated[
        str,
        Meta(
            description="`finished`: the game is over, and all of it was sent. `closing`: the server stops; connect "
            "again. `unavailable`: the log does not answer; connect again a little later. `log_changed`: a backup was "
            "restored; read from the start. Anything else is the `code` of the problem that a new request would meet."
        ),
    ]
    last: Annotated[int, Meta(description="What was sent last: `after`, or `Last-Event-ID`, of the next request.")]


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
    still: Callable[[], Awaitable[Caller]]
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
    reading, reader = begun.reading, _Reader(desk, begun)
    if begun.first is not None:
        yield reading.form.view(begun.first)
    hot = await desk.games.get(reading.game)
    with desk.live.watch(reading.game, hot.version) as watched:
        while True:
            try:
                piece = await reader.next(watched)
            except (Failure, StoreUnavailable) as failure:
                piece = End(failure.code if isinstance(failure, Failure) else "unavailable", reader.position)
            if isinstance(piece, End):
                yield reading.form.end(piece)
                return
            yield piece


class _Reader:
    """One reader's place in one log."""

    def __init__(self, desk: Desk, begun: Begun) -> None:
        self._desk, self._wanted = desk, begun.reading
        self._caller, self.position = begun.reading.caller, begun.position
        self._asked_at = asyncio.get_running_loop().time()
        self._rows: list[Row] = []

    async def next(self, watched: Watched) -> bytes | End:
        """The next piece, as soon as there is one. Raises `Failure` where the reader may read no further."""
        if self._desk.live.closing:
            return End("closing", self.position)
        await self._still_welcome()
        hot = await self._desk.games.get(watched.game)
        eyes = await self._eyes(hot)
        if not self._rows:
            self._rows = await self._read(watched)
        if self._rows:
            return self._written(watched, eyes, ended=hot.game.ended)
        if hot.game.ended and self.position >= hot.version:
            return End("finished", self.position)
        if self.position < watched.version or hot.version < self.position:
            return End("log_changed", self.position)
        moved = await watched.beyond(self.position, self._wanted.beat)
        return b"" if moved or self._desk.live.closing else self._wanted.form.beat()

    async def _read(self, watched: Watched) -> list[Row]:
        if self.position >= watched.version:
            return []
        kept = watched.kept(self.position)
        if kept:
            return kept
        wanted = min(AT_ONCE, watched.version - self.position)
        return await self._desk.store.rows(watched.game, self.position, wanted)

    def _written(self, watched: Watched, eyes: Viewer, *, ended: bool) -> bytes:
        """As many entries as fit into a piece, at least one."""
        made, size = [], 0
        while self._rows and size < PIECE:
            row = self._rows.pop(0)
            key = (row.seq, eyes, ended, self._wanted.form.name)
            made.append(watched.rendered(key, partial(self._write, row, eyes, ended=ended)))
            size += len(made[-1])
            self.position = row.seq
        return b"".join(made)

    def _write(self, row: Row, eyes: Viewer, *, ended: bool) -> bytes:
        return self._wanted.form.entry(see(row.body, row.hash, row.sealed, eyes, ended=ended))

    async def _still_welcome(self) -> None:
        """Once per beat: a token that was revoked or has expired ends its streams."""
        now = asyncio.get_running_loop().time()
        if now - self._asked_at >= self._wanted.beat:
            self._asked_at = now
            self._caller = await self._wanted.still()

    async def _eyes(self, hot: Hot) -> Viewer:
        """With which eyes the reader may read now: seats are taken and left."""
        players = await hot.players(self._desk.store)
        require_game(self._caller, hot.id)
        require_readable(hot, self._caller, players)
        return reading_as(hot.game, self._caller, players, self._wanted.viewer)
