"""The log is compared with what was signed: failure tests 17, 18 and 19, on a database that a superuser damages."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import asyncpg
import msgspec
import pytest

from audit import audit_lines
from audit.ways_in import audit_file
from events import chain
from service.auth.caller import ANYBODY, Caller
from service.failures import Damaged, Forbidden, Refused
from service.handling.desk import Desk
from service.handling.export_log import export_log
from service.handling.hot import Hot
from service.handling.hot_games import Watch
from service.handling.list_games import list_games
from service.handling.lost_heads import HEAD_GONE, HeadWatch
from service.handling.read_game import read_game
from service.handling.resume_game import resume_game, suspend_game
from service.handling.submit_command import resign
from service.store.heads import SignedHeads
from service.store.news import told_by
from service.store.postgres import PostgresStore
from service.store.protocol import Head, Row
from tests import databases
from tests.databases import connected
from tests.desks import a_desk, a_game, a_key, a_move, a_person
from tests.stores import a_store

Damage = Callable[[str], Awaitable[None]]


@pytest.fixture
async def damage(postgres_store: PostgresStore, database_url: str) -> AsyncIterator[Damage]:
    """What somebody does who has the database in their hands."""
    async with connected(database_url) as connection:
        yield partial(databases.damage, connection)


@asynccontextmanager
async def a_worker(database_url: str, data: Path) -> AsyncIterator[Desk]:
    """A worker with its folder: started, and closed again."""
    desk = a_desk(await a_store(database_url))
    HeadWatch(desk, SignedHeads(data))
    try:
        yield desk
    finally:
        await desk.close()


async def exported(desk: Desk, caller: Caller, game: str) -> bytes:
    return b"".join([piece async for piece in (await export_log(desk, caller, game)).pieces])


async def moved(desk: Desk, game: str, people: tuple[Caller, ...], times: int, seed: int = 4) -> list[str]:
    """The receipts of so many moves."""
    receipts, below = [], random.Random(seed).randrange
    for _ in range(times):
        answer = await a_move(desk, game, people, below)
        assert answer is not None
        receipts.append(answer.receipt)
    return receipts


async def test_failure_18_entries_deleted_while_the_service_was_down_suspend_the_game(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people, admin = (a_person(), a_person()), a_person("admin")
    async with a_worker(database_url, tmp_path) as desk:
        game, other = await a_game(desk, *people), await a_game(desk, *people)
        receipts = await moved(desk, game, people, 4)
        version = desk.games.known(game).version  # type: ignore[union-attr]
    await damage(f"DELETE FROM moves WHERE game_id = '{game}' AND seq > {version - 2}")  # noqa: S608 - a test
    async with a_worker(database_url, tmp_path) as desk:
        header = await read_game(desk, people[0], game)
        assert (header.status, header.version, header.question) == ("suspended", version - 1, None)
        assert await a_move(desk, game, people, random.Random(1).randrange) is None
        assert (await read_game(desk, people[0], other)).status == "running"
        (said,) = await desk.store.rows(game, version - 2, 9)
        event = msgspec.json.decode(said.body)["events"][0]
        assert (event["type"], event["lost_seq"]) == ("game_suspended", version)
        assert event["lost_head"] == receipts[-1].split("\n")[3]
    async with a_worker(database_url, tmp_path) as desk:
        # Noticed once, and not again: an operator lets it go on.
        await resume_game(desk, admin, game, a_key(), "backup")
        await moved(desk, game, people, 3)
        lines = await exported(desk, people[0], game)
    file = tmp_path / "game.jsonl"
    file.write_bytes(lines)
    kept = [tmp_path / f"receipt{number}" for number, _ in enumerate(receipts)]
    for path, receipt in zip(kept, receipts, strict=True):
        path.write_text(receipt)
    assert audit_file(file, receipts=kept[:2]).findings == ()
    found = audit_file(file, receipts=kept).findings
    assert [(one.code, one.seq) for one in found] == [("receipt_differs", version - 1), ("receipt_differs", version)]


async def test_failure_18_a_failover_without_the_last_moves_is_noticed_by_a_running_worker(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        await moved(desk, game, people, 3)
        version = desk.games.known(game).version  # type: ignore[union-attr]
        await damage(f"DELETE FROM moves WHERE game_id = '{game}' AND seq = {version}")  # noqa: S608 - a test
        assert (await read_game(desk, people[1], game)).status == "suspended"
        assert desk.games.counts["signed_head_gone"] == 1
        assert (await desk.store.game(game)).status == "suspended"  # type: ignore[union-attr]


async def test_failure_18_of_two_workers_that_load_the_game_at_once_neither_shows_it_running(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        await moved(desk, game, people, 3)
        version = desk.games.known(game).version  # type: ignore[union-attr]
    await damage(f"DELETE FROM moves WHERE game_id = '{game}' AND seq = {version}")  # noqa: S608 - a test
    async with a_worker(database_url, tmp_path) as first, a_worker(database_url, tmp_path) as second:
        second.games.watch = Slow(second.games.watch, lambda: read_game(first, people[0], game))
        header = await read_game(second, people[0], game)
    assert (header.status, header.version) == ("suspended", version)


class Slow:
    """A watch of a worker that has read the log, and is overtaken before it has asked what was signed."""

    def __init__(self, watch: Watch | None, overtaken: Callable[[], Awaitable[object]]) -> None:
        assert watch is not None
        self._watch, self._overtaken = watch, overtaken

    async def loaded(self, hot: Hot) -> None:
        await self._overtaken()
        await self._watch.loaded(hot)

    async def lost(self, hot: Hot, head: Head) -> None:
        await self._watch.lost(hot, head)


async def test_failure_18_a_game_that_is_gone_altogether_is_counted(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
    await damage(f"DELETE FROM moves WHERE game_id = '{game}'; DELETE FROM games WHERE id = '{game}'")  # noqa: S608
    desk = a_desk(await a_store(database_url))
    watch = HeadWatch(desk, SignedHeads(tmp_path))
    await watch.sweep()
    assert desk.games.counts["signed_game_gone"] == 1
    await desk.close()


def rewriting(game: str, rows: list[Row]) -> str:
    """What somebody does who says that all after entry 2 was later: every entry from there on is chained anew."""
    statements, prev = [], rows[1].hash
    for row in rows[2:]:
        plain = msgspec.json.decode(row.body)
        plain.update(prev=prev, at=plain["at"] + 1)
        body = msgspec.json.encode(plain, order="sorted")
        prev = chain.entry_hash(body)
        statements.append(
            f"UPDATE moves SET body = '\\x{body.hex()}', hash = '\\x{prev}' "  # noqa: S608 - a test
            f"WHERE game_id = '{game}' AND seq = {row.seq}"
        )
    return "; ".join(statements)


async def test_failure_19_a_chain_rewritten_consistently_is_betrayed_by_a_receipt_and_by_our_own_memory(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        receipts = await moved(desk, game, people, 4)
        before = await desk.store.rows(game, 0, 99)
    await damage(rewriting(game, before))
    async with a_worker(database_url, tmp_path / "elsewhere") as desk:
        lines = await exported(desk, people[0], game)
    report = audit_lines([lines])
    assert report.findings == (), "without a receipt nobody can tell"
    file, kept = tmp_path / "game.jsonl", tmp_path / "receipt"
    file.write_bytes(lines)
    kept.write_text(receipts[0])
    assert [one.code for one in audit_file(file, receipts=[kept]).findings] == ["receipt_differs"]
    async with a_worker(database_url, tmp_path) as desk:
        assert (await read_game(desk, people[0], game)).status == "suspended"


async def test_failure_19_a_finished_game_that_was_rewritten_is_in_doubt_until_an_operator_has_looked(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people, admin = (a_person(), a_person()), a_person("admin")
    async with a_worker(database_url, tmp_path) as desk:
        game, other = await a_game(desk, *people), await a_game(desk, *people)
        await moved(desk, game, people, 3)
        for finished in (game, other):
            await resign(desk, people[0], finished, a_key())
        before = await desk.store.rows(game, 0, 99)
        # A worker that has the game in memory, or one that starts: both notice.
        await damage(rewriting(game, before))
        assert (await read_game(desk, people[1], game)).status == "suspended"
    async with a_worker(database_url, tmp_path) as desk:
        header = await read_game(desk, ANYBODY, game)
        assert (header.status, header.suspended_for, header.version) == ("suspended", HEAD_GONE, len(before) + 1)
        assert header.result is not None
        listed = await list_games(desk, people[0], status="suspended", mine=True)
        assert [one.game for one in listed.games] == [game]
        (said,) = await desk.store.rows(game, len(before), 9)
        assert told_by(said.body)[1].what == ("suspended",)
        event = msgspec.json.decode(said.body)["events"][0]
        assert (event["lost_seq"], event["lost_head"]) == (len(before), before[-1].hash)
        with pytest.raises(Forbidden):
            await resume_game(desk, people[0], game, a_key(), "mine")
        with pytest.raises(Refused):
            await suspend_game(desk, admin, other, a_key(), "for_fun")
        await resume_game(desk, admin, game, a_key(), "looked_into")
        header = await read_game(desk, ANYBODY, game)
        assert (header.status, header.suspended_for) == ("finished", None)
        assert header.result is not None
        assert (await list_games(desk, people[0], status="suspended", mine=True)).games == ()
        assert audit_lines([await exported(desk, ANYBODY, game)]).exit == 0
    async with a_worker(database_url, tmp_path) as desk:
        assert (await read_game(desk, ANYBODY, game)).status == "finished"


async def test_failure_19_a_finished_game_rewritten_while_nobody_looked_is_found_by_the_sweep(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        await resign(desk, people[0], game, a_key())
        before = await desk.store.rows(game, 0, 99)
    await damage(rewriting(game, before))
    desk = a_desk(await a_store(database_url))
    await HeadWatch(desk, SignedHeads(tmp_path)).sweep()
    assert (await desk.store.game(game)).status == "suspended"  # type: ignore[union-attr]
    await desk.close()


async def test_failure_17_a_log_that_makes_no_game_is_exported_and_checked_as_it_is_kept(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        await moved(desk, game, people, 3)
        changed = (await desk.store.rows(game, 4, 1))[0].body.replace(b'"schema":1', b'"schema":0')
    head = chain.entry_hash(changed)
    await damage(
        f"UPDATE moves SET body = '\\x{changed.hex()}', hash = '\\x{head}' WHERE game_id = '{game}' AND seq = 5"  # noqa: S608
    )
    async with a_worker(database_url, tmp_path) as desk:
        with pytest.raises(Damaged):
            await read_game(desk, people[0], game)
        for caller in (ANYBODY, people[0]):
            file = await export_log(desk, caller, game)
            report = await desk.auditing.audit(file.pieces, name=file.name, entries=file.version)
            assert report.verdict == "broken"
            found = {(one.code, one.seq) for one in report.findings}
            assert {("entry_changed", 5), ("word_schema", 5)} <= found
            assert "note_missing" in {one.code for one in report.findings}, "what makes no game is not signed again"
        with pytest.raises(Forbidden):
            await export_log(desk, people[0], game, viewer="auditor")


async def test_failure_17_a_body_changed_with_its_hash_is_named_by_the_audit(
    database_url: str, damage: Damage, tmp_path: Path
) -> None:
    people = (a_person(), a_person())
    async with a_worker(database_url, tmp_path) as desk:
        game = await a_game(desk, *people)
        await moved(desk, game, people, 3)
        body = (await desk.store.rows(game, 4, 1))[0].body
        changed = body.replace(b'"at":1', b'"at":2', 1)
        with pytest.raises(asyncpg.CheckViolationError):
            await damage(f"UPDATE moves SET body = '\\x{changed.hex()}' WHERE game_id = '{game}' AND seq = 5")  # noqa: S608
        head = chain.entry_hash(changed)
        await damage(
            f"UPDATE moves SET body = '\\x{changed.hex()}', hash = '\\x{head}' WHERE game_id = '{game}' AND seq = 5"  # noqa: S608
        )
        lines = await exported(desk, people[0], game)
    found = audit_lines([lines]).findings
    assert (found[0].code, found[0].seq) == ("entry_changed", 5)


async def test_heads_are_kept_for_the_highest_seq_and_survive_the_process(tmp_path: Path) -> None:
    heads = SignedHeads(tmp_path)
    heads.note("b", 2, "two")
    heads.note("b", 1, "one")
    heads.note("a", 7, "seven")
    assert heads.last("b") == Head(2, "two")
    await heads.close()
    again = SignedHeads(tmp_path)
    again.note("b", 1, "one")
    assert again.last("b") == Head(2, "two")
    assert again.after("", 9) == [("a", Head(7, "seven")), ("b", Head(2, "two"))]
    assert again.after("a", 9) == [("b", Head(2, "two"))]
    again.reset("b", Head(1, "uno"))
    assert again.last("b") == Head(1, "uno")
    assert again.last("c") is None
    await again.close()
