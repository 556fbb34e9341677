"""House bots at the tables: whenever one is awaited it moves, in the background, by what its seat sees."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from rules.choices import Below
from rules.ruleset import options_for
from service.auth.caller import ANYBODY
from service.bots import choose
from service.failures import VersionMismatch
from service.handling.act import Plan, Wish, act
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.read_view import view_for
from service.handling.words import read_command
from service.store.protocol import Player

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0


class _Turn(Struct, frozen=True):
    """A bot is to move: in this game at this version, this seat, by this level."""

    hot: Hot
    seat: int
    level: str
    etag: str


class HouseBots:
    """One task per game in which a bot is awaited, one move at a time, each decided on the version it looked at."""

    def __init__(self, desk: Desk, *, below: Below = secrets.randbelow) -> None:
        self._desk, self._below = desk, below
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._woken: set[str] = set()
        self._closed = False
        desk.listeners.append(self.wake)
        desk.closing.append(self.close)

    async def resume(self) -> None:
        """After a start: bots that were awaited when the service stopped go on."""
        for game in await self._desk.store.games_of_bots():
            self.wake(game)

    def wake(self, game: str, _version: int = 0) -> None:
        """Something happened in this game; perhaps a bot is awaited now."""
        hot = self._desk.games.known(game)
        if hot is not None and (hot.game.status != "running" or not hot.may_have_bots):
            return
        if game in self._tasks:
            self._woken.add(game)
        elif not self._closed:
            task = self._tasks[game] = asyncio.create_task(self._play(game), name=f"bots of {game}")
            task.add_done_callback(lambda done: self._ended(game, done))

    async def settle(self) -> None:
        """Wait until no bot is at work."""
        while self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def close(self) -> None:
        """No bot moves any more."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game: str) -> None:
        pause, steady = FIRST_PAUSE, True
        while True:
            self._woken.discard(game)
            try:
                moved = await self._move(game, steady=steady)
            except VersionMismatch:
                # Somebody else moved. Their worker, or this one, wakes its bots for that.
                moved = False
            except Exception:
                logger.exception("a house bot could not move in game %s; it tries again", game)
                await asyncio.sleep(pause)
                pause, steady = min(2 * pause, LONGEST_PAUSE), False
                continue
            pause, steady = FIRST_PAUSE, True
            if not moved and game not in self._woken:
                # At once, not when the task has ended: who wakes the game in between starts a new one.
                del self._tasks[game]
                return

    def _ended(self, game: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game) is task:
            del self._tasks[game]

    async def _move(self, game: str, *, steady: bool) -> bool:
        """Whether a bot was awaited, and has moved. One that is refused plays any legal move the next time."""
        turn = await self._next(game)
        if turn is None:
            return False
        fields = self._chosen(turn, turn.level if steady else "random")
        key = self._desk.new_id()

        def plan(hot: Hot, _players: Sequence[Player]) -> Plan:
            return Plan(f"seat:{turn.seat}", read_command(hot.ruleset, fields, key))

        said = {"do": "bot", "seat": turn.seat, "command": fields}
        wish = Wish(caller=ANYBODY, key=key, said=said, plan=plan, if_match=turn.etag, admitted=True)
        await act(self._desk, game, wish)
        return True

    async def _next(self, game: str) -> _Turn | None:
        hot = await self._desk.games.fresh(game)
        levels = {player.seat: player.bot for player in await hot.players(self._desk.store)}
        if hot.game.status != "running":
            return None
        for seat in hot.game.awaited:
            level = levels.get(seat)
            if level is not None:
                return _Turn(hot, seat, level, hot.etag)
        return None

    def _chosen(self, turn: _Turn, level: str) -> dict[str, Any]:
        hot = turn.hot
        options = options_for(hot.game, hot.book, turn.seat)
        view = view_for(hot.ruleset, hot.game, turn.seat)
        return choose(hot.ruleset.name, level, view, options, self._below)
