"""What concerns the caller, over all games: in pages, and as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from service.auth.caller import Caller
from service.failures import Unauthenticated
from service.handling.desk import Desk
from service.handling.live_news import Followed, news_after
from service.handling.streaming import End, Still, Welcome, next_of
from service.store.news import YOUR_MOVE, News

AT_ONCE = 100
"""News read at a time for a stream."""


class NewsPage(Struct, frozen=True):
    """News in order. `position` is where to go on from, `more` whether there are more already."""

    news: tuple[News, ...]
    position: int
    more: bool


class NewsForm(Protocol):
    """How news are written down."""

    def news(self, news: News) -> bytes: ...

    def beat(self) -> bytes: ...

    def end(self, end: End) -> bytes: ...


class NewsReading(Struct, frozen=True, kw_only=True):
    """What a reader wants: news after a position (None: from now on), and how; `still` and `beat` as for a log."""

    caller: Caller
    after: int | None
    form: NewsForm
    still: Still
    beat: float


async def read_news(desk: Desk, caller: Caller, *, after: int = 0, limit: int = 100) -> NewsPage:
    """The news after a position. Raises `Failure`."""
    return await _page(desk, caller, after, limit)


async def await_news(desk: Desk, caller: Caller, *, after: int, seconds: float) -> None:
    """Until there are news after a position, at most so long. Raises `Failure`."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    with desk.live_news.follow(_account(caller)) as followed:
        while not desk.live_news.closing and loop.time() < until:
            moment = followed.moment()
            if (await _page(desk, caller, after, 1)).position > after:
                return
            await news_after(moment, until - loop.time())


async def follow_news(desk: Desk, reading: NewsReading) -> int:
    """The position that the stream begins after. Raises `Failure`."""
    account = _account(reading.caller)
    if reading.after is not None:
        return reading.after
    return (await desk.store.newest([account])).get(account, 0)


async def news_pieces(desk: Desk, reading: NewsReading, position: int) -> AsyncGenerator[bytes]:
    """The stream, piece by piece; the last one says why it ends and where to go on."""
    with desk.live_news.follow(_account(reading.caller)) as followed:
        reader = _Reader(desk, reading, followed, position)
        while True:
            piece = await next_of(reader)
            if isinstance(piece, End):
                yield reading.form.end(piece)
                return
            yield piece


class _Reader:
    """One reader's place in the news of one account."""

    def __init__(self, desk: Desk, reading: NewsReading, followed: Followed, position: int) -> None:
        self._desk, self._reading, self._followed, self.position = desk, reading, followed, position
        self._welcome = Welcome(reading.caller, reading.still, reading.beat)

    async def next(self) -> bytes | End:
        """The next piece, as soon as there is one. Raises `Failure` where the reader may read no further."""
        if self._desk.live_news.closing:
            return End("closing", self.position)
        await self._welcome.renew()
        moment = self._followed.moment()
        page = await _page(self._desk, self._welcome.caller, self.position, AT_ONCE)
        moved = page.position > self.position
        self.position = page.position
        if moved:
            return b"".join(map(self._reading.form.news, page.news))
        came = await news_after(moment, self._reading.beat)
        return b"" if came else self._reading.form.beat()


async def _page(desk: Desk, caller: Caller, after: int, limit: int) -> NewsPage:
    found = await desk.store.news(_account(caller), after, limit + 1, caller.game)
    news = found[:limit]
    shown = [narrowed for one in news if (narrowed := _narrowed(one, caller)) is not None]
    return NewsPage(tuple(shown), news[-1].pos if news else after, len(found) > limit)


def _narrowed(news: News, caller: Caller) -> News | None:
    """The news as a token for one seat may know them: a question to another seat of the account is not its own."""
    if caller.seat is None or not news.seats or caller.seat in news.seats:
        return news if caller.seat is None else replace(news, seats=tuple(s for s in news.seats if s == caller.seat))
    what = tuple(word for word in news.what if word != YOUR_MOVE)
    return replace(news, what=what, seats=()) if what else None


def _account(caller: Caller) -> str:
    if caller.account is None:
        raise Unauthenticated("unauthenticated", "This needs a token.")
    return caller.account
