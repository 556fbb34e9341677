"""Group commit: what arrives together about different games goes to the database as one statement, one flush."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar


class AboutGame(Protocol):
    """Something about one game: an entry to append, a question."""

    @property
    def game(self) -> str:
        """The game's id."""
        ...


T = TypeVar("T", bound=AboutGame)


class GroupCommit(Generic[T]):
    """Takes items one by one and does them in groups, at most one of a game in each. `work` does a group and says which
    games' items were done: inserted, because they follow their log, say.

    While a lane's statement is under way, what arrives waits for the next one: the busier, the larger the groups, and
    nobody waits for company while a lane is free. `spoils` says whether an error can be one row's own fault: such a
    group is done again row by row, so that only that row's caller is told.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], Awaitable[set[str]]],
        spoils: Callable[[Exception], bool],
        *,
        lanes: int = 2,
        most: int = 64,
    ) -> None:
        self._work, self._spoils = work, spoils
        self._free_lanes, self._most = lanes, most
        self._waiting: deque[tuple[T, asyncio.Future[bool]]] = deque()
        self._lanes: set[asyncio.Task[None]] = set()
        self.sizes: Counter[int] = Counter()
        """How many groups there were of so many items."""

    async def append(self, move: T) -> bool:
        """Whether it was done."""
        inserted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((move, inserted))
        if self._free_lanes:
            self._free_lanes -= 1
            lane = asyncio.create_task(self._lane(), name="append")
            self._lanes.add(lane)
            lane.add_done_callback(self._lanes.discard)
        return await inserted

    async def close(self) -> None:
        """What was taken is done."""
        while self._lanes:
            await asyncio.wait(self._lanes)

    async def _lane(self) -> None:
        try:
            while group := self._take():
                await self._commit(group)
        finally:
            self._free_lanes += 1

    def _take(self) -> dict[str, tuple[T, asyncio.Future[bool]]]:
        group: dict[str, tuple[T, asyncio.Future[bool]]] = {}
        later: list[tuple[T, asyncio.Future[bool]]] = []
        while self._waiting and len(group) < self._most:
            move, inserted = self._waiting.popleft()
            if move.game in group:
                later.append((move, inserted))
            else:
                group[move.game] = (move, inserted)
        self._waiting.extendleft(reversed(later))
        return group

    async def _commit(self, group: dict[str, tuple[T, asyncio.Future[bool]]]) -> None:
        self.sizes[len(group)] += 1
        try:
            done = await self._work([move for move, _ in group.values()])
        except Exception as error:  # noqa: BLE001 - it is told to the callers, who are the ones to handle it
            await self._fail(group, error)
        else:
            for game, (_, inserted) in group.items():
                if not inserted.done():
                    inserted.set_result(game in done)

    async def _fail(self, group: dict[str, tuple[T, asyncio.Future[bool]]], error: Exception) -> None:
        if len(group) > 1 and self._spoils(error):
            for game, one in group.items():
                await self._commit({game: one})
            return
        for _, inserted in group.values():
            if not inserted.done():
                inserted.set_exception(error)
