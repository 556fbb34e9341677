"""Check 1: every entry follows the one before it: number, hash, game, time."""

from __future__ import annotations

from msgspec import Struct

from audit.entries import Envelope
from audit.report import Ledger
from events.chain import GENESIS


class Link(Struct, frozen=True):
    """What the chain knows of an entry: where it stands, what it says it follows, its own hash, its time."""

    line: int
    seq: int
    prev: str
    hash: str
    at: int


class Links:
    """The chain so far. A link that does not hold is blamed on one of its two entries when the next link is known:
    where the next one holds, the later entry is as it was and the earlier one was changed.
    """

    def __init__(self, game: str, ledger: Ledger) -> None:
        self._game, self._ledger = game, ledger
        self._last: Link | None = None
        self._before: Link | None = None
        self._lost = 0
        self.hashes: dict[int, str] = {}

    @property
    def due(self) -> int:
        """The number that the next entry should have."""
        return self.last + self._lost + 1

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self._last.seq if self._last else 0

    @property
    def head(self) -> str | None:
        """The hash of the last entry, where it could be read."""
        return self._last.hash if self._last and not self._lost else None

    @property
    def firm(self) -> Link | None:
        """The last entry, where every link up to it holds."""
        return self._last if self._before is None and not self._lost else None

    def extend(self, link: Link) -> None:
        """The next entry, of which everything is known."""
        self._last = link
        self.hashes[link.seq] = link.hash

    def lose(self) -> None:
        """A line that is no entry stood where an entry was due."""
        self._settle_with(holds=True)
        self._lost += 1
        self._ledger.leave(
            1, "link_lost", "what follows cannot be held against a line that is no entry", seq=self.due - 1
        )

    def add(self, envelope: Envelope) -> None:
        """The next entry."""
        body = envelope.body
        entry = Link(envelope.line, body.seq, body.prev, envelope.hash, body.at)
        place = {"line": entry.line, "seq": entry.seq}
        if body.game != self._game:
            self._ledger.find(1, "game_differs", f"not an entry of {self._game}", field="game", **place)
        self._check_seq(entry)
        if self._last is None:
            if entry.seq == 1 and entry.prev != GENESIS:
                self._ledger.find(1, "prev_differs", "entry 1 follows nothing: 64 zeros", field="prev", **place)
        else:
            if entry.at < self._last.at:
                self._ledger.find(1, "at_decreases", "earlier than the entry before", field="at", **place)
            self._check_prev(entry)
        self._lost = 0
        self.extend(entry)

    def close(self, head: str | None) -> None:
        """The end of the log; `head` is what the note says of the last entry, if there is one that can be trusted."""
        self._settle_with(holds=self._last is None or head in (None, self._last.hash))

    def _check_seq(self, entry: Link) -> None:
        extra_line = self._lost and self._last is not None and entry.seq == self._last.seq + 1
        if entry.seq == self.due or extra_line:
            return
        code = "seq_gap" if entry.seq > self.due else "seq_repeated"
        words = f"entry {entry.seq} where entry {self.due} was due"
        self._ledger.find(1, code, words, line=entry.line, seq=entry.seq, field="seq")

    def _check_prev(self, entry: Link) -> None:
        last = self._last
        if last is None or (self._lost and entry.seq != last.seq + 1):
            return
        holds = entry.prev == last.hash
        self._settle_with(holds=holds)
        self._before = None if holds else last

    def _settle_with(self, *, holds: bool) -> None:
        """Blame the open broken link, now that it is known whether the one after it holds."""
        before, last = self._before, self._last
        self._before = None
        if before is None or last is None:
            return
        words = f"the hash of entry {before.seq} is not the `prev` of entry {last.seq}"
        if holds:
            self._ledger.find(1, "entry_changed", words, line=before.line, seq=before.seq)
        else:
            self._ledger.find(1, "prev_differs", words, line=last.line, seq=last.seq, field="prev")
