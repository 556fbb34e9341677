"""The feed across games: it loses nothing and doubles nothing, whoever is slow, paused, killed or poisoned."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import asyncpg
import pytest

from service.store.feed import _FIRST, Deposed, FeedItem, Overtaken, Reader, Sequencer
from service.store.postgres import PostgresStore
from service.store.protocol import Move
from tests.contract.moves import a_move, create, grow
from tests.databases import connected
from tests.stores import a_store

if TYPE_CHECKING:
    from service.store.connections import Connection

Entries = list[tuple[str, int]]


@pytest.fixture
async def owner(postgres_store: PostgresStore, database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection with every right, on a feed in which nothing is and nobody works."""
    connection = await asyncpg.connect(database_url)
    await connection.execute(
        "TRUNCATE feed, feed_pending, feed_readers, feed_parked, results;"
        "UPDATE feed_sequencer SET last = 0, expires = '-infinity';"
        "DROP TABLE IF EXISTS seen; CREATE TABLE seen (pos bigint, game_id uuid, seq bigint);"
        "GRANT SELECT, INSERT, DELETE ON seen TO gusher_app"
    )
    yield connection
    await connection.close()


class Seen:
    """A reader's work: one row for each entry. It stumbles over the positions in `poison`."""

    name = "seen"

    def __init__(self) -> None:
        self.poison: set[int] = set()
        self.crash = False
        self.batches = 0

    async def take(self, connection: Connection, items: Sequence[FeedItem]) -> None:
        self.batches += 1
        for item in items:
            await connection.execute("INSERT INTO seen VALUES ($1, $2, $3)", item.pos, item.game, item.seq)
            if item.pos in self.poison:
                raise ValueError("indigestible")
            if self.crash:
                raise ConnectionError("killed")

    async def reset(self, connection: Connection) -> None:
        await connection.execute("DELETE FROM seen")


async def entries_of(connection: Connection, table: str) -> Entries:
    found = await connection.fetch(f"SELECT pos, game_id, seq FROM {table} ORDER BY pos")  # noqa: S608 - our own names
    assert table != "feed_entries" or [row["pos"] for row in found] == list(range(1, len(found) + 1))
    return [(str(row["game_id"]), row["seq"]) for row in found]


def in_game_order(entries: Entries) -> bool:
    games = {game for game, _ in entries}
    return all(
        [seq for other, seq in entries if other == game] == sorted(seq for other, seq in entries if other == game)
        for game in games
    )


async def number_all(sequencer: Sequencer) -> int:
    total = 0
    while numbered := await sequencer.number():
        total += numbered
    return total


async def working(store: PostgresStore, **changes: float) -> Sequencer:
    sequencer = Sequencer(store.pool, **changes)  # type: ignore[arg-type]
    assert await sequencer.acquire()
    return sequencer


