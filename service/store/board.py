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
see `Presence`. Whoever is in doubt asks the log.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import mmap
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from io import FileIO
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from uuid import UUID, uuid4

from service.store.connections import patiently
from service.store.protocol import Move, StoreUnavailable
from service.store.relay import Relay, open_relay

if TYPE_CHECKING:
    from service.store.connections import Pool

logger = logging.getLogger(__name__)

FILE: Final = "board"
SLOTS: Final = 2**15
WORKERS: Final = 32
"""Workers of one machine that can share a board."""

_CELL: Final = 4
_DONE: Final = 0x100
"""A cell counts what is done with in units of this, and below it what is under way: never as many as this, since a
worker appends to a game one entry at a time.
"""

_LOWEST: Final = 0 if sys.byteorder == "little" else _CELL - 1
_IDLE: Final = bytes(WORKERS)
_ROW: Final = WORKERS * _CELL
_HEADER: Final = mmap.PAGESIZE
_ERA: Final = 4
"""Bytes for the number of an era."""

_NAME: Final = 16
"""Bytes at the start of the file that tell this board from others; zeros are none yet."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")

PROMPT: Final = 1.0
"""Seconds for which a board may be trusted without having heard who else appends; asked twice as often."""

ARRIVAL: Final = 1.25
"""Seconds that a newcomer waits before its first entry: by then everybody has heard of it."""

LAPSE: Final = 30.0
"""Seconds without having said that one is there, after which one is a newcomer again."""

UNHEARD: Final = 30.0
"""Seconds after which an entry of which nothing was heard is not waited for any more. Reads ask so often anyway."""

SAID_AGAIN: Final = timedelta(seconds=5)
"""After this the database is told again. Who was seen there within a minute is there."""

# Two plain statements: on Citus each is one of the coordinator, whichever node is asked, and so are its clock and its
# start. Told and asked in one, the answer there holds what was only just told.
_ASK: Final = """
SELECT
    count(*) FILTER (WHERE board <> $2 AND seen_at > now() - interval '60 seconds') AS others,
    max(seen_at) FILTER (WHERE worker = $1) AS said,
    now() AS now,
    pg_postmaster_start_time() AS started
