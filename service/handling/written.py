"""Answers about games as they stand, kept for who asks again: the last ones that were asked for, whatever game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

KEPT: Final = 512
"""So many answers: the tables of a busy minute, and not the memory of every open game."""


class Written:
    """Bytes by game, key and head; a game that moves has another head, so nothing needs to be taken back."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, object], tuple[str, bytes]] = OrderedDict()

    def get(self, game: str, key: object, head: str, write: Callable[[], bytes]) -> bytes:
        """What was written of this game at this head under this key, or is written now."""
        place = game, key
        found = self._kept.get(place)
        if found is not None and found[0] == head:
            self._kept.move_to_end(place)
            return found[1]
        told = write()
        self._kept[place] = head, told
        self._kept.move_to_end(place)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return told
