"""What may be done, as the service describes it: whole commands, and families of commands.

Everything that an option admits is accepted by the rules, and what no option admits is refused.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

Below = Callable[[int], int]
"""A source of whole numbers below n."""


class Description(Struct, frozen=True, tag_field="choice", tag=str.lower):
    """The values that a member of a command may have."""

    @abstractmethod
    def admits(self, value: Any) -> bool:
        """Whether the value is one of those described."""

    @abstractmethod
    def pick(self, below: Below = random.randrange) -> Any:
        """One of the values described."""


class Amount(Description, frozen=True):
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def admits(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def pick(self, below: Below = random.randrange) -> int:
        return self.least + below(self.most - self.least + 1)


class OneOf(Description, frozen=True):
    """One of these values."""

    of: tuple[Any, ...]

    def admits(self, value: Any) -> bool:
        return any(type(value) is type(item) and value == item for item in self.of)

    def pick(self, below: Below = random.randrange) -> Any:
        return self.of[below(len(self.of))]


class SomeOf(Description, frozen=True):
    """A list of `least` to `most` different items out of these, in any order."""

    of: tuple[str, ...]
    least: int
    most: int

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and self.least <= len(value) <= self.most
            and len(set(value)) == len(value)
            and set(value) <= set(self.of)
        )

    def pick(self, below: Below = random.randrange) -> list[str]:
        return _some(self.of, self.least + below(self.most - self.least + 1), below)


class Parts(Description, frozen=True):
    """One list made of several parts, in any order: the items of each part, and how many. No item is in two parts."""

    of: tuple[SomeOf, ...]

    def admits(self, value: Any) -> bool:
        if not isinstance(value, list | tuple):
            return False
        shares = [[item for item in value if item in part.of] for part in self.of]
        return len(value) == sum(map(len, shares)) and all(
            part.admits(share) for part, share in zip(self.of, shares, strict=True)
        )

    def pick(self, below: Below = random.randrange) -> list[str]:
        return [item for part in self.of for item in part.pick(below)]


class Either(Description, frozen=True):
    """A value that one of these descriptions admits."""

    of: tuple[Choice, ...]

    def admits(self, value: Any) -> bool:
        return any(choice.admits(value) for choice in self.of)

    def pick(self, below: Below = random.randrange) -> Any:
        return self.of[below(len(self.of))].pick(below)


class ListOf(Description, frozen=True):
    """A list of `least` to `most` items, each as described, the same one twice if wished."""

    item: Choice
    least: int
    most: int

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and self.least <= len(value) <= self.most
            and all(self.item.admits(item) for item in value)
        )

    def pick(self, below: Below = random.randrange) -> list[Any]:
        """A short list: where any length is allowed, few mean a long one."""
        longest = min(self.most, self.least + 2)
        return [self.item.pick(below) for _ in range(self.least + below(longest - self.least + 1))]


class OneFromEach(Description, frozen=True):
    """A list with one item from each of these groups, in order, no item twice. There is at least one such list."""

    of: tuple[tuple[str, ...], ...]

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == len(self.of)
            and len(set(value)) == len(value)
            and all(item in group for item, group in zip(value, self.of, strict=True))
        )

    def pick(self, below: Below = random.randrange) -> list[str]:
        return _one_each([_some(group, len(group), below) for group in self.of])


class Counts(Description, frozen=True):
    """An object from kinds to numbers of at least 1, at most these; kinds may be left out, all of them if `or_none`.

    Kinds in `least` may not be left out, and there are at least so many of them.
    """

    most: dict[str, int]
    or_none: bool = True
    least: dict[str, int] = {}

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, dict)
            and (self.or_none or bool(value))
            and value.keys() >= self.least.keys()
            and all(
                type(n) is int and max(1, self.least.get(kind, 1)) <= n <= self.most.get(kind, 0)
                for kind, n in value.items()
            )
        )

    def pick(self, below: Below = random.randrange) -> dict[str, int]:
        """Small numbers of a few kinds: where any number is allowed, few mean a large one."""
        free = sorted(self.most.keys() - self.least.keys())
        fewest = 0 if self.or_none or self.least else 1
        extra = fewest + below(min(2, len(free)) - fewest + 1) if free else 0
        least = self.least | dict.fromkeys(_some(free, extra, below), 1)
        return {kind: n + below(min(self.most[kind] - n, 2) + 1) for kind, n in least.items()}


class Fields(Description, frozen=True):
    """An object whose members are free independently of one another."""

    fields: dict[str, Choice]

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == self.fields.keys()
            and all(choice.admits(value[name]) for name, choice in self.fields.items())
        )

    def pick(self, below: Below = random.randrange) -> dict[str, Any]:
        return {name: choice.pick(below) for name, choice in self.fields.items()}


Choice = Amount | OneOf | SomeOf | Parts | Either | ListOf | OneFromEach | Counts | Fields
"""Every description there is."""


class Option(Struct, frozen=True):
    """One legal answer, or one family of them.

    `command` is what to send, complete unless `choose` describes members to add. `id` is stable while the question is
    open and the facts stand; `costs` is what it certainly takes from (negative: gives to) the seat, by unit.
    """

    id: str
    command: dict[str, Any]
    choose: Fields | None = None
    costs: dict[str, int] = {}

    def admits(self, command: dict[str, Any]) -> bool:
        """Whether the option covers this command (given without `decision_id`)."""
        if any(command.get(name) != value for name, value in self.command.items()):
            return False
        free = {name: value for name, value in command.items() if name not in self.command}
        return not free if self.choose is None else self.choose.admits(free)

    def pick(self, below: Below = random.randrange) -> dict[str, Any]:
        """One of the commands that it covers."""
        return dict(self.command) if self.choose is None else {**self.command, **self.choose.pick(below)}


def _some(items: Sequence[str], k: int, below: Below) -> list[str]:
    """K different items, drawn with the given source."""
    left = list(items)
    return [left.pop(below(len(left))) for _ in range(k)]


def _one_each(groups: Sequence[Sequence[str]]) -> list[str]:
    """One item for each group, none twice; earlier items of a group are preferred (augmenting paths)."""
    holder: dict[str, int] = {}
    for index in range(len(groups)):
        if not _settle(groups, index, holder, set()):
            raise LookupError("no list has one item from each group and none twice")
    items = {index: item for item, index in holder.items()}
    return [items[index] for index in range(len(groups))]


def _settle(groups: Sequence[Sequence[str]], index: int, holder: dict[str, int], tried: set[str]) -> bool:
    for item in groups[index]:
        if item in tried:
            continue
        tried.add(item)
        if item not in holder or _settle(groups, holder[item], holder, tried):
            holder[item] = index
            return True
    return False
