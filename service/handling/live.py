"""Games that somebody follows in this worker: one look at the log per move and game, however many follow it."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from service.handling.hot_games import HotGames
from service.store.protocol import Row, Store, StoreUnavailable
from service.store.wakeups import Wakeups

logger = logging.getLogger(__name__)

TAIL: Final = 64
"""Entries kept of a followed game: who is no further behind needs no question to the log."""

RENDERED: Final = 512
"""Renderings kept of a followed game: an entry is written once per kind of reader, not once per reader."""

_POLLED_AT_ONCE: Final = 1000


class Watched:
    """A game that is followed. `version` is the newest that readers may read; it moves in one place only."""

    def __init__(self, game: str, version: int) -> None:
        self.game, self.version = game, version
        self.readers = 0
        self.aim = version
        self.stale = False
        self.pulling: asyncio.Task[None] | None = None
        self._tail: deque[Row] = deque(maxlen=TAIL)
        self._rendered: OrderedDict[object, bytes] = OrderedDict()
        self._moved = asyncio.Event()

    def take(self, rows: list[Row]) -> None:
        """These entries are there: everybody who waits is woken."""
        self._tail.extend(rows)
        self.version = rows[-1].seq
        self.wake()

    def wake(self) -> None:
        """Everybody who waits looks again."""
        self._moved.set()
        self._moved = asyncio.Event()

    async def beyond(self, version: int, seconds: float) -> bool:
        """Wait until something moves, at most so long; whether there is more than `version` now."""
        if self.version <= version:
            try:
                async with asyncio.timeout(seconds):
                    await self._moved.wait()
            except TimeoutError:
                return False
        return self.version > version

    def kept(self, after: int) -> list[Row]:
        """The entries after `after` that are at hand: all there are, or none."""
        if not self._tail or self._tail[0].seq > after + 1:
            return []
        return [row for row in self._tail if row.seq > after]

    def rendered(self, key: object, make: Callable[[], bytes]) -> bytes:
        """What was made under this key, or is made now."""
        found = self._rendered.get(key)
        if found is None:
            found = self._rendered[key] = make()
            if len(self._rendered) > RENDERED:
                self._rendered.popitem(last=False)
        return found


class Live:
    """Who is told when a game moves: by this worker's own moves, by other workers, and by a slow poll of the log.

    The poll asks for all followed games at once, every `slow` seconds, and every `fast` ones while other workers cannot
    be heard.
    """

    def __init__(self, store: Store, games: HotGames, wakeups: Wakeups, *, slow: float = 5, fast: float = 1) -> None:
        self._store, self._games, self._wakeups = store, games, wakeups
        self._slow, self._fast = slow, fast
        self._watched: dict[str, Watched] = {}
        self._polling: asyncio.Task[None] | None = None
        self.closing = False
        wakeups.listen(self._heard)

    @property
    def open(self) -> int:
        """How many are following something."""
        return sum(watched.readers for watched in self._watched.values())

    def tell(self, game: str, version: int) -> None:
        """A move was made by this worker: its own readers, and the other workers, are told."""
        self._heard(game, version)
        self._wakeups.send(game, version)

    @contextmanager
    def watch(self, game: str, version: int) -> Iterator[Watched]:
        """Follow a game that is known to have come at least so far."""
        watched = self._watched.get(game)
        if watched is None:
            watched = self._watched[game] = Watched(game, version)
            self._wakeups.watch(game)
            if self._polling is None and not self.closing:
                self._polling = asyncio.create_task(self._poll(), name="poll of followed games")
        watched.readers += 1
        # Perhaps it moved between the reader's look and now, and nobody was listening yet.
        self._stir(watched, version)
        try:
            yield watched
        finally:
            watched.readers -= 1
            if not watched.readers:
                self._forget(watched)

    def end(self) -> None:
        """Everybody who follows something is told to come back elsewhere. The process is about to stop."""
        self.closing = True
        for watched in self._watched.values():
            watched.wake()

    async def close(self) -> None:
        """Nobody is told anything any more."""
        self.end()
        tasks = [watched.pulling for watched in self._watched.values()] + [self._polling]
        running = [task for task in tasks if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._wakeups.close()

    def _forget(self, watched: Watched) -> None:
        del self._watched[watched.game]
        self._wakeups.unwatch(watched.game)
        if watched.pulling is not None:
            watched.pulling.cancel()
        if not self._watched and self._polling is not None:
            self._polling.cancel()
            self._polling = None

    def _heard(self, game: str, version: int | None) -> None:
        watched = self._watched.get(game)
        if watched is not None and (version is None or version > watched.version):
            self._stir(watched, version)

    def _stir(self, watched: Watched, version: int | None) -> None:
        """See that the game is brought up to date, by one task."""
        watched.stale = True
        watched.aim = max(watched.aim, version or 0)
        if watched.pulling is None and not self.closing:
            watched.pulling = asyncio.create_task(self._pull(watched), name=f"follow {watched.game}")

    async def _pull(self, watched: Watched) -> None:
        try:
            while watched.stale:
                watched.stale = False
                await self._bring_up(watched)
        except StoreUnavailable:
            logger.warning("game %s cannot be followed for a while: the log does not answer", watched.game)
        except Exception:
            logger.exception("game %s could not be followed; the next wake-up tries again", watched.game)
        finally:
            watched.pulling = None

    async def _bring_up(self, watched: Watched) -> None:
        hot = self._games.known(watched.game)
        if hot is None or hot.version <= watched.version or hot.version < watched.aim:
            hot = await self._games.fresh(watched.game)
            if hot.version < watched.aim:
                # Somebody has seen more in the log than the board shows.
                await self._games.refresh(hot)
        newest = hot.version
        while watched.version < newest:
            rows = await self._store.rows(watched.game, watched.version, min(TAIL, newest - watched.version))
            if not rows:
                # The log is shorter than it was; readers find out by themselves.
                watched.wake()
                return
            watched.take(rows)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._slow if self._wakeups.reliable else self._fast)
            games = list(self._watched)
            for first in range(0, len(games), _POLLED_AT_ONCE):
                try:
                    versions = await self._store.versions(games[first : first + _POLLED_AT_ONCE])
                except StoreUnavailable:
                    continue
                for game, version in versions.items():
                    self._heard(game, version)
