"""What operators measure, for Prometheus. On the way of a request it costs an increment, and what is counted elsewhere
costs nothing more.

A worker leaves its measures in a folder every two seconds, so that whichever worker is asked tells what all of them
counted: its own as of now, the others' as of then. No label is about a game, a seat or an account. Why the files are
our own: docs/decisions/0026-measures-and-lint.md.
"""

from __future__ import annotations

import asyncio
import logging
import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
import psutil
from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from service.handling.desk import Desk
from service.http.limits import Gate
from service.store.feed import Standing

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4.partition("; charset")[0]
"""The framework adds the character set."""

OTHER: Final = "other"
"""The operation of whatever is none: pages, OPTIONS, addresses of nothing."""

PAUSE: Final = 2.0
"""Seconds between two times that a worker leaves its measures."""

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds; the last bucket has no bound."""

_COUNTED: Final = {
    "gusher_requests": ("Requests answered.", ("operation", "status")),
    "gusher_commands": ("Commands to games.", ("ruleset", "outcome")),
    "gusher_snapshots": ("Snapshots looked for: hit, missed, or why one was left aside.", ("outcome",)),
    "gusher_log_incidents": ("Logs that lack an entry which was known.", ("incident",)),
    "gusher_append_groups": ("Groups of so many entries that were appended together.", ("size",)),
}
_SECONDS: Final = (
    "gusher_request_seconds",
    "Until an answer begins: of a stream its first byte, of a long poll its end.",
)
_STANDING: Final = {
    "gusher_hot_games": ("Games in memory.", ()),
    "gusher_streams": ("Streams and long polls that are open.", ()),
    "gusher_breakers_open": ("Workers that leave this part of Redis alone for now.", ("of",)),
}

Labels = tuple[str, ...]

logger = logging.getLogger("service.http")


class Works(Protocol):
    """Something behind a breaker."""

    @property
    def works(self) -> bool:
        """Whether the last try went well."""
        ...


class Durations(Struct):
    """How many were at most so long, by `_BOUNDS`, and how long they were together."""

    buckets: list[int] = msgspec.field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    total: float = 0

    def add(self, seconds: float) -> None:
        """One more."""
        self.buckets[bisect_left(_BOUNDS, seconds)] += 1
        self.total += seconds


class Measures(Struct, frozen=True):
    """What one worker tells: what it has counted by metric and labels, how long requests took by operation, and how
    things stood.
    """

    counted: dict[str, list[tuple[Labels, int]]]
    seconds: dict[str, Durations]
    standing: dict[str, list[tuple[Labels, float]]]


_decode = msgspec.json.Decoder(Measures).decode


class Meter:
    """The measures of one worker, left in `folder` where there is one."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[str, Durations] = defaultdict(Durations)

    def answered(self, operation: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests[operation, status] += 1
        self._seconds[operation].add(seconds)

    def measures(self, desk: Desk, gate: Gate) -> Measures:
        """What there is to tell now."""
        counts: Iterable[Counter[Any]] = (
            self._requests,
            desk.commands,
            desk.snapshots.counts,
            desk.games.counts,
            desk.store.group_sizes,
        )
        parts: Mapping[str, Works] = {
            "snapshots": desk.snapshots,
            "wakeups": desk.wakeups,
            "budgets": gate.budgets,
            "leases": gate.leases,
        }
        standing: tuple[list[tuple[Labels, float]], ...] = (
            [((), len(desk.games))],
            [((), gate.leases.held)],
            [((name,), int(not part.works)) for name, part in parts.items()],
        )
        return Measures(
            {name: [(_labels(key), n) for key, n in one.items()] for name, one in zip(_COUNTED, counts, strict=True)},
            dict(self._seconds),
            dict(zip(_STANDING, standing, strict=True)),
        )

    def text(self, own: Measures, feed: Standing | None) -> bytes:
        """What all workers tell, and how far the feed is, in Prometheus' text format."""
        registry = CollectorRegistry()
        registry.register(_Told([own, *self._of_others()], feed))
        return generate_latest(registry)

    async def leave(self, desk: Desk, gate: Gate) -> None:
        """Leave the measures in the folder again and again."""
        while self._folder is not None:
            try:
                new = self._own(".new")
                new.write_bytes(msgspec.json.encode(self.measures(desk, gate)))
                new.replace(self._own(".json"))
            except OSError:
                logger.exception("the measures of this worker cannot be left where others find them")
            await asyncio.sleep(PAUSE)

    def _own(self, ending: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{os.getpid()}{ending}"

    def _of_others(self) -> Iterator[Measures]:
        """Of a worker that has ended what it counted still counts, but nothing stands any more."""
        for file in [] if self._folder is None else self._folder.glob("*.json"):
            if file != self._own(".json"):
                told = _decode(file.read_bytes())
                yield told if psutil.pid_exists(int(file.stem)) else msgspec.structs.replace(told, standing={})


def operation_of(scope: Any) -> str:
    """The operation of a request that a route answers."""
    route = scope.get("route_handler")
    return OTHER if route is None else route.operation_id or OTHER


def _labels(key: Any) -> Labels:
    return tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)


class _Told(Collector):
    """The measures of all workers, added up, and those of the feed, which the database knows for all of them."""

    def __init__(self, workers: list[Measures], feed: Standing | None) -> None:
        self._workers, self._feed = workers, feed

    def collect(self) -> Iterator[Metric]:
        for name, (says, labels) in _COUNTED.items():
            counted = CounterMetricFamily(name, says, labels=labels)
            for values, count in _sums(worker.counted[name] for worker in self._workers):
                counted.add_metric(values, count)
            yield counted
        yield self._durations()
        for name, (says, labels) in _STANDING.items():
            standing = GaugeMetricFamily(name, says, labels=labels)
            for values, value in _sums(worker.standing.get(name, ()) for worker in self._workers):
                standing.add_metric(values, value)
            yield standing
        if self._feed is not None:
            yield from _feed(self._feed)

    def _durations(self) -> Metric:
        family = HistogramMetricFamily(*_SECONDS, labels=("operation",))
        bounds = [*map(str, _BOUNDS), "+Inf"]
        for operation in sorted({name for worker in self._workers for name in worker.seconds}):
            found = [worker.seconds[operation] for worker in self._workers if operation in worker.seconds]
            buckets = accumulate(map(sum, zip(*(one.buckets for one in found), strict=True)))
            counted = list(zip(bounds, buckets, strict=True))
            family.add_metric([operation], counted, sum(one.total for one in found))
        return family


def _feed(feed: Standing) -> Iterator[Metric]:
    yield GaugeMetricFamily("gusher_feed_entries", "Entries in the feed.", value=feed.last)
    says = "Entries of the log that the feed does not have yet."
    yield GaugeMetricFamily("gusher_feed_unnumbered", says, value=feed.pending)
    lag = GaugeMetricFamily("gusher_feed_lag", "Entries that a reader has still to take.", labels=["reader"])
    for reader, position in sorted(feed.readers.items()):
        lag.add_metric([reader], max(feed.last - position, 0))
    yield lag


def _sums(told: Iterable[Iterable[tuple[Labels, float]]]) -> Iterator[tuple[Labels, float]]:
    """By labels, over all workers."""
    sums: Counter[Labels] = Counter()
    for one in told:
        for labels, value in one:
            sums[labels] += value  # type: ignore[assignment] # a Counter adds any numbers
    yield from sorted(sums.items())
