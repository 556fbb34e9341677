"""An organizer opens many tables at once: all of them or none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from uuid import UUID, uuid5

from rules.refusal import RuleViolation
from service.auth.caller import Caller
from service.failures import IdempotencyMismatch
from service.handling.act import fingerprint_of, read_key
from service.handling.answer import Accepted, answer_to
from service.handling.create_game import Asked, Table, first_row, host_of, open_table
from service.handling.desk import Desk
from service.store.protocol import NewGame, Row

MOST: Final = 500
"""Tables in one request."""

_AT_ONCE: Final = 16
"""Tables that are made before others have a turn: making one takes some tenths of a millisecond."""


async def create_games(desk: Desk, caller: Caller, key: str, tables: Sequence[Table]) -> tuple[Accepted, ...]:
    """Games in their lobbies, in the order of the tables. Raises as `check_tables` does; then there is none of them."""
    new = await _opened(desk, caller, key, tables)
    before = await desk.store.create_games(new)
    if before is None:
        return await _answers(desk, [first_row(one) for one in new])
    fingerprint = new[0].row.fingerprint
    kept = {row.command_id: row.id for row in before if row.fingerprint == fingerprint}
    if len(kept) < len(new):
        raise IdempotencyMismatch
    rows = await desk.store.first_rows(list(kept.values()))
    return await _answers(desk, [rows[kept[one.row.command_id]] for one in new])


async def check_tables(desk: Desk, caller: Caller, key: str, tables: Sequence[Table]) -> None:
    """Whether these tables could be opened. Raises `Failure`, or `RuleViolation` with the `index` of the first table
    that is not on offer.
    """
    await _opened(desk, caller, key, tables)


async def _opened(desk: Desk, caller: Caller, key: str, tables: Sequence[Table]) -> list[NewGame]:
    account, key = host_of(caller), read_key(key)
    fingerprint = fingerprint_of(account, {"do": "create_all", "tables": tables})
    new: list[NewGame] = []
    for index, table in enumerate(tables):
        try:
            new.append(open_table(desk, table, Asked(account, _key_of(key, index), fingerprint)))
        except RuleViolation as refusal:
            field = None if refusal.field is None else f"/games/{index}{refusal.field}"
            facts = {**refusal.facts, "index": index}
            raise RuleViolation(refusal.rule, refusal.reason, field=field, **facts) from refusal
        if index % _AT_ONCE == _AT_ONCE - 1:
            await asyncio.sleep(0)
    return new


async def _answers(desk: Desk, rows: Sequence[Row]) -> tuple[Accepted, ...]:
    told: list[Accepted] = []
    for index, row in enumerate(rows):
        told.append(answer_to(row, desk.sign))
        if index % _AT_ONCE == _AT_ONCE - 1:
            await asyncio.sleep(0)
    return tuple(told)


def _key_of(key: str, index: int) -> str:
    """The id of a table's command. The first one's is the key, so that it is not good for another request too."""
    return key if index == 0 else str(uuid5(UUID(key), str(index)))
