"""Real games in the log: played in memory, kept as the service keeps them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Final
from uuid import uuid4

from msgspec import Struct
from uuid6 import uuid7

from bench.engine import SEED, a_game
from bench.tables import SEATS, Person
from events import chain
from events.sealing import write
from events.table import StartGame, TakeSeat
from projections.game import AnyGame
from rules.playout import Move as Played
from rules.ruleset import Ruleset
from service.store.protocol import FINGERPRINT_BYTES, Appended, Changes, GameRow, Move, Player, Store

NO_FINGERPRINT: Final = bytes(FINGERPRINT_BYTES)


class Kept(Struct, frozen=True):
    """A game in the log: its state after its last entry, and who sits there."""

    game: AnyGame
    people: Sequence[Person]


def moves(ruleset: Ruleset, number: int, most: int | None = None) -> list[Played]:
    """A game at random under a new id, always the same one for a number; no more than so many entries of it."""
    return list(islice(a_game(ruleset, number, str(uuid7())), most))


async def keep(store: Store, ruleset: Ruleset, played: Sequence[Played], people: Sequence[Person]) -> Kept:
    """Append all entries, with everything that the service writes beside them."""
    first = played[0]
    prev = chain.GENESIS
    for one in played:
        written = write(one.entry, prev, partial(secrets.token_bytes, chain.SALT_BYTES), one.shown)
        game, seq, key = one.entry.game, one.entry.seq, str(uuid4())
        move = Move(game, seq, key, NO_FINGERPRINT, prev, written.hash, written.body, written.sealed)
        if seq == 1:
            host, edition = people[0].account, first.after.edition
            row = GameRow(game, host, key, NO_FINGERPRINT, ruleset.name, edition, "public", SEATS, one.entry.at)
            assert await store.create_game(row, bytes.fromhex(SEED), move) is None, "a new game"
        elif changes := _changes(one, people):
            assert await store.append_with(move, changes) == Appended(), "nobody else appends"
        else:
            assert await store.append(move) == Appended(), "nobody else appends"
        prev = written.hash
    return Kept(played[-1].after, people)


def _changes(one: Played, people: Sequence[Person]) -> Changes:
    command = one.entry.command
    if isinstance(command, TakeSeat):
        return Changes(seated=Player(command.seat, people[command.seat].account))
    if isinstance(command, StartGame):
        return Changes(status="running")
    return Changes(status="finished") if one.after.ended else Changes()
