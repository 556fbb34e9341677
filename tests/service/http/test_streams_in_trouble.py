"""Streams where something breaks: workers, servers, Redis, and readers that do not read."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import socket
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psutil
import pytest
from litestar import Request
from redis import Redis
from redis.exceptions import OutOfMemoryError

from service.auth.accounts import sign_up
from service.auth.scopes import ALL
from service.embedded import Embedded, EmbeddedServers
from service.http.limits import Gate
from service.http.streams import NDJSON, Streaming
from service.settings import Settings
from service.store.budgets import ProcessBudgets
from service.store.leases import Leases
from service.store.postgres import PostgresStore
from tests.service.http.conftest import Person, started
from tests.service.http.running import running, settings_for
from tests.service.http.test_streams import BEAT, SSE, events, people, play, read_to_the_end, stream

slow = pytest.mark.slow


async def follow(who: Person, game: str, seen: list[int]) -> None:
    """Read until the game is over, whatever happens to the connection, the worker and the server."""
    while True:
        headers = {"last_event_id": str(seen[-1])} if seen else {}
        try:
            async with stream(who, f"/v1/games/{game}/log", **SSE, **headers) as response:
                if response.status_code == 204:
                    return
                async for event in events(response):
                    if event.id is not None:
                        seen.append(event.id)
                    elif event.data["reason"] == "finished":
                        return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.1)


@slow
async def test_f26_readers_follow_a_restart_without_a_gap_and_without_a_repeat(
    servers: Embedded, database_url: str, tmp_path: Path
) -> None:
    """The server stops at once although streams are open, and tells each its place."""
    environment = settings_for(servers, database_url, tmp_path / "data") | BEAT
    with running(environment, tmp_path / "server.log") as server:
        async with people(server.url, "ada", "bob") as (ada, bob):
            game = await started(ada, bob)
            seen: list[list[int]] = [[] for _ in range(10)]
            readers = [asyncio.create_task(follow(ada, game, got)) for got in seen]
            last_words = asyncio.create_task(read_to_the_end(bob, game))
            await play(game, 5, ada, bob)
            assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
            assert (await last_words)[-1].data["reason"] == "closing"
            assert "Killing" not in server.log.read_text()
            server.start()
            await asyncio.to_thread(server.wait)
            await play(game, 5, ada, bob)
            last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
            await asyncio.gather(*readers)
            for got in seen:
                assert got == list(range(1, last + 1))


@slow
async def test_readers_follow_when_their_worker_is_killed(servers: Embedded, database_url: str, tmp_path: Path) -> None:
    environment = settings_for(servers, database_url, tmp_path / "data") | BEAT
    with running(environment, tmp_path / "server.log") as server:
        async with people(server.url, "ada", "bob") as (ada, bob):
            game = await started(ada, bob)
            seen: list[list[int]] = [[] for _ in range(10)]
            readers = [asyncio.create_task(follow(ada, game, got)) for got in seen]
            await play(game, 3, ada, bob)
            workers = psutil.Process(server.process.pid).children()
            max(workers, key=lambda worker: worker.pid).kill()
            await asyncio.to_thread(server.wait)
            last = await resigned(ada, game)
            await asyncio.gather(*readers)
            for got in seen:
                assert got == list(range(1, last + 1))


async def resigned(who: Person, game: str) -> int:
    """The version of the last entry; a request to the dead worker's half-open socket is simply made again."""
    key = "0190d4e0-0000-4000-8000-00000000000a"
    while True:
        try:
            version: int = (await who.post(f"/v1/games/{game}/resign", idempotency_key=key)).json()["version"]
        except httpx.TransportError:
            await asyncio.sleep(0.1)
        else:
            return version


@slow
async def test_without_redis_both_workers_still_tell_their_readers(
    servers: Embedded, database_url: str, tmp_path: Path
) -> None:
    environment = settings_for(servers, database_url, tmp_path / "data") | {"REDIS_URL": ""}
    with running(environment, tmp_path / "server.log") as server:
        await whole_game(server.url)


