"""A seat is given up before the start, by who holds it or by the host."""

from __future__ import annotations

from collections.abc import Sequence

from events.table import LeaveSeat
from service.auth.caller import Caller
from service.failures import Forbidden
from service.handling.access import account_of, require_host, seats_of
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import Changes, Player


async def leave_seat(desk: Desk, caller: Caller, game: str, key: str, seat: int) -> Accepted:
    """The seat is free again. Raises `Failure`, or `Refused` by the rules."""
    key = read_key(key)

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        return Plan(_actor(hot, caller, players, seat), LeaveSeat(seat, id=key), Changes(vacated=seat))

    said = {"do": "leave_seat", "seat": seat}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan))


def _actor(hot: Hot, caller: Caller, players: Sequence[Player], seat: int) -> str:
    if seat in seats_of(caller, players):
        account_of(caller, "play")
        return f"seat:{seat}"
    try:
        require_host(hot, caller)
    except Forbidden as error:
        raise Forbidden("not_your_seat", "The caller does not hold this seat.", seat=seat) from error
    return "host"
