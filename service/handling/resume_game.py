"""An operator lets a suspended game go on, or suspends one."""

from __future__ import annotations

from collections.abc import Sequence

from events.table import ResumeGame, SuspendGame
from service.auth.caller import Caller
from service.handling.access import account_of
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import Player


async def resume_game(desk: Desk, caller: Caller, game: str, key: str, reason: str) -> Accepted:
    """It goes on as the log stands. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "admin")
    key = read_key(key)

    def plan(_hot: Hot, _players: Sequence[Player]) -> Plan:
        return Plan("organizer", ResumeGame(reason, id=key))

    return await act(desk, game, Wish(caller=caller, key=key, said={"do": "resume", "reason": reason}, plan=plan))


async def suspend_game(desk: Desk, caller: Caller, game: str, key: str, reason: str) -> Accepted:
    """Nobody moves until it is resumed. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "admin")
    key = read_key(key)

    def plan(_hot: Hot, _players: Sequence[Player]) -> Plan:
        return Plan("organizer", SuspendGame(reason, id=key))

    return await act(desk, game, Wish(caller=caller, key=key, said={"do": "suspend", "reason": reason}, plan=plan))
