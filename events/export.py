"""The export file: the lines of log format, section 5, from stored entries and a viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from events.entry import seat_of
from events.seals import Kept, Sealed

VIEWER: Final = r"^(?:spectator|auditor|seat:(?:0|[1-9][0-9]?))(?![\s\S])"
Viewer = Annotated[str, Meta(pattern=VIEWER)]
"""For whom an export is made: `spectator`, `seat:N`, or `auditor`, who reads everything."""

SPECTATOR: Final = "spectator"
AUDITOR: Final = "auditor"


class Line(Struct, frozen=True, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """A line beside the bodies. Members stand in the order of definition, after `kind`."""


class Header(Line, frozen=True, kw_only=True):
    """Line 1. `ruleset`, `edition` and `options` repeat entry 1; every export of ours has all of the members."""

    format: Literal["gusher-log/1"] = "gusher-log/1"
    game: str
    ruleset: str | UnsetType = UNSET
    edition: str | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    viewer: Viewer | UnsetType = UNSET
    vkeys: list[str]


class Disclosures(Line, frozen=True):
    """Follows the body of entry `seq`: its sealed fields that the viewer may read."""

    seq: int
    disclosures: list[str]


class Note(Line, frozen=True):
    """The last line: the signed head of the last entry."""

    seq: int
    note: str


_encoder = msgspec.json.Encoder()


def line(value: Line) -> bytes:
    """The one spelling of a line beside the bodies, with its newline."""
    return _encoder.encode(value) + b"\n"


def reader(viewer: str, *, ended: bool) -> Callable[[Sealed | Kept], bool]:
    """GU-10: which sealed fields the viewer may read: an auditor all, a seat its own, everybody facts at the end.

    The host and the organizer are spectators here.
    """
    if viewer == AUDITOR:
        return lambda _: True
    seat = seat_of(viewer)
    if ended:
        return lambda sealed: sealed.kind == "g" or seat in sealed.audience
    return lambda sealed: seat in sealed.audience


def disclosed(sealed: Iterable[Sealed], viewer: str, *, ended: bool) -> list[str]:
    """The disclosures of an entry that this viewer is served; erased ones are gone for everybody."""
    may_read = reader(viewer, ended=ended)
    return [one.disclosure for one in sealed if one.disclosure is not None and may_read(one)]


def entry_lines(seq: int, body: bytes, sealed: Sequence[Sealed], viewer: str, *, ended: bool) -> bytes:
    """One entry in an export: exactly its body, then what is disclosed of it to this viewer, if anything."""
    opened = disclosed(sealed, viewer, ended=ended)
    return body + b"\n" + (line(Disclosures(seq, opened)) if opened else b"")


def export_lines(
    header: Header, entries: Iterable[tuple[bytes, Sequence[Sealed]]], note: str, *, ended: bool
) -> Iterator[bytes]:
    """A whole export in pieces of whole lines: header, the entries (body, sealed fields) from seq 1 on, signed head.

    `header.viewer` says for whom; without one it is a spectator's. `ended` says whether the last of the entries ended
    the game.
    """
    viewer = SPECTATOR if header.viewer is UNSET else header.viewer
    yield line(header)
    last = 0
    for seq, (body, sealed) in enumerate(entries, 1):
        yield entry_lines(seq, body, sealed, viewer, ended=ended)
        last = seq
    yield line(Note(last, note))
