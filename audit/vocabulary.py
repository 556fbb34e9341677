"""The words of one ruleset by their JSON type: shape, sealed fields, and the shape of what stays public."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import fields

from events.audience import Mark, sealed_fields
from projections.projection import Projection


class Word(Struct, frozen=True):
    """A command or event type. `shape` may be a generic with its argument, `kind` is the bare class.

    `public` is a struct of the public fields alone, for objects of which not everything is disclosed.
    """

    name: str
    shape: Any
    kind: type[Struct]
    sealed: dict[str, Mark]
    public: type[Struct]
    schema: int | None


class Vocabulary(Struct, frozen=True):
    """The commands and events of one ruleset by type."""

    commands: dict[str, Word]
    events: dict[str, Word]


def vocabulary_of(projection: Projection) -> Vocabulary:
    """The words of a ruleset."""
    return Vocabulary(words_of(projection.commands), words_of(projection.events))


@cache
def words_of(union: Any) -> dict[str, Word]:
    """The words of a tagged union by their types."""
    found = (_word(shape) for shape in get_args(union))
    return {word.name: word for word in found}


def _word(shape: Any) -> Word:
    kind: type[Struct] = get_origin(shape) or shape
    name = kind.__struct_config__.tag
    sealed = {mark.encoded: mark for mark in sealed_fields(kind)}
    return Word(str(name), shape, kind, sealed, _public(str(name), shape, sealed), _schema_of(shape))


def _schema_of(shape: Any) -> int | None:
    """Today's version of an event type; commands have none."""
    return next((field.default for field in fields(shape) if field.name == "schema"), None)


def _public(name: str, shape: Any, sealed: dict[str, Mark]) -> type[Struct]:
    open_fields = [field for field in fields(shape) if field.encode_name not in sealed]
    members: list[tuple[str, Any, Any] | tuple[str, Any]] = []
    for field in open_fields:
        if field.required:
            members.append((field.name, field.type))
        else:
            default = UNSET if field.default is NODEFAULT else field.default
            members.append((field.name, field.type, default))
    names = {field.name: field.encode_name for field in open_fields}
    return msgspec.defstruct(
        f"Public_{name}",
        members,
        kw_only=True,
        frozen=True,
        tag_field="type",
        tag=name,
        forbid_unknown_fields=True,
        rename=names,
    )


def path_of(error: msgspec.ValidationError) -> tuple[str, str | None]:
    """What a validation error says, and the field it says it of."""
    reason, _, path = str(error).partition(" - at `")
    return reason, path.rstrip("`").removeprefix("$").removeprefix(".") or None
