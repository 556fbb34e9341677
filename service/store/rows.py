"""An entry in the columns of the table `moves`, and back.

The end of a body that ends as an entry's does is not kept: game, prev and seq say it, and it is 100 bytes less. Entries
from before there were `prev` and `seals` have whole bodies, and `sealed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from events.entry import end_of
from events.seals import Sealed, Seals
from service.store.protocol import Move, Row

if TYPE_CHECKING:
    import asyncpg

COLUMNS: Final = "seq, command_id, fingerprint, hash, body, prev, seals, sealed"
"""What `read_row` reads."""

_sealed_decoder = msgspec.json.Decoder(tuple[Sealed, ...])


def body_kept(move: Move) -> tuple[bytes, bool]:
    """The body as it is kept, and whether its end is left out."""
    start = move.body.removesuffix(end_of(move.game, move.prev, move.seq))
    return start, start is not move.body


def seals_kept(move: Move) -> str | None:
    """The sealed fields as they are kept."""
    return Seals.of(move.sealed).kept.decode() or None


def whole_body(game: str, found: asyncpg.Record) -> bytes:
    """The canonical bytes of an entry, from the columns `body`, `prev` and `seq`."""
    body: bytes = found["body"]
    prev = found["prev"]
    return body if prev is None else body + end_of(game, prev.hex(), found["seq"])


def read_row(game: str, found: asyncpg.Record) -> Row:
    """The entry of a row with these `COLUMNS`."""
    return Row(
        seq=found["seq"],
        command_id=str(found["command_id"]),
        fingerprint=found["fingerprint"],
        hash=found["hash"].hex(),
        body=whole_body(game, found),
        sealed=_sealed(found),
    )


def _sealed(found: asyncpg.Record) -> Seals:
    seals, before = found["seals"], found["sealed"]
    if seals is not None:
        return Seals(seals.encode())
    return Seals() if before is None else Seals.of(_sealed_decoder.decode(before))
