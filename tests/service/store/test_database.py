"""What the database itself refuses, whoever asks; how it is set up, and what keeps the service from starting."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import asyncpg
import msgspec
import pytest
from asyncpg.exceptions import CheckViolationError, InsufficientPrivilegeError

from events import chain
from events.seals import Seals
from service.embedded import EmbeddedServers
from service.store import migrations
from service.store.connections import NotPermitted, UnsafeDatabase, open_pool
from service.store.erasure import erase_personal
from service.store.migrations import Migration, SchemaMismatch, is_coordinator, migrate
from service.store.opening import open_postgres
from service.store.postgres import _APPEND, _ROW_OF, _SINCE, PostgresStore
from service.store.protocol import (
    FINGERPRINT_BYTES,
    Appended,
    Duplicate,
    Head,
    Move,
    MovedOn,
    Outcome,
    StoreUnavailable,
)
from tests.contract.moves import a_move, a_seal, create, erased, grow, new_id
from tests.databases import connected, damage
from tests.processes import all_gone
from tests.stores import a_store

TAMPER = (
    "UPDATE moves SET body = body",
    "UPDATE moves SET body = '{}', hash = sha256('gusher/entry/v1\\012'::bytea || '{}')",
    "UPDATE moves SET sealed = NULL",
    "DELETE FROM moves",
    "TRUNCATE moves",
)


@pytest.fixture
async def owner(postgres_store: PostgresStore, database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection with every right."""
    async with connected(database_url) as connection:
        yield connection


