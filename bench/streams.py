"""How soon readers see an entry, and what an open stream costs: `python -m bench.streams [readers …]`.

A real server with one worker, Postgres and Valkey; readers and server share the machine. A move's time runs from when
its request is sent to when its entry has come to a reader, so that deciding and writing it are in it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import msgspec
import psutil
from msgspec import Struct

from bench.figures import QUANTILES
from rules.choices import Option
from service.cli.child import serving

READERS: Final = (6, 1000, 4000)
MOVES: Final = 20
AT_ONCE: Final = 100
BEAT: Final = 5
QUIET: Final = 10
"""Seconds in which nothing happens but heartbeats."""

HEAD: Final = "GET /v1/games/{game}/log?after={after} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n\r\n"
Say = Callable[[str], None]


class Streams(Struct, frozen=True, kw_only=True):
    """So many readers of one game: what was measured of them.

    `quantiles` (p50, p95, p99, p99.9) and `slowest` are seconds from a move to its entry at a reader; `moves` holds the
    least and the most of the medians of single moves. `kib` is the worker's memory for each stream, `delivery` the
    microseconds of a core that one entry to one reader costs it, `quiet` the share of a core that heartbeats take.
    """

    readers: int
    quantiles: tuple[float, ...]
    slowest: float
    moves: tuple[float, float]
    kib: float
    opened: float
    delivery: float
    quiet: float


class Reader(asyncio.Protocol):
    """A stream on a socket of its own: when each entry came."""

    def __init__(self, request: bytes) -> None:
        self.came: dict[int, float] = {}
        self.beats = 0
        loop = asyncio.get_running_loop()
        self.opened, self.ended, self._next = (loop.create_future() for _ in range(3))
        self._request, self._rest = request, b""

    async def until(self, seq: int) -> None:
        """Return once this entry has come."""
        while seq not in self.came:
            self._next = asyncio.get_running_loop().create_future()
            await self._next

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note what has come."""
        now = time.perf_counter()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                self.came[int(line[4:])] = now
                if not self._next.done():
                    self._next.set_result(None)
            elif line == b":":
                self.beats += 1
            elif line.startswith(b"retry:"):
                self.opened.set_result(None)
            elif line.startswith(b"event: end"):
                self._transport.close()

    def connection_lost(self, _: Exception | None) -> None:
        """It is over."""
        for waited in (self.opened, self.ended):
            if not waited.done():
                waited.set_result(None)


