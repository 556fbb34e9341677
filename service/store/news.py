"""What concerns an account: which words of an entry are news, and to whom. Nothing in it is hidden from anybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec
from msgspec import Raw, Struct

YOUR_MOVE: Final = "your_move"

_COMMANDS: Final = {"start_game": "started"}
"""What a game says when it starts is its own, but what starts it is not."""

_EVENTS: Final = {
    "seat_taken": "joined",
    "seat_left": "left",
    "seat_resigned": "resigned",
    "decision_expired": "expired",
    "game_finished": "finished",
    "game_aborted": "aborted",
    "game_suspended": "suspended",
    "game_resumed": "resumed",
    "dispute_filed": "disputed",
    "verdict_given": "judged",
    "result_corrected": "corrected",
    "game_annulled": "annulled",
}

WORDS: Final = (YOUR_MOVE, *_COMMANDS.values(), *_EVENTS.values())
"""Every word that news may say."""


class Told(Struct, frozen=True):
    """What an entry tells: `what` to the whole table and the host, and a question to the seats in `asked`."""

    what: tuple[str, ...]
    asked: tuple[int, ...]


class News(Struct, frozen=True):
    """An entry that concerns an account, at its place in the feed. `seats` are those of its own that are asked."""

    pos: int
    game: str
    seq: int
    at: int
    what: tuple[str, ...]
    seats: tuple[int, ...]


class NewsStore(Protocol):
    """Where news are read."""

    async def news(self, account: str, after: int, limit: int, game: str | None = None) -> list[News]:
        """At most `limit` news of the account after a position, ascending; of one game alone, if it is named."""
        ...

    async def newest(self, accounts: Sequence[str]) -> dict[str, int]:
        """The positions of these accounts' last news; those without any are left out."""
        ...


class _Word(Struct):
    type: str
    steps: Raw = Raw(b"[]")


class _Heard(Struct):
    """What of an entry is read here; every entry of every game is."""

    seq: int
    at: int
    command: _Word
    events: tuple[_Word, ...]


class _Step(Struct):
    awaits: tuple[int, ...] = ()
    decision: int = 0


_bodies = msgspec.json.Decoder(_Heard)
_stacks = msgspec.json.Decoder(tuple[_Step, ...])


def told_by(body: bytes) -> tuple[int, Told]:
    """When an entry was made, and what it tells. Raises `msgspec.DecodeError` for what is no entry."""
    read = _bodies.decode(body)
    said = [_EVENTS[event.type] for event in read.events if event.type in _EVENTS]
    if read.command.type in _COMMANDS:
        said.insert(0, _COMMANDS[read.command.type])
    what = tuple(dict.fromkeys(said))
    last = read.events[-1]
    if last.type != "awaiting":
        return read.at, Told(what, ())
    question = _stacks.decode(last.steps)[0]
    # A question is named after the entry that opened it: whoever was asked before is not told again.
    return read.at, Told(what, question.awaits if question.decision == read.seq else ())
