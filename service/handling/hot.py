"""A game in memory, and what is known of it beside its log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from events.table import SeatLeft, SeatTaken
from events.words import Event
from projections.chance import KeyedChance, game_key
from projections.game import AnyGame
from rules.rulebook import Rulebook
from rules.ruleset import Ruleset
from rules.table import Secret
from service.failures import Conflict
from service.handling.version import etag_of
from service.store.protocol import GameRow, Player, Store

_SEATING: Final = frozenset([SeatTaken, SeatLeft])


class Hot:
    """A game in memory, as of some version: perhaps not the newest. `lock` is held by who decides on it."""

    def __init__(self, row: GameRow, ruleset: Ruleset, game: AnyGame, head: str) -> None:
        self.row, self.id = row, row.id
        self.game, self.head = game, head
        self.lock = asyncio.Lock()
        self._pinned = ruleset.of_version(game.rules_version)
        self.ruleset = self._pinned or ruleset
        self.snapshot_at = 0
        self._book: Rulebook | None = None
        self._players: tuple[Player, ...] | None = None
        self.may_have_bots = True
        """Whether a house bot sits here, as far as is known."""
        self._seed: bytes | None = None
        self._secret: Secret | None = None
        self.noted: bytes | None = None
        self.asked_at = float("-inf")

    @property
    def book(self) -> Rulebook:
        """The rules that the game was made under. Raises `Conflict` where this program does not have them any more."""
        if self._pinned is None:
            version = self.game.rules_version
            raise Conflict(
                "rules_version_unknown",
                f"The game is decided by rules version {version}, which is not at hand here.",
                rules_version=version,
            )
        if self._book is None:
            self._book = self._pinned.book_of(self.game)
        return self._book

    @property
    def version(self) -> int:
        """The version that the state stands at."""
        return self.game.version

    @property
    def etag(self) -> str:
        """The version's name for clients."""
        return etag_of(self.game.version, self.head)

    async def players(self, store: Store) -> tuple[Player, ...]:
        """Who sits where, as of this version or later. They change with entries only, in the entry's transaction."""
        while self._players is None:
            version = self.version
            players = await store.players(self.id)
            if self.version == version:
                self._players, self.may_have_bots = players, any(player.bot for player in players)
        return self._players

    async def secret(self, store: Store) -> Secret:
        """What the rules draw from."""
        if self._secret is not None:
            return self._secret
        if self._seed is None:
            self._seed = await store.server_seed(self.id)
        chance = KeyedChance(game_key(self.id, self._seed, [seat.client_seed for seat in self.game.seats]))
        secret = Secret(chance, self._seed.hex())
        # Before the start seats still come and go, and with them their part of the chance.
        if self.game.steps:
            self._secret = secret
        return secret

    def vouch(self, noted: bytes | None, asked_at: float) -> None:
        """The log was asked at that moment, and the state is no older. The board was noted before."""
        self.noted, self.asked_at = noted, asked_at

    def advance(self, game: AnyGame, head: str, events: Iterable[Event]) -> None:
        """One entry further."""
        self.game, self.head = game, head
        if not _SEATING.isdisjoint(map(type, events)):
            self._players, self.may_have_bots = None, True

    def restart(self, game: AnyGame, head: str) -> None:
        """As loaded anew: what was known may never have been."""
        self.game, self.head = game, head
        self._book = self._players = self._secret = None
        self.may_have_bots = True
