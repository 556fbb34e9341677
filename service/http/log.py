"""What happened, entry by entry, and the proof that it did."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, Final, cast

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from litestar.response import Stream
from msgspec import Struct

from audit import Report
from service.auth.accounts import caller_of
from service.auth.caller import Caller
from service.handling.desk import Desk
from service.handling.export_log import export_log as export
from service.handling.follow_log import Reading, follow_log, pieces
from service.handling.read_log import LogPage, read_head, read_log
from service.http.entries import EntryShown, shown
from service.http.identity import OPEN, Asker
from service.http.problems import bad_parameter
from service.http.shapes import (
    FROM_ZERO,
    Eyes,
    GameId,
    IfNoneMatch,
    fails,
    json_answer,
    link,
    over,
    unchanged,
    versioned,
)
from service.http.streams import FORMS, JSONL, SSE, Follow, LastEvent, Streaming, kind_wanted
from service.http.strict import none_match, viewer_named

TAG = ["log"]
_CHUNK: Final = 200

After = Annotated[
    int | None,
    QueryParameter(
        required=False,
        ge=0,
        schema_extra=FROM_ZERO,
        le=2**53 - 1,
        description="Entries after this `seq`: a client that has up to 7 asks for `after=7`.",
    ),
]
Most = Annotated[
    int | None,
    QueryParameter(
        required=False,
        ge=1,
        le=_CHUNK,
        description="At most so many entries: 100 in a page, all of them in NDJSON where it is left out.",
    ),
]
StateFirst = Annotated[
    bool,
    QueryParameter(
        name="state",
        description="Of a stream: first the state as of `after`, or as of now, then the entries that follow it.",
    ),
]


class Entries(Struct, frozen=True):
    """Entries in order, and the version that the game stands at. `next` is the address of those that follow, if any."""

    entries: tuple[EntryShown, ...]
    version: int
    next: str | None


class SignedHead(Struct, frozen=True):
    """Where the log stands, signed. Whoever keeps the note can prove a lost or rewritten entry."""

    game: str
    version: int
    head: str
    note: str


@get(
    "/v1/games/{game:uuid}/log",
    operation_id="get_log",
    summary="What has happened, and what happens?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404, 406, 409) | unchanged() | over(),
)
async def get_log(
    *,
    request: Request[Any, Any, Any],
    game: GameId,
    caller: Asker,
    state: State,
    after: After = None,
    limit: Most = None,
    eyes: Eyes = None,
    follow: Follow = False,
    state_first: StateFirst = False,
    last_event: LastEvent = None,
    known: IfNoneMatch = None,
) -> Response[Entries]:
    """A page of JSON; with `Accept: application/x-ndjson` an entry a line, up to the version of now; as
    `text/event-stream`, or with `follow=true`, a stream that goes on until the game has ended. Docs: Streams.
    """
    kind = kind_wanted(request, follow=follow)
    viewer = viewer_named(eyes)
    if kind == SSE or follow:
        if limit is not None:
            raise bad_parameter("invalid", "query", "limit", "a stream has no limit")
        reading = Reading(
            caller=caller,
            game=str(game),
            viewer=viewer,
            after=after if last_event is None else int(last_event),
            state=state_first and last_event is None,
            form=FORMS[kind],
            still=partial(caller_of, state.desk.tokens, request.headers.get("authorization")),
            beat=state.settings.stream_beat,
        )
        return await _stream(state, reading, kind)
    if state_first:
        raise bad_parameter("invalid", "query", "state", "for streams")
    if last_event is not None:
        raise bad_parameter("invalid", "header", "Last-Event-ID", "for streams")
    size = limit or (100 if kind == "application/json" else _CHUNK)
    page = await read_log(state.desk, caller, str(game), viewer=viewer, after=after or 0, limit=size)
    if kind == "application/json":
        return _page(page, str(game), eyes, limit, known)
    if none_match(known, page.etag):
        return versioned(b"", page.etag, known)
    headers = {"etag": f'"{page.etag}"', "cache-control": "private, no-cache", "vary": "Authorization, Accept"}
    lines = _lines(state.desk, caller, str(game), viewer, page, whole=limit is None)
    return cast("Response[Entries]", Stream(lines, media_type=kind, headers=headers))


async def _stream(state: State, reading: Reading, kind: str) -> Response[Any]:
    begun = await follow_log(state.desk, reading)
    if begun is None:
        return Response(b"", status_code=204, media_type=kind, headers={"cache-control": "no-store"})
    patience = state.settings.stream_patience
    return Streaming(state.gate, partial(pieces, state.desk, begun), media_type=kind, patience=patience)


def _page(page: LogPage, game: str, eyes: str | None, limit: int | None, known: str | None) -> Response[Any]:
    following = None
    if page.more and page.entries:
        more = "".join(f"&{name}={value}" for name, value in (("limit", limit), ("as", eyes)) if value is not None)
        following = f"/v1/games/{game}/log?after={page.entries[-1].seq}{more}"
    told = Entries(tuple(map(shown, page.entries)), page.version, following)
    headers = {"vary": "Authorization, Accept", **link([] if following is None else [("next", following)])}
    return versioned(told, page.etag, known, headers)


async def _lines(
    desk: Desk, caller: Caller, game: str, viewer: str | int | None, page: LogPage, *, whole: bool
) -> AsyncIterator[bytes]:
    """The page, and where the whole log is wanted the later ones up to the version of the first."""
    last = page.version
    while page.entries:
        yield b"".join(msgspec.json.encode(shown(entry)) + b"\n" for entry in page.entries)
        seq = page.entries[-1].seq
        if not whole or seq >= last:
            return
        page = await read_log(desk, caller, game, viewer=viewer, after=seq, limit=min(_CHUNK, last - seq))


@get(
    "/v1/games/{game:uuid}/export",
    operation_id="export_log",
    summary="Take the whole log home",
    tags=TAG,
    security=OPEN,
    media_type=JSONL,
    responses=fails(401, 403, 404)
    | unchanged()
    | {200: ResponseSpec(str, media_type=JSONL, description="The log file, `gusher-log/1`.", generate_examples=False)},
)
async def export_log(
    game: GameId, caller: Asker, state: State, eyes: Eyes = None, known: IfNoneMatch = None
) -> Response[str]:
    """The file that verifies offline, redacted for whoever asks: `gusher audit FILE`. `Repr-Digest` is of its bytes."""
    file = await export(state.desk, caller, str(game), viewer=viewer_named(eyes))
    if none_match(known, file.etag):
        return versioned(b"", file.etag, known)
    content = b"".join([piece async for piece in file.pieces])
    digest = b64encode(sha256(content).digest()).decode()
    headers = {
        "etag": f'"{file.etag}"',
        "cache-control": "private, no-cache",
        "vary": "Authorization",
        "repr-digest": f"sha-256=:{digest}:",
        "content-disposition": f'attachment; filename="{file.name}"',
    }
    body: Any = content
    return Response(body, media_type=JSONL, headers=headers)


@get(
    "/v1/games/{game:uuid}/audit",
    operation_id="audit_log",
    summary="Is everything in order?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404, 409, 503) | unchanged(),
)
async def audit_log(
    *,
    game: GameId,
    caller: Asker,
    request: Request[Any, Any, Any],
    state: State,
    eyes: Eyes = None,
    known: IfNoneMatch = None,
) -> Response[Report]:
    """The eight checks over the export of whoever asks, run here; the report that `gusher audit --json` gives. It is
    for a quick look: who does not trust this service takes the log home and checks it there.
    """
    file = await export(state.desk, caller, str(game), viewer=viewer_named(eyes))
    if none_match(known, file.etag):
        return versioned(b"", file.etag, known)
    await state.gate.spend_besides(request, "audits", state.gate.limits.audits)
    report = await state.desk.auditing.audit(file.pieces, name=file.name, entries=file.version)
    return json_answer(report, etag=file.etag)


@get(
    "/v1/games/{game:uuid}/head",
    operation_id="get_head",
    summary="Where does the log stand?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404) | unchanged(),
)
async def get_head(game: GameId, caller: Asker, state: State, known: IfNoneMatch = None) -> Response[SignedHead]:
    """The signed head: keep it, and nobody can shorten or rewrite the log without you being able to prove it."""
    head = await read_head(state.desk, caller, str(game))
    return versioned(SignedHead(head.game, head.version, head.head, head.note), head.etag, known)


ROUTES = [get_log, export_log, audit_log, get_head]
