"""The envelope: one accepted move (log format, sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct, to_builtins

from events import chain, codec, seals
from events.audience import Mark, sealed_fields
from events.lifts import LIFTS, lift
from events.seals import ERASED, Kept, Named, Seals
from events.words import Command, Count, Event, read_word

CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")

Salts = Callable[[], bytes]
"""A source of fresh 16-byte salts; the service passes the system's generator."""

Actor = Annotated[
    str, Meta(pattern=r"^(?:seat:(?:0|[1-9][0-9]?)|host|organizer|arbiter|clock|autopilot|system)(?![\s\S])")
]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it stands in the log: command and events are plain objects, sealed fields replaced by digests."""

    v: Literal[1]
    game: str
    seq: Annotated[int, Meta(ge=1)]
    prev: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
    at: Count
    actor: Actor
    command: dict[str, Any]
    events: Annotated[list[dict[str, Any]], Meta(min_length=1)]


_bodies = msgspec.json.Decoder(Body)


class Entry(Struct, Generic[CommandT, EventT], frozen=True):
    """An accepted move with every sealed field in its place: what the server folds and decides on."""

    game: str
    seq: int
    at: int
    actor: str
    command: CommandT
    events: tuple[EventT, ...]


class Written(Struct, frozen=True):
    """An entry ready to be stored: its canonical bytes, their hash and the sealed fields."""

    body: bytes
    hash: str
    sealed: Seals


@lru_cache(maxsize=128)
def seat_of(actor: str) -> int | None:
    """The seat that a `seat:N` is, an actor or a viewer; None for any other."""
    return int(actor[5:]) if actor.startswith("seat:") else None


def write(entry: Entry[Any, Any], prev: str, salts: Salts, shown: Mapping[str, Sequence[int]] | None = None) -> Written:
    """Seal what is sealed and make the canonical bytes.

    `shown` names further seats that may read a sealed field of the command (a rule knows who the other party is).
    Raises `codec.OutsideProfile` for what the profile does not admit.
    """
    kept: list[bytes] = []
    seat = seat_of(entry.actor)
    said: tuple[Event, ...] = entry.events
    try:
        command = _seal(entry.command, seat, salts, kept, shown or _NOBODY)
        # Most events hide nothing, and are written at once.
        events = [
            _seal(event, seat, salts, kept, _NOBODY) if sealed_fields(type(event)) else codec.encode(event)
            for event in said
        ]
    except UnicodeEncodeError as error:
        _check(entry)
        raise AssertionError("a text that is no Unicode is outside the profile") from error
    body = b'{"actor":%b,"at":%d,"command":%b,"events":[%b],"game":%b,"prev":"%b","seq":%d,"v":1}' % (
        codec.encode(entry.actor),
        entry.at,
        command,
        b",".join(events),
        codec.encode(entry.game),
        prev.encode(),
        entry.seq,
    )
    if len(body) > codec.MAX_BYTES:
        raise codec.OutsideProfile("too_large")
    sealed = b"[%b]" % b",".join(kept) if kept else b""
    plain = codec.is_plain(entry.command) and codec.is_plain(entry.events)
    if not (plain and codec.holds(body) and (not kept or codec.holds(sealed))):
        _check(entry)
    return Written(body, chain.entry_hash(body), Seals(sealed))


def _check(entry: Entry[Any, Any]) -> None:
    """Raise `codec.OutsideProfile` for what is not inside the profile, by its place in the entry."""
    codec.check({"command": to_builtins(entry.command), "events": list(map(to_builtins, entry.events))})


_NOBODY: Final[Mapping[str, Sequence[int]]] = {}


def _seal(
    word: Command | Event, actor: int | None, salts: Salts, kept: list[bytes], shown: Mapping[str, Sequence[int]]
) -> bytes:
    """The sorted JSON of a word, its sealed fields replaced by digests; what is to be kept of those is added."""
    marks = sealed_fields(type(word))
    if not marks:
        return codec.encode(word)
    plain: dict[str, Any] = to_builtins(word)
    digests: list[bytes] = []
    for mark in marks:
        disclosed = chain.disclosed(salts(), mark.encoded, plain.pop(mark.encoded))
        kept.append(seals.item(mark.kind, _audience(word, mark, actor, shown), disclosed))
        digests.append(chain.digest(disclosed))
    digests.sort()
    plain["_sd"] = Raw(b'["%b"]' % b'","'.join(digests))
    return codec.encode(plain)


def _audience(
    word: Command | Event, mark: Mark, actor: int | None, shown: Mapping[str, Sequence[int]]
) -> Sequence[int]:
    """The seats that may read a sealed field, in order."""
    readers: set[Any] = set(shown.get(mark.name, ()))
    for name in mark.readers:
        readers.add(actor if name == "actor" else getattr(word, name))
    readers.discard(None)
    return sorted(readers)


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
