"""Entries as workers of one machine pass them on, so that who is behind need not ask the log for them.

Each worker has a file in memory that only it writes. A game has a cell in it, which it shares with others: there stand
the last entries that this worker has appended to one game, as many as there is room for. Each was in the log, durably,
before it stood here.

A cell bears a *stamp*, which the worker puts there with the entry, and tells on the board (`service.store.board`) when
it is done with it. Who finds a cell with the stamp that the board shows knows that it holds the last entry of that
worker: whatever the worker has had under way since, done or failed, or in another game of the same row, has changed the
stamp. A cell that is half written, or was left so by a worker that was killed, does not bear out its digest. In any
doubt there is the log.

Words of persons are not passed on: they can be erased, and would stay here.
"""

from __future__ import annotations

import logging
import mmap
import os
from hashlib import sha256
from pathlib import Path
from struct import Struct as Layout
from typing import Final

import msgspec
from msgspec import Struct

from events.seals import Seals
from service.store.protocol import Move

logger = logging.getLogger(__name__)

FILE: Final = "relay"
CELLS: Final = 2**12
CELL: Final = 4096
"""Bytes of a cell: four entries or so, since a seat often moves several times, and each time at another worker."""

_HEAD: Final = Layout("<4s36s16sI")
"""Stamp, game, digest of all the rest, bytes of entries."""
_LENGTH: Final = Layout("<I")
_ROOM: Final = CELL - _HEAD.size

_PERSONAL: Final = b'["p"'
"""What the words of a person begin with where they are kept (`events.seals`). A value may hold it too."""

_encode: Final = msgspec.msgpack.Encoder().encode


class _Told(Struct, frozen=True, array_like=True):
    """An entry as it stands in a cell, after its length."""

    seq: int
    command_id: str
    fingerprint: bytes
    prev: str
    hash: str
    body: bytes
    sealed: bytes


_decode: Final = msgspec.msgpack.Decoder(_Told).decode


class Relay:
    """A worker's file, and those of the others. Made by `open_relay`."""

    def __init__(self, folder: Path, column: int, memory: mmap.mmap) -> None:
        self._folder, self._own, self._memory = folder, column, memory
        self._others: dict[int, mmap.mmap] = {}

    def put(self, move: Move, stamp: bytes) -> None:
        """Pass on an entry that is in the log."""
        place = _place(move.game)
        game, entries = move.game.encode(), _framed(move)
        if entries:
            entries += self._before(place, game, _ROOM - len(entries))
        head = _HEAD.pack(stamp, game, _digest(stamp, game, entries), len(entries))
        start = place * CELL
        self._memory[start : start + _HEAD.size + len(entries)] = head + entries

    def get(self, column: int, game: str, stamp: bytes) -> list[Move] | None:
        """The last entries that a worker has appended to a game, the newest first; None where this is not known."""
        memory = self._file(column)
        if memory is None:
            return None
        start = _place(game) * CELL
        stamped, owner, digest, length = _HEAD.unpack_from(memory, start)
        if stamped != stamp or owner != game.encode() or not 0 < length <= _ROOM:
            return None
        start += _HEAD.size
        entries = memory[start : start + length]
        return _unframed(game, entries) if _digest(stamp, owner, entries) == digest else None

    def close(self) -> None:
        """Nothing is passed on any more."""
        for memory in (self._memory, *self._others.values()):
            memory.close()

    def _before(self, place: int, game: bytes, room: int) -> bytes:
        """What this worker put there before about the same game, as far as there is room."""
        start = place * CELL
        _, owner, _, length = _HEAD.unpack_from(self._memory, start)
        if owner != game:
            return b""
        start += _HEAD.size
        end = start
        while end < start + length:
            after = end + _LENGTH.size + _LENGTH.unpack_from(self._memory, end)[0]
            if after > start + room:
                break
            end = after
        return self._memory[start:end]

    def _file(self, column: int) -> mmap.mmap | None:
        found = self._others.get(column)
        if found is None:
            try:
                with (self._folder / f"{FILE}.{column}").open("rb") as file:
                    found = mmap.mmap(file.fileno(), CELLS * CELL, access=mmap.ACCESS_READ)
            except (OSError, ValueError):
                # It could have none, or is about to make it.
                return None
            self._others[column] = found
        return found


def open_relay(folder: Path, column: int) -> Relay | None:
    """The file of the worker that has this column of the board, empty; None where there can be none.

    What stood there may be of another time than the board, after a power cut or in a copy of the folder, and bear a
    stamp that is yet to come.
    """
    try:
        with os.fdopen(os.open(folder / f"{FILE}.{column}", os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            # As with the board: its place on the disk is taken beforehand.
            os.posix_fallocate(file.fileno(), 0, CELLS * CELL)
            file.write(bytes(CELLS * CELL))
            return Relay(folder, column, mmap.mmap(file.fileno(), CELLS * CELL))
    except OSError as error:
        logger.warning("entries cannot be passed on in %s, workers ask the log: %s", folder, error)
        return None


def _place(game: str) -> int:
    # The end of an id is chance, which scatters games well.
    return int(game[-3:], 16) % CELLS


def _digest(stamp: bytes, game: bytes, entries: bytes) -> bytes:
    return sha256(b"%b%b%b" % (stamp, game, entries)).digest()[:16]


def _framed(move: Move) -> bytes:
    """An entry and before it its length; nothing where it is not passed on."""
    kept = Seals.of(move.sealed).kept
    if _PERSONAL in kept:
        return b""
    told = _encode(_Told(move.seq, move.command_id, move.fingerprint, move.prev, move.hash, move.body, kept))
    return _LENGTH.pack(len(told)) + told if _LENGTH.size + len(told) <= _ROOM else b""


def _unframed(game: str, entries: bytes) -> list[Move]:
    found, at = [], 0
    while at < len(entries):
        start = at + _LENGTH.size
        at = start + _LENGTH.unpack_from(entries, at)[0]
        one = _decode(entries[start:at])
        sealed = Seals(one.sealed)
        found.append(Move(game, one.seq, one.command_id, one.fingerprint, one.prev, one.hash, one.body, sealed))
    return found
