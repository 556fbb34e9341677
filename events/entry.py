"""The envelope: one accepted move (log format, sections 1 and 2). `sealing` writes it down, `opening` reads it."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from events.words import Count

CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")

Actor = Annotated[
    str, Meta(pattern=r"^(?:seat:(?:0|[1-9][0-9]?)|host|organizer|arbiter|clock|autopilot|system)(?![\s\S])")
]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it stands in the log: command and events are plain objects, sealed fields replaced by digests."""

    v: Literal[1]
    game: str
    seq: Annotated[int, Meta(ge=1)]
    prev: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
    at: Count
    actor: Actor
    command: dict[str, Any]
    events: Annotated[list[dict[str, Any]], Meta(min_length=1)]


class Entry(Struct, Generic[CommandT, EventT], frozen=True):
    """An accepted move with every sealed field in its place: what the server folds and decides on."""

    game: str
    seq: int
    at: int
    actor: str
    command: CommandT
    events: tuple[EventT, ...]


@lru_cache(maxsize=128)
def seat_of(actor: str) -> int | None:
    """The seat that a `seat:N` is, an actor or a viewer; None for any other."""
    return int(actor[5:]) if actor.startswith("seat:") else None
