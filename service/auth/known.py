"""Tokens that a worker has looked up lately, so that a move does not ask the database who sends it.

A revoked token is good for nothing at once in the worker that revoked it, and within `PROMPT` seconds in every other.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from service.store.protocol import Account, Accounts, Token

PROMPT: Final = 1.0
"""Seconds for which what is remembered may be used without having heard of revocations."""

SLACK: Final = 60_000
"""Milliseconds by which clocks of several machines may disagree, and a revocation may take to be committed."""

Found = tuple[Token, Account]


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class KnownTokens:
    """The tokens used last, by the hash of their secret.

    Halfway to `prompt` the revocations are asked for in the background, so that on a busy worker nobody waits for them.
    """

    def __init__(
        self,
        accounts: Accounts,
        *,
        most: int = 16_384,
        prompt: float = PROMPT,
        now: Callable[[], float] = time.monotonic,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._accounts, self._most, self._prompt, self._now, self._clock = accounts, most, prompt, now, clock
        self._found: OrderedDict[bytes, Found] = OrderedDict()
        self._heard_at = now()
        self._heard_until = clock()
        self._asking: asyncio.Task[None] | None = None

    async def find(self, secret_hash: bytes) -> Found | None:
        """The token with this hash and its account, if there is one; revoked and expired ones are the caller's to see.

        Raises `StoreUnavailable`.
        """
        known = self.at_hand(secret_hash)
        if known is None and secret_hash in self._found:
            await asyncio.shield(self._ask())
            known = self._found.get(secret_hash)
        return known or await self._look_up(secret_hash)

    def at_hand(self, secret_hash: bytes) -> Found | None:
        """The token, where it is remembered and may be used; None where `find` would have to ask."""
        known = self._found.get(secret_hash)
        if known is None:
            return None
        age = self._now() - self._heard_at
        if age > self._prompt / 2:
            self._ask()
            if age > self._prompt:
                return None
        self._found.move_to_end(secret_hash)
        return known

    def forget(self, token: str) -> None:
        """The token with this id was revoked here."""
        for secret_hash, (known, _) in list(self._found.items()):
            if known.id == token:
                del self._found[secret_hash]

    async def close(self) -> None:
        """No question is left under way."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    async def _look_up(self, secret_hash: bytes) -> Found | None:
        found = await self._accounts.token(secret_hash)
        if found is not None and found[0].revoked_at is None:
            self._found[secret_hash] = found
            if len(self._found) > self._most:
                self._found.popitem(last=False)
        return found

    def _ask(self) -> asyncio.Task[None]:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._hear(), name="revocations")
            self._asking.add_done_callback(_told)
        return self._asking

    async def _hear(self) -> None:
        asked_at, until = self._now(), self._clock()
        for secret_hash in await self._accounts.revoked_since(self._heard_until - SLACK):
            self._found.pop(secret_hash, None)
        self._heard_at, self._heard_until = asked_at, until


def _told(asking: asyncio.Task[None]) -> None:
    """Whoever needs the answer hears of a failure; with nobody waiting, the next one asks again."""
    if not asking.cancelled():
        asking.exception()
