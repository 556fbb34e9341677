"""Very many streams at two real workers: those that are reset before their first byte, and those that stay."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import msgspec
import psutil
import pytest

from service.embedded import Embedded
from tests.service.http.conftest import started
from tests.service.http.counted import ADDRESS, Counts
from tests.service.http.running import COUNTED, Server, running, settings_for
from tests.service.http.test_streams import eventually_open, people

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

TIMES = 10_000
AT_ONCE = 50
WORKERS = 2
PLACES = 4
OPEN = 1500
OWN = 10
"""Tasks of its own that a worker may begin meanwhile: it listens to a game, or numbers the feed for the other."""
MIB = 2**20


@pytest.fixture(scope="module")
def server(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where a token has four streams, and whose workers say what they hold."""
    place = tmp_path_factory.mktemp("thousands")
    limits = {"GUSHER_LIMITS": f"token=off address=off game=off streams={PLACES}", "GUSHER_PROXIES": "1"}
    _files(2 * OPEN)
    with running(settings_for(servers, database_url, place / "data") | limits, place / "server.log", COUNTED) as found:
        yield found
    assert "Traceback" not in found.log.read_text(), found.log.read_text()


def _files(wanted: int) -> None:
    """Let this process have so many files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def counts(server: Server) -> dict[int, Counts]:
    """What each worker holds. Which worker takes a connection is not ours to say: ask until both have answered."""
    found: dict[int, Counts] = {}
    while len(found) < WORKERS:
        told = msgspec.json.decode(httpx.get(server.url + ADDRESS).content, type=Counts)
        found[told.pid] = told
    return found


async def back_at(server: Server, before: dict[int, Counts]) -> None:
    """Each worker holds again what it held, streams' tasks above all; what ended a moment ago may take that moment."""
    for _ in range(200):
        found = await asyncio.to_thread(counts, server)
        if all(one.tasks <= before[pid].tasks + OWN and not one.streams + one.places for pid, one in found.items()):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{before} became {found}")


async def until_closed(server: Server) -> None:
    """No connection is open at the server any more, in any worker."""
    for _ in range(200):
        held = [one for pid in await asyncio.to_thread(counts, server) for one in psutil.Process(pid).net_connections()]
        if not [one for one in held if one.laddr[1:] == (server.port,) and one.status != "LISTEN"]:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(held)


def open_and_reset(port: int, path: str, token: str, times: int) -> None:
    """A client that leaves with RST before the first byte comes, again and again, with one socket at a time."""
    request = f"GET {path} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer {token}\r\n\r\n"
    for _ in range(times):
        with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
            connection.sendall(request.encode())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def reset(server: Server, path: str, token: str, times: int) -> None:
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in range(AT_ONCE):
            threads.submit(open_and_reset, server.port, path, token, times // AT_ONCE)


async def memory(server: Server) -> int:
    return sum(psutil.Process(pid).memory_info().rss for pid in await asyncio.to_thread(counts, server))


async def test_f24_ten_thousand_streams_that_are_reset_before_the_first_byte_leave_nothing_behind(
    server: Server,
) -> None:
    """Tasks, streams, places and connections are what they were; the second half takes no more memory."""
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        path = f"/v1/games/{game}/log"
        await reset(server, path, ada.token, AT_ONCE)
        before = await asyncio.to_thread(counts, server)
        await reset(server, path, ada.token, TIMES // 2)
        await back_at(server, before)
        halfway = await memory(server)
        await reset(server, path, ada.token, TIMES // 2)
        await back_at(server, before)
        await until_closed(server)
        grown = await memory(server) - halfway
        assert grown < 64 * MIB, f"5,000 streams that are never let go hold 200 MiB; these left {grown / MIB:.0f}"
        await eventually_open(ada, path, PLACES)


async def told(port: int, path: str, number: int, opened: asyncio.Event) -> list[int]:
    """The entries that one reader is sent, from an address of its own, until the stream ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    own = f"x-forwarded-for: 10.0.{number // 250}.{number % 250}"
    writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n{own}\r\n\r\n".encode())
    seen = []
    async for line in reader:
        if line.startswith(b"retry:"):
            opened.set()
        elif line.startswith(b"id: "):
            seen.append(int(line[4:]))
        elif line.startswith(b"event: end"):
            break
    writer.close()
    return seen


async def test_readers_by_the_thousand_keep_nobody_out(server: Server) -> None:
    """The server would take 512 connections in each of two workers by itself, and then answer nobody."""
    async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(600):
        game = await started(ada, bob)
        path, readers = f"/v1/games/{game}/log", list[asyncio.Task[list[int]]]()
        while len(readers) < OPEN:
            opened = [asyncio.Event() for _ in range(AT_ONCE)]
            for one in opened:
                readers.append(asyncio.create_task(told(server.port, path, len(readers), one)))
            await asyncio.gather(*(one.wait() for one in opened))
        held = await asyncio.to_thread(counts, server)
        assert sum(one.streams for one in held.values()) == OPEN
        assert (await ada.get(f"/v1/games/{game}/view")).status_code == 200
        last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
        for seen in await asyncio.gather(*readers):
            assert seen == list(range(1, last + 1))
