"""The envelope: one accepted move (log format, sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, to_builtins

from events import chain, codec
from events.audience import sealed_fields
from events.lifts import lift
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


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the store keeps beside a body for one digest. `audience` is sorted; empty means nobody yet.

    `disclosure` is None once a personal field (kind `p`) has been erased.
    """

    digest: str
    audience: tuple[int, ...]
    kind: Literal["g", "p"]
    disclosure: str | None


class Written(Struct, frozen=True):
    """An entry ready to be stored: its canonical bytes, their hash and the sealed fields."""

    body: bytes
    hash: str
    sealed: tuple[Sealed, ...]


def seat_of(actor: str) -> int | None:
    """The seat of a `seat:N` actor."""
    return int(actor[5:]) if actor.startswith("seat:") else None


def write(entry: Entry[Any, Any], prev: str, salts: Salts, shown: Mapping[str, Sequence[int]] | None = None) -> Written:
    """Seal what is sealed and make the canonical bytes.

    `shown` names further seats that may read a sealed field of the command (a rule knows who the other party is).
    Raises `codec.OutsideProfile` for what the profile does not admit.
    """
    sealed: list[Sealed] = []
    seat = seat_of(entry.actor)
    command = _seal(entry.command, seat, salts, sealed, shown or {})
    events = [_seal(event, seat, salts, sealed, {}) for event in entry.events]
    body = codec.canonical(
        {
            "v": 1,
            "game": entry.game,
            "seq": entry.seq,
            "prev": prev,
            "at": entry.at,
            "actor": entry.actor,
            "command": command,
            "events": events,
        }
    )
    return Written(body, chain.entry_hash(body), tuple(sealed))


def _seal(
    word: Command | Event, actor: int | None, salts: Salts, sealed: list[Sealed], shown: Mapping[str, Sequence[int]]
) -> dict[str, Any]:
    plain: dict[str, Any] = to_builtins(word)
    marks = sealed_fields(type(word))
    if not marks:
        return plain
    digests: list[str] = []
    for mark in marks:
        disclosure = chain.disclose(salts(), mark.encoded, plain.pop(mark.encoded))
        digest = chain.digest_of(disclosure)
        readers = {actor if name == "actor" else getattr(word, name) for name in mark.readers}
        readers.update(shown.get(mark.name, ()))
        audience = tuple(sorted(reader for reader in readers if reader is not None))
        sealed.append(Sealed(digest, audience, "p" if mark.kind == "p" else "g", disclosure))
        digests.append(digest)
    plain["_sd"] = sorted(digests)
    return plain


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
