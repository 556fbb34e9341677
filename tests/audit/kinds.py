"""What a planted fault is, and the good log that it is planted in."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tests.audit.logs import finished, running
from tests.toy.book import WILDCAT

LOG = finished(WILDCAT, number=3, seats=3)
FILE = LOG.export()
LAST = len(LOG.rows)
RUNNING = running(WILDCAT, 3, 3)


class Named(Struct, frozen=True, omit_defaults=True):
    """The finding that is due: the check, its code, and as much of the place as is certain."""

    check: int
    code: str
    line: int | None = None
    seq: int | None = None
    event: int | None = None
    field: str | None = None


class Kind(Struct, frozen=True):
    """A kind of damage. `receipts` and `keys` are what the auditor brings along."""

    name: str
    file: bytes
    due: Named
    of: Literal["format", "rules"] = "format"
    receipts: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
