"""The least a cheat could do: for whoever wants to see that an audit notices."""

from __future__ import annotations

import re
from typing import Final

_BODY: Final = b'{"actor":'
_EVENTS: Final = b'"events":['


def one_digit_changed(export: bytes) -> bytes:
    """The export with one digit changed in the events of the entry in its middle."""
    lines = export.splitlines(keepends=True)
    bodies = [number for number, line in enumerate(lines) if line.startswith(_BODY)]
    middle = bodies[len(bodies) // 2]
    line = lines[middle]
    begin = line.index(_EVENTS)
    digit = re.compile(rb"[0-9]").search(line, begin)
    assert digit is not None, "every event has a schema number"
    other = b"%d" % ((int(digit[0]) + 1) % 10)
    lines[middle] = line[: digit.start()] + other + line[digit.end() :]
    return b"".join(lines)
