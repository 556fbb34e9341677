"""A body for every operation that takes one: it stands in the document, and a test holds it to the schema."""

from __future__ import annotations

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
