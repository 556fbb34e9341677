"""Erasing what is personal: by a role of its own, which can do nothing else, and for ever.

The body and its hash stay as they are, and the digest stays in them: everything still verifies, and what the field said
is nowhere any more. Backups keep it as long as they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.store.connections import owner_connection

ERASER_ROLE: Final = "gusher_eraser"

_ERASE: Final = """
UPDATE moves SET sealed = (
    SELECT ('[' || string_agg(
        CASE WHEN one ->> 0 = 'p' THEN '["p",' || (one -> 1)::text || ',"' || seal_digest(one) || '"]'
             ELSE one::text END,
        ',' ORDER BY position
    ) || ']')::json
    FROM json_array_elements(sealed) WITH ORDINALITY AS item (one, position)
)
WHERE game_id = $1 AND ($2::bigint[] IS NULL OR seq = ANY($2))
    AND EXISTS (SELECT FROM json_array_elements(sealed) AS one WHERE one ->> 0 = 'p' AND json_array_length(one) = 5)
RETURNING seq
"""


async def erase_personal(url: str, game: str, seqs: Sequence[int] | None = None) -> list[int]:
    """Erase the personal fields of a game, of some of its entries or of all; the entries that had any.

    `url` is of a login that may take the eraser's role.
    """
    async with owner_connection(url) as connection, connection.transaction():
        await connection.execute(f"SET LOCAL ROLE {ERASER_ROLE}")
        found = await connection.fetch(_ERASE, game, None if seqs is None else list(seqs))
    return sorted(row["seq"] for row in found)
