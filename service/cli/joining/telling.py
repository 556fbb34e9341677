"""The state and the events of any game as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from gusher_client import Entry, View
from service.cli.joining.asking import Person

_AT_ONCE = 12
"""So many rows of a list stand in a table; the last ones, where there are more."""


def tell_entry(person: Person, entry: Entry, you: int | None) -> None:
    """What happened with an entry, an event a line; what the game now waits for is told when it asks."""
    for event in entry.events:
        if event["type"] == "awaiting":
            continue
        said = {name: value for name, value in event.items() if name != "seat"}
        who = event.get("seat")
        mine = you is not None and who == you
        subject = "" if who is None else "you: " if mine else f"seat {who}: "
        person.say(f"{entry.seq:5}  {subject}{person.words.sentence(said)}", None if mine else "dim")


def tell_state(person: Person, view: View) -> None:
    """The board: short facts in lines, lists of things as tables."""
    person.say()
    person.say(f"version {view.version}, you are seat {view.viewer}", "bold")
    _tell_members(person, view.board)
    person.say()


def _tell_members(person: Person, members: Mapping[str, Any]) -> None:
    facts, lists = {}, {}
    for name, value in members.items():
        if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
            lists[name] = value
        elif value not in (None, [], {}):
            facts[name] = value
    for name, value in facts.items():
        person.say(f"{_title(name)}: {person.words.value(value)}")
    for name, rows in lists.items():
        person.console.print(_grid(person, name, rows[-_AT_ONCE:]))


def _grid(person: Person, name: str, rows: Sequence[Mapping[str, Any]]) -> Grid:
    """A row for each thing; columns in which nothing is said are left out."""
    columns = [column for column in rows[0] if any(row.get(column) not in (None, [], {}) for row in rows)]
    grid = Grid(title=_title(name), title_justify="left", box=None, header_style="bold", padding=(0, 1))
    for column in columns:
        grid.add_column(_title(column), overflow="fold")
    for row in rows:
        grid.add_row(*(Text(_cell(person, row.get(column))) for column in columns))
    return grid


def _cell(person: Person, value: Any) -> str:
    """A value in a table: of an object, only what is not nothing."""
    if isinstance(value, Mapping):
        value = {name: one for name, one in value.items() if one not in (0, None, False)}
    return "" if value in (None, [], {}) else person.words.value(value)


def _title(name: str) -> str:
    return name.replace("_", " ")
