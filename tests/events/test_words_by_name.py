"""What stands in a log is told by its name, never by its place in a list."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from rules.catalogue import rulesets


def kinds(described: Any, seen: set[type]) -> Iterator[inspect.EnumType | inspect.LiteralType]:
    """Every enumeration and every list of words inside a type."""
    match described:
        case inspect.EnumType() | inspect.LiteralType():
            yield described
        case inspect.StructType() if described.cls not in seen:
            seen.add(described.cls)
            for member in described.fields:
                yield from kinds(member.type, seen)
        case inspect.UnionType():
            for one in described.types:
                yield from kinds(one, seen)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            yield from kinds(described.item_type, seen)
        case inspect.TupleType():
            for one in described.item_types:
                yield from kinds(one, seen)
        case inspect.DictType():
            yield from kinds(described.key_type, seen)
            yield from kinds(described.value_type, seen)
        case inspect.Metadata():
            yield from kinds(described.type, seen)
        case _:
            return


def words(name: str) -> list[inspect.EnumType | inspect.LiteralType]:
    projection = rulesets()[name].projection
    return list(kinds(inspect.type_info(projection.events | projection.commands), set()))


@pytest.mark.parametrize("name", list(rulesets()))
def test_p15_every_word_of_a_list_is_written_as_it_is_called(name: str) -> None:
    found = words(name)
    assert found
    for one in found:
        values = [member.value for member in one.cls] if isinstance(one, inspect.EnumType) else one.values
        assert all(isinstance(value, str) for value in values), one


class Kind(Enum):
    """As it was."""

    OIL = "oil"
    GAS = "gas"


class Reordered(Enum):
    """With a word before the others, and these the other way round."""

    COAL = "coal"
    GAS = "gas"
    OIL = "oil"


def test_p15_another_order_changes_no_stored_word() -> None:
    for kind in Kind:
        stored = msgspec.json.encode(kind)
        assert msgspec.json.decode(stored, type=Reordered).name == kind.name
