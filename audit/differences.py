"""Where two pieces of plain data first differ."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, json


class Difference(Struct, frozen=True):
    """The path of the first difference, and what each side has there."""

    path: str
    recorded: str
    due: str


def first_difference(recorded: Any, due: Any, path: str = "") -> Difference | None:
    """The first difference in the order of canonical bytes; None where there is none."""
    if isinstance(recorded, dict) and isinstance(due, dict):
        for name in sorted(recorded.keys() | due.keys()):
            where = f"{path}.{name}" if path else name
            if name not in recorded or name not in due:
                return Difference(where, _told(recorded, name), _told(due, name))
            if (found := first_difference(recorded[name], due[name], where)) is not None:
                return found
        return None
    if isinstance(recorded, list | tuple) and isinstance(due, list | tuple) and len(recorded) == len(due):
        pairs = enumerate(zip(recorded, due, strict=True))
        found_ones = (first_difference(one, other, f"{path}[{index}]") for index, (one, other) in pairs)
        return next((found for found in found_ones if found is not None), None)
    if type(recorded) is not type(due) or recorded != due:
        return Difference(path, _short(recorded), _short(due))
    return None


def _told(plain: dict[str, Any], name: str) -> str:
    return _short(plain[name]) if name in plain else "nothing"


def _short(value: Any) -> str:
    text = json.encode(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"
