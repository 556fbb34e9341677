"""A board that all workers of one machine share: who has appended to a game writes there that it moved. So a reader
knows without asking the log whether the state in memory is still the newest.

The board is a file in memory: a row of cells for each slot, a cell for each worker, and a game has a slot. Only its own
worker writes a cell: how many of its entries are under way, and how many are done with. The argument:

- An entry is under way from before the log is told of it until its worker has heard what came of it. Only then does
  that worker tell anybody; but others may meet the entry in the log as soon as it is committed, and tell.
- A reader *notes* the row before it asks the log, and keeps the note beside the state that it got. While the row is as
  noted, and nothing is under way in it, nobody on this machine has told anybody of a later entry than the log had when
  it was asked. Else something was appended or is about to be (to this game, or to another one in the same slot), and
  the reader asks.
- Who appends has the log's word, at that moment, that the game stood where it was known to. So the note is good for the
  new state too, with the cell of one's own as it is now. The cells of others stay as noted: who of them appended after
  us wrote after that.
- Half-written cells are no danger: they differ from what was noted, or from what is there later.
- Of an entry whose worker was killed, or has heard nothing before it lost patience, nobody knows: it may be there, or
  come to be there yet. It stays under way, and its game is asked for, for `UNHEARD` seconds: by then it has come, or
  its connection has gone. A killed worker's are counted from when another one takes its column.
- Where the row has changed and nothing is under way, those whose cells have changed may have passed on what they
  appended (`service.store.relay`). With the last entry of each, and all between it and the state, the state is the
  newest again.

That is all about one machine. What others append is not on this board, so it is trusted only while there are no others:
see `service.store.presence`. Whoever is in doubt asks the log.
"""

from __future__ import annotations

import asyncio
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from uuid import uuid4

from service.store.presence import Presence
from service.store.protocol import Move
from service.store.relay import Relay, open_relay
from service.store.sheet import ROW, Sheet, changed, idle, open_sheet, start_of

if TYPE_CHECKING:
    from service.store.connections import Pool

_ERA: Final = 4
"""Bytes for the number of an era."""

UNHEARD: Final = 30.0
"""Seconds after which an entry of which nothing was heard is not waited for any more. Reads ask so often anyway."""


class PassedOn(NamedTuple):
    """The last entries of those who moved since, oldest first; perhaps with older ones, perhaps not all. And the note
    for the state after them.
    """

    note: bytes
    moves: list[Move]


class Board(Protocol):
    """Where games have moved, as far as this machine's workers tell."""

    def note(self, game: str) -> bytes | None:
        """What the board shows of a game, to be noted before the log is asked."""
        ...

    def shows(self, game: str, noted: bytes | None) -> bool:
        """Whether the board may be trusted and shows what was noted."""
        ...

    def moving(self, game: str) -> None:
        """Tell that this worker is about to append."""
        ...

    def moved(self, game: str, noted: bytes | None, appended: Move | None = None) -> bytes | None:
        """Tell that it is done, and pass on what is in the log. The note for the state after it, if there was one
        before.
        """
        ...

    def unheard(self, game: str) -> None:
        """Tell that nothing was heard of it: it may be there, or come to be there yet."""
        ...

    def passed_on(self, game: str, noted: bytes | None) -> PassedOn | None:
        """What was appended since a state was noted; None where only the log can tell."""
        ...

    def doubt(self) -> None:
        """Tell that the log was rewritten: nothing that was noted counts any more."""
        ...

    async def may_append(self) -> None:
        """Return once this worker may append: everybody who trusts a board knows of it. Raises `StoreUnavailable`."""
        ...


class NoBoard:
    """Nothing is known without asking the log."""

    def note(self, game: str) -> bytes | None:  # noqa: ARG002 - the protocol's
        return None

    def shows(self, game: str, noted: bytes | None) -> bool:  # noqa: ARG002 - likewise
        return False

    def moving(self, game: str) -> None:
        """There is nobody to tell."""

    def moved(self, game: str, noted: bytes | None, appended: Move | None = None) -> bytes | None:  # noqa: ARG002 - likewise
        return None

    def unheard(self, game: str) -> None:
        """There is nobody to tell."""

    def passed_on(self, game: str, noted: bytes | None) -> PassedOn | None:  # noqa: ARG002 - likewise
        return None

    def doubt(self) -> None:
        """Nothing was noted."""

    async def may_append(self) -> None:
        """There is nobody to wait for."""