def measure(folder: Path, say: Say, readers: Sequence[int] = READERS) -> list[Streams]:
    """Measure with a server of its own."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    environment = {**os.environ, "GUSHER_LIMITS": "off", "GUSHER_STREAM_BEAT": str(BEAT)}
    found = []
    for number in readers:
        # A fresh worker each time: memory that earlier streams gave back would be taken again unseen.
        with serving(folder / f"streams-{number}", environment=environment) as served:
            say(f"streams: {number:,} readers")
            found.append(asyncio.run(_measured(served.url, number)))
    return found


def streams_table(measured: Sequence[Streams]) -> list[str]:
    """A table in Markdown: `core µs` is for an entry to a reader, `beats` the share of a core they take."""
    lines = [
        "| streams | p50 ms | p95 ms | p99 ms | slowest | medians of moves | KiB each | opened /s | core µs | beats |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in measured:
        times = [f"{1000 * seconds:.1f}" for seconds in (*one.quantiles[:3], one.slowest)]
        spread = " to ".join(f"{1000 * seconds:.1f}" for seconds in one.moves)
        costs = (f"{one.kib:.1f}", f"{one.opened:,.0f}", f"{one.delivery:.0f}", f"{one.quiet:.1%}")
        lines.append("| " + " | ".join([f"{one.readers:,}", *times, spread, *costs]) + " |")
    return lines


async def _measured(url: str, readers: int) -> Streams:
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        people = [(await _asked(client, None, "/v1/accounts", {"name": uuid4().hex}))["token"] for _ in range(2)]
        game = (await _asked(client, people[0], "/v1/games", {"ruleset": "oil-and-gas", "seats": 2}))["game"]
        for token in people:
            await _asked(client, token, f"/v1/games/{game}/seats", {})
        version = (await _asked(client, people[0], f"/v1/games/{game}/start"))["version"]
        worker, began = _worker(), time.perf_counter()
        before = worker.memory_info().rss
        watching = await _opened(url, game, version, readers)
        opened = readers / (time.perf_counter() - began)
        kib = (worker.memory_info().rss - before) / readers / 1024
        spent = _spent(worker)
        await asyncio.sleep(QUIET)
        quiet = (_spent(worker) - spent) / QUIET
        assert all(one.beats for one in watching), "a stream that is silent for longer than its heartbeat"
        spent = _spent(worker)
        sent = await _moves(client, people, game, watching)
        delivery = (_spent(worker) - spent) / (readers * len(sent))
        await _asked(client, people[0], f"/v1/games/{game}/resign")
        await asyncio.gather(*(one.ended for one in watching))
    return _figures(watching, sent, kib=kib, opened=opened, delivery=1e6 * delivery, quiet=quiet)


async def _opened(url: str, game: str, after: int, readers: int) -> list[Reader]:
    place, request = httpx.URL(url), HEAD.format(game=game, after=after).encode()
    loop, watching = asyncio.get_running_loop(), list[Reader]()
    while len(watching) < readers:
        more = [
            loop.create_connection(lambda: Reader(request), place.host, place.port or 80)
            for _ in range(min(AT_ONCE, readers - len(watching)))
        ]
        made = [protocol for _, protocol in await asyncio.gather(*more)]
        await asyncio.gather(*(one.opened for one in made))
        watching += made
    return watching


async def _moves(client: httpx.AsyncClient, people: list[str], game: str, watching: list[Reader]) -> dict[int, float]:
    """The players move, each time when everybody has seen the last move: when each entry's request was sent."""
    sent: dict[int, float] = {}
    for _ in range(MOVES):
        token, command = await _chosen(client, people, game)
        began = time.perf_counter()
        made = await _asked(client, token, f"/v1/games/{game}/commands", command)
        sent[made["version"]] = began
        await asyncio.gather(*(one.until(made["version"]) for one in watching))
    return sent


async def _chosen(client: httpx.AsyncClient, people: list[str], game: str) -> tuple[str, dict[str, Any]]:
    """Who of them is asked something, and the last thing that they may answer: it is the one that goes on."""
    for token in people:
        asked = (await client.get(f"/v1/games/{game}/options", headers=_headers(token))).json()
        if asked["options"]:
            option = msgspec.convert(asked["options"][-1], Option)
            return token, option.pick(lambda _: 0)
    raise LookupError("the game has ended")


def _figures(watching: list[Reader], sent: dict[int, float], **costs: float) -> Streams:
    delays = [sorted(one.came[seq] - began for one in watching) for seq, began in sent.items()]
    medians = [found[len(found) // 2] for found in delays]
    every = sorted(delay for found in delays for delay in found)
    quantiles = tuple(every[min(int(q * len(every)), len(every) - 1)] for q in QUANTILES)
    return Streams(
        readers=len(watching), quantiles=quantiles, slowest=every[-1], moves=(min(medians), max(medians)), **costs
    )


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


def _worker() -> psutil.Process:
    """The worker: of the Python processes below, the one that holds most."""
    below = [one for one in psutil.Process().children(recursive=True) if "python" in one.name()]
    return max(below, key=lambda one: one.memory_info().rss)


def _spent(worker: psutil.Process) -> float:
    times = worker.cpu_times()
    return float(times.user + times.system)


def main(readers: Sequence[int]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder), lambda text: print(text, file=sys.stderr), readers)
    print("\n".join(streams_table(measured)))


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]] or READERS)
