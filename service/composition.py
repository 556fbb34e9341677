"""The composition root below HTTP: the one place that knows every concrete class and puts them together."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from events.chain import HeadSigner
from rules.catalogue import rulesets
from service.handling.desk import Desk
from service.handling.house_bots import HouseBots
from service.keys import derived, head_seed
from service.settings import Settings
from service.store.postgres import open_postgres
from service.store.protocol import Store
from service.store.snapshots import NoSnapshots, RedisSnapshots, Snapshots
from service.store.wakeups import NoWakeups, RedisWakeups, Wakeups


class NoDatabase(Exception):
    """No database is named; `gusher serve` starts one and names it."""


@asynccontextmanager
async def compose(settings: Settings) -> AsyncIterator[Desk]:
    """The desk of a running service, closed afterwards.

    Raises where the service must not start: `NoDatabase`, `UnsafeDatabase`, `SchemaMismatch`, `StoreUnavailable`.
    """
    seed = bytes.fromhex(settings.head_key) if settings.head_key else head_seed(settings.data)
    desk = make_desk(settings, await _store(settings), _snapshots(settings, seed), seed, _wakeups(settings))
    try:
        await HouseBots(desk).resume()
        yield desk
    finally:
        await desk.close()


def make_desk(
    settings: Settings, store: Store, snapshots: Snapshots, seed: bytes, wakeups: Wakeups | None = None
) -> Desk:
    """A desk over these stores, with the system's clock and chance."""
    return Desk(
        store=store,
        snapshots=snapshots,
        wakeups=wakeups or NoWakeups(),
        rulesets=rulesets(),
        signer=HeadSigner(f"{settings.origin}/gusher/head", seed),
        invitation_key=derived(seed, "invitation"),
        clock=_now,
        entropy=os.urandom,
        hot_games=settings.hot_games,
        snapshot_every=settings.snapshot_every,
    )


async def _store(settings: Settings) -> Store:
    if settings.database_url is None:
        raise NoDatabase("DATABASE_URL names no database")
    return await open_postgres(
        settings.database_url,
        owner_url=settings.owner_database_url,
        pool_size=settings.database_connections,
        unsafe_allowed=settings.unsafe_database,
    )


def _snapshots(settings: Settings, seed: bytes) -> Snapshots:
    if settings.redis_url is None:
        return NoSnapshots()
    return RedisSnapshots(settings.redis_url, key=derived(seed, "snapshot"))


def _wakeups(settings: Settings) -> Wakeups:
    return NoWakeups() if settings.redis_url is None else RedisWakeups(settings.redis_url)


def _now() -> int:
    return time.time_ns() // 1_000_000
