"""Everything that concerns the caller, over all games."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import QueryParameter
from msgspec import Meta, Struct

from service.auth.accounts import caller_of
from service.handling.read_news import NewsReading, await_news, follow_news, news_pieces, read_news
from service.http.identity import BEARER, NEEDS, Asker
from service.http.problems import bad_parameter
from service.http.shapes import FROM_ZERO, PageSize, Wait, fails, json_answer, link
from service.http.streams import FORMS, SSE, Follow, LastEvent, NewsShown, Streaming, held, kind_wanted, news_shown

TAG = ["feed"]

AfterNews = Annotated[
    int | None,
    QueryParameter(
        required=False,
        ge=0,
        le=2**53 - 1,
        schema_extra=FROM_ZERO,
        description="News after this position. Left out: a page begins with the first news there ever were, a stream "
        "with what comes from now on.",
    ),
]


class NewsListed(Struct, frozen=True):
    """News in order. `position` is the next `after`; `next` is the address of news that are there already."""

    news: tuple[NewsShown, ...]
    position: Annotated[int, Meta(description="Where to go on from.")]
    next: str | None


@get(
    "/v1/feed",
    operation_id="get_feed",
    summary="What concerns me?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 406),
)
async def get_feed(
    *,
    request: Request[Any, Any, Any],
    caller: Asker,
    state: State,
    after: AfterNews = None,
    limit: PageSize = 100,
    follow: Follow = False,
    last_event: LastEvent = None,
    wait: Wait = 0,
) -> Response[NewsListed]:
    """Your move, started, finished and whatever else happens at the caller's tables: a page, with `wait` as soon as
    there are any; as `text/event-stream`, or with `follow=true`, a stream without an end. A token for one game, or one
    seat, hears of that alone.
    """
    kind = kind_wanted(request, follow=follow)
    if kind == SSE or follow:
        if wait:
            raise bad_parameter("invalid", "query", "wait", "a stream does not wait")
        reading = NewsReading(
            caller=caller,
            after=after if last_event is None else int(last_event),
            form=FORMS[kind],
            still=partial(caller_of, state.desk.tokens, request.headers.get("authorization")),
            beat=state.settings.stream_beat,
        )
        position = await follow_news(state.desk, reading)
        pieces = partial(news_pieces, state.desk, reading, position)
        return Streaming(state.gate, pieces, media_type=kind, patience=state.settings.stream_patience)
    if last_event is not None:
        raise bad_parameter("invalid", "header", "Last-Event-ID", "for streams")
    start = after or 0
    if wait:
        await held(request, await_news(state.desk, caller, after=start, seconds=wait))
    page = await read_news(state.desk, caller, after=start, limit=limit)
    news = tuple(map(news_shown, page.news))
    following = f"/v1/feed?after={page.position}&limit={limit}" if page.more else None
    headers = {"vary": "Authorization, Accept", **link([] if following is None else [("next", following)])}
    return json_answer(NewsListed(news, page.position, following), headers=headers)


ROUTES = [get_feed]