async def test_what_was_appended_is_numbered_without_gaps_in_game_order(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    games = [await create(postgres_store) for _ in range(5)]
    for game in games:
        await grow(postgres_store, game, 7)
    assert await number_all(await working(postgres_store, most=3)) == 40
    entries = await entries_of(owner, "feed_entries")
    assert sorted(entries) == sorted((game.game, seq) for game in games for seq in range(1, 9))
    assert in_game_order(entries)
    assert await owner.fetchval("SELECT count(*) FROM feed_pending") == 0


async def test_a_busy_game_does_not_keep_the_others_waiting(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    busy, quiet = sorted([await create(postgres_store), await create(postgres_store)], key=lambda one: one.game)
    last = await grow(postgres_store, busy, 3)
    sequencer = await working(postgres_store, most=2)
    for _ in range(4):
        await sequencer.number()
        last = await grow(postgres_store, last, 1)
    assert (quiet.game, 1) in await entries_of(owner, "feed_entries")


async def test_a_batch_that_was_undone_as_it_was_committed_is_numbered_before_what_follows(
    one_machine_store: PostgresStore, one_machine_url: str
) -> None:
    first = await create(one_machine_store)
    last = await grow(one_machine_store, first, 3)
    sequencer = await working(one_machine_store, most=3)
    async with connected(one_machine_url) as owner:
        await owner.execute(
            "CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'undone'; END $$;"
            "CREATE CONSTRAINT TRIGGER undo AFTER INSERT ON feed DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION undo()"
        )
        try:
            with pytest.raises(asyncpg.RaiseError, match="undone"):
                await sequencer.number()
        finally:
            await owner.execute("DROP FUNCTION undo CASCADE")
        await grow(one_machine_store, last, 5)
        assert await number_all(sequencer) == 9
        fed = [one for one in await entries_of(owner, "feed_entries") if one[0] == first.game]
    assert fed == [(first.game, seq) for seq in range(1, 10)]


async def test_failure_20_slow_writers_commit_out_of_order_and_only_a_naive_cursor_loses(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    await owner.execute(
        "DROP TABLE IF EXISTS naive; CREATE TABLE naive (id bigserial, game_id uuid, seq bigint);"
        "GRANT SELECT, INSERT ON naive TO gusher_app; GRANT USAGE ON naive_id_seq TO gusher_app"
    )
    firsts = [await create(postgres_store) for _ in range(12)]
    sequencer, naive, cursor = await working(postgres_store), set[tuple[str, int]](), 0
    started, overtaken, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def write(move: Move, until: asyncio.Event | None = None) -> None:
        async with postgres_store.pool.acquire() as connection, connection.transaction():
            await postgres_store._append_alone(connection, move)
            await connection.execute("INSERT INTO naive (game_id, seq) VALUES ($1, $2)", move.game, move.seq)
            started.set()
            if until is not None:
                await until.wait()

    async def read_naively() -> None:
        nonlocal cursor
        for row in await owner.fetch("SELECT * FROM naive WHERE id > $1 ORDER BY id", cursor):
            naive.add((str(row["game_id"]), row["seq"]))
            cursor = row["id"]

    async def follow() -> None:
        while not done.is_set():
            await sequencer.number()
            await read_naively()
            if len(naive) == len(firsts) - 1:
                overtaken.set()
            await asyncio.sleep(0)

    following = asyncio.create_task(follow())
    # The first writer takes its number, and commits when everybody has read on.
    slow = asyncio.create_task(write(a_move(firsts[0].game, 2, firsts[0].hash), overtaken))
    await started.wait()
    for first in firsts[1:]:
        await write(a_move(first.game, 2, first.hash))
    await slow
    done.set()
    await following
    await number_all(sequencer)
    await read_naively()

    written = {(first.game, 2) for first in firsts}
    assert written - naive == {(firsts[0].game, 2)}
    entries = await entries_of(owner, "feed_entries")
    assert sorted(entries) == sorted(written | {(first.game, 1) for first in firsts})
    assert in_game_order(entries)


async def test_failure_21_a_sequencer_that_was_paused_and_revived_numbers_nothing(
    stores: tuple[PostgresStore, PostgresStore], owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(stores[0])
    paused = await working(stores[0], lease=0.0)
    second = Sequencer(stores[1].pool, lease=60)
    last = await grow(stores[0], first, 2)
    assert await paused.number() == 3
    assert await second.acquire()
    last = await grow(stores[0], last, 2)
    with pytest.raises(Deposed):
        await paused.number()
    assert not paused.works
    assert not await paused.acquire()
    assert await second.number() == 2
    assert await entries_of(owner, "feed_entries") == [(first.game, seq) for seq in range(1, 6)]
    # Nobody waits for a lease that its holder gives up.
    await second.resign()
    assert await paused.acquire()


async def test_failure_21_one_paused_in_the_middle_of_a_batch_is_waited_for_or_undone(
    stores: tuple[PostgresStore, PostgresStore], owner: asyncpg.Connection[asyncpg.Record], database_url: str
) -> None:
    first = await create(stores[0])
    await grow(stores[0], first, 4)
    dying = await a_store(database_url)
    paused = await working(dying, lease=0.0)
    connection = await dying.pool.acquire()
    transaction = connection.transaction()
    await transaction.start()
    assert await paused._batch(connection, _FIRST) == (5, _FIRST)
    rival = asyncio.create_task(Sequencer(stores[1].pool, lease=60).acquire())
    await asyncio.sleep(0.05)
    assert not rival.done()
    dying.pool.terminate()
    assert await rival
    second = Sequencer(stores[1].pool)
    second._epoch = await owner.fetchval("SELECT epoch FROM feed_sequencer")
    assert await number_all(second) == 5
    assert await entries_of(owner, "feed_entries") == [(first.game, seq) for seq in range(1, 6)]


async def test_failure_23_a_reader_killed_between_its_rows_and_its_place_takes_each_entry_once(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    await grow(postgres_store, first, 5)
    await number_all(await working(postgres_store))
    handler = Seen()
    reader = Reader(postgres_store.pool, handler, most=4)
    handler.crash = True
    for _ in range(3):
        with pytest.raises(Exception, match="killed"):
            await reader.read()
    handler.crash = False
    assert [await reader.read() for _ in range(3)] == [4, 2, 0]
    assert await entries_of(owner, "seen") == await entries_of(owner, "feed_entries")


async def test_failure_23_of_two_processes_with_one_reader_one_takes_a_batch(
    stores: tuple[PostgresStore, PostgresStore], owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(stores[0])
    await grow(stores[0], first, 30)
    await number_all(await working(stores[0]))
    readers = [Reader(store.pool, Seen(), most=5) for store in stores]

    async def read_all(reader: Reader) -> None:
        taken = 1
        while taken:
            try:
                taken = await reader.read()
            except Overtaken:
                taken = 1

    await asyncio.gather(*map(read_all, readers))
    assert await entries_of(owner, "seen") == await entries_of(owner, "feed_entries")


async def test_failure_23_poison_is_parked_with_its_position_and_the_rest_goes_on(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    await grow(postgres_store, first, 5)
    await number_all(await working(postgres_store))
    handler = Seen()
    handler.poison = {2, 5}
    reader = Reader(postgres_store.pool, handler)
    assert await reader.read() == 6
    parked = [(one.pos, one.game, one.seq, one.error) for one in await reader.parked()]
    assert parked == [(pos, first.game, pos, "ValueError: indigestible") for pos in (2, 5)]
    assert await entries_of(owner, "seen") == [(first.game, seq) for seq in (1, 3, 4, 6)]
    # The cause is mended: everything is written anew, and nothing is parked any more.
    handler.poison = set()
    assert await reader.rebuild() == 6
    assert await entries_of(owner, "seen") == await entries_of(owner, "feed_entries")
    assert await reader.parked() == []


async def test_failure_23_one_poison_costs_few_batches_however_many_entries_come_with_it(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    await grow(postgres_store, first, 63)
    await number_all(await working(postgres_store))
    handler = Seen()
    handler.poison = {41}
    reader = Reader(postgres_store.pool, handler)
    assert await reader.read() == 64
    assert [one.pos for one in await reader.parked()] == [41]
    assert handler.batches == 1 + 2 * 6


async def test_failure_23_rebuilt_while_live_is_what_live_is(
    stores: tuple[PostgresStore, PostgresStore], owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(stores[0])
    await grow(stores[0], first, 20)
    sequencer = await working(stores[0])
    await number_all(sequencer)
    live, rebuilding = Reader(stores[0].pool, Seen(), most=3), Reader(stores[1].pool, Seen())
    await live.read()

    async def read_on() -> None:
        for _ in range(12):
            try:
                await live.read()
            except Overtaken:
                continue

    await asyncio.gather(read_on(), rebuilding.rebuild())
    while await live.read():
        pass
    assert await entries_of(owner, "seen") == await entries_of(owner, "feed_entries")


async def test_an_entry_that_is_gone_from_the_log_is_parked_not_passed_over(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    await number_all(await working(postgres_store))
    await owner.execute("INSERT INTO feed VALUES (2, ARRAY[$1::uuid], ARRAY[99])", UUID(first.game))
    reader = Reader(postgres_store.pool, Seen())
    assert await reader.read() == 2
    assert [(one.pos, one.seq) for one in await reader.parked()] == [(2, 99)]
