"""Desks, people and tables for tests of the service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from service.auth.caller import Caller
from service.composition import Keys, make_desk
from service.handling.answer import Accepted
from service.handling.create_game import Table, create_game
from service.handling.desk import Desk
from service.handling.read_options import read_options
from service.handling.start_game import start_game
from service.handling.submit_command import submit_command
from service.handling.take_seat import take_seat
from service.keys import SigningKey
from service.settings import Settings
from service.store.protocol import Store
from service.store.snapshots import NoSnapshots, Snapshots
from tests.course import course

KEYS = (SigningKey(b"k" * 32),)
TABLE = Table(ruleset="oil-and-gas", seats=2)


def a_desk(
    store: Store,
    snapshots: Snapshots | None = None,
    *,
    settings: Settings | None = None,
    keys: Keys = lambda: KEYS,
) -> Desk:
    """A worker over this store. Its ids, chance and clock are the test's own, and the same in every run."""
    return on_this_course(make_desk(settings or Settings(), store, snapshots or NoSnapshots(), keys))


def on_this_course(desk: Desk) -> Desk:
    """The same worker, with what is new made by the course of the test."""
    now = course()
    desk.clock, desk.entropy, desk.new_id = now.clock, now.entropy(), now.new_id
    return desk


def a_person(*scopes: str) -> Caller:
    """Somebody with an account of their own."""
    return Caller(course().new_id(), frozenset(scopes or ("play", "organize")))


def a_key() -> str:
    return course().new_key()


async def a_lobby(desk: Desk, host: Caller, table: Table = TABLE) -> str:
    """A game in which nobody sits."""
    return (await create_game(desk, host, a_key(), table)).game


async def a_game(desk: Desk, *people: Caller, table: Table = TABLE, host: Caller | None = None) -> str:
    """A running game with these people at the table, in order; the first is the host, if no other is named."""
    host = host or people[0]
    game = await a_lobby(desk, host, replace(table, seats=len(people)))
    for person in people:
        await take_seat(desk, person, game, a_key())
    await start_game(desk, host, game, a_key())
    return game


async def a_move(desk: Desk, game: str, people: Sequence[Caller], below: Callable[[int], int]) -> Accepted | None:
    """Somebody who is awaited does something legal; None when nobody is awaited any more."""
    for person in people:
        asked = await read_options(desk, person, game)
        if asked.options:
            fields = asked.options[below(len(asked.options))].pick(below)
            command: dict[str, Any] = {**fields, "decision_id": asked.decision_id}
            return await submit_command(desk, person, game, a_key(), command)
    return None
