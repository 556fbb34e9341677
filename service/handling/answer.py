"""The answer to an accepted command, made from the stored entry alone: a retry gets the very same, for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from events.export import reader
from events.opening import open_events, read_envelope
from events.seals import Seals
from service.store.protocol import Row


class Accepted(Struct, frozen=True):
    """What an accepted command did. `written` is its events as the seat that sent it may see them, a JSON array of the
    entry's own objects; `receipt` is the signed head: whoever keeps it can prove the entry.
    """

    game: str
    version: int
    head: str
    at: int
    actor: str
    command_id: str
    written: Raw
    receipt: str

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """The events, read."""
        return _events.decode(self.written)


_events = msgspec.json.Decoder(tuple[dict[str, Any], ...])

Sign = Callable[[str, int, str, int], str]
"""The signed note over a game's head: game, seq, hash, and the moment whose key signs."""


def answer_to(row: Row, sign: Sign) -> Accepted:
    """The answer that the sender of this entry's command gets.

    What is disclosed is what was when the entry was made, whether or not the game has ended since; the receipt is
    signed by the key of that time.
    """
    entry = read_envelope(row.body)
    seen = open_events(entry, Seals.of(row.sealed), reader(entry.actor, ended=False))
    return Accepted(
        game=entry.game,
        version=row.seq,
        head=row.hash,
        at=entry.at,
        actor=entry.actor,
        command_id=row.command_id,
        written=Raw(seen),
        receipt=sign(entry.game, row.seq, row.hash, entry.at),
    )
