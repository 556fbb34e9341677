"""Every game on offer through the use cases, from an empty table to an export that anybody can check."""

from __future__ import annotations

import random

import pytest

from audit import audit_file
from rules.catalogue import rulesets
from service.auth.caller import ANYBODY
from service.handling.create_game import Table
from service.handling.export_log import export_log
from service.handling.folding import fold_rows
from service.handling.house_bots import HouseBots
from service.handling.read_game import read_game
from service.handling.start_game import start_game
from service.handling.take_seat import add_bot
from tests.desks import a_desk, a_key, a_lobby, a_person
from tests.memory_store import MemoryStore

TABLES = [(name, seats) for name, found in rulesets().items() for seats in (found.least_seats, found.most_seats)]


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
async def test_house_bots_play_it_and_the_auditor_finds_nothing(
    memory_store: MemoryStore, ruleset: str, seats: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    desk, host = a_desk(memory_store), a_person()
    house = HouseBots(desk, below=random.Random(seats).randrange)
    game = await a_lobby(desk, host, Table(ruleset=ruleset, seats=seats))
    for _ in range(seats):
        await add_bot(desk, host, game, a_key(), "random")
    await start_game(desk, host, game, a_key())
    await house.settle()
    assert (await read_game(desk, ANYBODY, game)).status == "finished"
    hot = await desk.games.get(game)
    assert fold_rows(await memory_store.rows(game, 0, 99999), hot.ruleset.projection) == hot.game
    file = tmp_path_factory.mktemp("export") / "game.jsonl"
    file.write_bytes(b"".join([piece async for piece in (await export_log(desk, ANYBODY, game)).pieces]))
    report = audit_file(file)
    assert report.exit == 0, report
