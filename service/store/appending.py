"""Group commit: what arrives together about different games goes to the database as one statement, one flush."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from operator import attrgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

from service.store.protocol import StoreUnavailable


class AboutGame(Protocol):
    """Something about one game: an entry to append, a question."""

    @property
    def game(self) -> str:
        """The game's id."""
        ...


T = TypeVar("T")
R = TypeVar("R")


by_game: Callable[[AboutGame], str] = attrgetter("game")
"""What a group holds one thing of."""


class _Asked(NamedTuple, Generic[T, R]):
    """What somebody waits for, and until when."""

    item: T
    done: asyncio.Future[R | None]
    until: float

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
            # Perhaps nobody waits any more.
            self.done.exception()


class GroupCommit(Generic[T, R]):
    """Takes items one by one and does them in groups, at most one of a game in each (or of whatever `by` says). `work`
    does a group and says by game what came of it: that an entry was inserted, because it follows its log, say. Of some
    games nothing may come.

    While a lane's statement is under way, what arrives waits for the next one: the busier, the larger the groups,
    and nobody waits for company while a lane is free. Groups end at `most`, so that not all that a worker has under
    way is in one of them, and the worker idle until it is done. Where work is `shared`, who asks the same as
    somebody who still waits is answered with them: all readers of a game that has just moved, say. `spoils` says
    whether an error can be one row's own fault: such a group is done again row by row, so that only that row's
    caller is told. Whoever has waited for longer than `seconds` when a lane comes to it is told `StoreUnavailable`;
    how long `work` may take is its own business.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], Awaitable[Mapping[str, R]]],
        spoils: Callable[[Exception], bool],
        *,
        by: Callable[[T], str],
        lanes: int = 3,
        most: int = 12,
        seconds: float = 10,
        shared: bool = False,
    ) -> None:
        self._work, self._spoils, self._by, self._shared = work, spoils, by, shared
        self._free_lanes, self._most = lanes, most
        self._seconds = seconds
        self._waiting: deque[_Asked[T, R]] = deque()
        self._same: dict[T, _Asked[T, R]] = {}
        self._lanes: set[asyncio.Task[None]] = set()
        self.sizes: Counter[int] = Counter()
        """How many groups there were of so many items."""

    async def append(self, item: T) -> R | None:
        """What came of it; None where nothing did."""
        if not self._shared:
            return await self._wait(item).done
        asked = self._same.get(item)
        if asked is None:
            asked = self._same[item] = self._wait(item)
        # Who gives up does not give up for the others.
        return await asyncio.shield(asked.done)

    async def close(self) -> None:
        """What was taken is done."""
        while self._lanes:
            await asyncio.wait(self._lanes)

    def _wait(self, item: T) -> _Asked[T, R]:
        loop = asyncio.get_running_loop()
        asked: _Asked[T, R] = _Asked(item, loop.create_future(), loop.time() + self._seconds)
        self._waiting.append(asked)
        if self._free_lanes:
            self._free_lanes -= 1
            lane = asyncio.create_task(self._lane(), name="append")
            self._lanes.add(lane)
            lane.add_done_callback(self._lanes.discard)
        return asked

    async def _lane(self) -> None:
        try:
            while group := self._take():
                await self._commit(group)
        finally:
            self._free_lanes += 1

    def _take(self) -> dict[str, _Asked[T, R]]:
        now = asyncio.get_running_loop().time()
        group: dict[str, _Asked[T, R]] = {}
        later: list[_Asked[T, R]] = []
        while self._waiting and len(group) < self._most:
            asked = self._waiting.popleft()
            if asked.until < now:
                self._joined_no_more(asked)
                asked.fail(StoreUnavailable("what was to be done before took too long"))
            elif (key := self._by(asked.item)) in group:
                later.append(asked)
            else:
                group[key] = asked
                self._joined_no_more(asked)
        self._waiting.extendleft(reversed(later))
        return group

    def _joined_no_more(self, asked: _Asked[T, R]) -> None:
        if self._shared:
            del self._same[asked.item]

    async def _commit(self, group: dict[str, _Asked[T, R]]) -> None:
        self.sizes[len(group)] += 1
        try:
            done = await self._work([asked.item for asked in group.values()])
        except Exception as error:  # noqa: BLE001 - it is told to the callers, who are the ones to handle it
            await self._fail(group, error)
        else:
            for game, asked in group.items():
                if not asked.done.done():
                    asked.done.set_result(done.get(game))

    async def _fail(self, group: dict[str, _Asked[T, R]], error: Exception) -> None:
        if len(group) > 1 and self._spoils(error):
            for game, one in group.items():
                await self._commit({game: one})
            return
        for asked in group.values():
            asked.fail(error)
