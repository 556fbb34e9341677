"""What operators measure: counted once, over all workers, told to operators alone, and nothing secret in it."""

import asyncio
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import psutil
import pytest
from httpx import ASGITransport, AsyncClient, Limits
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from service.embedded import Embedded
from service.handling.desk import Desk
from service.http.limits import Gate
from service.http.metering import Meter
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from service.store.budgets import ProcessBudgets
from service.store.feed import Standing
from service.store.leases import Leases
from service.store.protocol import StoreUnavailable
from tests.service.http.conftest import Meet, Person, move, problem, started
from tests.service.http.running import running, settings_for

Measures = dict[tuple[str, ...], float]


def measures(text: str) -> Measures:
    """Each sample by its name and the values of its labels, which are in the order of their names."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def measured(admin: Person) -> Measures:
    answer = await admin.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return measures(answer.text)


async def test_requests_are_counted_by_operation_and_status(meet: Meet, admin: Person) -> None:
    ada = await meet("ada")
    for path in ("/v1/accounts/me", "/v1/accounts/me", "/v1/nothing", f"/v1/games/{uuid4()}"):
        await ada.get(path)
    found = await measured(admin)
    assert found["gusher_requests_total", "create_account", "201"] == 1
    assert found["gusher_requests_total", "get_me", "200"] == 2
    assert found["gusher_requests_total", "other", "404"] == 1
    assert found["gusher_requests_total", "get_game", "404"] == 1
    assert found["gusher_request_seconds_count", "get_me"] == 2
    assert found["gusher_request_seconds_bucket", "+Inf", "get_me"] == 2
    assert ("gusher_requests_total", "get_metrics", "200") not in found
    assert (await measured(admin))["gusher_requests_total", "get_metrics", "200"] == 1


async def test_commands_are_counted_by_what_came_of_them(meet: Meet, admin: Person) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game, key = await started(ada, bob), str(uuid4())
    before = await measured(admin)
    assert before["gusher_commands_total", "accepted", "oil-and-gas"] == 3
    address, done = f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": []}
    for _ in range(2):
        assert (await ada.post(address, done, idempotency_key=key)).status_code == 200
    problem(await ada.post(address, done), 409)
    after = await measured(admin)
    assert after["gusher_commands_total", "accepted", "oil-and-gas"] == 4
    assert after["gusher_commands_total", "repeated", "oil-and-gas"] == 1
    assert after["gusher_commands_total", "refused", "oil-and-gas"] == 1
    assert after["gusher_hot_games",] == 1


async def test_what_is_counted_elsewhere_is_told_once(desk: Desk, admin: Person) -> None:
    sizes: Counter[int] = desk.store.group_sizes
    sizes[3] += 5
    desk.snapshots.counts["checksum"] += 2
    desk.games.counts["head_not_in_log"] += 1
    for _ in range(2):
        found = await measured(admin)
        assert found["gusher_append_groups_total", "3"] == 5
        assert found["gusher_snapshots_total", "checksum"] == 2
        assert found["gusher_log_incidents_total", "head_not_in_log"] == 1
    sizes[3] += 1
    assert (await measured(admin))["gusher_append_groups_total", "3"] == 6


async def test_how_far_the_feed_is_and_what_does_not_work(
    desk: Desk, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def far() -> Standing:
        return Standing(20, 3, {"news": 20, "results": 12})

    desk.feed_standing = far
    found = await measured(admin)
    assert (found["gusher_feed_entries",], found["gusher_feed_unnumbered",]) == (20, 3)
    assert (found["gusher_feed_lag", "news"], found["gusher_feed_lag", "results"]) == (0, 8)
    assert found["gusher_breakers_open", "snapshots"] == 0
    monkeypatch.setattr(desk.snapshots, "works", False)

    async def away() -> Standing:
        raise StoreUnavailable

    desk.feed_standing = away
    found = await measured(admin)
    assert found["gusher_breakers_open", "snapshots"] == 1
    assert ("gusher_feed_entries",) not in found


async def test_measures_are_for_operators(meet: Meet, client: AsyncClient, admin: Person) -> None:
    ada = await meet("ada")
    problem(await client.get("/metrics"), 403, "not_an_operator")
    problem(await ada.get("/metrics"), 403, "not_an_operator")
    problem(await client.get("/metrics", headers={"authorization": "Bearer gsh_wrong"}), 401)
    game = await admin.open_table()
    narrow = (await admin.post("/v1/tokens", {"label": "x", "scopes": ["admin"], "game": game})).json()["token"]
    problem(await Person(client, narrow, admin.account).get("/metrics"), 403, "not_an_operator")
    reads = {"label": "prometheus", "scopes": ["admin"], "read_only": True}
    token = (await admin.post("/v1/tokens", reads)).json()["token"]
    assert (await Person(client, token, admin.account).get("/metrics")).status_code == 200


@pytest.mark.parametrize(
    ("address", "forwarded", "status"),
    [
        ("10.1.2.3", None, 200),
        ("fd00::7", None, 200),
        ("11.1.2.3", None, 403),
        ("192.0.2.1", "10.1.2.3", 403),
        ("192.0.2.1", "10.1.2.3, 198.51.100.4", 403),
        ("nowhere", None, 403),
    ],
)
async def test_networks_may_be_let_in(desk: Desk, address: str, forwarded: str | None, status: int) -> None:
    """What a client says of its own address is believed only where a proxy of ours wrote it."""
    front: Any = Front(site(desk, Settings(limits=NO_LIMITS, metrics=("10.0.0.0/8", "fd00::/8"))))
    transport = ASGITransport(app=front, client=(address, 1))
    async with AsyncClient(transport=transport, base_url="http://gusher.test") as client:
        headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
        assert (await client.get("/metrics", headers=headers)).status_code == status


async def test_no_label_names_a_game_or_a_person(meet: Meet, admin: Person) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    await move(game, lambda _: 0, ada, bob)
    text = (await admin.get("/metrics")).text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)
    labels = {name for found in re.findall(r"\{([^}]*)\}", text) for name in re.findall(r'(\w+)="', found)}
    assert labels <= {"operation", "status", "le", "ruleset", "outcome", "incident", "size", "of", "reader"}


def test_a_worker_that_has_ended_has_counted_but_holds_nothing(desk: Desk, tmp_path: Path) -> None:
    gate = Gate(Settings(), ProcessBudgets(), Leases())
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for pid in (gone.pid, os.getppid()):
        other = Meter()
        other.answered("get_view", 200, 0.3)
        measured = replace(other.measures(desk, gate), standing={"gusher_hot_games": [((), 7)]})
        (tmp_path / f"{pid}.json").write_bytes(msgspec.json.encode(measured))
    meter = Meter(tmp_path)
    meter.answered("get_view", 200, 0.001)
    found = measures(meter.text(meter.measures(desk, gate), None).decode())
    assert found["gusher_requests_total", "get_view", "200"] == 3
    assert found["gusher_request_seconds_bucket", "0.001", "get_view"] == 1
    assert found["gusher_request_seconds_bucket", "0.5", "get_view"] == 3
    assert found["gusher_request_seconds_sum", "get_view"] == pytest.approx(0.601)
    assert found["gusher_hot_games",] == 7


@pytest.mark.slow
async def test_all_workers_are_measured_together_whichever_is_asked(
    servers: Embedded, database_url: str, tmp_path: Path
) -> None:
    """Each request is a new connection, so that both workers answer. What a worker counted stays when it is killed."""
    environment = settings_for(servers, database_url, tmp_path / "data") | {"GUSHER_METRICS": "127.0.0.0/8"}
    with running(environment, tmp_path / "server.log") as server:
        async with AsyncClient(base_url=server.url, limits=Limits(max_keepalive_connections=0), timeout=20) as client:
            for _ in range(40):
                await client.get("/v1/rulesets")
            assert await counted(client, 40)
            parent = psutil.Process(server.process.pid)
            before = {child.pid for child in parent.children()}
            psutil.Process(max(before)).kill()
            for _ in range(100):
                await asyncio.sleep(0.1)
                if len({child.pid for child in parent.children()} - before) == 1:
                    break
            server.wait()
            for _ in range(10):
                await client.get("/v1/rulesets")
            assert await counted(client, 50)
            found = measures((await client.get("/metrics")).text)
            assert found["gusher_breakers_open", "snapshots"] == 0
            assert ("gusher_feed_entries",) in found


async def counted(client: AsyncClient, requests: int) -> bool:
    """Whether each of several workers comes to know of so many requests, no more and no fewer, six times in a row."""
    alike = 0
    for _ in range(200):
        found = measures((await client.get("/metrics")).text)
        told = found.get(("gusher_requests_total", "list_rulesets", "200"), 0)
        assert told <= requests
        alike = alike + 1 if told == requests else 0
        if alike == 6:
            return True
        await asyncio.sleep(0.1)
    return False
