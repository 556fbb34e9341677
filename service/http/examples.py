"""A body for every operation that takes one, and an answer: they stand in the document, and tests hold them to it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from msgspec.inspect import StructType, type_info

from rules.catalogue import rulesets
from service.http.words import commands_of, tag_of

_PLAIN: Final[dict[str, Any]] = {
    "create_account": {"name": "ada-lovelace"},
    "create_token": {"label": "phone", "scopes": ["play"]},
    "take_seat": {"client_seed": "c0ffee"},
    "add_bot": {"level": "sensible"},
    "create_invitation": {},
    "create_branch": {},
    "file_dispute": {"reason": "wrong_score", "first": 1, "last": 1, "statement": "The wells were counted twice."},
    "create_auditor": {"label": "Referee of the spring cup", "hours": 24},
    "create_arbiter": {"label": "Arbiter of the spring cup", "hours": 24},
    "give_verdict": {"verdict": "dismissed", "reason": "checked"},
    "suspend_game": {"reason": "maintenance"},
    "resume_game": {"reason": "checked"},
}


ANSWERS: Final = "answers.json"
"""A real answer of each operation that answers something; `make golden` writes them."""


@cache
def _answers() -> dict[str, Any]:
    file = files("service.http") / ANSWERS
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def answer_of(operation: str) -> Any:
    """An answer, as it was given; None for an operation without one."""
    return _answers().get(operation)


def example_of(operation: str) -> Any:
    """The body."""
    if operation in _PLAIN:
        return _PLAIN[operation]
    if operation == "create_game":
        ruleset = next(iter(rulesets().values()))
        return {"ruleset": ruleset.name, "seats": ruleset.least_seats}
    if operation == "create_games":
        return {"games": [example_of("create_game")] * 2}
    return _simplest_command()


def _simplest_command() -> dict[str, Any]:
    """A command that asks for nothing but its name."""
    for ruleset in rulesets().values():
        for kind in commands_of(ruleset):
            described = type_info(kind)
            assert isinstance(described, StructType)
            if not any(field.required for field in described.fields):
                return {"type": tag_of(kind)}
    raise LookupError("every command of every ruleset asks for more than its name")
