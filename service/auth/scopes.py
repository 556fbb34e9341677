"""What a token is good for."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

Scope = Literal["play", "organize", "arbitrate", "audit", "admin"]
"""`play`: take seats and move; `organize`: create and run games; `arbitrate`: settle disputes of games that one
does not play; `audit`: read ended games with everything opened;
`admin`: all of these, and the service itself.
"""

ALL: Final[tuple[Scope, ...]] = ("play", "organize", "arbitrate", "audit", "admin")
FIRST: Final[tuple[Scope, ...]] = ("play", "organize")
"""What everybody may do who makes an account."""


@cache
def granted(scopes: tuple[str, ...]) -> frozenset[str]:
    """The scopes and what they include."""
    held = frozenset(scopes)
    return frozenset(ALL) if "admin" in held else held
