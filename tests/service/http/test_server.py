"""The service as it is run: two workers of the real server over a real Postgres and a real Valkey."""

import asyncio
import random
import re
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import httpx
import psutil
import pytest
from httpx import AsyncClient

from audit import audit_file
from service.embedded import Embedded
from tests.processes import lives
from tests.service.http.conftest import Person, move, problem, started
from tests.service.http.running import Server, settings_for

pytestmark = [pytest.mark.slow]


async def people(client: AsyncClient, *names: str) -> list[Person]:
    met = []
    for name in names:
        made = (await client.post("/v1/accounts", json={"name": f"{name}-{uuid4().hex[:8]}"})).json()
        met.append(Person(client, made["token"], made["account"]["account"]))
    return met


async def test_a_whole_game_over_two_workers_is_good(server: Server, tmp_path: Path) -> None:
    """Every request may meet another worker; the exported log passes every check of the audit."""
    limits = httpx.Limits(max_keepalive_connections=0)
    async with AsyncClient(base_url=server.url, limits=limits, timeout=300) as client:
        ada, bob = await people(client, "ada", "bob")
        game = await started(ada, bob)
        below = random.Random(11).randrange
        moves = 0
        while (answer := await move(game, below, ada, bob)) is not None and moves < 60:
            assert answer.status_code == 200, answer.text
            moves += 1
        await ada.post(f"/v1/games/{game}/resign")
        file = await client.get(f"/v1/games/{game}/export")
        path = tmp_path / "game.jsonl"
        path.write_bytes(file.content)
        assert audit_file(path).exit == 0
        pids = {child.pid for child in psutil.Process(server.process.pid).children()}
        assert len(pids) >= 2


async def test_one_key_sent_many_times_at_once_has_one_effect(server: Server) -> None:
    async with AsyncClient(base_url=server.url, limits=httpx.Limits(max_connections=20), timeout=300) as client:
        ada, bob = await people(client, "ada", "bob")
        game, key = await started(ada, bob), str(uuid4())
        finish = {"type": "finish_phase", "discard": []}
        address = f"/v1/games/{game}/commands"
        answers = await asyncio.gather(*[ada.post(address, finish, idempotency_key=key) for _ in range(40)])
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert (await ada.get(f"/v1/games/{game}")).json()["version"] == answers[0].json()["version"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_request_under_way_is_answered_before_the_server_stops(server: Server, how: signal.Signals) -> None:
    body = f'{{"name": "ada-{how.name}"}}'.encode()
    head = f"POST /v1/accounts HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\nexpect: 100-continue\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        connection.sendall(head.encode() + b"content-type: application/json\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        workers = [child.pid for child in psutil.Process(server.process.pid).children()]
        assert len(workers) == 2
        server.process.send_signal(how)
        # The other worker has nothing to do, and stops at once.
        while all(map(lives, workers)):
            time.sleep(0.05)
        assert any(map(lives, workers))
        connection.sendall(body)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 201")
    assert server.process.wait(120) == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_workers_that_are_starting_stop_too(
    servers: Embedded, database_url: str, tmp_path: Path, how: signal.Signals
) -> None:
    server = Server(settings_for(servers, database_url, tmp_path / "data"), tmp_path / "server.log")
    while "Spawning worker-2" not in server.log.read_text():
        assert server.process.poll() is None, server.log.read_text()
        time.sleep(0.01)
    assert server.stop(how) == 0
    assert "Killing" not in server.log.read_text()


async def test_a_worker_that_dies_is_replaced(server: Server) -> None:
    parent = psutil.Process(server.process.pid)
    before = {child.pid for child in parent.children()}
    psutil.Process(max(before)).kill()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if len({child.pid for child in parent.children()} - before) == 1:
            break
    server.wait()
    async with AsyncClient(base_url=server.url, timeout=300) as client:
        assert (await client.get("/v1/rulesets")).status_code == 200


def pour(port: int, pieces: int) -> tuple[int, bytes]:
    """A body without a length and without an end, in pieces of 64 KiB: how many were taken, and what was answered."""
    head = b"POST /v1/accounts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(head + b"transfer-encoding: chunked\r\n\r\n")
        taken = 0
        with suppress(OSError):
            while taken < pieces:
                connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                taken += 1
        with suppress(OSError):
            return taken, connection.recv(1000)
        return taken, b""


async def test_an_endless_body_is_cut_off_and_costs_no_memory(server: Server) -> None:
    workers = psutil.Process(server.process.pid).children()
    before = max(worker.memory_info().rss for worker in workers)
    taken, answer = await asyncio.to_thread(pour, server.port, 10_000)
    assert taken < 1_000
    assert answer.startswith(b"HTTP/1.1 413") or not answer
    assert max(worker.memory_info().rss for worker in workers) - before < 30_000_000


async def test_no_token_is_in_the_log(server: Server) -> None:
    async with AsyncClient(base_url=server.url, timeout=300) as client:
        ada, _ = await people(client, "ada", "bob")
        problem(await ada.get("/v1/nothing"), 404)
        await ada.get(f"/v1/games/{uuid4()}")
        await ada.open_table()
        said = server.log.read_text()
        assert ada.token not in said
        assert not re.search(r"gsh_[0-9A-Za-z]{10}", said)
