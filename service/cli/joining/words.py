"""Commands, events and values as people read them: ids become the names that the edition gives them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gusher_client import Option

_UNSAID = frozenset({"_sd", "decision_id", "schema", "rng", "label"})
"""What is there for programs and for the proof."""

_WORD = "type"
"""What a command or an event is called: said before its members."""


class Words:
    """The names in an edition's data: whatever has an `id` there."""

    def __init__(self, edition: Mapping[str, Any]) -> None:
        self._things = {thing["id"]: thing for thing in _things(edition)}
        names = Counter(str(thing["name"]) for thing in self._things.values() if "name" in thing)
        self._shared = frozenset(name for name, things in names.items() if things > 1)

    def value(self, value: Any) -> str:
        """Any value, on one line."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return self._name(value)
        if isinstance(value, list | tuple):
            told = [self.value(one) for one in value]
            return ("; " if any(", " in one for one in told) else ", ").join(told) or "none"
        if isinstance(value, Mapping):
            return ", ".join(self._members(value)) or "none"
        return str(value)

    def about(self, code: str) -> str:
        """What there is to say of the thing with this id; nothing where it is not known."""
        thing = self._things.get(code)
        if thing is None:
            return ""
        told = self._told({name: value for name, value in thing.items() if name != "name" and value not in (0, None)})
        return ": ".join(part for part in (str(thing.get("name", "")), told) if part)

    def options(self, options: Sequence[Option]) -> list[str]:
        """Each option in a line; those that would read the same also with what tells them apart in their ids."""
        told = [self.option(option) for option in options]
        return [
            line if told.count(line) == 1 else f"{line} [{_apart(option.id)}]"
            for line, option in zip(told, options, strict=True)
        ]

    def option(self, option: Option) -> str:
        """What an option does, what is to be chosen for it, and what it costs."""
        told = self.sentence(option.command)
        left_open = [f"without {plain(name)}" for name, value in option.command.items() if value is None]
        told += f" ({', '.join(left_open)})" if left_open else ""
        if option.choose is not None:
            told += f" … choose {', '.join(map(plain, option.choose.fields))}"
        costs = [f"{n} {plain(unit)}" for unit, n in option.costs.items() if n > 0]
        gains = [f"{-n} {plain(unit)}" for unit, n in option.costs.items() if n < 0]
        told += f" (costs {', '.join(costs)})" if costs else ""
        return told + (f" (gives {', '.join(gains)})" if gains else "")

    def sentence(self, word: Mapping[str, Any]) -> str:
        """A command or an event: its type, then what it says."""
        members = ", ".join(self._members({name: value for name, value in word.items() if name != _WORD}))
        return plain(str(word[_WORD])) + (f": {members}" if members else "")

    def _members(self, members: Mapping[str, Any]) -> Iterator[str]:
        for name, value in members.items():
            if name in _UNSAID or value is None or value in ([], {}):
                continue
            if isinstance(value, Mapping) and set(value) <= _UNSAID:
                continue
            yield f"{self._thing(name)} {self.value(value)}"

    def _name(self, text: str) -> str:
        """The name of a thing with its id; of a copy (`X01.2`) that of the original."""
        thing = self._things.get(text) or self._things.get(text.partition(".")[0])
        if thing is None:
            return plain(text)
        told = str(thing["name"]) if "name" in thing else self._told(thing)
        numbers = [str(value) for value in thing.values() if type(value) is int] if told in self._shared else []
        told = " ".join([told, *numbers])
        return f"{told} [{text}]" if told else text

    def _told(self, thing: Mapping[str, Any]) -> str:
        """What there is to say of a thing without a name."""
        said = {name: value for name, value in thing.items() if name not in ("id", "least_seats", "min_players")}
        return ", ".join(
            self._thing(value) if isinstance(value, str) else f"{plain(name)} {self.value(value)}"
            for name, value in said.items()
            if not isinstance(value, Mapping)
            and not (isinstance(value, list) and any(isinstance(v, dict) for v in value))
        )

    def _thing(self, text: str) -> str:
        found = self._things.get(text, {})
        return str(found.get("name", plain(text)))


def plain(word: str) -> str:
    """A word of the API as people write it."""
    return word.strip("_").replace("_", " ")


def _apart(option: str) -> str:
    """What an option's id says beyond the command's name: `make_meld:card+token` as `card, token`."""
    return ", ".join(plain(part) for part in re.split("[:+]", option)[1:])


def _things(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, list):
        for one in data:
            yield from _things(one)
    elif isinstance(data, dict):
        if isinstance(data.get("id"), str):
            yield data
        for one in data.values():
            yield from _things(one)
