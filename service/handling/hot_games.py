"""Games in memory: loaded once, brought up to date by what came after, forgotten when others are wanted more."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final, Protocol
from uuid import UUID

from projections.game import AnyGame
from projections.projection import Projection
from rules.ruleset import Ruleset
from service.failures import Damaged, NotFound
from service.handling.checkpoints import Checkpoints
from service.handling.folding import fold_row, fold_rows
from service.handling.hot import Hot
from service.handling.sharing import shared
from service.store.board import Board, NoBoard
from service.store.protocol import Appended, Changes, GameRow, Head, InvitationSpent, Move, Outcome, Row, Store
from service.store.snapshots import Snapshots

logger = logging.getLogger(__name__)

ASKED: Final = 30.0
"""Seconds after which the log is asked, whatever the board says: a game may have been rewritten behind our back. Where
all of the log was, the board hears of it sooner.
"""

LOADS: Final = 4
"""Games that are loaded at the same time. Folding is work for one core, so more would not be quicker, and the entries
that are read for it take fifty times the room of the game that comes of them.
"""


class Watch(Protocol):
    """Who is asked whether a log is the one that was signed."""

    async def loaded(self, hot: Hot) -> None:
        """A game was loaded; nobody knows of it yet."""
        ...

    async def lost(self, hot: Hot, head: Head) -> None:
        """The log does not have this entry any more."""
        ...


class HotGames:
    """The games in memory, most recently used last."""

    def __init__(
        self, store: Store, snapshots: Snapshots, rulesets: Mapping[str, Ruleset], *, most: int, snapshot_every: int
    ) -> None:
        self._store, self._snapshots, self._rulesets = store, snapshots, rulesets
        self.board: Board = NoBoard()
        self._most, self._snapshot_every = most, snapshot_every
        self._games: OrderedDict[str, Hot] = OrderedDict()
        self._checkpoints = Checkpoints(store, fold_rows, most=2 * most)
        self._loading: dict[str, asyncio.Task[Hot]] = {}
        self._room = asyncio.Semaphore(LOADS)
        self.counts: Counter[str] = Counter()
        self.watch: Watch | None = None

    async def get(self, game: str) -> Hot:
        """The game as this worker last knew it; loaded where it did not. Raises `NotFound`."""
        hot = self._games.get(game)
        if hot is not None:
            self._games.move_to_end(game)
            return hot
        task = self._loading.get(game)
        if task is None:
            task = self._loading[game] = asyncio.create_task(self._load(game), name=f"load {game}")
            task.add_done_callback(lambda done: self._loaded(game, done))
        return await asyncio.shield(task)

    def __len__(self) -> int:
        return len(self._games)

    def known(self, game: str) -> Hot | None:
        """The game, if it is in memory."""
        return self._games.get(game)

    async def fresh(self, game: str) -> Hot:
        """The game as the log has it now. Raises `NotFound`."""
        asked_at = time.monotonic()
        known = game in self._games
        hot = await self.get(game)
        if not known and hot.asked_at >= asked_at:
            # Loaded for us. Had somebody begun to before, it might be too old by now.
            return hot
        if asked_at - hot.asked_at < ASKED and (self.board.shows(game, hot.noted) or self._passed_on(hot)):
            return hot
        await self.refresh(hot)
        return hot

    def moved_on(self, hot: Hot) -> bool:
        """Whether the board shows that the game has moved since the log was asked. It may also be another game."""
        return hot.noted is not None and self.board.note(hot.id) != hot.noted

    async def append(self, hot: Hot, move: Move, changes: Changes) -> Outcome:
        """Append an entry to the log, and tell the board. Raises `InvitationSpent`, `StoreUnavailable`."""
        await self.board.may_append()
        noted, asked_at = hot.noted, time.monotonic()
        self.board.moving(move.game)
        try:
            outcome = await (self._store.append_with(move, changes) if changes else self._store.append(move))
        except InvitationSpent:
            self.board.moved(move.game, noted)
            raise
        except BaseException:
            self.board.unheard(move.game)
            raise
        if isinstance(outcome, Appended):
            hot.vouch(self.board.moved(move.game, noted, move), asked_at)
        else:
            self.board.moved(move.game, noted)
        return outcome

    async def catch_up(self, hot: Hot) -> None:
        """Bring a game up to date with what others on this machine have appended; the log is asked if it must be."""
        if not self._passed_on(hot):
            await self.refresh(hot)

    async def refresh(self, hot: Hot) -> bool:
        """Bring a game up to date; whether there was anything new."""
        version, head = hot.version, hot.head
        noted, asked_at = self.board.note(hot.id), time.monotonic()
        since = await self._store.since(hot.id, version)
        if since.anchor != head:
            # The log is not the one we knew: a backup was restored, say.
            self.counts["head_not_in_log"] += 1
            logger.error("game %s: the entry %d known here is not in the log; loading it anew", hot.id, version)
            self.board.doubt()
            noted, asked_at = self.board.note(hot.id), time.monotonic()
            self._snapshots.discard(hot.id, "not_in_log")
            self._checkpoints.forget(hot.id)
            hot.restart(*await self._read_all(hot.id, hot.ruleset.projection))
            hot.vouch(noted, asked_at)
            if self.watch is not None:
                await self.watch.lost(hot, Head(version, head))
            return True
        self._advance(hot, since.rows)
        hot.vouch(noted, asked_at)
        return hot.version != version

    def snapshot(self, hot: Hot) -> None:
        """Keep a snapshot, if the last one is old enough or the game is over."""
        if hot.version - hot.snapshot_at >= self._snapshot_every or (hot.game.ended and hot.version > hot.snapshot_at):
            hot.snapshot_at = hot.version
            self._snapshots.offer(hot.game, hot.head)

    async def at(self, hot: Hot, version: int) -> AnyGame:
        """The game at an earlier version. Raises `NotFound`."""
        if not 1 <= version <= hot.version:
            raise NotFound("no_such_version", f"The game has no version {version}.")
        return await self._checkpoints.at(hot.id, version, hot.ruleset.projection)

    def _passed_on(self, hot: Hot) -> bool:
        """Bring a game up to date with what others have passed on; whether nothing was missing."""
        told = self.board.passed_on(hot.id, hot.noted)
        if told is None:
            return False
        later = [move for move in told.moves if move.seq > hot.version]
        if not _follow(later, hot):
            return False
        self._advance(hot, later)
        # The log was not asked.
        hot.vouch(told.note, hot.asked_at)
        return True

    def _advance(self, hot: Hot, later: Iterable[Row | Move]) -> None:
        for one in later:
            if one.seq == hot.version + 1:
                game, events = fold_row(one, hot.ruleset.projection, hot.game)
                hot.advance(game, one.hash, events)
        self.snapshot(hot)

    async def _load(self, game: str) -> Hot:
        row = await self._store.game(game) if _is_id(game) else None
        if row is None:
            raise NotFound("no_such_game", "There is no such game.")
        ruleset = self._rulesets.get(row.ruleset)
        if ruleset is None:
            raise Damaged("unknown_ruleset", f"The game is of the ruleset {row.ruleset}, which is not on offer here.")
        noted, asked_at = self.board.note(game), time.monotonic()
        async with self._room:
            hot = await self._from_snapshot(row, ruleset)
            if hot is None:
                hot = Hot(row, ruleset, *await self._read_all(game, ruleset.projection))
                self.snapshot(hot)
        hot.game = shared(hot.game)
        hot.vouch(noted, asked_at)
        if self.watch is not None:
            await self.watch.loaded(hot)
        self._games[game] = hot
        self._make_room()
        return hot

    def _loaded(self, game: str, task: asyncio.Task[Hot]) -> None:
        del self._loading[game]
        if not task.cancelled():
            # Whoever asked may have gone meanwhile; nobody is to be told that nobody was told.
            task.exception()

    async def _from_snapshot(self, row: GameRow, ruleset: Ruleset) -> Hot | None:
        kept = await self._snapshots.load(row.id, ruleset.projection.game)
        if kept is None:
            return None
        since = await self._store.since(row.id, kept.game.version)
        if since.anchor is None:
            self._snapshots.discard(row.id, "ahead_of_log")
            return None
        if since.anchor != kept.head:
            self._snapshots.discard(row.id, "not_in_log")
            return None
        hot = Hot(row, ruleset, kept.game, kept.head)
        hot.snapshot_at = kept.game.version
        if since.rows:
            hot.advance(fold_rows(since.rows, ruleset.projection, kept.game), since.rows[-1].hash, ())
        return hot

    async def _read_all(self, game: str, projection: Projection) -> tuple[AnyGame, str]:
        rows = (await self._store.since(game, 0)).rows
        if not rows:
            raise Damaged("log_gone", "The log of the game is gone.")
        return fold_rows(rows, projection), rows[-1].hash

    def _make_room(self) -> None:
        more = len(self._games) - self._most
        for game in list(islice(self._games, more)) if more > 0 else ():
            if not self._games[game].lock.locked():
                del self._games[game]


def _follow(moves: Iterable[Move], hot: Hot) -> bool:
    """Whether these come one after the other, and the first after the state."""
    version, head = hot.version, hot.head
    for move in moves:
        if move.seq != version + 1 or move.prev != head:
            return False
        version, head = move.seq, move.hash
    return True


def _is_id(game: str) -> bool:
    try:
        return str(UUID(game)) == game
    except ValueError:
        return False
