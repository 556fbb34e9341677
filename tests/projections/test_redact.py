"""An entry through each pair of eyes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events import chain, codec
from events.seals import Sealed
from projections.redact import see, viewer_of
from tests.sealing import disclose

SALT = b"s" * 16
CARD = disclose(SALT, "card", "c7")
CHAT = disclose(SALT, "words", "hello")
DECK = disclose(SALT, "deck", ["c1", "c2"])
SEALED = (
    Sealed(chain.digest_of(CARD), (0, 2), "g", CARD),
    Sealed(chain.digest_of(CHAT), (1,), "p", CHAT),
    Sealed(chain.digest_of(DECK), (), "g", DECK),
    Sealed("gone", (0, 1, 2), "p", None),
)
EVENTS: list[dict[str, Any]] = [
    {"type": "drawn", "schema": 1, "_sd": sorted([SEALED[0].digest, SEALED[1].digest])},
    {"type": "shuffled", "schema": 1, "_sd": sorted([SEALED[2].digest, "gone"])},
]
BODY = codec.encode(
    {
        "v": 1,
        "game": "g",
        "seq": 3,
        "prev": "0" * 64,
        "at": 5,
        "actor": "seat:0",
        "command": {"id": "i", "type": "draw"},
        "events": EVENTS,
    }
)


@pytest.mark.parametrize(
    ("viewer", "ended", "opened"),
    [
        ("spectator", False, []),
        ("seat:0", False, [CARD]),
        ("seat:1", False, [CHAT]),
        ("seat:2", False, [CARD]),
        ("seat:3", False, []),
        ("spectator", True, [CARD, DECK]),
        ("seat:1", True, [CARD, CHAT, DECK]),
        ("auditor", True, [CARD, CHAT, DECK]),
    ],
)
def test_a_viewer_is_given_the_disclosures_that_are_theirs(viewer: str, ended: bool, opened: list[str]) -> None:  # noqa: FBT001
    seen = see(BODY, "h", SEALED, viewer, ended=ended)
    assert list(seen.disclosures) == opened
    assert bytes(seen.body) == BODY
    shown = [name for event in seen.events for name in event if name in ("card", "words", "deck")]
    assert len(shown) == len(opened)
    closed = [digest for event in seen.events for digest in event.get("_sd", ())]
    assert len(closed) == len(SEALED) - len(opened)


def test_the_body_stands_verbatim_in_the_answer() -> None:
    assert BODY in msgspec.json.encode(see(BODY, "h", SEALED, "spectator", ended=False))


def test_a_seat_is_a_viewer() -> None:
    assert [viewer_of(seat) for seat in (None, 0, 12)] == ["spectator", "seat:0", "seat:12"]
