"""The host starts the game, or ends it without a result."""

from __future__ import annotations

from collections.abc import Sequence

from events.table import AbortGame, StartGame
from service.auth.caller import Caller
from service.failures import Forbidden
from service.handling.access import require_host
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import Player


async def start_game(desk: Desk, caller: Caller, game: str, key: str, *, if_match: str | None = None) -> Accepted:
    """Play begins. Raises `Failure`, or `Refused` by the rules."""
    key = read_key(key)

    def plan(hot: Hot, _players: Sequence[Player]) -> Plan:
        require_host(hot, caller)
        return Plan("host", StartGame(id=key))

    return await act(desk, game, Wish(caller=caller, key=key, said={"do": "start"}, plan=plan, if_match=if_match))


async def abort_game(desk: Desk, caller: Caller, game: str, key: str, *, if_match: str | None = None) -> Accepted:
    """The game ends without a result. Raises `Failure`, or `Refused` by the rules.

    A host who plays may do so before the start only, or whoever loses would.
    """
    key = read_key(key)

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        account = require_host(hot, caller)
        if hot.game.status == "running" and any(player.account == account for player in players):
            raise Forbidden("host_plays", "A host who plays cannot abort the running game; resign instead.")
        return Plan("host", AbortGame("host", id=key))

    return await act(desk, game, Wish(caller=caller, key=key, said={"do": "abort"}, plan=plan, if_match=if_match))
