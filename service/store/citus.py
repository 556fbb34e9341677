"""The store on a coordinator of Citus: the same promises, each statement made for the node that its game lies on.

What differs is what Citus plans otherwise. A grouped statement would be pulled to the coordinator; a function that is
distributed by the game goes to the game's node whole. Where the tables lie is said in `deploy/citus/`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from service.store.connections import DURABLE, UnsafeDatabase, patiently
from service.store.migrations import CannotDistribute
from service.store.postgres import NotAppended, Place, PostgresStore, columns, read_since
from service.store.protocol import Head, Move, Since

if TYPE_CHECKING:
    from service.store.connections import Connection, Pool

PLANNING: Final = {"plan_cache_mode": "force_custom_plan", "citus.show_shards_for_app_name_prefixes": "*"}
"""For connections: a function goes to the game's node where the game is known when it is planned. Shards are shown, as
Citus hides them by asking about every row of the catalogue: a second of work for each connection that learns a type.
"""

_SHARE: Final = 2
"""This part of the connections is for appending, each for one entry at a time."""

_APPEND: Final = "SELECT append_move($1, $2, $3, $4, $5, $6, $7, $8)"
_ROW_OF: Final = """
SELECT seq, command_id, fingerprint, hash, body, sealed FROM moves WHERE game_id = $1 AND command_id = $2
"""
_SINCE: Final = """
SELECT seq, command_id, fingerprint, hash, CASE WHEN seq > $2 THEN body END AS body, sealed
FROM moves WHERE game_id = $1 AND seq >= $2 ORDER BY seq
"""
_VERSIONS: Final = "SELECT game_id, max(seq) AS seq FROM moves WHERE game_id = ANY($1::uuid[]) GROUP BY game_id"
_NEWEST: Final = "SELECT account, max(pos) AS pos FROM news WHERE account = ANY($1::uuid[]) GROUP BY account"
_PRESENT: Final = """
SELECT m.game_id, m.seq, m.hash
FROM unnest($1::uuid[], $2::bigint[]) AS w (game_id, seq) JOIN moves m ON m.game_id = w.game_id AND m.seq = w.seq
WHERE m.game_id = ANY($1::uuid[])
"""
_ON_NODES: Final = "SELECT nodename, nodeport, success, result FROM run_command_on_workers($1)"


class CitusStore(PostgresStore):
    """The store of a running service whose database is distributed. Made by `open_postgres`."""

    _row_of = _ROW_OF

    def __init__(self, pool: Pool, seconds: float = 10) -> None:
        super().__init__(pool, seconds)
        lanes = max(pool.get_max_size() // _SHARE, 1)
        self._group = self._in_groups(self._insert, lanes=lanes, most=1)
        self._questions = self._in_groups(self._since, lanes=lanes, most=1, shared=True)

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        async with patiently(self._seconds):
            return {str(row["game_id"]): row["seq"] for row in await self._pool.fetch(_VERSIONS, games)}

    async def newest(self, accounts: Sequence[str]) -> dict[str, int]:
        async with patiently(self._seconds):
            return {str(row["account"]): row["pos"] for row in await self._pool.fetch(_NEWEST, accounts)}

    async def missing(self, heads: Sequence[tuple[str, Head]]) -> list[str]:
        games, seqs = [game for game, _ in heads], [head.seq for _, head in heads]
        async with patiently(self._seconds):
            found = await self._pool.fetch(_PRESENT, games, seqs)
        present = {(str(row["game_id"]), row["seq"], row["hash"].hex()) for row in found}
        return [game for game, head in heads if (game, head.seq, head.hash) not in present]

    async def _insert(self, moves: Sequence[Move]) -> dict[str, bool]:
        return {move.game: True for move in moves if await self._pool.fetchval(_APPEND, *_row(move))}

    async def _append_alone(self, connection: Connection, move: Move) -> None:
        if not await connection.fetchval(_APPEND, *_row(move)):
            raise NotAppended

    async def _since(self, places: Sequence[Place]) -> dict[str, Since]:
        found = [(one, await self._pool.fetch(_SINCE, one.game, one.seq)) for one in places]
        return {one.game: read_since(rows, one.seq) for one, rows in found}


async def check_nodes(pool: Pool, allowed: Collection[str]) -> None:
    """The service's role reaches every node, and none of them may forget.

    Raises `CannotDistribute`, `UnsafeDatabase`.
    """
    off: list[str] = []
    for name in DURABLE:
        for node in await pool.fetch(_ON_NODES, f"SHOW {name}"):
            if not node["success"]:
                where = f"{node['nodename']}:{node['nodeport']}"
                raise CannotDistribute(f"the service's role does not reach the node {where}: {node['result']}")
            if node["result"] == "off" and name not in (*off, *allowed):
                off.append(name)
    if off:
        raise UnsafeDatabase(off)


def _row(move: Move) -> tuple[object, ...]:
    return tuple(column[0] for column in columns([move]))
