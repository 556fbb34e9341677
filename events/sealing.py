"""Writing an entry: sealed fields become digests, and all of it canonical bytes (log format, sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Raw, Struct, to_builtins

from events import chain, codec, seals
from events.audience import Mark, sealed_fields
from events.entry import Entry, seat_of
from events.seals import Seals
from events.words import Command, Event

Salts = Callable[[], bytes]
"""A source of fresh 16-byte salts; the service passes the system's generator."""

_NOBODY: Final[Mapping[str, Sequence[int]]] = {}


class Written(Struct, frozen=True):
    """An entry ready to be stored: its canonical bytes, their hash and the sealed fields."""

    body: bytes
    hash: str
    sealed: Seals


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
