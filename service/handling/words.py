"""From the JSON object of a command to the command: what players may send, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Union, get_args

import msgspec
from msgspec.structs import replace

from events.table import TableCommand
from events.words import Command, read_word
from rules.ruleset import Ruleset
from service.failures import Malformed
from service.faults import MOST_SAID, Fault, body_fault

_OF_THE_TABLE = frozenset(get_args(TableCommand))


@cache
def players_words(ruleset: Ruleset) -> Any:  # noqa: ANN401 - a union is no type to a checker
    """The union of the commands that players of a ruleset send. What all games share has its own use cases, and the
    clock's word is nobody's to say.
    """
    kinds = tuple(kind for kind in get_args(ruleset.projection.commands) if kind not in _OF_THE_TABLE)
    return Union[kinds]  # noqa: UP007 - made from a tuple


def read_command(ruleset: Ruleset, fields: Mapping[str, Any], key: str) -> Command:
    """The command with its key as id. Raises `Malformed` for what is no player's command of this game."""
    if "id" in fields:
        says = "A command has no `id`: its Idempotency-Key becomes that."
        raise Malformed("malformed", says, errors=(Fault("body", "/id", says),))
    try:
        command: Command = read_word(fields, players_words(ruleset))
    except msgspec.ValidationError as error:
        says = str(error)[:MOST_SAID]
        raise Malformed("malformed", f"The command does not fit: {says}.", errors=(body_fault(error),)) from error
    return replace(command, id=key)
