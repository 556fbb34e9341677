"""Entries and moments as they are told over HTTP: RFC 3339, where a log body has milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Final

from msgspec import Meta, Raw, Struct

from projections.redact import SeenEntry

Moment = Annotated[
    str,
    Meta(description="RFC 3339, with offset.", extra_json_schema={"format": "date-time"}),
]


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(since_1970: int) -> str:
    """Milliseconds since 1970 in RFC 3339."""
    second, more = divmod(since_1970, 1000)
    return f"{_second(second)}.{more:03}Z"


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970. Raises `OverflowError` for what `moment` could not tell: an offset can lead out of the
    years that there are.
    """
    return (at.astimezone(UTC) - _EPOCH) // timedelta(milliseconds=1)


@lru_cache(maxsize=8)
def _second(seconds: int) -> str:
    """What moments of one second have in common: most answers tell of this one."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")


class EntryShown(Struct, frozen=True):
    """One accepted move as the caller may see it. In `command` and `events` what is disclosed is in its place, and what
    stays sealed is a digest in `_sd`.
    """

    seq: int
    hash: Annotated[str, Meta(description="SHA-256 of the tag and the body, 64 hex digits.")]
    at: Moment
    actor: str
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    body: Annotated[Raw, Meta(description="The object that was hashed: here it stands in the very bytes.")]
    disclosures: Annotated[tuple[str, ...], Meta(description="What opens the sealed fields that the caller may read.")]


def shown(entry: SeenEntry) -> EntryShown:
    """An entry as it is told over HTTP."""
    return EntryShown(
        entry.seq, entry.hash, moment(entry.at), entry.actor, entry.command, entry.events, entry.body, entry.disclosures
    )
