"""How legal answers are written down: whole commands where they are few, a description of the free fields where not.

Everything an option admits is accepted; what no option admits is refused. A description can `pick` one of its values
(bots and playouts) and say whether it `admits` one (tests and clients).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from msgspec import Struct

Below = Callable[[int], int]
"""A source of whole numbers below n."""


class Choice(Struct, frozen=True, tag_field="choice", tag=str.lower):
    """A description of the values one field may have."""

    @abstractmethod
    def admits(self, value: Any) -> bool:
        """Whether the value is one of those described."""

    @abstractmethod
    def pick(self, below: Below) -> Any:
        """One of the values described."""


class Amount(Choice, frozen=True):
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def admits(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def pick(self, below: Below) -> int:
        return self.least + below(self.most - self.least + 1)


class OneOf(Choice, frozen=True):
    """One of these values."""

    of: tuple[Any, ...]

    def admits(self, value: Any) -> bool:
        return any(type(value) is type(item) and value == item for item in self.of)

    def pick(self, below: Below) -> Any:
        return self.of[below(len(self.of))]


class SomeOf(Choice, frozen=True):
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

    def pick(self, below: Below) -> list[str]:
        return draw_some(self.of, self.least + below(self.most - self.least + 1), below)


class OneFromEach(Choice, frozen=True):
    """A list with one item from each of these groups, in order, no item twice. At least one such list exists."""

    of: tuple[tuple[str, ...], ...]

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == len(self.of)
            and len(set(value)) == len(value)
            and all(item in group for item, group in zip(value, self.of, strict=True))
        )

    def pick(self, below: Below) -> list[str]:
        found = _matching(self.of, below)
        assert found is not None, "described only where it can be met"
        return found


class Counts(Choice, frozen=True):
    """An object from kinds to numbers of at least 1, at most these; kinds may be left out, all of them if `or_none`."""

    most: dict[str, int]
    or_none: bool = True

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, dict)
            and (self.or_none or bool(value))
            and all(type(n) is int and 1 <= n <= self.most.get(kind, 0) for kind, n in value.items())
        )

    def pick(self, below: Below) -> dict[str, int]:
        drawn = {kind: below(most + 1) for kind, most in self.most.items()}
        found = {kind: n for kind, n in drawn.items() if n}
        if not found and not self.or_none:
            kind = sorted(self.most)[below(len(self.most))]
            found = {kind: 1 + below(self.most[kind])}
        return found


class Fields(Choice, frozen=True):
    """An object whose fields are free independently of one another."""

    fields: dict[str, Choice]

    def admits(self, value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == self.fields.keys()
            and all(choice.admits(value[name]) for name, choice in self.fields.items())
        )

    def pick(self, below: Below) -> dict[str, Any]:
        return {name: choice.pick(below) for name, choice in self.fields.items()}


class Option(Struct, frozen=True):
    """One legal answer, or one family of them.

    `id` is stable while the question is open and the facts stand; `command` is what to send, complete unless `choose`
    describes its further fields; `costs` is what it certainly takes from (negative: gives to) the seat, by unit.
    """

    id: str
    command: dict[str, Any]
    choose: Choice | None = None
    costs: dict[str, int] = {}

    def admits(self, command: dict[str, Any]) -> bool:
        """Whether the option covers this command (given without `decision_id`)."""
        if any(command.get(name) != value for name, value in self.command.items()):
            return False
        free = {name: value for name, value in command.items() if name not in self.command}
        return not free if self.choose is None else self.choose.admits(free)

    def pick(self, below: Below) -> dict[str, Any]:
        """One of the commands it covers, without `decision_id`."""
        return self.command if self.choose is None else {**self.command, **self.choose.pick(below)}


def whole(kind: str, *, costs: dict[str, int] | None = None, **fields: Any) -> Option:
    """The option of one complete command; its id is made of the command's words."""
    words = [kind, *(_word(value) for value in fields.values())]
    return Option(":".join(word for word in words if word), {"type": kind, **fields}, None, costs or {})


def draw_some(items: tuple[str, ...], k: int, below: Below) -> list[str]:
    """K different items, drawn with the given source."""
    left = list(items)
    return [left.pop(below(len(left))) for _ in range(k)]


def _word(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "+".join(str(item) for item in value)
    return str(value)


def _matching(groups: tuple[tuple[str, ...], ...], below: Below) -> list[str] | None:
    if not groups:
        return []
    for item in draw_some(groups[0], len(groups[0]), below):
        rest = _matching(tuple(tuple(x for x in group if x != item) for group in groups[1:]), below)
        if rest is not None:
            return [item, *rest]
    return None