class Present(Protocol):
    """What a board needs to know of the others."""

    @property
    def alone(self) -> bool: ...

    @property
    def known(self) -> bool: ...

    @property
    def era(self) -> int: ...

    def doubt(self) -> None: ...

    async def arrive(self) -> None: ...

    async def close(self) -> None: ...


class SharedBoard:
    """The sheet, while it may be trusted. Who found no place on one says that it is there, and asks the log."""

    def __init__(self, sheet: Sheet | None, presence: Present, relay: Relay | None = None) -> None:
        self._sheet, self._presence, self._relay = sheet, presence, relay
        self._unheard: dict[int, asyncio.TimerHandle] = {}
        if sheet is not None:
            self._left = asyncio.get_running_loop().call_later(UNHEARD, sheet.end_what_was_left)

    def note(self, game: str) -> bytes | None:
        return None if self._sheet is None else self._sheet.row(game) + self._era()

    def shows(self, game: str, noted: bytes | None) -> bool:
        if self._sheet is None or not self._presence.alone:
            return False
        row = self._sheet.row(game)
        return row + self._era() == noted and idle(row)

    def moving(self, game: str) -> None:
        if self._sheet is not None:
            self._sheet.begin(game)

    def moved(self, game: str, noted: bytes | None, appended: Move | None = None) -> bytes | None:
        if self._sheet is None:
            return None
        if appended is not None and self._relay is not None:
            self._relay.put(appended, self._sheet.after(game))
        cell = self._sheet.end(game)
        return None if noted is None else self._sheet.with_own(noted, cell)

    def unheard(self, game: str) -> None:
        if self._sheet is None:
            return
        row = start_of(game)
        before = self._unheard.get(row)
        self._unheard[row] = asyncio.get_running_loop().call_later(UNHEARD, self._give_up, game)
        if before is not None:
            # One that stays under way does for all of its row.
            before.cancel()
            self._sheet.end(game)

    def passed_on(self, game: str, noted: bytes | None) -> PassedOn | None:
        if self._sheet is None or self._relay is None or noted is None or not self._presence.alone:
            return None
        row, era = self._sheet.row(game), self._era()
        if not idle(row) or not noted.endswith(era):
            return None
        moves: list[Move] = []
        for column, cell in changed(noted[:ROW], row):
            found = self._relay.get(column, game, cell)
            if found is None:
                return None
            moves += found
        moves.sort(key=attrgetter("seq"))
        return PassedOn(row + era, moves)

    def doubt(self) -> None:
        self._presence.doubt()

    async def may_append(self) -> None:
        if not self._presence.known:
            await self._presence.arrive()

    def _era(self) -> bytes:
        """The end of a note."""
        return self._presence.era.to_bytes(_ERA)

    def _give_up(self, game: str) -> None:
        """What was not heard of by now has not come to be there."""
        assert self._sheet is not None, "else nothing is waited for any more"
        del self._unheard[start_of(game)]
        self._sheet.end(game)

    async def close(self) -> None:
        """No more is appended by this worker."""
        await self._presence.close()
        if self._sheet is not None:
            for waiting in (self._left, *self._unheard.values()):
                waiting.cancel()
            self._sheet.close()
            self._sheet = None
        if self._relay is not None:
            self._relay.close()
            self._relay = None


async def open_board(folder: Path, pool: Pool) -> SharedBoard:
    """The board of this machine, with this worker at it. Raises `StoreUnavailable`."""
    sheet = open_sheet(folder)
    relay = None if sheet is None else open_relay(folder, sheet.column)
    presence = Presence(pool, uuid4() if sheet is None else sheet.name)
    await presence.start()
    return SharedBoard(sheet, presence, relay)
