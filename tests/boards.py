"""Boards for tests: a sheet, who is alone, and a game with its place there."""

from __future__ import annotations

from pathlib import Path

from events.seals import Seals
from service.store.protocol import Move
from service.store.sheet import Sheet, open_sheet

GAME = "0198ac5d-0d5e-7d0a-9f1e-0123456789ab"
SAME_ROW = "0198ac5d-0d5e-7d0a-9f1e-01234fff09ab"
MOVE = Move(GAME, 7, GAME, b"f", "aa", "bb", b"{}", Seals())
SLOT = "0198ac5d-0d5e-7d0a-9f1e-01234567ffff"


def opened(folder: Path) -> Sheet:
    sheet = open_sheet(folder)
    assert sheet is not None
    return sheet


class Alone:
    """Nobody has another board."""

    alone = known = True
    era = 0

    def doubt(self) -> None:
        self.era += 1

    async def arrive(self) -> None: ...

    async def close(self) -> None: ...
