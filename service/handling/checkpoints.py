"""States of games at earlier versions: looking back costs a few entries' folding, however long the game is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from projections.game import AnyGame
from projections.projection import Projection
from service.failures import Damaged
from service.store.protocol import Log, Row

EVERY: Final = 50
"""So many entries apart: the most that are folded to look back at a game that was looked back at before."""

FoldRows = Callable[[Sequence[Row], Projection, AnyGame | None], AnyGame]


class Checkpoints:
    """States of the games that were looked back at lately, at most `most` of them; a first look back makes a game's.

    One game's are kept or forgotten together.
    """

    def __init__(self, store: Log, fold: FoldRows, *, most: int) -> None:
        self._store, self._fold, self._most = store, fold, most
        self._games: OrderedDict[str, dict[int, AnyGame]] = OrderedDict()
        self._kept = 0

    async def at(self, game: str, version: int, projection: Projection) -> AnyGame:
        """The game at a version that its log has."""
        state = self._nearest(game, version)
        while state is None or state.version < version:
            after = 0 if state is None else state.version
            rows = await self._store.rows(game, after, min(EVERY - after % EVERY, version - after))
            if not rows:
                raise Damaged("log_gone", "The log of the game ends before this version.")
            state = self._fold(rows, projection, state)
            if state.version % EVERY == 0:
                self._keep(state)
        return state

    def forget(self, game: str) -> None:
        """The log of the game is another one than it was."""
        self._kept -= len(self._games.pop(game, {}))

    def _nearest(self, game: str, version: int) -> AnyGame | None:
        kept = self._games.get(game)
        if kept is None:
            return None
        self._games.move_to_end(game)
        return kept.get(max((one for one in kept if one <= version), default=0))

    def _keep(self, state: AnyGame) -> None:
        kept = self._games.setdefault(state.id, {})
        self._kept += state.version not in kept
        kept[state.version] = state
        while self._kept > self._most and len(self._games) > 1:
            _, gone = self._games.popitem(last=False)
            self._kept -= len(gone)
