from hashlib import sha256

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace
from uuid6 import uuid7

from bench.copies import Original
from bench.logs import Kept, keep, moves
from bench.tables import SEATS, Person
from events.chain import ENTRY_TAG, GENESIS
from rules.catalogue import rulesets
from service.handling.folding import fold_rows
from service.reactors import HANDLERS
from service.store.feed import Reader, Sequencer, standing
from service.store.postgres import PostgresStore

COPIES = 2


async def a_kept_game(store: PostgresStore, ruleset: str, most: int | None = None) -> Kept:
    people = [Person(str(uuid7()), "") for _ in range(SEATS)]
    return await keep(store, rulesets()[ruleset], moves(rulesets()[ruleset], 1, most), people)


async def followed(store: PostgresStore) -> None:
    sequencer = Sequencer(store.pool)
    await sequencer.acquire()
    while await sequencer.number():
        pass
    for handler in HANDLERS.values():
        reader = Reader(store.pool, handler)
        while await reader.read():
            pass
    await sequencer.resign()


async def copied(database: str) -> list[dict[str, str]]:
    connection = await asyncpg.connect(database)
    original = await Original.read(connection)
    names = [await original.copy(connection) for _ in range(COPIES)]
    await original.settle(connection)
    await connection.close()
    return names


@pytest.mark.parametrize("ruleset", sorted(rulesets()))
async def test_a_copy_is_a_game_with_a_chain_of_its_own(
    postgres_store: PostgresStore, database_url: str, ruleset: str
) -> None:
    kept = await a_kept_game(postgres_store, ruleset, 40)
    await followed(postgres_store)
    for names in await copied(database_url):
        copy = names[kept.game.id]
        rows = (await postgres_store.since(copy, 0)).rows
        prev = GENESIS
        for row in rows:
            assert msgspec.json.decode(row.body)["prev"] == prev
            prev = sha256(ENTRY_TAG + row.body).hexdigest()
            assert row.hash == prev
        state = fold_rows(rows, rulesets()[ruleset].projection)
        assert replace(state, id=kept.game.id) == kept.game
        assert [player.account for player in await postgres_store.players(copy)] == [
            person.account for person in kept.people
        ]


async def test_the_feed_goes_on_behind_the_copies(postgres_store: PostgresStore, database_url: str) -> None:
    await a_kept_game(postgres_store, "petroleo")
    await followed(postgres_store)
    await copied(database_url)
    fed = await postgres_store.pool.fetch("SELECT pos, game_id, seq FROM feed_entries ORDER BY pos")
    assert [row["pos"] for row in fed] == list(range(1, len(fed) + 1))
    assert len(fed) == await postgres_store.pool.fetchval("SELECT count(*) FROM moves")
    late = await a_kept_game(postgres_store, "petroleo", 10)
    await followed(postgres_store)
    now = await standing(postgres_store.pool)
    assert now.last == len(fed) + late.game.version
    assert set(now.readers.values()) == {now.last}
