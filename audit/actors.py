"""Who may send which command: a seat acts for itself, the clock only expires, the host opens and starts, an arbiter
judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.entry import seat_of
from events.table import (
    AbortGame,
    CreateGame,
    Expire,
    FileDispute,
    GiveVerdict,
    LeaveSeat,
    Resign,
    ResumeGame,
    StartGame,
    SuspendGame,
    TakeSeat,
)
from events.words import Answer, Command

_TABLE_OWNERS: Final = frozenset({"host", "organizer", "system"})
_CLOCKS: Final = frozenset({"clock", "autopilot", "system"})
_OPERATORS: Final = frozenset({"organizer", "arbiter", "system"})

_MAY_SEND: Final[Mapping[type[Command], frozenset[str]]] = {
    CreateGame: _TABLE_OWNERS,
    StartGame: _TABLE_OWNERS,
    TakeSeat: _TABLE_OWNERS,
    LeaveSeat: _TABLE_OWNERS,
    AbortGame: _TABLE_OWNERS | {"arbiter", "clock"},
    Expire: _CLOCKS,
    SuspendGame: _OPERATORS,
    ResumeGame: _OPERATORS,
    GiveVerdict: frozenset({"arbiter"}),
}


def may_send(actor: str, command: Command) -> bool:
    """Whether this actor may send this command; whether the rules accept it is another question."""
    seat, owners = seat_of(actor), _MAY_SEND.get(type(command))
    if owners is None:
        return seat is not None or (actor in _TABLE_OWNERS and not isinstance(command, Resign | Answer | FileDispute))
    if seat is not None and isinstance(command, TakeSeat | LeaveSeat):
        return command.seat == seat
    return actor in owners
