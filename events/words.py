"""The grammar of the words: commands ask, steps run or wait, events have happened.

Every command, step and event of every game is a frozen struct below one of these four classes. Its JSON `type` is its
class name in snake case; a Python name that ends in an underscore (`from_`) loses it in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from events.audience import Public

_HUMP = re.compile(r"(?<!^)(?=[A-Z])")

Seat = Annotated[int, Meta(ge=0, le=99)]
"""A player's place at the table, counted from 0."""

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Amount = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
"""A short stable word or identifier: a card, a reason, a phase."""


def snake_case(name: str) -> str:
    """`CardsDrawn` as `cards_drawn`."""
    return _HUMP.sub("_", name).lower()


def json_name(name: str) -> str:
    """`from_` as `from`: Python's keywords are words of the games."""
    return name.rstrip("_")


_WORDS_OF: dict[int, tuple[Any, dict[str, Any]]] = {}


def read_word(plain: Mapping[str, Any], union: Any) -> Any:
    """The word that a plain object is, one of this union's. Raises `msgspec.ValidationError`.

    msgspec remembers what it knows of a struct, but works out a union of thirty anew for each conversion to it.
    """
    tag = plain.get("type")
    return msgspec.convert(plain, _words_of(union).get(tag, union) if type(tag) is str else union)


def _words_of(union: Any) -> dict[str, Any]:
    """The words of a union by their tags, kept by identity: taking a union's hash costs more than reading a word."""
    kept = _WORDS_OF.get(id(union))
    if kept is None:
        words = {(get_origin(word) or word).__struct_config__.tag: word for word in get_args(union) or (union,)}
        kept = _WORDS_OF[id(union)] = union, words
    return kept[1]


class Rng(Struct, frozen=True, forbid_unknown_fields=True, rename=json_name):
    """The half-open range of word positions of one label that a draw consumed (log format, section 3)."""

    label: Annotated[str, Meta(min_length=1, max_length=120)]
    from_: Count
    to: Count


class Command(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True, rename=json_name
):
    """What somebody asks for. `id` is the caller's idempotency key; the envelope sets it."""

    id: Public[str] = ""


class Answer(Command, frozen=True, kw_only=True):
    """A command that answers the open question. `decision_id` guards it against answering a later one."""

    decision_id: Public[Count | UnsetType] = UNSET


class Event(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True, rename=json_name
):
    """What has happened: a small fact in the past tense that carries results, not formulas.

    `schema` is the version of the event type's shape; `events.lifts` brings older ones up to it.
    """

    schema: Public[Annotated[int, Meta(ge=1)]] = 1


class Step(Struct, frozen=True, tag_field="step", tag=snake_case, forbid_unknown_fields=True):
    """What the table does or waits for. A step holds nothing hidden: the stack of steps is public."""


class Runs(Step, frozen=True):
    """A step that needs nobody: the engine runs it as soon as it is on top."""


class Waits(Step, frozen=True, kw_only=True):
    """A step that waits for seats, the question being open until it leaves the top of the stack.

    `decision` is the public id of the question: the `seq` of the entry that opened it. A rule that puts the same step
    back keeps the question; a new step (decision 0) opens a new one, which the engine numbers.
    """

    awaits: tuple[Seat, ...]
    decision: Count = 0
