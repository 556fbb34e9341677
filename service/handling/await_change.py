"""Wait for a game to change, instead of asking again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from service.auth.caller import Caller
from service.handling.access import acting_seat, readable, seats_of
from service.handling.desk import Desk
from service.handling.hot import Hot

Known = Callable[[str], bool]
"""Whether the caller has this version already."""


async def await_version(desk: Desk, caller: Caller, game: str, known: Known, *, seconds: float) -> None:
    """Until the game stands at a version that the caller has not, at most so long. Raises `Failure`."""

    async def ready(hot: Hot) -> bool:
        return not known(hot.etag)

    await _until(desk, await readable(desk, caller, game), ready, seconds)


async def await_question(
    desk: Desk, caller: Caller, game: str, known: Known, *, seat: int | None, seconds: float
) -> None:
    """Until something is asked of the caller's seat at a version that the caller has not, or the game has ended; at
    most so long. Raises `Failure`.
    """

    async def ready(hot: Hot) -> bool:
        players = await hot.players(desk.store)
        if known(hot.etag):
            return False
        held = seats_of(caller, players)
        return hot.game.ended or (bool(held) and acting_seat(caller, players, seat) in hot.game.awaited)

    await _until(desk, await readable(desk, caller, game), ready, seconds)


async def _until(desk: Desk, hot: Hot, ready: Callable[[Hot], Awaitable[bool]], seconds: float) -> None:
    if await ready(hot):
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    with desk.live.watch(hot.id, hot.version) as watched:
        while not desk.live.closing and loop.time() < until:
            await watched.beyond(hot.version, until - loop.time())
            hot = await desk.games.get(hot.id)
            if await ready(hot):
                return
