"""Whether a JSON pointer is the way to a member of a command: what a refusal may call at fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import inspect

from events.words import Command


def assert_of(command: Command, pointer: str | None) -> None:
    """A refusal of this command may name this member, or none."""
    if pointer is not None:
        assert has_member(type(command), pointer), (command, pointer)


def has_member(kind: Any, pointer: str) -> bool:
    """Whether a value of this type may have something at this place."""
    found = [inspect.type_info(kind)]
    for step in pointer.split("/")[1:]:
        found = [inner for outer in found for inner in _inside(outer, step)]
    return pointer.startswith("/") and bool(found)


def _inside(outer: inspect.Type, step: str) -> Iterator[inspect.Type]:
    match outer:
        case inspect.Metadata():
            yield from _inside(outer.type, step)
        case inspect.UnionType():
            for one in outer.types:
                yield from _inside(one, step)
        case inspect.StructType():
            yield from (field.type for field in outer.fields if field.encode_name == step)
        case inspect.DictType():
            yield outer.value_type
        case inspect.VarTupleType() if step.isdigit():
            yield outer.item_type
        case _:
            pass
