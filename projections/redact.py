"""An entry as one viewer may see it: built up from the body and the disclosures that are the viewer's (log format, 2).

While a game runs a viewer is given the disclosures whose audience holds their seat, a spectator none. Once it has
ended everything of kind `g` is open; what is personal (kind `p`) stays with its audience.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from events.entry import Sealed, open_object, read_body

Viewer = int | None
"""A seat, or None for a spectator."""


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


def disclosed(sealed: Iterable[Sealed], viewer: Viewer, *, ended: bool) -> dict[str, str]:
    """The disclosure texts for this viewer by digest, in stored order. Erased ones are gone for everybody."""
    return {
        one.digest: one.disclosure
        for one in sealed
        if one.disclosure is not None and (viewer in one.audience or (ended and one.kind == "g"))
    }


def see(body: bytes, entry_hash: str, sealed: Iterable[Sealed], viewer: Viewer, *, ended: bool) -> SeenEntry:
    """The entry with these canonical bytes as the viewer may see it."""
    raw = read_body(body)
    opening = disclosed(sealed, viewer, ended=ended)
    return SeenEntry(
        raw.seq,
        entry_hash,
        raw.at,
        raw.actor,
        open_object(raw.command, opening)[0],
        tuple(open_object(event, opening)[0] for event in raw.events),
        msgspec.Raw(body),
        tuple(opening.values()),
    )