@pytest.fixture
async def watched(
    one_machine_store: PostgresStore, one_machine_url: str
) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection with every right to a database whose log is watched by triggers."""
    async with connected(one_machine_url) as connection:
        yield connection


async def _in_role(owner: asyncpg.Connection[asyncpg.Record], role: str, sql: str) -> str:
    async with owner.transaction():
        await owner.execute(f"SET LOCAL ROLE {role}")
        return await owner.execute(sql)


@pytest.mark.parametrize("sql", [*TAMPER, "SELECT 1 FROM schema_versions", "DELETE FROM games", "DROP TABLE moves"])
async def test_the_service_s_role_has_no_right_to_rewrite(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record], sql: str
) -> None:
    await create(postgres_store)
    with pytest.raises(InsufficientPrivilegeError):
        await _in_role(owner, "gusher_app", sql)


async def test_the_service_works_in_that_role(postgres_store: PostgresStore) -> None:
    assert await postgres_store._pool.fetchval("SELECT current_user") == "gusher_app"


@pytest.mark.parametrize("mode", ["origin", "replica"])
@pytest.mark.parametrize("sql", TAMPER[1:])
async def test_not_even_the_owner_rewrites(
    one_machine_store: PostgresStore, watched: asyncpg.Connection[asyncpg.Record], sql: str, mode: str
) -> None:
    first = await create(one_machine_store)
    await one_machine_store.append(a_move(first.game, 2, first.hash, sealed=(a_seal("g", (1,), "fact"),)))
    with pytest.raises(InsufficientPrivilegeError, match="never changed"):
        await watched.execute(f"SET LOCAL session_replication_role = {mode}; {sql}")
    assert len(await one_machine_store.rows(first.game, 0, 9)) == 2


async def test_the_check_wants_the_hash_of_whoever_gets_past_all_that(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    await create(postgres_store)
    with pytest.raises(CheckViolationError):
        await damage(owner, "UPDATE moves SET body = '{}'")


async def test_not_even_the_owner_changes_more_of_a_sealed_field_than_erasing_does(
    one_machine_store: PostgresStore, watched: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(one_machine_store)
    fact, chat = a_seal("g", (1,), "fact"), a_seal("p", (0, 1), "hello")
    await one_machine_store.append(a_move(first.game, 2, first.hash, sealed=(fact, chat)))
    kept, gone = (Seals.of(sealed).kept.decode() for sealed in ((fact, chat), (fact, erased(chat))))
    change = "UPDATE moves SET sealed = $1 WHERE game_id = $2 AND seq = 2"
    for after in (
        Seals.of((erased(fact), chat)).kept.decode(),
        kept.replace("hello", "other words"),
        kept.replace("[0,1]", "[0,1,2]"),
        kept.replace('"g"', '"p"'),
        gone.replace(chat.digest, fact.digest),
        Seals.of((fact,)).kept.decode(),
        Seals.of((chat, fact)).kept.decode(),
        None,
    ):
        assert after not in (kept, gone)
        with pytest.raises(InsufficientPrivilegeError, match="may be erased"):
            await watched.execute(change, after, first.game)
    assert await watched.execute(change, gone, first.game) == "UPDATE 1"
    with pytest.raises(InsufficientPrivilegeError, match="may be erased"):
        await watched.execute(change, kept, first.game)


async def test_the_eraser_closes_personal_disclosures_and_nothing_else(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    fact, chat = a_seal("g", (1,), "fact"), a_seal("p", (0, 1), "hello")
    await postgres_store.append(a_move(first.game, 2, first.hash, sealed=(fact, chat)))
    erase = f"SELECT erase_personal('{first.game}', NULL)"
    for sql in (*TAMPER, "SELECT 1 FROM moves", "DELETE FROM games", "SELECT 1 FROM secrets"):
        with pytest.raises(InsufficientPrivilegeError):
            await _in_role(owner, "gusher_eraser", sql)
    with pytest.raises(InsufficientPrivilegeError):
        await _in_role(owner, "gusher_app", erase)
    assert await _in_role(owner, "gusher_eraser", erase) == "SELECT 1"
    (kept,) = await postgres_store.rows(first.game, 1, 9)
    assert kept.sealed == (fact, erased(chat))
    assert await _in_role(owner, "gusher_eraser", erase) == "SELECT 0"


async def test_sealed_fields_kept_as_objects_become_smaller(database_url: str) -> None:
    """What the ninth file does to the rows of a database that was there before it."""
    owner = await asyncpg.connect(database_url)
    before = [one for one in migrations.migrations() if one.number < 9]
    (ninth,) = (one for one in migrations.migrations() if one.number == 9)
    fields = (a_seal("g", (1,), "Ölfeld \0"), a_seal("p", (0, 1), "hello"), erased(a_seal("p", (), "gone")))
    move = a_move(new_id(), 1, chain.GENESIS)
    rows = ((1, fields), (2, ()), (3, fields[:1]))
    async with owner.transaction():
        await owner.execute("CREATE SCHEMA before; SET LOCAL search_path = before")
        for one in before:
            await owner.execute(one.sql)
        for seq, sealed in rows:
            await owner.execute(
                "INSERT INTO moves (game_id, seq, command_id, fingerprint, hash, body, sealed) "
                "VALUES ($1, $2, $3, $4, $5, $6, $7)",
                move.game,
                seq,
                new_id(),
                bytes(32),
                bytes.fromhex(move.hash),
                move.body,
                msgspec.json.encode(sealed).decode() if sealed else None,
            )
        await owner.execute(ninth.sql)
        kept = await owner.fetch("SELECT seq, sealed FROM moves ORDER BY seq")
        assert [(row["seq"], row["sealed"]) for row in kept] == [
            (seq, Seals.of(sealed).kept.decode() or None) for seq, sealed in rows
        ]
        assert await owner.fetchval("SELECT only_erases(sealed, sealed) FROM moves WHERE seq = 1")
        await owner.execute("DROP SCHEMA before CASCADE")
    await owner.close()


async def test_a_log_and_a_feed_from_before_take_less_room(database_url: str) -> None:
    """What the sixteenth file does to the rows of a database that was there before it."""
    owner = await asyncpg.connect(database_url)
    before = [one for one in migrations.migrations() if one.number < 16]
    (sixteenth,) = (one for one in migrations.migrations() if one.number == 16)
    move, print_ = a_move(new_id(), 1, chain.GENESIS), bytes(range(32))
    fed = [(pos, UUID(new_id()), pos % 7 + 1) for pos in range(1, 2502)]
    async with owner.transaction():
        await owner.execute("CREATE SCHEMA before; SET LOCAL search_path = before")
        for one in before:
            await owner.execute(one.sql)
        columns = ("game_id", "seq", "command_id", "fingerprint", "hash", "body")
        row = (UUID(move.game), 1, UUID(new_id()), print_, bytes.fromhex(move.hash), move.body)
        await owner.copy_records_to_table("moves", schema_name="before", columns=columns, records=[row])
        await owner.copy_records_to_table("feed", schema_name="before", records=fed)
        await owner.execute(sixteenth.sql)
        assert [tuple(row) for row in await owner.fetch("SELECT * FROM feed_entries ORDER BY pos")] == fed
        assert [row["pos"] for row in await owner.fetch("SELECT pos FROM feed ORDER BY pos")] == [999, 1999, 2501]
        kept = await owner.fetchrow("SELECT * FROM moves")
        assert kept is not None
        assert kept["fingerprint"] == print_[:FINGERPRINT_BYTES]
        assert {kept["hash"].hex(), kept["body"]} == {move.hash, move.body}
        await owner.execute("DROP SCHEMA before CASCADE")
    await owner.close()


async def test_each_entry_waits_for_the_sequencer(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record]
) -> None:
    first = await create(postgres_store)
    last = await grow(postgres_store, first, 3)
    await postgres_store.append(a_move(first.game, 9, last.hash))
    waiting = await owner.fetch("SELECT seq FROM feed_pending WHERE game_id = $1 ORDER BY seq", first.game)
    assert [row["seq"] for row in waiting] == [1, 2, 3, 4]


async def test_appending_goes_by_the_keys_however_small_the_table_was(one_machine_store: PostgresStore) -> None:
    async with one_machine_store._pool.acquire() as connection:
        game = (await create(one_machine_store)).game
        for sql, arguments, wanted in (
            (_APPEND, ([game], [2], [game], [b""], [b""], [b""], [b""], [None]), {"moves_pkey", "moves_by_command"}),
            (_SINCE, ([game], [1]), {"moves_pkey"}),
            (_ROW_OF, (game, game), {"moves_by_command"}),
        ):
            plan = str(await (await connection.prepare(sql)).explain(*arguments))
            assert set(re.findall("moves_pkey|moves_by_command", plan)) == wanted
            assert "Seq Scan" not in plan


async def test_a_command_is_once_in_a_game_whoever_is_quicker(
    one_machine_store: PostgresStore, one_machine_url: str
) -> None:
    """No key of the table holds that: the statement does."""
    first = await create(one_machine_store)
    stores = (one_machine_store, await a_store(one_machine_url))

    async def try_until_it_is_there(store: PostgresStore, key: str) -> Outcome:
        outcome: Outcome = MovedOn()
        while isinstance(outcome, MovedOn):
            head = await store.head(first.game)
            assert head is not None
            outcome = await store.append(a_move(first.game, head.seq + 1, head.hash, command_id=key))
        return outcome

    for _ in range(20):
        key = new_id()
        outcomes = await asyncio.gather(*(try_until_it_is_there(store, key) for store in stores * 3))
        (row,) = [row for row in await one_machine_store.rows(first.game, 0, 99) if row.command_id == key]
        assert sorted(map(repr, outcomes)) == sorted(map(repr, [Appended(), *[Duplicate(row)] * 5]))
    await stores[1].close()


# ---- starting


async def test_starting_at_once_migrates_once(database_url: str) -> None:
    stores = await asyncio.gather(*(a_store(database_url) for _ in range(4)))
    for store in stores:
        await store.close()
    async with connected(database_url) as owner:
        wanted = (*migrations.migrations(), *(migrations.distributing() if await is_coordinator(owner) else ()))
        assert await owner.fetchval("SELECT count(*) FROM schema_versions") == len(wanted)
        assert await migrate(owner) == []


async def test_another_schema_is_noticed(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = migrations.migrations()
    changed = (*ours[:-1], Migration(ours[-1].number, ours[-1].name, ours[-1].sql + "-- a word\n"))
    for known, said in ((changed, "is not the file that was applied"), (ours[:-1], "it is newer")):
        monkeypatch.setattr(migrations, "migrations", lambda known=known: known)
        with pytest.raises(SchemaMismatch, match=said):
            await migrate(owner)


async def test_a_migration_that_fails_leaves_nothing(
    postgres_store: PostgresStore, owner: asyncpg.Connection[asyncpg.Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Migration(900, "900_broken.sql", "CREATE TABLE half (n int); SELECT nonsense;")
    ours = migrations.migrations()
    monkeypatch.setattr(migrations, "migrations", lambda: (*ours, broken))
    with pytest.raises(asyncpg.PostgresError):
        await migrate(owner)
    assert await owner.fetchval("SELECT to_regclass('half')") is None
    assert await owner.fetchval("SELECT count(*) FROM schema_versions WHERE number = 900") == 0


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
async def test_a_database_that_may_forget_is_refused_by_name(tmp_path: Path, setting: str) -> None:
    async with EmbeddedServers(tmp_path / "data", valkey=False, postgres_settings={setting: "off"}) as found:
        assert found.database_url is not None
        with pytest.raises(UnsafeDatabase, match=f"{setting} = off") as refused:
            await open_postgres(found.database_url, seconds=120)
        assert refused.value.settings == (setting,)
        store = await open_postgres(found.database_url, unsafe_allowed=(setting,), seconds=120)
        await store.close()


@pytest.mark.slow
async def test_a_login_that_owns_the_database_and_may_make_roles_is_enough(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path / "data", valkey=False) as found:
        assert found.database_url is not None
        async with connected(found.database_url) as superuser:
            await superuser.execute(
                "CREATE ROLE holder LOGIN CREATEROLE; CREATE ROLE other LOGIN; CREATE ROLE nobody LOGIN"
            )
            await superuser.execute("CREATE DATABASE held OWNER holder")
        holder, other, nobody = (_as(found.database_url, login, "held") for login in ("holder", "other", "nobody"))
        with pytest.raises(NotPermitted, match="permission denied for schema public"):
            await open_postgres(nobody, seconds=120)
        store = await open_postgres(holder, seconds=120)
        first = await create(store)
        assert await erase_personal(holder, first.game) == []
        await store.close()
        with pytest.raises(NotPermitted, match=r'set role "gusher_app".*GRANT gusher_app TO'):
            await open_postgres(other, owner_url=holder, seconds=120)
        async with connected(holder) as owner:
            await owner.execute("GRANT gusher_app TO other")
        store = await open_postgres(other, owner_url=holder, seconds=120)
        await grow(store, first, 1)
        await store.close()


def _as(url: str, login: str, database: str) -> str:
    """The address of a database on the same server, for a login of its own."""
    return urlunsplit(
        urlsplit(url)._replace(netloc=f"{login}@{urlsplit(url).netloc.rpartition('@')[2]}", path=f"/{database}")
    )


async def test_no_database_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        await open_postgres("postgresql://nobody@127.0.0.1:9/none", seconds=1)


async def _append_until_it_fails(store: PostgresStore, move: Move) -> None:
    while True:
        await store.append(move)


@pytest.mark.slow
async def test_a_database_that_went_away_comes_back(tmp_path: Path) -> None:
    servers = EmbeddedServers(tmp_path / "data", valkey=False)
    async with servers as found:
        assert found.database_url is not None
        store = await open_postgres(found.database_url, seconds=60)
        first = await create(store)
        second = a_move(first.game, 2, first.hash)
        os.kill(found.pids["postgres"], SIGKILL)
        with pytest.raises(StoreUnavailable):
            await _append_until_it_fails(store, second)
        assert all_gone([found.pids["postgres"]])
        servers.start()
        assert isinstance(await _append_until_it_answers(store, second), Appended | Duplicate)
        assert await store.head(first.game) == Head(2, second.hash)
        await store.close()


async def test_a_statement_that_hangs_is_given_up(postgres_store: PostgresStore, database_url: str) -> None:
    first, second = await create(postgres_store), await create(postgres_store)
    impatient = type(postgres_store)(await open_pool(database_url, size=2, seconds=0.3))
    assert await impatient.append(a_move(second.game, 2, second.hash)) == Appended()
    async with connected(database_url) as owner, owner.transaction():
        await owner.execute("LOCK TABLE moves")
        with pytest.raises(StoreUnavailable):
            await impatient.append(a_move(first.game, 2, first.hash))
    second = a_move(first.game, 2, first.hash)
    assert isinstance(await _append_until_it_answers(impatient, second), Appended | Duplicate)
    await impatient.close()


async def _append_until_it_answers(store: PostgresStore, move: Move) -> object:
    """One statement may meet a connection that died, and on a busy machine several take longer than the store waits."""
    for _ in range(100):
        with suppress(StoreUnavailable):
            return await store.append(move)
    return None
