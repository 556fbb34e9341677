"""The answer to an accepted command, made from the stored entry alone: a retry gets the very same, for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from events.entry import read_body
from projections.redact import events_seen, opening
from service.store.protocol import Row


class Accepted(Struct, frozen=True):
    """What an accepted command did. `events` are as the seat that sent it may see them, in the entry's own shape;
    `receipt` is the signed head: whoever keeps it can prove the entry.
    """

    game: str
    version: int
    head: str
    at: int
    actor: str
    command_id: str
    events: tuple[dict[str, Any], ...]
    receipt: str


Sign = Callable[[str, int, str, int], str]
"""The signed note over a game's head: game, seq, hash, and the moment whose key signs."""


def answer_to(row: Row, sign: Sign) -> Accepted:
    """The answer that the sender of this entry's command gets.

    What is disclosed is what was when the entry was made, whether or not the game has ended since; the receipt is
    signed by the key of that time.
    """
    body = read_body(row.body)
    seen = events_seen(body, opening(row.sealed, body.actor, ended=False))
    return Accepted(
        game=body.game,
        version=row.seq,
        head=row.hash,
        at=body.at,
        actor=body.actor,
        command_id=row.command_id,
        events=seen,
        receipt=sign(body.game, row.seq, row.hash, body.at),
    )
