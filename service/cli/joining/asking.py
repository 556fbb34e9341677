"""Questions to a person: one of a list, a number, and whatever a described choice leaves open."""

from __future__ import annotations

import sys
import termios
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.markup import escape

from gusher_client import choices
from service.cli.joining.words import Words, plain


class Left(Exception):
    """The person has had enough, or there is no more input."""


class Back(Exception):
    """The person would rather choose something else."""


class Person:
    """Somebody at a terminal."""

    def __init__(self, console: Console, words: Words | None = None) -> None:
        self.console = console
        self.words = words or Words({})

    def say(self, text: str = "", style: str | None = None, *, hang: int = 0) -> None:
        """One paragraph, broken between words; lines after the first are set in by `hang`.

        What stands in square brackets is no markup. What is to be copied is printed by `show`.
        """
        width = max(self.console.width, hang + 20)
        lines = wrap(text, width, subsequent_indent=" " * hang, break_on_hyphens=False, break_long_words=False)
        for line in lines or [""]:
            self.show(line, style)

    def show(self, text: str, style: str | None = None) -> None:
        """Text as it is, on one line however long it is."""
        self.console.print(escape(text), style=style, soft_wrap=True)

    def line(self, prompt: str) -> str:
        """What the person types. Raises `Left` at the end of the input, `Back` for `b`."""
        try:
            typed = self.console.input(f"[bold]{escape(prompt)}[/bold] ").strip()
        except (EOFError, KeyboardInterrupt) as error:
            raise Left from error
        if typed == "q":
            raise Left
        if typed == "b":
            raise Back
        return typed

    def forget_typed(self) -> None:
        """Nothing that was typed while nobody asked is an answer."""
        if sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def number(self, prompt: str, least: int, most: int) -> int:
        """A whole number; there is nothing to ask where only one will do."""
        while least < most:
            typed = self.line(f"{prompt}, {least} to {most}:")
            if typed.removeprefix("-").isdecimal() and least <= int(typed) <= most:
                return int(typed)
            self.say(f"A whole number from {least} to {most} is needed; b goes back.")
        return least

    def one(self, prompt: str, items: Sequence[str]) -> int:
        """The index of one of the items."""
        if len(items) > 1:
            self._list(items)
        return self.number(prompt, 1, len(items)) - 1

    def some(self, prompt: str, items: Sequence[str], least: int, most: int) -> list[int]:
        """The indexes of some of the items, each once."""
        if least == len(items):
            return list(range(least))
        if most == 0:
            return []
        self._list(items)
        amount = str(least) if least == most else f"{least} to {most}"
        while True:
            typed = self.line(f"{prompt}, {amount} of them, as numbers with spaces between:").replace(",", " ").split()
            chosen = [int(one) - 1 for one in typed if one.isdecimal() and 0 < int(one) <= len(items)]
            if len(chosen) == len(typed) == len(set(chosen)) and least <= len(chosen) <= most:
                return chosen
            self.say(f"{amount} different numbers are needed; b goes back.")

    def _list(self, items: Sequence[str]) -> None:
        for index, item in enumerate(items, 1):
            self.say(f"{index:4}. {item}", hang=6)


def chosen(person: Person, name: str, choice: choices.Choice) -> Any:
    """A value that the choice admits. Raises `Left` and `Back`."""
    return _ASK[type(choice)](person, plain(name), choice)


def _amount(person: Person, name: str, choice: choices.Amount) -> int:
    return person.number(name, choice.least, choice.most)


def _one_of(person: Person, name: str, choice: choices.OneOf) -> Any:
    return choice.of[person.one(name, list(map(person.words.value, choice.of)))]


def _some_of(person: Person, name: str, choice: choices.SomeOf) -> list[str]:
    picked = person.some(name, list(map(person.words.value, choice.of)), choice.least, choice.most)
    return [choice.of[index] for index in picked]


def _parts(person: Person, name: str, choice: choices.Parts) -> list[str]:
    return [item for part in choice.of for item in _some_of(person, name, part)]


def _either(person: Person, name: str, choice: choices.Either) -> Any:
    kinds = [_summary(person, one) for one in choice.of]
    return chosen(person, name, choice.of[person.one(f"{name}, which kind", kinds)])


def _list_of(person: Person, name: str, choice: choices.ListOf) -> list[Any]:
    n = person.number(f"{name}, how many", choice.least, choice.most)
    return [chosen(person, f"{name} {index + 1}", choice.item) for index in range(n)]


def _one_from_each(person: Person, name: str, choice: choices.OneFromEach) -> list[str]:
    while True:
        made: list[str] = []
        for group in choice.of:
            left = [item for item in group if item not in made] or list(group)
            made.append(left[person.one(name, list(map(person.words.value, left)))])
        if choice.admits(made):
            return made
        person.say("No item can stand in two places; once more, or b goes back.")


def _counts(person: Person, name: str, choice: choices.Counts) -> dict[str, int]:
    while True:
        found = {
            kind: person.number(f"{name}, {plain(kind)}", choice.least.get(kind, 0), most)
            for kind, most in choice.most.items()
        }
        made = {kind: n for kind, n in found.items() if n}
        if choice.admits(made):
            return made
        person.say("At least one is needed; once more, or b goes back.")


def _fields(person: Person, name: str, choice: choices.Fields) -> dict[str, Any]:
    within = f"{name}, " if name else ""
    return {member: chosen(person, f"{within}{plain(member)}", one) for member, one in choice.fields.items()}


_SUMMED = 4
"""So many values of a list stand for all of them in one line."""


def _summary(person: Person, choice: choices.Choice) -> str:
    """A description in one line."""
    if isinstance(choice, choices.Fields):
        return ", ".join(map(plain, choice.fields))
    if isinstance(choice, choices.OneOf | choices.SomeOf):
        return person.words.value(choice.of[:_SUMMED]) + (", …" if len(choice.of) > _SUMMED else "")
    return plain(str(choice.__struct_config__.tag))


_ASK: dict[type[Any], Callable[[Person, str, Any], Any]] = {
    choices.Amount: _amount,
    choices.OneOf: _one_of,
    choices.SomeOf: _some_of,
    choices.Parts: _parts,
    choices.Either: _either,
    choices.ListOf: _list_of,
    choices.OneFromEach: _one_from_each,
    choices.Counts: _counts,
    choices.Fields: _fields,
}
