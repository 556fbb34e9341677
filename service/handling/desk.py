"""What every use case works with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal, Protocol

from events.chain import SALT_BYTES
from rules.ruleset import Ruleset
from service.auth.known import KnownTokens
from service.handling.audit_log import Auditing
from service.handling.hot_games import HotGames
from service.handling.live import Live
from service.handling.live_news import LiveNews
from service.handling.written import Written
from service.keys import Keyring
from service.store.feed import Standing as FeedStanding
from service.store.protocol import Store
from service.store.snapshots import Snapshots
from service.store.wakeups import Wakeups

SALTS_AT_ONCE: Final = 64

Clock = Callable[[], int]
"""Milliseconds since 1970."""

Entropy = Callable[[int], bytes]
"""So many unpredictable bytes: the system's generator."""

NewId = Callable[[], str]
"""A UUID that is nobody else's, and sorts after those made before it. A game's id is a part of its chance."""

Heard = Callable[[str, int], None]
"""Called after each accepted entry with the game and its version. Must return at once and never raise."""


Outcome = Literal["accepted", "repeated", "refused"]
"""What came of a command: `repeated` was accepted before, `refused` was against the rules."""


class Heads(Protocol):
    """Where it is kept what was signed."""

    def note(self, game: str, seq: int, head: str) -> None:
        """Remember that this head was signed. Must return at once."""
        ...


class Desk:
    """The collaborators of the use cases, put together in `service.composition`."""

    def __init__(
        self,
        *,
        store: Store,
        snapshots: Snapshots,
        wakeups: Wakeups,
        rulesets: Mapping[str, Ruleset],
        keys: Keyring,
        invitation_key: bytes,
        clock: Clock,
        entropy: Entropy,
        new_id: NewId,
        hot_games: int = 2048,
        snapshot_every: int = 16,
    ) -> None:
        self.store, self.snapshots, self.rulesets = store, snapshots, rulesets
        self.keys, self.invitation_key = keys, invitation_key
        self.clock, self.entropy, self.new_id = clock, entropy, new_id
        self.tokens = KnownTokens(store)
        self.written = Written()
        self.games = HotGames(store, snapshots, rulesets, most=hot_games, snapshot_every=snapshot_every)
        self.wakeups = wakeups
        self.live = Live(store, self.games, wakeups)
        self._salts: list[bytes] = []
        self.live_news = LiveNews(store)
        self.auditing = Auditing()
        self.listeners: list[Heard] = [self.live.tell]
        self.heads: Heads | None = None
        self.closing: list[Callable[[], Awaitable[None]]] = []
        self.commands: Counter[tuple[str, Outcome]] = Counter()
        self.feed_standing: Callable[[], Awaitable[FeedStanding]] | None = None

    def salt(self) -> bytes:
        """A fresh salt for a sealed field. Many are drawn at once: asking the system for each costs 5 % of a move."""
        if not self._salts:
            drawn = self.entropy(SALT_BYTES * SALTS_AT_ONCE)
            self._salts = [drawn[start : start + SALT_BYTES] for start in range(0, len(drawn), SALT_BYTES)]
        return self._salts.pop()

    def sign(self, game: str, seq: int, head: str, at: int) -> str:
        """The signed note over a head, by the key of that moment. What was signed is remembered, where it can be."""
        if self.heads is not None:
            self.heads.note(game, seq, head)
        return self.keys.of(at).sign(game, seq, head)

    def tell(self, game: str, version: int) -> None:
        """An entry was accepted: whoever listens is told."""
        for heard in self.listeners:
            heard(game, version)

    def end_streams(self) -> None:
        """Everybody who follows something is told to come back elsewhere: the process is about to stop."""
        self.live.end()
        self.live_news.end()

    async def close(self) -> None:
        """Everything ends, last opened first."""
        for close in reversed(self.closing):
            await close()
        await self.tokens.close()
        await self.live.close()
        await self.live_news.close()
        await self.snapshots.close()
        await self.store.close()
