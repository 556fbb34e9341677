"""The last head that this machine has signed of each game, in a file of its own.

It is not in the database on purpose: a backup that is put back, or a replica that takes over without the last moves,
must not take back what we know to have signed. It is not written before an answer is given either: what was signed in
the last moments before a power cut may be missing, and then nothing is noticed of it here.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from pathlib import Path
from typing import Final

from service.store.protocol import Head

logger = logging.getLogger(__name__)

FILE: Final = "signed-heads.sqlite"
PAUSE: Final = 0.2
"""Seconds in which heads are gathered before they are written."""

PATIENCE: Final = 10.0
"""Seconds for which workers that start together wait for each other."""

_CREATE: Final = "CREATE TABLE IF NOT EXISTS heads (game TEXT PRIMARY KEY, seq INTEGER, hash TEXT) WITHOUT ROWID"
_KEEP: Final = """
INSERT INTO heads (game, seq, hash) VALUES (?, ?, ?)
ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, hash = excluded.hash WHERE excluded.seq > heads.seq
"""
_RESET: Final = """
INSERT INTO heads (game, seq, hash) VALUES (?, ?, ?)
ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
"""


def _write_ahead(database: sqlite3.Connection) -> None:
    """Turn on the write-ahead log. SQLite does not wait for a worker that does so at the same moment, so we do."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


class SignedHeads:
    """Heads by game. All workers of a machine share the file."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(data / FILE, check_same_thread=False, isolation_level=None, timeout=1)
        _write_ahead(self._database)
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute(_CREATE)
        self._new: dict[str, Head] = {}
        self._writer: asyncio.Task[None] | None = None

    def note(self, game: str, seq: int, head: str) -> None:
        """Remember that this head was signed. Returns at once; an older one than is known changes nothing."""
        known = self._new.get(game)
        if known is None or known.seq < seq:
            self._new[game] = Head(seq, head)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write_later(), name="signed heads")

    def reset(self, game: str, head: Head) -> None:
        """From now on this head counts, though a later one was signed: its loss is in the log."""
        self._new.pop(game, None)
        self._database.execute(_RESET, (game, head.seq, head.hash))

    def last(self, game: str) -> Head | None:
        """The last head signed of this game, as far as is known."""
        noted = self._new.get(game)
        found = self._database.execute("SELECT seq, hash FROM heads WHERE game = ?", (game,)).fetchone()
        kept = None if found is None else Head(*found)
        return max((head for head in (noted, kept) if head), key=lambda head: head.seq, default=None)

    def after(self, game: str, limit: int) -> list[tuple[str, Head]]:
        """Heads in the order of their games, from the one after `game` on."""
        sql = "SELECT game, seq, hash FROM heads WHERE game > ? ORDER BY game LIMIT ?"
        return [(row[0], Head(row[1], row[2])) for row in self._database.execute(sql, (game, limit))]

    async def close(self) -> None:
        """What was noted is written."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        self._write()
        self._database.close()

    async def _write_later(self) -> None:
        while self._new:
            await asyncio.sleep(PAUSE)
            try:
                self._write()
            except sqlite3.Error:
                logger.exception("signed heads are not written; they are tried again")

    def _write(self) -> None:
        """One transaction: with many games some milliseconds, whatever the number of moves."""
        if not self._new:
            return
        self._database.execute("BEGIN IMMEDIATE")
        try:
            self._database.executemany(_KEEP, [(game, one.seq, one.hash) for game, one in self._new.items()])
            self._database.execute("COMMIT")
        except sqlite3.Error:
            self._database.execute("ROLLBACK")
            raise
        self._new.clear()
