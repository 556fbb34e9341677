"""Budgets: so many requests in a window, for each key. Counted in Redis, or in this process while Redis is away.

The algorithm is GCRA: one number per key, the moment at which the budget is whole again. What it says about waiting is
exact: who waits as long as it says is let in.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from msgspec import Struct
from redis.asyncio import Redis

from service.store.appending import GroupCommit
from service.store.breaker import PATIENCE, Breaker
from service.store.protocol import StoreUnavailable
from service.store.shared import AWAY, Shared

logger = logging.getLogger(__name__)

_MOST_KEPT: Final = 10_000

LANES: Final = 4
"""Questions under way at a time: with a single one all that arrive wait for one another, and the worker for them."""

T = TypeVar("T")

SHARE: Final = 32
"""From an ample budget a worker takes this part of what is left at once, so that most requests need no Redis. The
less is left, the less is taken: towards the end of a budget each request is counted by itself.
"""

_KEPT_FOR: Final = 10
"""So many windows later what was taken and not used is given up. Whoever comes back within them needs no Redis, and a
worker lets in no more than a share beyond the budget for that, in one window of them.
"""

# All workers go by Redis' own clock. Times are microseconds, which a double holds exactly. Of each key the budget is
# told in one text: a client takes about as long for an argument as Redis for the rest.
_SPEND: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local said = {}
for place, key in ipairs(KEYS) do
  local each, window = string.match(ARGV[place], '(%d+) (%d+)')
  each, window = tonumber(each), tonumber(window)
  local whole = math.max(tonumber(redis.call('GET', key) or now), now)
  local left = math.floor((now + window - whole) / each)
  local taken = math.min(left, math.max(math.floor(left / SHARE), 1))
  if taken < 1 then
    said[place] = {0, 0, whole - now, whole + each - now - window}
  else
    local after = whole + taken * each
    redis.call('SET', key, string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
    said[place] = {taken, math.floor((window - (after - now)) / each), after - now, 0}
  end
end
return said
""".replace("SHARE", str(SHARE))


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
    """What a worker has taken from a budget beforehand: so many requests, until when, and when the budget is whole."""

    kept: int
    until: int
    whole_at: int


class _Wanted(NamedTuple):
    """One request of a key's budget."""

    key: str
    budget: Budget


Said = tuple[int, int, int, int]
"""What Redis says: how many requests were taken, how many are left, when the budget is whole, how long to wait."""


class RedisBudgets:
    """Counted in Redis for all workers; what `elsewhere` counts holds while Redis is away.

    Whatever is asked while all lanes are busy is asked together next, so that a busy worker pays for one question. A
    request waits for its turn for `patience` seconds at most, and for the answer as long.
    """

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
        self._asking = GroupCommit(self._spend_all, _spoils_nothing, by=_key_of, lanes=LANES, seconds=patience)
        self._elsewhere = ProcessBudgets()

    async def open(self) -> None:
        await self._redis.open()

    @property
    def works(self) -> bool:
        return self._breaker.works

    async def spend(self, key: str, budget: Budget) -> Spent:
        spent = self._from_purse(key, budget, self._now() // 1000)
        if spent is None and not self._redis.is_opening() and self._breaker.closed:
            with suppress(StoreUnavailable, *AWAY):
                spent = await self._asking.append(_Wanted(key, budget))
        return spent or await self._elsewhere.spend(key, budget)

    async def close(self) -> None:
        await self._asking.close()
        await self._redis.close()

    def _from_purse(self, key: str, budget: Budget, now: int) -> Spent | None:
        purse = self._purses.get(key)
        if purse is None or not purse.kept or now >= purse.until:
            return None
        purse.kept -= 1
        return _from(purse, budget, now)

    async def _spend_all(self, wanted: Sequence[_Wanted]) -> dict[str, Spent]:
        """Spend one request of each key's budget. Raises what `AWAY` names."""
        # For whoever asked first a share was taken, which may do for who asked at the same moment.
        now = self._now() // 1000
        found = {one.key: spent for one in wanted if (spent := self._from_purse(*one, now)) is not None}
        asked = [one for one in wanted if one.key not in found]
        if asked:
            said = await self._ask_patiently(asked)
            found.update((one.key, self._spent(one, told)) for one, told in zip(asked, said, strict=True))
        return found

    async def _ask_patiently(self, asked: list[_Wanted]) -> list[Said]:
        try:
            async with asyncio.timeout(self._patience):
                said = await self._ask(asked)
        except AWAY as error:
            if not self._redis.is_opening():
                self._breaker.failed()
                self._redis.doubt()
                logger.warning("budgets are counted per process for a while: %s", type(error).__name__)
            raise
        self._breaker.worked()
        return said

    async def _ask(self, asked: list[_Wanted]) -> list[Said]:
        redis = await self._redis.client()
        if self._script is None:
            self._script = redis.register_script(_SPEND)
        if isinstance(redis, Redis):
            return await self._run(asked)
        # Keys of one script must lie in one slot of a cluster.
        return [said for (said,) in await asyncio.gather(*(self._run([one]) for one in asked))]

    async def _run(self, asked: list[_Wanted]) -> list[Said]:
        said: list[Said] = await self._script(
            keys=[f"{{{one.key}}}:budget" for one in asked],
            args=[f"{one.budget.each} {one.budget.whole}" for one in asked],
        )
        return said

    def _spent(self, one: _Wanted, said: Said) -> Spent:
        taken, left, whole_in, wait = said
        if not taken:
            return Spent(granted=False, left=left, whole_in=whole_in, wait=wait)
        now = self._now() // 1000
        # Somebody else's question about this key may have been answered meanwhile.
        before = self._purses.get(one.key)
        kept = before.kept if before is not None and now < before.until else 0
        purse = _Purse(kept + taken - 1, now + one.budget.whole * _KEPT_FOR, now + whole_in)
        self._purses.put(one.key, purse, now)
        return _from(purse, one.budget, now)


def _key_of(wanted: _Wanted) -> str:
    return wanted.key


def _spoils_nothing(_: Exception) -> bool:
    """No key is to blame where Redis does not answer."""
    return False


def _from(purse: _Purse, budget: Budget, now: int) -> Spent:
    each = budget.each
    whole_in = max(purse.whole_at - now - purse.kept * each, 0)
    return Spent(granted=True, left=(each * budget.quota - whole_in) // each, whole_in=whole_in, wait=0)