@slow
async def test_redis_dies_while_streams_are_open(servers: Embedded, database_url: str, tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "valkey", postgres=False, valkey=True) as own:
        assert own.redis_url is not None
        environment = settings_for(servers, database_url, tmp_path / "data") | {"REDIS_URL": own.redis_url}
        with running(environment, tmp_path / "server.log") as server:
            await whole_game(server.url, lambda: psutil.Process(own.pids["valkey"]).kill())


@slow
async def test_redis_is_full_while_streams_are_open(servers: Embedded, database_url: str, tmp_path: Path) -> None:
    """It refuses whatever takes room: budgets, places for streams, snapshots. Moves, reads and new streams go on."""
    with EmbeddedServers(tmp_path / "valkey", postgres=False, valkey=True) as own:
        assert own.redis_url is not None
        with Redis.from_url(own.redis_url) as redis:

            def fill() -> None:
                redis.config_set("maxmemory-policy", "noeviction")
                redis.config_set("maxmemory", "1mb")
                with pytest.raises(OutOfMemoryError):
                    redis.set("one", "more")

            environment = settings_for(servers, database_url, tmp_path / "data") | {
                "REDIS_URL": own.redis_url,
                "GUSHER_LIMITS": "token=100000/60 address=100000/60 game=100000/60 streams=8",
                "GUSHER_SNAPSHOT_EVERY": "1",
            }
            with running(environment, tmp_path / "server.log") as server:
                await whole_game(server.url, fill)
                await whole_game(server.url)
                said = server.log.read_text()
    assert "OutOfMemoryError" in said
    assert "Traceback" not in said, said


