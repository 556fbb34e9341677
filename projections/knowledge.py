"""What a viewer has read of a log: the words whose whereabouts it knows.

A card that was dealt face down to somebody else is known to nobody but them; one that a viewer handed over itself it
knows to be there, until something changes hands there unseen. The answer is made of what the viewer could read and of
who was shown what: two logs that this viewer cannot tell apart give the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from events.chain import read_disclosure
from events.entry import seat_of
from events.opening import read_body
from events.seals import Sealed
from projections.redact import Viewer

StoredEntry = tuple[bytes, Sequence[Sealed]]
"""The canonical bytes of an entry, and its sealed fields."""


def known_words(entries: Iterable[StoredEntry], viewer: Viewer) -> frozenset[str]:
    """The words that the viewer knows the place of, having read the log of a running game this far."""
    reader = _Reader(seat_of(viewer))
    for body, sealed in entries:
        raw = read_body(body)
        by_digest = {one.digest: one for one in sealed}
        for word in (raw.command, *raw.events):
            reader.read(word, [by_digest[digest] for digest in word.get("_sd", ())])
    return reader.known


class _Reader:
    """`public` words everybody has read last; `shown` are those shown to the viewer and to the seats beside."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._public: set[str] = set()
        self._shown: dict[str, frozenset[int]] = {}

    @property
    def known(self) -> frozenset[str]:
        return frozenset(self._public).union(self._shown)

    def read(self, word: dict[str, Any], sealed: Sequence[Sealed]) -> None:
        """The next command or event."""
        for one in sealed:
            self._read_sealed(one)
        for text in _words(word):
            self._public.add(text)
            self._shown.pop(text, None)

    def _read_sealed(self, one: Sealed) -> None:
        moved = set() if one.disclosure is None else set(_words(read_disclosure(one.disclosure).value))
        self._public -= moved
        if self._seat in one.audience:
            beside = frozenset(one.audience) - {self._seat}
            self._shown.update(dict.fromkeys(moved, beside))
        elif len(one.audience) > 1:
            # Two seats have shown each other something: what either of them was known to have may have gone.
            self._shown = {text: seats for text, seats in self._shown.items() if seats.isdisjoint(one.audience)}


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            if name != "_sd":
                yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value
