"""The state and the events of any game as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.table import Table as Grid
from rich.text import Text

from gusher_client import Entry, Header, View
from service.cli.joining.asking import Person
from service.cli.joining.speech import Speech
from service.cli.joining.words import plain

_AT_ONCE = 12
"""So many rows of a list stand in a table; the last ones, where there are more."""

_NOTHING: tuple[Any, ...] = (None, False, 0, "", [], {})
Row = Mapping[str, Any]


def tell_entry(person: Person, speech: Speech, entry: Entry, you: int | None) -> None:
    """What happened with an entry, a sentence a line: the own moves bright, those of others less so."""
    mine = you is not None and entry.actor == f"seat:{you}"
    for sentence in speech.told(entry):
        person.say(f"{entry.seq:5}  {sentence}", None if mine else "dim", hang=7)


def tell_state(person: Person, speech: Speech, view: View) -> None:
    """The board: a picture where there is one; else short facts in lines, and lists of things below one another."""
    person.say()
    whose = "a spectator" if view.viewer is None else speech.name(view.viewer)
    person.say(f"The table after entry {view.version}, as seen by {whose}", "bold")
    picture = speech.picture(view)
    for line in picture:
        for part in line.splitlines() or [""]:
            person.say(part, hang=14)
    if not picture:
        _tell_members(person, speech, view.board)
    person.say()


def tell_end(person: Person, speech: Speech, header: Header) -> None:
    """Who won and why, and everybody's place and score."""
    person.say()
    result = header.result
    if result is None:
        person.say(f"The game is over, without a result: {plain(header.ended_because or header.status)}.", "bold")
        return
    winners = " and ".join(map(speech.name, result.winners))
    verb = "wins" if len(result.winners) == 1 else "win together"
    person.say(f"The game is over. {winners} {verb}: {plain(result.reason)}.", "bold")
    place = 1
    for group in result.standings:
        for seat in group:
            style = "bold" if seat in header.yours else None
            person.say(f"{place:4}. {speech.name(seat):24} {result.scores[seat]:6}", style)
        place += len(group)


def _tell_members(person: Person, speech: Speech, members: Row) -> None:
    facts, lists = {}, {}
    for name, value in members.items():
        if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
            lists[name] = value
        elif value not in _NOTHING:
            facts[name] = value
    told = (f"{plain(name)}: {_fact(speech, name, value)}" for name, value in facts.items())
    person.say(" · ".join(told))
    for name, rows in lists.items():
        _tell_rows(person, speech, name, rows[-_AT_ONCE:])


def _fact(speech: Speech, name: str, value: Any) -> str:
    """A value; of a member that names a seat, who sits there."""
    if name in ("active", "on_turn", "first_player", "seat", "seller", "leader") and isinstance(value, int):
        return speech.name(value)
    return speech.named(speech.words.value(value))


def _tell_rows(person: Person, speech: Speech, name: str, rows: Sequence[Row]) -> None:
    """A table where its rows fit on lines, else a paragraph for each row; what says nothing in any row is left out."""
    columns = [column for column in rows[0] if any(row.get(column) not in _NOTHING for row in rows)]
    if "seat" in rows[0]:
        columns = ["seat", *(column for column in columns if column != "seat")]
    cells = [[_cell(speech, column, row.get(column)) for column in columns] for row in rows]
    widths = [max(map(cell_len, [plain(column), *(row[at] for row in cells)])) for at, column in enumerate(columns)]
    person.say(plain(name), "bold")
    if sum(widths) + 2 * len(widths) <= person.console.width:
        person.console.print(_grid(columns, cells))
        return
    for row in cells:
        first, *others = row
        told = [f"{plain(column)} {cell}" for column, cell in zip(columns[1:], others, strict=True) if cell]
        person.say(f"  {first}: {', '.join(told)}", hang=6)


def _grid(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> Grid:
    grid = Grid(box=None, header_style="dim", padding=(0, 1), pad_edge=True)
    for column in columns:
        grid.add_column(plain(column), no_wrap=True)
    for row in cells:
        grid.add_row(*map(Text, row))
    return grid


def _cell(speech: Speech, column: str, value: Any) -> str:
    """A value in a row: of an object, only what is not nothing."""
    if isinstance(value, Mapping):
        value = {name: one for name, one in value.items() if one not in _NOTHING}
    if value in (None, [], {}):
        return ""
    return speech.name(value) if column == "seat" else _fact(speech, column, value)
