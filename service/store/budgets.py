"""Budgets: so many requests in a window, for each key. Counted in Redis, or in this process while Redis is away.

The algorithm is GCRA: one number per key, the moment at which the budget is whole again. What it says about waiting is
exact: who waits as long as it says is let in.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from service.store.breaker import PATIENCE, Breaker
from service.store.shared import AWAY, Shared

logger = logging.getLogger(__name__)

_MOST_KEPT: Final = 10_000

T = TypeVar("T")

SHARE: Final = 32
"""From an ample budget a worker takes this part of what is left at once, so that most requests need no Redis. The
less is left, the less is taken: towards the end of a budget each request is counted by itself.
"""

_KEPT_FOR: Final = 2
"""After this part of the window what was taken and not used is given up."""

# All workers go by Redis' own clock. Times are microseconds, which a double holds exactly.
_SPEND: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local each, window, share = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local whole = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local left = math.floor((now + window - whole) / each)
local taken = math.min(left, math.max(math.floor(left / share), 1))
if taken < 1 then return {0, 0, whole - now, whole + each - now - window} end
local after = whole + taken * each
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
return {taken, math.floor((window - (after - now)) / each), after - now, 0}
"""


class Budget(Struct, frozen=True):
    """`quota` requests in `window` seconds: all at once if wished, then one for each that has come back."""

    quota: int
    window: int

    @property
    def each(self) -> int:
        """Microseconds after which one request comes back."""
        return self.window * 1_000_000 // self.quota

    @property
    def whole(self) -> int:
        """Microseconds after which a spent budget is whole again."""
        return self.each * self.quota


class Spent(Struct, frozen=True):
    """What came of spending. `left` requests are left, the budget is whole in `whole_in` microseconds, and where
    nothing was left the next request is let in after `wait` microseconds.
    """

    granted: bool
    left: int
    whole_in: int
    wait: int


class Budgets(Protocol):
    """Where budgets are counted."""

    async def open(self) -> None:
        """Be ready before the first request."""
        ...

    @property
    def works(self) -> bool:
        """Whether all workers were counted together when it was last tried."""
        ...

    async def spend(self, key: str, budget: Budget) -> Spent:
        """Spend one request of this key's budget, if there is one."""
        ...

    async def close(self) -> None: ...


class ByKey(dict[str, T]):
    """What is known of each key until it is over: those are looked for when there are twice as many as were left the
    last time, so that no request pays for all the keys there are.
    """

    def __init__(self, until: Callable[[T], int]) -> None:
        super().__init__()
        self._until, self._room = until, _MOST_KEPT

    def put(self, key: str, value: T, now: int) -> None:
        """Keep it."""
        self[key] = value
        if len(self) > self._room:
            for gone in [key for key, value in self.items() if self._until(value) <= now]:
                del self[gone]
            self._room = max(2 * len(self), _MOST_KEPT)


class ProcessBudgets:
    """Counted in this process alone."""

    works = True

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._now = now
        self._whole: ByKey[int] = ByKey(lambda whole: whole)

    async def open(self) -> None:
        """There is nothing to prepare."""

    async def spend(self, key: str, budget: Budget) -> Spent:
        now = self._now() // 1000
        whole = max(self._whole.get(key, now), now)
        after = whole + budget.each
        if after - now > budget.whole:
            return Spent(granted=False, left=0, whole_in=whole - now, wait=after - now - budget.whole)
        self._whole.put(key, after, now)
        left = (budget.whole - (after - now)) // budget.each
        return Spent(granted=True, left=left, whole_in=after - now, wait=0)

    async def close(self) -> None:
        """There is nothing to close."""


class _Purse(Struct):
    """What a worker has taken from a budget beforehand: so many requests, until when, what Redis said then."""

    kept: int
    until: int
    left: int
    whole_at: int


class RedisBudgets:
    """Counted in Redis for all workers; what `elsewhere` counts holds while Redis is away."""

    def __init__(
        self,
        url: str,
        *,
        patience: float = PATIENCE,
        breaker: Breaker | None = None,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._redis = Shared(url, socket_timeout=max(2, patience))
        self._script: Any = None
        self._patience, self._breaker, self._now = patience, breaker or Breaker(), now
        self._purses: ByKey[_Purse] = ByKey(lambda purse: purse.until)
        self._asking: Counter[str] = Counter()
        self._elsewhere = ProcessBudgets()

    async def open(self) -> None:
        await self._redis.open()

    @property
    def works(self) -> bool:
        return self._breaker.works

    async def spend(self, key: str, budget: Budget) -> Spent:
        now = self._now() // 1000
        purse = self._purses.get(key)
        if purse is not None and purse.kept and now < purse.until:
            purse.kept -= 1
            return _from(purse, budget, now)
        if self._redis.is_opening() or not self._breaker.closed:
            return await self._elsewhere.spend(key, budget)
        # Whoever asks at the same moment asks for a single one.
        share = budget.quota if key in self._asking else SHARE
        self._asking[key] += 1
        try:
            async with asyncio.timeout(self._patience):
                said: Any = await self._spend(keys=[f"{{{key}}}:budget"], args=[budget.each, budget.whole, share])
        except AWAY as error:
            if self._redis.is_opening():
                return await self._elsewhere.spend(key, budget)
            self._breaker.failed()
            self._redis.doubt()
            logger.warning("budgets are counted per process for a while: %s", type(error).__name__)
            return await self._elsewhere.spend(key, budget)
        finally:
            self._asking[key] -= 1
            if not self._asking[key]:
                del self._asking[key]
        self._breaker.worked()
        taken, left, whole_in, wait = map(int, said)
        if not taken:
            return Spent(granted=False, left=left, whole_in=whole_in, wait=wait)
        return _from(self._put(key, taken - 1, left, budget, whole_in), budget, now)

    async def close(self) -> None:
        await self._redis.close()

    async def _spend(self, keys: list[str], args: list[int]) -> Any:  # noqa: ANN401 - whatever Redis says
        redis = await self._redis.client()
        if self._script is None:
            self._script = redis.register_script(_SPEND)
        return await self._script(keys=keys, args=args)

    def _put(self, key: str, more: int, left: int, budget: Budget, whole_in: int) -> _Purse:
        """What was taken just now, beside what is there still."""
        now = self._now() // 1000
        before = self._purses.get(key)
        kept = before.kept if before is not None and now < before.until else 0
        purse = _Purse(kept + more, now + budget.whole // _KEPT_FOR, left, now + whole_in)
        self._purses.put(key, purse, now)
        return purse


def _from(purse: _Purse, budget: Budget, now: int) -> Spent:
    whole_in = max(purse.whole_at - now - purse.kept * budget.each, 0)
    return Spent(granted=True, left=purse.left + purse.kept, whole_in=whole_in, wait=0)
