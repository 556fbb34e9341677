"""How soon readers see an entry, and what an open stream costs: `python -m bench.streams`.

A real server with one worker, Postgres and Valkey; readers and server share the machine. A move's time runs from when
its request is sent to when the last byte of its entry has come, at the median and the slowest reader.
"""

from __future__ import annotations

import asyncio
import os
import resource
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psutil
from msgspec import Struct

from bench.figures import Figure, Say, Section
from bench.page import show
from service.cli.child import serving

MOVES = 12
READERS = 6, 1000
HEAD = "GET /v1/games/{game}/log?after={after} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n\r\n"


class Reader:
    """A stream on a socket of its own: when each entry came."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}

    async def read(self, url: str, game: str, after: int, opened: asyncio.Event) -> None:
        """Read until the stream ends."""
        place = urlsplit(url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(HEAD.format(game=game, after=after).encode())
        async for line in reader:
            if line.startswith(b"retry:"):
                opened.set()
            elif line.startswith(b"id: "):
                self.came[int(line[4:])] = time.perf_counter()
            elif line.startswith(b"event: end"):
                break
        writer.close()


class Seen(Struct, frozen=True):
    """Seconds until an entry was seen, at the median and at the slowest reader, for each move; bytes for a stream."""

    middle: tuple[float, ...]
    slowest: tuple[float, ...]
    each: float


async def watch(url: str, readers: int) -> Seen:
    """One game, so many readers, a few moves."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        people = [(await _asked(client, None, "/v1/accounts", {"name": uuid4().hex}))["token"] for _ in range(2)]
        game = (await _asked(client, people[0], "/v1/games", {"ruleset": "oil-and-gas", "seats": 2}))["game"]
        for token in people:
            await _asked(client, token, f"/v1/games/{game}/seats", {})
        version = (await _asked(client, people[0], f"/v1/games/{game}/start"))["version"]
        before = _memory()
        watching = [Reader() for _ in range(readers)]
        tasks = await _opened(watching, url, game, version)
        opened = _memory()
        sent: dict[int, float] = {}
        for number in range(MOVES):
            began = time.perf_counter()
            move, headers = {"type": "finish_phase", "discard": []}, _headers(people[number % 2])
            made = await client.post(f"/v1/games/{game}/commands", json=move, headers=headers)
            if made.is_success:
                sent[made.json()["version"]] = began
            await asyncio.sleep(0.3)
        await _asked(client, people[0], f"/v1/games/{game}/resign")
        await asyncio.gather(*tasks)
    delays = [sorted(one.came[seq] - began for one in watching) for seq, began in sent.items()]
    middle, slowest = tuple(median(found) for found in delays), tuple(found[-1] for found in delays)
    return Seen(middle, slowest, (opened - before) / readers)


async def _opened(watching: list[Reader], url: str, game: str, after: int) -> list[asyncio.Task[None]]:
    tasks = []
    for reader in watching:
        opened = asyncio.Event()
        tasks.append(asyncio.create_task(reader.read(url, game, after, opened)))
        await opened.wait()
    return tasks


async def _asked(
    client: httpx.AsyncClient, token: str | None, path: str, body: dict[str, Any] | None = None
) -> dict[str, Any]:
    answer = await client.post(path, json=body, headers=_headers(token))
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _headers(token: str | None) -> dict[str, str]:
    who = {} if token is None else {"authorization": f"Bearer {token}"}
    return {**who, "idempotency-key": str(uuid4())}


def _memory() -> int:
    """What the worker holds: of the processes below, the one that grows with its streams."""
    return max(one.memory_info().rss for one in psutil.Process().children(recursive=True) if "python" in one.name())


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """A few readers and many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    figures = []
    environment = {**os.environ, "GUSHER_LIMITS": "off"}
    with serving(folder / "data", environment=environment) as served:
        for readers in (6,) if quick else READERS:
            say(f"streams: {readers} readers")
            seen = asyncio.run(watch(served.url, readers))
            for name, times in (("median reader", seen.middle), ("slowest reader", seen.slowest)):
                rounds = tuple(1000 * seconds for seconds in times)
                figures.append(Figure(name=f"{readers} readers: seen by the {name}", rounds=rounds, unit=" ms"))
            figures.append(Figure(name=f"{readers} readers: a stream", rounds=(seen.each / 1024,), unit=" KiB"))
    return Section(title="Streams, one worker", figures=figures)


if __name__ == "__main__":
    show(measure)
