"""The eight checks at the service: over what the viewer may have, of a good log and of one that somebody damaged."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from httpx import AsyncClient
from msgspec.structs import replace

from audit import audit_file
from events.chain import entry_hash
from service.auth.accounts import sign_up
from service.handling import audit_log
from service.handling.desk import Desk
from tests.memory_store import MemoryStore
from tests.service.http.conftest import Meet, Person, move, problem, started


async def finished(meet: Meet) -> tuple[str, Person, Person]:
    ana, bo = await meet("ana"), await meet("bo")
    game = await started(ana, bo)
    below = Random(2).randrange
    for _ in range(4):
        await move(game, below, ana, bo)
    assert (await ana.post(f"/v1/games/{game}/resign")).status_code == 200
    return game, ana, bo


async def test_the_report_is_that_of_the_program(meet: Meet, client: AsyncClient, tmp_path: Path) -> None:
    game, ana, _ = await finished(meet)
    told = await client.get(f"/v1/games/{game}/audit")
    assert told.status_code == 200, told.text
    report = told.json()
    assert (report["report"], report["verdict"], report["exit"]) == ("gusher-audit/1", "good", 0)
    assert [check["outcome"] for check in report["checks"]] == ["good"] * 8
    file = tmp_path / f"{game}-spectator.jsonl"
    file.write_bytes((await client.get(f"/v1/games/{game}/export")).content)
    assert {**msgspec.json.decode(audit_file(file).to_json()), "file": file.name} == report
    seat = (await ana.get(f"/v1/games/{game}/audit")).json()
    assert (seat["facts"]["viewer"], seat["verdict"]) == ("seat:0", "good")


async def test_of_a_running_game_it_says_what_nobody_can_check_yet(meet: Meet, client: AsyncClient) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    game = await started(ana, bo)
    path = f"/v1/games/{game}/audit"
    for report in ((await client.get(path)).json(), (await ana.get(path)).json()):
        assert (report["verdict"], report["findings"]) == ("incomplete", [])
        assert {"seed_unknown", "sealed"} <= {one["code"] for one in report["unchecked"]}
    problem(await ana.get(f"{path}?as=seat:1"), 403, "not_your_seat")
    problem(await ana.get(f"{path}?as=auditor"), 403, "not_your_seat")


async def test_it_is_known_by_its_head(meet: Meet, client: AsyncClient) -> None:
    game, *_ = await finished(meet)
    told = await client.get(f"/v1/games/{game}/audit")
    assert told.headers["etag"] == (await client.get(f"/v1/games/{game}")).headers["etag"]
    again = await client.get(f"/v1/games/{game}/audit", headers={"if-none-match": told.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_a_private_game_is_none_to_others(meet: Meet, client: AsyncClient) -> None:
    ana = await meet("ana")
    game = await ana.open_table(2, visibility="private")
    assert (await ana.get(f"/v1/games/{game}/audit")).status_code == 200
    for asked in (client.get(f"/v1/games/{game}/audit"), (await meet("bo")).get(f"/v1/games/{game}/audit")):
        problem(await asked, 404, "no_such_game")


def rewrite(store: MemoryStore, game: str, seq: int, old: bytes, new: bytes) -> None:
    """What somebody does who has the store in their hands: another body, with its hash."""
    row = store._logs[game][seq - 1]
    assert old in row.body
    body = row.body.replace(old, new, 1)
    store._logs[game][seq - 1] = replace(row, body=body, hash=entry_hash(body))


async def test_a_changed_entry_is_named(meet: Meet, client: AsyncClient, memory_store: MemoryStore) -> None:
    game, *_ = await finished(meet)
    rewrite(memory_store, game, 5, b'"at":1', b'"at":2')
    report = (await client.get(f"/v1/games/{game}/audit")).json()
    assert (report["verdict"], report["exit"]) == ("broken", 1)
    assert (report["first"]["code"], report["first"]["seq"]) == ("entry_changed", 5)


async def test_a_log_that_makes_no_game_is_checked_all_the_same(
    meet: Meet, client: AsyncClient, memory_store: MemoryStore, desk: Desk
) -> None:
    game, ana, _ = await finished(meet)
    rewrite(memory_store, game, 5, b'"schema":1', b'"schema":0')
    desk.games._games.clear()
    problem(await client.get(f"/v1/games/{game}"), 500, "log_damaged")
    report = (await client.get(f"/v1/games/{game}/audit")).json()
    assert report["verdict"] == "broken"
    assert {("entry_changed", 5), ("word_schema", 5)} <= {(one["code"], one.get("seq")) for one in report["findings"]}
    assert (await ana.get(f"/v1/games/{game}/audit")).json()["facts"]["viewer"] == "seat:0"
    problem(await ana.get(f"/v1/games/{game}/export?as=auditor"), 403, "not_your_seat")


async def test_a_private_log_that_makes_no_game_stays_private(
    meet: Meet, client: AsyncClient, memory_store: MemoryStore, desk: Desk, admin: Person
) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    game = await ana.open_table(2, visibility="private")
    rewrite(memory_store, game, 1, b'"schema":1', b'"schema":0')
    desk.games._games.clear()
    for person in (ana, admin):
        assert (await person.get(f"/v1/games/{game}/audit")).json()["verdict"] == "broken"
    problem(await bo.get(f"/v1/games/{game}/audit"), 404, "no_such_game")
    problem(await client.get(f"/v1/games/{game}/export"), 404, "no_such_game")


async def test_of_a_private_log_that_makes_no_game_auditors_know_once_it_has_ended(
    meet: Meet, client: AsyncClient, memory_store: MemoryStore, desk: Desk
) -> None:
    ana = await meet("ana")
    auditor = Person(client, (await sign_up(desk.store, "eve", "person", ["audit"])).first.secret, "")
    running, aborted = [await ana.open_table(2, visibility="private") for _ in range(2)]
    assert (await ana.post(f"/v1/games/{aborted}/abort")).status_code == 200
    for game in (running, aborted):
        rewrite(memory_store, game, 1, b'"schema":1', b'"schema":0')
    desk.games._games.clear()
    problem(await auditor.get(f"/v1/games/{running}"), 404, "no_such_game")
    problem(await auditor.get(f"/v1/games/{aborted}"), 500, "log_damaged")
    assert (await auditor.get(f"/v1/games/{aborted}/audit")).json()["verdict"] == "broken"


async def test_long_logs_and_long_queues_are_refused(
    meet: Meet, client: AsyncClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_ = await finished(meet)
    path = f"/v1/games/{game}/audit"
    monkeypatch.setattr(audit_log, "MOST_WAITING", -1)
    told: Any = await client.get(path)
    problem(told, 503, "busy")
    assert told.headers["retry-after"] == "2"
    monkeypatch.setattr(audit_log, "MOST_ENTRIES", 3)
    problem(await client.get(path), 409, "too_long")
