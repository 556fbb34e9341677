"""The composition root below HTTP: the one place that knows every concrete class and puts them together."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from uuid6 import uuid7

from rules.catalogue import rulesets
from service.handling.desk import Desk
from service.handling.house_bots import HouseBots
from service.handling.lost_heads import HeadWatch
from service.keys import KeyFile, Keyring, SigningKey, derived, read_keys
from service.reactors import HANDLERS
from service.reactors.following import Following
from service.settings import Settings
from service.store.board import open_board
from service.store.connections import patiently
from service.store.feed import Standing, standing
from service.store.heads import SignedHeads
from service.store.opening import open_postgres
from service.store.postgres import PostgresStore
from service.store.postgres_news import CHANNEL as NEWS
from service.store.protocol import Store, StoreUnavailable
from service.store.snapshots import NoSnapshots, RedisSnapshots, Snapshots
from service.store.wakeups import NoWakeups, RedisWakeups, Wakeups

GLANCE: Final = 1.0
"""Seconds between looks at the file of keys."""

Keys = Callable[[], Sequence[SigningKey]]

RETRY: Final = 1.0
"""Seconds after which a database that was away is asked again."""

LEISURE: Final = 5.0
"""Seconds that saying how far the feed is may take."""

logger = logging.getLogger(__name__)


class NoDatabase(Exception):
    """No database is named; `gusher serve` starts one and names it."""


@asynccontextmanager
async def compose(settings: Settings) -> AsyncIterator[Desk]:
    """The desk of a running service, closed afterwards.

    Waits for a database that is away. Raises where the service must not start: `NoDatabase`, `UnsafeDatabase`,
    `NotPermitted`, `SchemaMismatch`, `CannotDistribute`.
    """
    keys = _keys(settings)
    store = await _store(settings)
    desk = make_desk(settings, store, _snapshots(settings, keys()[0].seed), keys, _wakeups(settings))
    await desk.snapshots.open()
    try:
        desk.games.board = board = await open_board(settings.data, store.pool)
        desk.closing.append(board.close)
        HeadWatch(desk, SignedHeads(settings.data)).start()
        _follow(desk, store)
        await HouseBots(desk).resume()
        yield desk
    finally:
        await desk.close()


def make_desk(
    settings: Settings, store: Store, snapshots: Snapshots, keys: Keys, wakeups: Wakeups | None = None
) -> Desk:
    """A desk over these stores, with the system's clock and chance.

    What is derived from a key is so from the first one: invitations stay good when keys change.
    """
    return Desk(
        store=store,
        snapshots=snapshots,
        wakeups=wakeups or NoWakeups(),
        rulesets=rulesets(),
        keys=Keyring(f"{settings.origin}/gusher/head", keys),
        invitation_key=derived(keys()[0].seed, "invitation"),
        clock=_now,
        entropy=os.urandom,
        new_id=_new_id,
        hot_games=settings.hot_games,
        snapshot_every=settings.snapshot_every,
    )


def _keys(settings: Settings) -> Keys:
    if settings.head_key is None:
        return KeyFile(settings.data, glance=GLANCE).read
    fixed = read_keys(settings.head_key)
    return lambda: fixed


def _follow(desk: Desk, store: PostgresStore) -> None:
    """The feed, for as long as the desk is open."""
    following = Following(store.pool, HANDLERS.values(), {NEWS: desk.live_news.heard})
    desk.listeners.append(following.appended)
    desk.closing.append(following.close)
    desk.feed_standing = partial(_standing, store)
    following.start()


async def _standing(store: PostgresStore) -> Standing:
    async with patiently(LEISURE):
        return await standing(store.pool)


async def _store(settings: Settings) -> PostgresStore:
    if settings.database_url is None:
        raise NoDatabase("DATABASE_URL names no database")
    while True:
        try:
            return await open_postgres(
                settings.database_url,
                owner_url=settings.owner_database_url,
                pool_size=settings.database_connections,
                unsafe_allowed=settings.unsafe_database,
            )
        except StoreUnavailable as error:
            # A worker that ended instead would be replaced, and one that ends again soon takes the others with it.
            logger.warning("the worker waits for its database: %s", error)
            await asyncio.sleep(RETRY)


def _snapshots(settings: Settings, seed: bytes) -> Snapshots:
    if settings.redis_url is None:
        return NoSnapshots()
    return RedisSnapshots(settings.redis_url, key=derived(seed, "snapshot"), patience=settings.redis_patience / 1000)


def _wakeups(settings: Settings) -> Wakeups:
    return NoWakeups() if settings.redis_url is None else RedisWakeups(settings.redis_url)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _new_id() -> str:
    return str(uuid7())
