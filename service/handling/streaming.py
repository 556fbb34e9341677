"""What all streams share: the last word, who reads along, and what becomes of a failure under way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol

from msgspec import Meta, Struct

from service.auth.caller import Caller
from service.failures import Failure
from service.store.protocol import StoreUnavailable

Still = Callable[[], Awaitable[Caller]]
"""Who the reader is now. Raises `Failure` where the reader is nobody any more."""


class End(Struct, frozen=True):
    """The last word of a stream: why it ends, and the place to go on from."""

    reason: Annotated[
        str,
        Meta(
            description="`finished`: the game is over, and all of it was sent. `closing`: the server stops; connect "
            "again. `unavailable`: the log does not answer; connect again a little later. `log_changed`: a backup was "
            "restored; read from the start. Anything else is the `code` of the problem that a new request would meet."
        ),
    ]
    last: Annotated[int, Meta(description="What was sent last: `after`, or `Last-Event-ID`, of the next request.")]


class Reader(Protocol):
    """One reader's place in a stream: `position` is what it was told last."""

    position: int

    async def next(self) -> bytes | End:
        """The next piece, as soon as there is one. Raises `Failure` where the reader may read no further."""
        ...


async def next_of(reader: Reader) -> bytes | End:
    """The next piece, as soon as there is one; the last word too where something stands against reading on."""
    try:
        return await reader.next()
    except Failure as failure:
        return End(failure.code, reader.position)
    except StoreUnavailable:
        return End("unavailable", reader.position)


class Welcome:
    """The reader, asked for again once per beat: a token that was revoked or has expired ends its streams."""

    def __init__(self, caller: Caller, still: Still, beat: float) -> None:
        self.caller, self._still, self._beat = caller, still, beat
        self._asked_at = asyncio.get_running_loop().time()

    async def renew(self) -> None:
        """Ask, where it is time. Raises what `still` raises."""
        now = asyncio.get_running_loop().time()
        if now - self._asked_at >= self._beat:
            self._asked_at = now
            self.caller = await self._still()
