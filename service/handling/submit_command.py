"""A player moves, or resigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.table import Resign
from service.auth.caller import Caller
from service.handling.access import account_of, acting_seat
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.words import read_command
from service.store.protocol import Player


async def submit_command(
    desk: Desk,
    caller: Caller,
    game: str,
    key: str,
    command: Mapping[str, Any],
    *,
    seat: int | None = None,
    if_match: str | None = None,
) -> Accepted:
    """The command of a seat. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "play")
    key = read_key(key)

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        acting = acting_seat(caller, players, seat)
        return Plan(f"seat:{acting}", read_command(hot.ruleset, command, key))

    said = {"do": "command", "seat": seat, "command": command}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan, if_match=if_match))


async def resign(
    desk: Desk, caller: Caller, game: str, key: str, *, seat: int | None = None, if_match: str | None = None
) -> Accepted:
    """A seat leaves a running game for good. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "play")
    key = read_key(key)

    def plan(_hot: Hot, players: Sequence[Player]) -> Plan:
        return Plan(f"seat:{acting_seat(caller, players, seat)}", Resign(id=key))

    said = {"do": "resign", "seat": seat}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan, if_match=if_match))
