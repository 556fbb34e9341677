"""An entry on its way through the checks."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.entry import Body, Entry


class Envelope(Struct, frozen=True):
    """A body that could be read: its line, its hash, its envelope."""

    line: int
    hash: str
    body: Body

    @property
    def seq(self) -> int:
        """Its position, as it says itself."""
        return self.body.seq


class OpenObject(Struct, frozen=True):
    """A command (`event` is None) or an event with the disclosed fields put back, without `_sd`.

    `disclosed` are the names put back, `closed` the number of fields that stay sealed, `digests` that of all sealed
    fields; `sound`: nothing is wrong.
    """

    event: int | None
    plain: dict[str, Any]
    disclosed: tuple[str, ...] = ()
    closed: int = 0
    sound: bool = True
    digests: int = 0

    def path(self, field: str | None) -> str | None:
        """A field of this object as a finding names it."""
        if self.event is None:
            return f"command.{field}" if field else "command"
        return field


class Kept(Struct, frozen=True):
    """A whole entry, every field in its place: what is folded and decided again."""

    line: int
    entry: Entry[Any, Any]

    @property
    def place(self) -> dict[str, Any]:
        """Where a finding about it is."""
        return {"line": self.line, "seq": self.entry.seq}
