"""Made of `asynchronous/branch.py` by `tools/unasync.py`, without `await`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from gusher_client import wire
from gusher_client.model import Asked, BranchHeader, BranchMove, View
from gusher_client.synchronous.connection import Connection
from gusher_client.wire import Call


class Branch:
    """A copy that its maker plays all seats of. Nobody else can see it, and it expires."""

    def __init__(self, line: Connection, game: str, branch: str) -> None:
        self.game, self.branch = game, branch
        self._line = line
        self._path = f"/v1/games/{game}/branches/{branch}"

    def header(self) -> BranchHeader:
        """What it is a copy of, where it stands, and when it expires. Raises `Problem`."""
        return self._line.read(wire.get(self._path), BranchHeader)

    def view(self, *, viewer: str | None = None) -> View:
        """The state, with the eyes of any seat. Raises `Problem`."""
        return self._line.read(wire.get(f"{self._path}/view", {"as": viewer}), View)

    def options(self, *, seat: int | None = None) -> Asked:
        """What is asked of a seat, by default the first one awaited, with every legal answer. Raises `Problem`."""
        return self._line.read(wire.get(f"{self._path}/options", {"seat": seat}), Asked)

    def move(self, command: Mapping[str, Any], *, seat: int | None = None, key: UUID | None = None) -> BranchMove:
        """A command of any seat, by default the first one awaited. Raises `Problem`: `Refused` by a rule."""
        call = wire.command(f"{self._path}/commands", command, query={"seat": seat}, key=key)
        return self._line.read(call, BranchMove)

    def export(self) -> bytes:
        """The copy as lines of JSON. It proves nothing. Raises `Problem`."""
        return self._line.content(wire.get(f"{self._path}/export"))

    def drop(self) -> None:
        """Throw it away. Raises `Problem`."""
        self._line.content(Call(method="DELETE", path=self._path, once=True))