FROM boards
"""
_SAY: Final = """
INSERT INTO boards (worker, board, seen_at) VALUES ($1, $2, $3)
ON CONFLICT (worker) DO UPDATE SET seen_at = excluded.seen_at
"""
_LEAVE: Final = "DELETE FROM boards WHERE worker = $1 OR seen_at < now() - interval '1 hour'"


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


class Sheet:
    """The file, and this worker's column of it. Made by `open_sheet`."""

    def __init__(self, name: UUID, memory: mmap.mmap, column: int, lock: FileIO) -> None:
        self.name, self.column, self._memory, self._lock = name, column, memory, lock
        self._own = column * _CELL
        self._cells = memoryview(memory).cast("I")
        places = range((_HEADER + self._own) // _CELL, len(self._cells), WORKERS)
        self._left = {place: left for place in places if (left := self._cells[place] % _DONE)}

    def row(self, game: str) -> bytes:
        """The row of a game."""
        start = _start(game)
        return self._memory[start : start + _ROW]

    def begin(self, game: str) -> None:
        """One more of this worker's entries is under way in the row of a game."""
        self._cells[(_start(game) + self._own) // _CELL] += 1

    def after(self, game: str) -> bytes:
        """The own cell as it is when one of them is done with."""
        return self._after(self._cells[(_start(game) + self._own) // _CELL]).to_bytes(_CELL, sys.byteorder)

    def end(self, game: str) -> bytes:
        """One of them is done with; this worker's cell as it is then."""
        start = _start(game) + self._own
        place = start // _CELL
        self._end(place)
        return self._memory[start : start + _CELL]

    def with_own(self, row: bytes, cell: bytes) -> bytes:
        """A row, or a note of one, with this worker's cell as given."""
        return row[: self._own] + cell + row[self._own + _CELL :]

    def close(self) -> None:
        """The column is free again."""
        self._cells.release()
        self._memory.close()
        self._lock.close()

    def end_what_was_left(self) -> None:
        """The entries of who had this column before have come by now, or never will."""
        for place, left in self._left.items():
            for _ in range(left):
                self._end(place)

    def _end(self, place: int) -> None:
        self._cells[place] = self._after(self._cells[place])

    @staticmethod
    def _after(cell: int) -> int:
        return (cell + _DONE - 1) & 0xFFFF_FFFF


def idle(row: bytes) -> bool:
    """Whether nothing is under way in a row."""
    return row[_LOWEST::_CELL] == _IDLE


def changed(noted: bytes, row: bytes) -> list[tuple[int, bytes]]:
    """The columns in which two rows differ, with the cells of the second."""
    found = []
    differing = int.from_bytes(noted, "little") ^ int.from_bytes(row, "little")
    while differing:
        column = ((differing & -differing).bit_length() - 1) // (8 * _CELL)
        found.append((column, row[column * _CELL : (column + 1) * _CELL]))
        differing &= -1 << (column + 1) * 8 * _CELL
    return found


def _start(game: str) -> int:
    # The end of an id is chance, which scatters games well.
    return _HEADER + (int(game[-4:], 16) % SLOTS) * _ROW


def open_sheet(folder: Path) -> Sheet | None:
    """The board of the workers that share this folder; None where there can be none, or no column is free."""
    if not _BOOT.exists():
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = _free_column(folder)
        if found is None:
            logger.warning("more than %d workers share %s: reads ask the log", WORKERS, folder)
            return None
        column, lock = found
        name, memory = _opened(folder)
    except OSError as error:
        logger.warning("there can be no board in %s, reads ask the log: %s", folder, error)
        return None
    return Sheet(name, memory, column, lock)


def _free_column(folder: Path) -> tuple[int, FileIO] | None:
    for column in range(WORKERS):
        lock = FileIO(folder / f"{FILE}.{column}", "a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
        else:
            return column, lock
    return None


def _opened(folder: Path) -> tuple[UUID, mmap.mmap]:
    """The name and the memory of the file, which is made by who comes first. The name is of this very file on this
    machine since it was started: a copy of it is another board, and machines that see one file share no memory.

    Its place on the disk is taken beforehand: where a full disk had none later, writing to memory would end the worker.
    """
    with os.fdopen(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.posix_fallocate(file.fileno(), 0, _HEADER + SLOTS * _ROW)
        memory = mmap.mmap(file.fileno(), 0)
        if memory[:_NAME] == bytes(_NAME):
            memory[:_NAME] = uuid4().bytes
        # The memory keeps the file open, and with it the lock.
        fcntl.flock(file, fcntl.LOCK_UN)
        found = os.fstat(file.fileno())
        told = (memory[:_NAME].hex(), found.st_dev, found.st_ino, _BOOT.read_text())
        return UUID(bytes=sha256(repr(told).encode()).digest()[:16]), memory


class _Found(NamedTuple):
    """When the database's server was started, and when this worker last said there that it is there."""

    started: datetime
    said: datetime


class Presence:
    """Says in the database that this worker appends, and hears whether anybody does who has another board.

    - A worker trusts its board for `PROMPT` seconds after it asked and nobody else was there; it asks all the time, in
      the background.
    - A newcomer says that it is there, and if anybody else is, waits for `ARRIVAL` seconds before its first entry: by
      then those who trusted have heard. If nobody is, nobody trusts.
    - Who has not managed to say so for `LAPSE` seconds is a newcomer again. The others take it to be there for twice as
      long.

    It also hears whether the database is still the one that it was: the same server, not started anew, and with what
    this worker said last. If it is not, a backup was put back, or another server took over, perhaps without the last
    entries: a new *era* begins, in which nothing counts that was noted before. On Citus this is the coordinator; what
    befalls another node is noticed when a game's log is next asked.
    """

    def __init__(
        self,
        pool: Pool,
        board: UUID,
        *,
        seconds: float = 5,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._pool, self._board, self._seconds, self._now, self._pause = pool, board, seconds, now, pause
        self._worker = uuid4()
        self._said_at = self._alone_at = float("-inf")
        self._found: _Found | None = None
        self.era = 0
        self._arriving: asyncio.Task[None] | None = None
        self._saying: asyncio.Task[None] | None = None

    @property
    def alone(self) -> bool:
        """Whether nobody appends who has another board."""
        return self._now() - self._alone_at < PROMPT

    @property
    def known(self) -> bool:
        """Whether everybody knows that this worker appends."""
        return self._now() - self._said_at < LAPSE

    async def start(self) -> None:
        """Arrive, and go on saying so. Raises `StoreUnavailable`."""
        await self.arrive()
        self._saying = asyncio.create_task(self._go_on(), name="presence")

    async def arrive(self) -> None:
        """Say that this worker is there, and wait until everybody knows. Raises `StoreUnavailable`."""
        if self._arriving is None or self._arriving.done():
            self._arriving = asyncio.create_task(self._arrive(), name="presence: arrive")
        await asyncio.shield(self._arriving)

    async def close(self) -> None:
        """No more is appended by this worker."""
        tasks = [task for task in (self._saying, self._arriving) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreUnavailable):
            async with patiently(self._seconds):
                await self._pool.execute(_LEAVE, self._worker)

    async def _arrive(self) -> None:
        await self._say()
        # Of two who arrive in the same moment neither may have seen the other; now one of them does.
        said_at, others = await self._say()
        self._heard(said_at, others)
        if others:
            await self._pause(ARRIVAL)
        self._said_at = said_at

    async def _go_on(self) -> None:
        while True:
            await self._pause(PROMPT / 2)
            try:
                if self.known:
                    self._said_at, others = await self._say()
                    self._heard(self._said_at, others)
                else:
                    await self.arrive()
            except StoreUnavailable:
                continue
            except Exception:
                logger.exception("who else appends is not known for a while: reads ask the log")

    async def _say(self) -> tuple[float, int]:
        """When it was said, and how many others there are."""
        said_at = self._now()
        async with patiently(self._seconds):
            [(others, said, now, started)] = await self._pool.fetch(_ASK, self._worker, self._board)
            if self._found not in (None, _Found(started, said)):
                self.doubt()
            if said is None or now - said > SAID_AGAIN:
                await self._pool.execute(_SAY, self._worker, self._board, now)
                said = now
        self._found = _Found(started, said)
        return said_at, others

    def doubt(self) -> None:
        """Another era begins."""
        self.era += 1

    def _heard(self, asked_at: float, others: int) -> None:
        self._alone_at = float("-inf") if others else asked_at


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
        row = _start(game)
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
        for column, cell in changed(noted[:_ROW], row):
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
        del self._unheard[_start(game)]
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
