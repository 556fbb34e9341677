"""An entry as one viewer may see it: built up from the body and the disclosures that are the viewer's (log format, 2).

Who may read what is `events.export.reader`: the export file and every answer of the service ask the same question.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Raw, Struct

from events.entry import Body
from events.export import SPECTATOR, reader
from events.opening import open_object, read_body
from events.seals import Sealed

Viewer = str
"""`spectator`, `seat:N` or `auditor`."""


class SeenEntry(Struct, frozen=True):
    """An entry for one viewer. In `command` and `events` what is disclosed is back in its place and what stays closed
    is a digest in `_sd`; `body` is the stored bytes, verbatim, and `disclosures` what opens it.
    """

    seq: int
    hash: str
    at: int
    actor: str
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    body: Raw
    disclosures: tuple[str, ...]


def viewer_of(seat: int | None) -> Viewer:
    """The viewer that a seat is, a spectator where there is none."""
    return SPECTATOR if seat is None else f"seat:{seat}"


def opening(sealed: Iterable[Sealed], viewer: Viewer, *, ended: bool) -> dict[str, str]:
    """The disclosure texts for this viewer by digest, in stored order."""
    may_read = reader(viewer, ended=ended)
    return {one.digest: one.disclosure for one in sealed if one.disclosure is not None and may_read(one)}


def events_seen(body: Body, disclosures: dict[str, str]) -> tuple[dict[str, Any], ...]:
    """The events of an entry with what is disclosed put back."""
    return tuple(open_object(event, disclosures)[0] for event in body.events)


def see(body: bytes, entry_hash: str, sealed: Iterable[Sealed], viewer: Viewer, *, ended: bool) -> SeenEntry:
    """The entry with these canonical bytes as the viewer may see it."""
    raw = read_body(body)
    disclosures = opening(sealed, viewer, ended=ended)
    return SeenEntry(
        seq=raw.seq,
        hash=entry_hash,
        at=raw.at,
        actor=raw.actor,
        command=open_object(raw.command, disclosures)[0],
        events=events_seen(raw, disclosures),
        body=Raw(body),
        disclosures=tuple(disclosures.values()),
    )
