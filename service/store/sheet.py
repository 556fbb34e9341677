"""The file in memory that is the board of a machine's workers: `service.store.board` says what is told there, and why.

A row of cells for each slot, a cell for each worker; a game has a slot. Only its own worker writes a cell.
"""

from __future__ import annotations

import fcntl
import logging
import mmap
import os
import sys
from functools import lru_cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

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
ROW: Final = WORKERS * _CELL
"""Bytes of a row."""
_HEADER: Final = mmap.PAGESIZE

_NAME: Final = 16
"""Bytes at the start of the file that tell this board from others; zeros are none yet."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


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
        start = start_of(game)
        return self._memory[start : start + ROW]

    def begin(self, game: str) -> None:
        """One more of this worker's entries is under way in the row of a game."""
        self._cells[(start_of(game) + self._own) // _CELL] += 1

    def after(self, game: str) -> bytes:
        """The own cell as it is when one of them is done with."""
        return self._after(self._cells[(start_of(game) + self._own) // _CELL]).to_bytes(_CELL, sys.byteorder)

    def end(self, game: str) -> bytes:
        """One of them is done with; this worker's cell as it is then."""
        start = start_of(game) + self._own
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


@lru_cache(maxsize=2**14)
def start_of(game: str) -> int:
    """Where the row of a game begins. Remembered, since it is asked for four times in a move."""
    # The end of an id is chance, which scatters games well.
    return _HEADER + (int(game[-4:], 16) % SLOTS) * ROW


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
        os.posix_fallocate(file.fileno(), 0, _HEADER + SLOTS * ROW)
        memory = mmap.mmap(file.fileno(), 0)
        if memory[:_NAME] == bytes(_NAME):
            memory[:_NAME] = uuid4().bytes
        # The memory keeps the file open, and with it the lock.
        fcntl.flock(file, fcntl.LOCK_UN)
        found = os.fstat(file.fileno())
        told = (memory[:_NAME].hex(), found.st_dev, found.st_ino, _BOOT.read_text())
        return UUID(bytes=sha256(repr(told).encode()).digest()[:16]), memory
