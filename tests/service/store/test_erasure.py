"""What is personal can be erased: nothing else can, the game goes on, and every export still verifies."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from msgspec import NODEFAULT
from msgspec.inspect import StructType, type_info

from audit import audit_lines
from events.audience import sealed_fields
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.auth.caller import Caller
from service.handling.desk import Desk
from service.handling.disputes import Claim, file_dispute, read_dispute
from service.handling.export_log import export_log
from service.store.erasure import erase_personal
from service.store.postgres import PostgresStore
from tests.desks import a_desk, a_game, a_key, a_move, a_person


async def exported(desk: Desk, caller: Caller, game: str) -> bytes:
    return b"".join([piece async for piece in (await export_log(desk, caller, game)).pieces])


async def test_a_statement_is_erased_and_everything_still_verifies(
    postgres_store: PostgresStore, database_url: str
) -> None:
    desk, people = a_desk(postgres_store), (a_person(), a_person())
    game = await a_game(desk, *people)
    claim = Claim(reason="chat", first=1, last=2, statement="Call me at home: 555 0100.")
    filed = await file_dispute(desk, people[0], game, a_key(), claim)
    before = await exported(desk, people[0], game)
    assert await erase_personal(database_url, game, [1, 2]) == []
    assert await erase_personal(database_url, game) == [filed.version]
    assert await erase_personal(database_url, game) == []

    for worker in (desk, a_desk(postgres_store)):
        seen = await read_dispute(worker, people[0], game, 1)
        assert (seen.statement, seen.dispute.reason) == (None, "chat")
        assert await a_move(worker, game, people, random.Random(1).randrange) is not None
    after = await exported(desk, people[0], game)
    assert audit_lines([before]).findings == audit_lines([after]).findings == ()
    closed = [one for one in audit_lines([after]).unchecked if one.code == "personal_closed"]
    assert [one.seq for one in closed] == [filed.version]
    assert audit_lines([after]).exit == 2


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda ruleset: ruleset.name)
def test_a_personal_field_has_a_default_so_that_no_game_needs_it(ruleset: Ruleset) -> None:
    for union in (ruleset.projection.commands, ruleset.projection.events):
        for shape in get_args(union):
            kind = getattr(shape, "__origin__", shape)
            described = type_info(kind)
            assert isinstance(described, StructType)
            defaults = {field.name: field.default for field in described.fields}
            assert all(defaults[mark.name] is not NODEFAULT for mark in sealed_fields(kind) if mark.kind == "p")
