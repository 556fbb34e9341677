"""Failure test 18 on the service as it is run: two workers, stopped, the database put back, started again."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path

import httpx
import pytest
from httpx import AsyncClient

from audit import audit_file
from service.auth.accounts import first_admin
from tests.databases import connected, damage
from tests.service.http.conftest import Person, move, problem, started
from tests.service.http.running import Server
from tests.service.http.test_server import people
from tests.stores import a_store

pytestmark = [pytest.mark.slow]


async def test_failure_18_a_server_started_on_an_old_backup_suspends_what_it_had_signed(
    server: Server, database_url: str, tmp_path: Path
) -> None:
    below, receipts = random.Random(3).randrange, []
    async with AsyncClient(
        base_url=server.url, limits=httpx.Limits(max_keepalive_connections=0), timeout=300
    ) as client:
        ada, bob = await people(client, "ada", "bob")
        game = await started(ada, bob)
        for _ in range(6):
            answer = await move(game, below, ada, bob)
            assert answer is not None
            receipts.append(answer.json()["receipt"])
        version = int(receipts[-1].split("\n")[2])
        server.stop(signal.SIGTERM)
        await _put_back(database_url, game, version - 3)
        server.start()
        await asyncio.to_thread(server.wait)

        shown = (await bob.get(f"/v1/games/{game}")).json()
        assert (shown["status"], shown["version"]) == ("suspended", version - 2)
        refused = problem(await ada.post(f"/v1/games/{game}/resign"), 409, "suspended")
        assert refused["because"] == "head_gone"
        token = await _admin(database_url)
        resumed = await Person(client, token, "").post(f"/v1/games/{game}/resume", {"reason": "backup_of_monday"})
        assert resumed.status_code == 200, resumed.text
        assert (await move(game, below, ada, bob)).status_code == 200  # type: ignore[union-attr]
        exported = tmp_path / "game.jsonl"
        exported.write_bytes((await ada.get(f"/v1/games/{game}/export")).content)
    kept = [tmp_path / f"receipt-{number}" for number, _ in enumerate(receipts)]
    for path, receipt in zip(kept, receipts, strict=True):
        path.write_text(receipt)
    assert audit_file(exported, receipts=kept[:3]).findings == ()
    lost = [(one.code, one.seq) for one in audit_file(exported, receipts=kept).findings]
    assert lost == [("receipt_differs", seq) for seq in (version - 2, version - 1, version)]


async def _put_back(database_url: str, game: str, seq: int) -> None:
    async with connected(database_url) as connection:
        await damage(connection, f"DELETE FROM moves WHERE game_id = '{game}' AND seq > {seq}")  # noqa: S608 - a test


async def _admin(database_url: str) -> str:
    store = await a_store(database_url)
    token = await first_admin(store)
    await store.close()
    assert token is not None
    return token
