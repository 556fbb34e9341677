"""Old shapes to new: one function per (event type, schema), on the decoded object. Stored bytes never change.

A new field whose default is what old events meant needs no lift. Types are never renamed or reused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Lift = Callable[[dict[str, Any]], dict[str, Any]]

LIFTS: dict[tuple[str, int], Lift] = {}
"""`(type, n)` to the function that turns an object of schema n into one of schema n+1."""


def lift(event: dict[str, Any], lifts: dict[tuple[str, int], Lift] = LIFTS) -> dict[str, Any]:
    """The event object in today's shape; the object itself where it is of today's shape already."""
    while (step := lifts.get((event["type"], event["schema"]))) is not None:
        event = {**step(event), "schema": event["schema"] + 1}
    return event
