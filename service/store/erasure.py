"""Erasing what is personal: by a role of its own, which can do nothing else, and for ever.

The body and its hash stay as they are, and the digest stays in them: everything still verifies, and what the field said
is nowhere any more. Backups keep it as long as they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.store.connections import owner_connection

ERASER_ROLE: Final = "gusher_eraser"


async def erase_personal(url: str, game: str, seqs: Sequence[int] | None = None) -> list[int]:
    """Erase the personal fields of a game, of some of its entries or of all; the entries that had any.

    `url` is of a login that may take the eraser's role.
    """
    async with owner_connection(url) as connection, connection.transaction():
        await connection.execute(f"SET LOCAL ROLE {ERASER_ROLE}")
        found = await connection.fetch("SELECT erase_personal($1, $2)", game, None if seqs is None else list(seqs))
    return sorted(row["erase_personal"] for row in found)
