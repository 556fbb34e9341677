"""Moves and games for tests of stores, without a game behind them."""

from __future__ import annotations

from typing import Literal

import msgspec

from events import chain
from events.seals import Sealed
from service.store.protocol import FINGERPRINT_BYTES, GameRow, Move, Store
from tests.course import course
from tests.sealing import disclose

FINGERPRINT = b"f" * FINGERPRINT_BYTES


def new_id() -> str:
    return course().new_id()


def a_seal(kind: Literal["g", "p"], audience: tuple[int, ...], value: str) -> Sealed:
    """A sealed field that says this."""
    text = disclose(bytes(chain.SALT_BYTES), "said", value)
    return Sealed(chain.digest_of(text), audience, kind, text)


def erased(one: Sealed) -> Sealed:
    return msgspec.structs.replace(one, disclosure=None)


def a_move(game: str, seq: int, prev: str, *, sealed: tuple[Sealed, ...] = (), command_id: str | None = None) -> Move:
    body = msgspec.json.encode({"game": game, "seq": seq, "salt": course().new_key()}, order="sorted")
    return Move(game, seq, command_id or course().new_key(), FINGERPRINT, prev, chain.entry_hash(body), body, sealed)


def a_game(game: str, account: str, **changes: object) -> GameRow:
    row = GameRow(game, account, course().new_key(), FINGERPRINT, "dice", "standard", "public", 2, 1_700_000_000_000)
    return msgspec.structs.replace(row, **changes)


async def create(store: Store, **changes: object) -> Move:
    """A game of one entry, which is returned."""
    game = new_id()
    first = a_move(game, 1, chain.GENESIS)
    assert await store.create_game(a_game(game, new_id(), **changes), b"s" * 32, first) is None
    return first


async def grow(store: Store, move: Move, entries: int) -> Move:
    """The last of so many further entries."""
    for _ in range(entries):
        move = a_move(move.game, move.seq + 1, move.hash)
        await store.append(move)
    return move
