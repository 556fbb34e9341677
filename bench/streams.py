"""How soon readers see an entry, and what an open stream costs: `python -m bench.streams`.

A real server with one worker, Postgres and Valkey; readers and server share the machine. A move's time runs from when
its request is sent to when its entry has come to a reader, so that deciding and writing it are in it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import time
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import msgspec
import psutil

from bench.figures import QUANTILES, Figure, Say, Section, Target
from bench.page import show
from rules.choices import Option
from service.cli.child import serving

READERS: Final = (6, 1000, 4000)
MOVES: Final = 20
AT_ONCE: Final = 100
BEAT: Final = 5
MOST_KIB: Final = 64
QUIET: Final = 10
"""Seconds in which nothing happens but heartbeats."""

HEAD: Final = "GET /v1/games/{game}/log?after={after} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n\r\n"


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


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """A few readers, many, and very many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    environment = {**os.environ, "GUSHER_LIMITS": "off", "GUSHER_STREAM_BEAT": str(BEAT)}
    figures: list[Figure] = []
    numbers = READERS[:2] if quick else READERS
    for number in numbers:
        # A fresh worker each time: memory that earlier streams gave back would be taken again unseen.
        with serving(folder / f"streams-{number}", environment=environment) as served:
            say(f"streams: {number:,} readers")
            figures += asyncio.run(_measured(served.url, number))
    held = next(one.middle for one in reversed(figures) if one.unit == " KiB")
    return Section(
        title="Streams, one worker",
        figures=figures,
        targets=[Target(what=f"memory of each of {numbers[-1]:,} open streams, KiB", value=held, most=MOST_KIB)],
        notes=[
            "seen: from when a move is sent to when its entry has come to a reader; a round is the median of one move",
            "core µs of a few readers are those of the move; of many, those of an entry to a reader",
            f"heartbeats come every {BEAT} s here, every 15 s by default",
        ],
    )


async def _measured(url: str, readers: int) -> list[Figure]:
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


def _figures(
    watching: list[Reader], sent: dict[int, float], *, kib: float, opened: float, delivery: float, quiet: float
) -> list[Figure]:
    delays = [sorted(one.came[seq] - began for one in watching) for seq, began in sent.items()]
    every = sorted(delay for found in delays for delay in found)
    name = f"{len(watching):,} streams: {{}}".format
    return [
        Figure(
            name=name("seen"),
            rounds=tuple(1000 * found[len(found) // 2] for found in delays),
            unit=" ms",
            quantiles=tuple(every[min(int(q * len(every)), len(every) - 1)] for q in QUANTILES),
            cost={"worker": delivery},
        ),
        Figure(name=name("memory of each"), rounds=(kib,), unit=" KiB"),
        Figure(name=name("opened"), rounds=(opened,)),
        Figure(name=name("heartbeats"), rounds=(100 * quiet,), unit=" % of a core"),
    ]


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


if __name__ == "__main__":
    show(measure)
