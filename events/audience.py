"""Who may see a field, written beside the field.

A field's mark names the fields of the same object that hold the seats allowed to read it. `actor` stands for the seat
that sent the command. A field without a mark is an error (`audience_of`), so nothing is shown because somebody forgot.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.inspect import StructType, type_info

T = TypeVar("T")

EVERYBODY = ("everybody",)


def seen_by(*fields: str, personal: bool = False) -> Meta:
    """A mark: sealed, and readable by the seats that the named fields of the same object hold (none: by nobody yet).

    A personal field (kind `p`) may be erased later; it must never influence a game.
    """
    return Meta(extra={"seen_by": fields, "kind": "p" if personal else "g"})


Public = Annotated[T, Meta(extra={"seen_by": EVERYBODY})]
"""Everybody may read it: it stays in the body of the entry."""

OwnSeat = Annotated[T, seen_by("seat")]
"""Sealed to the seat that the object's own `seat` field names."""

Actor = Annotated[T, seen_by("actor")]
"""In a command: sealed to the seat that sent it."""

Hidden = Annotated[T, seen_by()]
"""Sealed to nobody until the game ends: a deck's order, say."""


class Mark(Struct, frozen=True):
    """The audience of one sealed field: its names in Python and in JSON, the fields that name its readers, its kind."""

    name: str
    encoded: str
    readers: tuple[str, ...]
    kind: str


class UnmarkedField(TypeError):
    """A field of an event or a command does not say who may see it."""


def _extra_of(hint: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        for note in notes:
            if isinstance(note, Meta) and note.extra and "seen_by" in note.extra:
                found = dict(note.extra)
        hint = inner
    return found


@cache
def sealed_fields(kind: type[Struct]) -> tuple[Mark, ...]:
    """The sealed fields of an event or command type, in the order of definition.

    Raises `UnmarkedField` for a field that carries no mark.
    """
    hints = get_type_hints(kind, include_extras=True)
    described = type_info(kind)
    assert isinstance(described, StructType)
    marks: list[Mark] = []
    for field in described.fields:
        extra = _extra_of(hints[field.name])
        if not extra:
            message = f"{kind.__module__}.{kind.__name__}.{field.name} does not say who may see it"
            raise UnmarkedField(message)
        if extra["seen_by"] != EVERYBODY:
            marks.append(Mark(field.name, field.encode_name, tuple(extra["seen_by"]), extra["kind"]))
    return tuple(marks)
