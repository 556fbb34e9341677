"""What a viewer reads of an entry: the stored body, opened with the disclosures that the viewer is served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from events.chain import GENESIS, digest_of
from events.entry import Entry
from events.export import SPECTATOR, disclosed
from events.opening import open_object, read_body
from events.sealing import Salts, write


def numbered_salts() -> Salts:
    """Salts that a golden file may rely on: 0, 1, 2 and so on."""
    numbers = count()
    return lambda: next(numbers).to_bytes(16, "big")


def viewer_name(seat: int | None) -> str:
    """A viewer as exports name it."""
    return SPECTATOR if seat is None else f"seat:{seat}"


def seen_by(
    entry: Entry[Any, Any], shown: Mapping[str, Sequence[int]], seat: int | None, *, ended: bool
) -> list[dict[str, Any]]:
    """The command and the events of an entry as a viewer reads them; what stays sealed is missing."""
    written = write(entry, GENESIS, numbered_salts(), shown)
    texts = {digest_of(text): text for text in disclosed(written.sealed, viewer_name(seat), ended=ended)}
    body = read_body(written.body)
    opened = (open_object(word, texts)[0] for word in (body.command, *body.events))
    return [{name: value for name, value in word.items() if name != "_sd"} for word in opened]
