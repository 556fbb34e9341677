"""Games in memory share their words: names of cards, places and draws are the same in thousands of them."""

from __future__ import annotations

from sys import intern
from typing import Any, Final, TypeVar

from msgspec import Struct

SHORT: Final = 32
"""Characters of what is shared. What is longer is a game's own, a hash for instance."""

T = TypeVar("T")


def shared(value: T) -> T:
    """The same, of words that others have too. Every text that is read is another object, though it says the same."""
    found: T = _shared(value)
    return found


def _shared(value: Any) -> Any:  # noqa: ANN401 - whatever a state is made of
    kind = type(value)
    if kind is str:
        return intern(value) if len(value) <= SHORT else value
    if kind is tuple:
        return tuple(map(_shared, value))
    if kind is dict:
        return {_shared(key): _shared(one) for key, one in value.items()}
    if isinstance(value, Struct):
        return kind(**{name: _shared(getattr(value, name)) for name in kind.__struct_fields__})
    return value
