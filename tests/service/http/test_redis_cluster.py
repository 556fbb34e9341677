"""Failure test 4 on a cluster: a primary of six Valkeys dies while two workers play, and its replica takes over."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from httpx import AsyncClient, Limits

from service.embedded import Embedded
from service.store.shared import Shared
from service.store.snapshots import Snapshot
from tests.service.http.conftest import started
from tests.service.http.oracle import Played, all_holds
from tests.service.http.running import running, settings_for
from tests.service.http.test_server import people
from tests.service.http.test_streams import read_to_the_end
from tests.valkeys import valkeys

pytestmark = [pytest.mark.slow]

GAMES = 6
COUNTED = {"GUSHER_LIMITS": "token=100000/60 address=100000/60 game=100000/60 streams=8", "GUSHER_SNAPSHOT_EVERY": "1"}


async def test_failure_4_a_primary_dies_under_load_and_its_replica_takes_over(
    servers: Embedded, database_url: str, tmp_path: Path
) -> None:
    """No player is told of it, no reader misses an entry, and afterwards snapshots and wake-ups are where they were."""
    data = tmp_path / "data"
    with valkeys(tmp_path / "valkeys") as six:
        environment = settings_for(servers, database_url, data) | COUNTED | {"REDIS_URL": six.url}
        environment["GUSHER_REDIS_PATIENCE"] = "50"
        with running(environment, tmp_path / "server.log") as server:
            limits = Limits(max_keepalive_connections=0)
            async with AsyncClient(base_url=server.url, limits=limits, timeout=60) as client:
                ada, bob = await people(client, "ada", "bob")
                games = [Played(await started(ada, bob), (ada, bob), seed) for seed in range(GAMES)]
                async with asyncio.TaskGroup() as group:
                    readers = [group.create_task(read_to_the_end(ada, played.game)) for played in games]
                    await _all_play(games, 3)
                    dying = six.owner_of(f"{{{games[0].game}}}:snap")
                    playing = asyncio.create_task(_all_play(games, 8))
                    await asyncio.to_thread(six.kill, dying)
                    await playing
                    await asyncio.to_thread(six.wait)
                    await _snapshots_are_kept_again(six.url, games)
                    for played in games:
                        await ada.post(f"/v1/games/{played.game}/resign")
                for played, reader in zip(games, readers, strict=True):
                    version = (await ada.get(f"/v1/games/{played.game}")).json()["version"]
                    assert [event.id for event in reader.result()[:-1]] == list(range(1, version + 1))
                await all_holds(database_url, games, tmp_path / "exports")
            said = server.log.read_text()
    assert "Traceback" not in said, said


async def _all_play(games: list[Played], moves: int) -> None:
    async with asyncio.TaskGroup() as group:
        for played in games:
            group.create_task(played.play(moves))


async def _snapshots_are_kept_again(url: str, games: list[Played]) -> None:
    """Also of the games whose node died: moves are made until the last of each is there."""
    shared = Shared(url)
    client = await shared.client()
    for played in games:
        for _ in range(30):
            await played.play(1)
            await asyncio.sleep(0.2)
            data = await client.get(f"{{{played.game}}}:snap")
            if isinstance(data, bytes) and msgspec.msgpack.decode(data, type=Snapshot).seq == played.told[-1].version:
                break
        else:
            raise AssertionError(f"no snapshot of {played.game}")
    await shared.close()
