"""Check 6: the chance was committed before play, and no word of it was skipped or used twice.

The outcomes themselves are recomputed where the commands are decided again (`audit.moves`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from audit.entries import Envelope
from audit.report import Ledger, Tally
from audit.vocabulary import path_of
from events.table import AFTER_THE_END, Hex32
from events.words import Rng
from projections.chance import seed_commit

_AFTER_THE_END = frozenset(str(kind.__struct_config__.tag) for kind in AFTER_THE_END)


def _only_after_the_end(entry: Envelope) -> bool:
    """Whether the entry is of a dispute, which may follow the end."""
    return all(event.get("type") in _AFTER_THE_END for event in entry.body.events)


class Place(Struct, frozen=True):
    """Where an event stands."""

    line: int
    seq: int
    event: int


class Opened(Struct, frozen=True):
    """The server seed as the log publishes it."""

    seed: str
    place: Place


class Draws:
    """The words of chance used so far, by label; the commitment, and the seed that opens it.

    All of this is public: it is checked in the most redacted log too.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._stands: dict[str, int] = {}
        self._commit: object = None
        self.opened: Opened | None = None

    def add(self, entry: Envelope) -> None:
        """The draws of one entry, and its server seed if it ends the game."""
        if self.opened is not None and not _only_after_the_end(entry):
            words = f"entry {self.opened.place.seq} has published the server seed: nothing may follow"
            self._ledger.find(6, "entry_after_seed", words, line=entry.line, seq=entry.seq)
        for index, event in enumerate(entry.body.events):
            place = Place(entry.line, entry.seq, index)
            if "rng" in event:
                self._draw(event["rng"], place)
            if entry.seq == 1 and index == 0:
                self._commit = event.get("seed_commit")
            if "server_seed" in event:
                self._open(event["server_seed"], place)

    def take(self, words: Sequence[object], counts: Tally) -> bool:
        """Count the draws of an entry's words, if each of them goes on where its label stands; else nothing."""
        stands: dict[str, int] = {}
        draws = 0
        for word in words:
            rng = getattr(word, "rng", None)
            if isinstance(rng, Rng):
                if rng.from_ != stands.get(rng.label, self._stands.get(rng.label, 0)) or rng.to <= rng.from_:
                    return False
                stands[rng.label] = rng.to
                draws += 1
        self._stands.update(stands)
        counts.draws += draws
        return True

    def close(self, game: str) -> bytes | None:
        """The server seed, if the log publishes the one it committed to."""
        if self.opened is None:
            words = "the game is running: its server seed is not published, no draw can be recomputed"
            self._ledger.leave(6, "seed_unknown", words)
            return None
        seed = bytes.fromhex(self.opened.seed)
        try:
            commit = seed_commit(game, seed)
        except ValueError:
            commit = ""
        if commit != self._commit:
            self._find("seed_differs", "not the seed that entry 1 committed to", self.opened.place, "server_seed")
            return None
        return seed

    def _draw(self, plain: object, place: Place) -> None:
        self._ledger.counts.draws += 1
        try:
            rng = msgspec.convert(plain, Rng)
        except msgspec.ValidationError as error:
            reason, field = path_of(error)
            self._find("rng_shape", f"no range of a label: {reason}", place, f"rng.{field}" if field else "rng")
            return
        stands = self._stands.get(rng.label, 0)
        if rng.from_ != stands:
            how = "uses words again" if rng.from_ < stands else "skips words"
            words = f"label {rng.label} stands at {stands}, the draw begins at {rng.from_}: it {how}"
            self._find("rng_not_contiguous", words, place, "rng.from")
        if rng.to <= rng.from_:
            self._find("rng_empty", f"a draw from {rng.from_} to {rng.to} takes no word", place, "rng.to")
        self._stands[rng.label] = max(stands, rng.to)

    def _open(self, seed: object, place: Place) -> None:
        try:
            opened = Opened(msgspec.convert(seed, Hex32), place)
            if self.opened is not None and opened.seed != self.opened.seed:
                self._find("seed_differs", "not the seed that was published before", place, "server_seed")
            self.opened = opened
        except msgspec.ValidationError:
            self._find("seed_shape", "no server seed of 32 bytes in lower-case hex", place, "server_seed")

    def _find(self, code: str, words: str, place: Place, field: str) -> None:
        self._ledger.find(6, code, words, line=place.line, seq=place.seq, event=place.event, field=field)
