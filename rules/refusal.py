"""What the rules refuse: which rule, and why in one stable word."""

from __future__ import annotations

from typing import Any


class RuleViolation(Exception):
    """A command the rules refuse. Nothing has happened; the sender alone is told.

    `rule` is the id in the register (or of the platform, `GU-…`), `reason` a stable word, `facts` public facts or the
    sender's own. `field` is the member of the command at fault, as a JSON pointer; of several the one to change first;
    None where no other value of any member would help. All of it is the same whatever hidden fact caused the refusal.
    """

    def __init__(self, rule: str, reason: str, *, field: str | None = None, **facts: Any) -> None:
        super().__init__(rule, reason)
        self.rule, self.reason, self.field, self.facts = rule, reason, field, facts

    def __str__(self) -> str:
        return f"{self.rule} refuses this: {self.reason.replace('_', ' ')}"


CONFLICTS = frozenset(
    {
        "stale_decision",
        "not_awaited",
        "already_finished",
        "game_over",
        "not_running",
        "already_started",
        "suspended",
        "not_suspended",
        "already_suspended",
        "dispute_open",
        "already_settled",
    }
)
"""Reasons that say the game stands elsewhere than the sender thought; a ruleset names more (`Ruleset.conflicts`)."""
