"""Reading an entry: the envelope alone, or with sealed fields put back in the place of their digests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from events import chain
from events.entry import Body, Entry
from events.lifts import LIFTS, lift
from events.seals import ERASED, Kept, Named, Seals
from events.words import read_word

_bodies = msgspec.json.Decoder(Body)


class UnreadableEntry(ValueError):
    """A body that is no entry of this log format; the message says where."""


def read_body(body: bytes) -> Body:
    """The envelope of canonical bytes. Raises `UnreadableEntry`; canonical form itself is `codec.decode`'s business."""
    try:
        return _bodies.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableEntry(str(error)) from error


def open_object(word: Mapping[str, Any], disclosures: Mapping[str, str]) -> tuple[dict[str, Any], int]:
    """A command or event object with the disclosed fields put back, and how many stay sealed.

    `disclosures` maps digests to disclosure texts. Digests that stay closed remain in `_sd`.
    """
    digests = word.get("_sd")
    if digests is None:
        return dict(word), 0
    opened = {name: value for name, value in word.items() if name != "_sd"}
    closed = []
    for digest in digests:
        text = disclosures.get(digest)
        if text is None:
            closed.append(digest)
        else:
            field = chain.read_disclosure(text)
            opened[field.name] = field.value
    if closed:
        opened["_sd"] = closed
    return opened, len(closed)


def _open_all(
    word: Mapping[str, Any], disclosures: Mapping[str, str], erased: Collection[str]
) -> tuple[dict[str, Any], int]:
    """The object with every field put back but the erased ones, and how many are closed for no such reason."""
    opened, closed = open_object(word, disclosures)
    if closed and erased:
        left = [digest for digest in opened.pop("_sd") if digest not in erased]
        if left:
            opened["_sd"] = left
        closed = len(left)
    return opened, closed


def read(
    body: bytes,
    disclosures: Mapping[str, str],
    commands: Any,
    events: Any,
    erased: Collection[str] = (),
) -> Entry[Any, Any]:
    """An entry with every sealed field opened, in today's shapes; a personal field that was erased has its default.

    `commands` and `events` are the tagged unions of the game, `erased` the digests of personal fields whose disclosures
    are gone for ever. Raises `UnreadableEntry` where another field is still sealed or a word has a shape that the
    unions do not know.
    """
    raw = read_body(body)
    command, closed = _open_all(raw.command, disclosures, erased)
    opened = []
    for event in raw.events:
        plain, still = _open_all(event, disclosures, erased)
        closed += still
        opened.append(lift(plain))
    if closed:
        message = f"entry {raw.seq}: {closed} sealed fields are not disclosed"
        raise UnreadableEntry(message)
    try:
        return Entry(
            raw.game,
            raw.seq,
            raw.at,
            raw.actor,
            read_word(command, commands),
            tuple(read_word(event, events) for event in opened),
        )
    except msgspec.ValidationError as error:
        message = f"entry {raw.seq}: {error}"
        raise UnreadableEntry(message) from error


_DIGESTS = b'{"_sd":['
_DIGEST = 46
"""Bytes of a digest in a list, with its quotes and a comma."""

_ENTRIES: dict[tuple[int, int], tuple[Any, Any, msgspec.json.Decoder[Entry[Any, Any]]]] = {}


def read_kept(body: bytes, sealed: Seals, commands: Any, events: Any) -> Entry[Any, Any]:
    """As `read`, from what the store keeps: every field opened that was not erased. Raises `UnreadableEntry`.

    The fields stand in the order of the objects they were taken from, so they are put back as text, and all is read
    at once. That the digests are theirs is for auditors to check.
    """
    whole = _opened(body, sealed) if sealed.kept else body
    if whole is not None:
        try:
            entry = _entries_of(commands, events).decode(whole)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        else:
            if not LIFTS or not any((event.__struct_config__.tag, event.schema) in LIFTS for event in entry.events):
                return entry
    # Old shapes are lifted, and what is wrong is said in full.
    disclosures = {one.digest: one.disclosure for one in sealed if one.disclosure is not None}
    erased = frozenset(one.digest for one in sealed if one.disclosure is None)
    return read(body, disclosures, commands, events, erased)


def _opened(body: bytes, sealed: Seals) -> bytes | None:
    """The body with its fields put back in place of their digests; None where they are not as many as these."""
    items = sealed.named()
    start, *parts = body.split(_DIGESTS)
    if len(items) == len(parts):
        return b"".join(_each_opened(start, parts, items))
    pieces, taken = [start], 0
    for part in parts:
        first, taken = taken, taken + _listed_in(part)
        pieces += (b"{", _members(items[first:taken]), part.partition(b"]")[2][1:])
    return b"".join(pieces) if taken == len(items) else None


def _each_opened(start: bytes, parts: list[bytes], items: list[Named]) -> list[bytes]:
    """The pieces of a body whose words have one field each, as they nearly always have. If they do not, these pieces
    are no JSON.
    """
    pieces = [start]
    for one, part in zip(items, parts, strict=True):
        rest = part[_DIGEST + 1 :]
        pieces += (b"{", rest) if one.name is ERASED else (b"{", one.name, b":", one.value, b",", rest)
    return pieces


def _members(fields: Iterable[Kept | Named]) -> bytes:
    return b"".join([b"%b:%b," % (one.name, one.value) for one in fields if one.name is not ERASED])


def _entries_of(commands: Any, events: Any) -> msgspec.json.Decoder[Entry[Any, Any]]:
    """The reader of entries of these words, made once, and kept by identity like the words of a union."""
    known = _ENTRIES.get((id(commands), id(events)))
    if known is None:
        decoder = msgspec.json.Decoder(Entry[commands, events])
        known = _ENTRIES[id(commands), id(events)] = commands, events, decoder
    return known[2]


class Envelope(Struct, frozen=True):
    """An entry as it stands in the log, its words as bytes."""

    game: str
    at: int
    actor: str
    command: Raw
    events: Raw


_envelopes = msgspec.json.Decoder(Envelope)


def read_envelope(body: bytes) -> Envelope:
    """The envelope of canonical bytes. Raises `UnreadableEntry`."""
    try:
        return _envelopes.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableEntry(str(error)) from error


def open_events(entry: Envelope, sealed: Seals, readable: Callable[[Kept], bool]) -> bytes:
    """The events as a JSON array, with the readable fields put back in place of their digests."""
    items = sealed.items()
    if not items:
        return bytes(entry.events)
    # The command's fields come first.
    taken = sum(map(_listed_in, bytes(entry.command).split(_DIGESTS)[1:]))
    start, *parts = bytes(entry.events).split(_DIGESTS)
    pieces = [start]
    for part in parts:
        first, taken = taken, taken + _listed_in(part)
        shown = [one for one in items[first:taken] if one.name is not ERASED and readable(one)]
        if not shown:
            pieces += (_DIGESTS, part)
            continue
        digests, _, rest = part.partition(b"]")
        if len(shown) < taken - first:
            closed = set(digests.split(b",")).difference(b'"%b"' % one.digest.encode() for one in shown)
            rest = b',"_sd":[%b]%b' % (b",".join(sorted(closed)), rest)
        pieces += (b"{", _members(shown), rest[1:])
    return b"".join(pieces)


def _listed_in(part: bytes) -> int:
    """How many digests there are in a list that has just begun."""
    return part.index(b"]") // _DIGEST + 1
