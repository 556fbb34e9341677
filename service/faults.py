"""What is wrong with a request, field by field."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, ValidationError, field

Place = Literal["query", "path", "header", "body"]

MOST_SAID: Final = 200
"""So much is said of what is wrong: what was sent may be long, and is not sent back."""

_AT: Final = re.compile(r"\A(?P<says>.*?)(?: - at `(?P<path>\$[^`]*)`)?\Z", re.DOTALL)
_NAMED: Final = re.compile(r"(?:unknown|required) field `(?P<name>[^`]*)`")
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d*)[^\]]*\]")


class Fault(Struct, frozen=True):
    """One field at fault."""

    place: Annotated[Place, Meta(description="Where the field stands.")] = field(name="in")
    name: Annotated[str, Meta(description="Its name; in a body a JSON pointer (RFC 6901), empty for the whole body.")]
    detail: Annotated[str, Meta(description="What is wrong with it, for people.")]


def body_fault(error: ValidationError) -> Fault:
    """The member of a body that does not fit its type."""
    found = _AT.match(str(error))
    assert found is not None, "everything matches"
    named = _NAMED.search(found["says"])
    inside = "" if named is None else f".{named['name']}"
    return Fault("body", pointer((found["path"] or "$") + inside), found["says"][:MOST_SAID])


def pointer(path: str) -> str:
    """The JSON pointer of a path such as `$.events[0].n`, which a name with a dot in it would split."""
    steps = (name or index for name, index in _STEP.findall(path))
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)
