"""A game is decided by the rules it was made under, whatever the service has learnt since, or plainly not at all."""

from __future__ import annotations

import random

import pytest

from rules.ruleset import Ruleset
from service.failures import Conflict
from service.handling.create_game import Table
from service.handling.desk import Desk
from service.handling.read_game import read_game
from service.handling.read_log import read_log
from service.handling.read_options import read_options
from service.handling.read_view import read_view
from service.handling.submit_command import resign
from service.keys import Keyring
from service.store.snapshots import NoSnapshots
from service.store.wakeups import NoWakeups
from tests.course import course
from tests.desks import KEYS, a_game, a_key, a_move, a_person
from tests.memory_store import MemoryStore
from tests.toy.book import WILDCAT
from tests.toy.later import FORGETFUL, SECOND


def desk_of(store: MemoryStore, ruleset: Ruleset) -> Desk:
    """A release of the service: the games it has."""
    return Desk(
        store=store,
        snapshots=NoSnapshots(),
        rulesets={"wildcat": ruleset},
        wakeups=NoWakeups(),
        keys=Keyring("localhost/gusher/head", lambda: KEYS),
        invitation_key=bytes(32),
        clock=course().clock,
        entropy=course().entropy(),
        new_id=course().new_id,
    )


async def wells(desk: Desk, game: str) -> list[tuple[int, int]]:
    """What each well gave, and its dice."""
    entries = (await read_log(desk, a_person(), game)).entries
    events = [event for entry in entries for event in entry.events if event["type"] == "well_drilled"]
    return [(event["oil"], sum(event["rolls"])) for event in events if event["oil"]]


@pytest.mark.parametrize(("made_by", "times"), [(WILDCAT, 1), (SECOND, 2)], ids=["first", "second"])
async def test_the_rules_version_is_pinned_when_the_game_is_made(made_by: Ruleset, times: int) -> None:
    found: list[tuple[int, int]] = []
    # A game's id is part of its chance, and ids are new each time: some games drill nothing but dry wells.
    while not found:
        store, people = MemoryStore(), [a_person(), a_person()]
        game = await a_game(desk_of(store, made_by), *people, table=Table(ruleset="wildcat", seats=2))
        today = desk_of(store, SECOND)
        below = random.Random(8).randrange
        while await a_move(today, game, people, below) is not None:
            pass
        header = await read_game(today, people[0], game)
        assert (header.status, header.rules_version) == ("finished", made_by.version)
        found = await wells(today, game)
    assert all(oil == times * dice for oil, dice in found)


async def test_a_game_of_rules_that_are_gone_can_be_read_and_not_played() -> None:
    store, people = MemoryStore(), [a_person(), a_person()]
    game = await a_game(desk_of(store, WILDCAT), *people, table=Table(ruleset="wildcat", seats=2))
    forgetful = desk_of(store, FORGETFUL)
    assert (await read_view(forgetful, people[0], game)).view.status == "running"
    for act in (read_options(forgetful, people[0], game), resign(forgetful, people[0], game, a_key())):
        with pytest.raises(Conflict) as refused:
            await act
        assert (refused.value.code, refused.value.facts) == ("rules_version_unknown", {"rules_version": 1})
    head = await store.head(game)
    assert head is not None
    assert head.seq == (await read_game(forgetful, people[0], game)).version
