"""How clients name a version of a game: `<seq>-<first 16 hex of the head's hash>`."""

from __future__ import annotations

import re

_ETAG = re.compile(r"(?P<seq>[1-9][0-9]{0,15})-[0-9a-f]{16}\Z")


def etag_of(seq: int, head: str) -> str:
    """The version's name, without the quotes that HTTP puts around it."""
    return f"{seq}-{head[:16]}"


def seq_of(etag: str) -> int | None:
    """The position that a version's name speaks of; None where it is no such name."""
    found = _ETAG.match(etag)
    return int(found["seq"]) if found else None
