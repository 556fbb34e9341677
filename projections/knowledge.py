"""What a viewer has read of a log: the words whose whereabouts it knows.

A card that was dealt face down to somebody else is known to nobody but them; one that a viewer handed over itself it
knows to be there, as long as nobody has moved it unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from events.entry import Sealed, open_object, read_body
from projections.redact import Viewer, opening

StoredEntry = tuple[bytes, Sequence[Sealed]]
"""The canonical bytes of an entry, and its sealed fields."""


def known_words(entries: Iterable[StoredEntry], viewer: Viewer) -> frozenset[str]:
    """The words that the viewer could read in the last command or event of a running game that speaks of them."""
    known: set[str] = set()
    for body, sealed in entries:
        raw = read_body(body)
        everything = {one.digest: one.disclosure for one in sealed if one.disclosure is not None}
        own = opening(sealed, viewer, ended=False)
        for word in (raw.command, *raw.events):
            known.difference_update(_words(open_object(word, everything)[0]))
            known.update(_words(open_object(word, own)[0]))
    return frozenset(known)


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