async def whole_game(url: str, halfway: Any = None) -> None:
    async with people(url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        async with asyncio.TaskGroup() as group:
            readers = [group.create_task(read_to_the_end(who, game)) for who in (ada, bob) * 3]
            await play(game, 3, ada, bob)
            if halfway is not None:
                halfway()
            await play(game, 3, ada, bob)
            last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
        for reader in readers:
            assert [event.id for event in reader.result()[:-1]] == list(range(1, last + 1))


@slow
async def test_p29_a_reader_that_stops_is_cut_off_by_the_server_and_goes_on_where_it_was(
    servers: Embedded, database_url: str, postgres_store: PostgresStore, tmp_path: Path
) -> None:
    """More than kernel and server hold up, to a reader that stops for longer than the server's patience, each time."""
    environment = settings_for(servers, database_url, tmp_path / "data") | {"GUSHER_STREAM_PATIENCE": "1"}
    with running(environment, tmp_path / "server.log") as server:
        async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(600):
            made = await sign_up(postgres_store, f"admin-{uuid4().hex[:8]}", "person", ALL)
            game, last = await much_disputed(ada, bob, Person(ada.client, made.first.secret, made.account.id))
            seen: list[int] = []
            ends = 0
            while last not in seen:
                seen += await asyncio.to_thread(slowly, server.port, game, ada.token, last_seen=seen[-1] if seen else 0)
                ends += 1
            assert seen == list(range(1, last + 1))
            assert ends > 1, "the reader was never cut off"
        assert "its reader does not read" in server.log.read_text()


async def much_disputed(ada: Person, bob: Person, admin: Person) -> tuple[str, int]:
    """A game whose log is a few megabytes for those who sit at it, and its last entry."""
    game = await started(ada, bob)
    said = {"reason": "long_winded", "first": 1, "last": 2, "statement": "\N{OIL DRUM}" * 4000}
    for number in range(1, 121):
        assert (await ada.post(f"/v1/games/{game}/disputes", said)).status_code == 201
        settled = await admin.post(
            f"/v1/games/{game}/disputes/{number}/verdict", {"verdict": "dismissed", "reason": "long_winded"}
        )
        assert settled.status_code == 200, settled.text
    last: int = (await bob.post(f"/v1/games/{game}/resign")).json()["version"]
    return game, last


def slowly(port: int, game: str, token: str, *, last_seen: int) -> list[int]:
    """The entries that came whole over one connection with a small buffer, whose reader stops at the beginning."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        head = (
            f"GET /v1/games/{game}/log HTTP/1.1",
            "host: gusher",
            "accept: text/event-stream",
            f"authorization: Bearer {token}",
            f"last-event-id: {last_seen}",
        )
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        time.sleep(4)
        came = b""
        while not came.endswith(b"0\r\n\r\n") and (piece := connection.recv(65536)):
            came += piece
    body = unchunked(came.partition(b"\r\n\r\n")[2])
    return [int(found) for found in re.findall(rb"event: entry\nid: (\d+)\ndata: [^\n]*\n\n", body)]


def unchunked(body: bytes) -> bytes:
    """A body that was sent in pieces, as far as it came."""
    pieces = []
    while body:
        size, _, body = body.partition(b"\r\n")
        pieces.append(body[: int(size, 16)])
        body = body[int(size, 16) + 2 :]
    return b"".join(pieces)


@slow
async def test_p31_every_kind_of_end_is_told_and_closes_the_stream(
    servers: Embedded, database_url: str, tmp_path: Path
) -> None:
    """Resigned, and aborted by a host who does not play; also to whoever follows everything that concerns them."""
    environment = settings_for(servers, database_url, tmp_path / "data") | BEAT
    with running(environment, tmp_path / "server.log") as server:
        async with people(server.url, "host", "ada", "bob") as (host, ada, bob), asyncio.timeout(600):
            for what, who in (("resign", ada), ("abort", host)):
                game = await host.open_table(2)
                for person in (ada, bob):
                    assert (await person.post(f"/v1/games/{game}/seats", {})).status_code == 201
                assert (await host.post(f"/v1/games/{game}/start")).status_code == 200
                reader = asyncio.create_task(read_to_the_end(bob, game))
                done = await who.post(f"/v1/games/{game}/{what}")
                assert done.status_code == 200, done.text
                *_, last, end = await reader
                assert last.id == done.json()["version"]
                assert end.data["reason"] == "finished"
                async with stream(bob, "/v1/feed?after=0", **SSE) as response:
                    async for event in events(response):
                        if event.data["game"] == game and event.data["seq"] == last.id:
                            assert {"finished", "aborted"} & set(event.data["what"])
                            break


# ---- one reader, without a server


class Wire:
    """A connection whose reader takes some messages and then stops, or leaves."""

    def __init__(self, takes: int, *, leaves: bool = False) -> None:
        self.takes, self.leaves = takes, leaves
        self.sent: list[Any] = []
        self.full = asyncio.Event()

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.body" and message["more_body"] and len(self.sent) >= self.takes:
            self.full.set()
            await asyncio.Event().wait()
        self.sent.append(message)

    async def receive(self) -> Any:
        if self.leaves:
            await self.full.wait()
            return {"type": "http.disconnect"}
        await asyncio.Event().wait()
        return None


async def on(wire: Wire, leases: Leases, patience: float = 60) -> list[str]:
    """What became of a stream on this wire: whether it was begun and ended."""
    told: list[str] = []

    async def for_ever() -> AsyncGenerator[bytes]:
        told.append("begun")
        try:
            while True:
                yield b"x"
        finally:
            told.append("ended")

    scope: Any = {"type": "http", "headers": [], "client": ("192.0.2.1", 1)}
    gate = Gate(Settings(), ProcessBudgets(), leases)
    response = Streaming(gate, for_ever, media_type=NDJSON, patience=patience)
    app = response.to_asgi_response(None, Request(scope))
    await app(scope, wire.receive, wire.send)
    return told


async def test_p29_a_reader_that_does_not_read_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    leases, wire = Leases(), Wire(takes=4)
    assert await on(wire, leases, patience=0.01) == ["begun", "ended"]
    assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert "does not read" in caplog.text
    assert leases.held == 0


async def test_f24_a_reader_that_leaves_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    leases = Leases()
    assert await on(Wire(takes=3, leaves=True), leases) == ["begun", "ended"]
    assert await on(Wire(takes=1, leaves=True), leases) == [], "it left before the first byte"
    assert leases.held == 0
    assert not caplog.records
