"""Pieces that many operations share: parameters, answers with a version, pages, what can go wrong."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final
from urllib.parse import urlencode
from uuid import UUID

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from events.export import VIEWER
from service.http import problems
from service.http.answers import Ready, answer, encode, unchanged_answer
from service.http.problems import ProblemDetails, bad_parameter
from service.http.strict import none_match

FROM_ZERO: Final = {"minimum": 0}
"""For `schema_extra`: the framework leaves a limit of 0 out of the document."""

UNCHANGING: Final = {"cache-control": "public, max-age=300"}
"""For what changes with the program only."""

MOST_WAIT: Final = 60

ONE_ETAG: Final = r'^(?:"[!#-~]*"|\*)(?![\s\S])'
"""`If-Match` as it may be: one entity tag that is not weak, or `*`."""
ETAG_LENGTH: Final = 64

GameId = Annotated[UUID, PathParameter(description="The game's id, a UUID.")]
RulesetName = Annotated[str, PathParameter(description="A ruleset's name, as in the list of rulesets.", max_length=64)]

IdempotencyKey = Annotated[
    UUID,
    HeaderParameter(
        name="Idempotency-Key",
        description="A UUID of your making. The same key with the same request gives the first answer again, byte for "
        "byte, for ever; with another request it is refused.",
    ),
]
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        required=False,
        pattern=ONE_ETAG,
        max_length=ETAG_LENGTH,
        description="The `ETag` of the version that the command is meant for. If the game stands elsewhere, the answer "
        "is 412 with what was missed.",
    ),
]
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-None-Match", required=False, description="The `ETag` that the caller has: 304 if current."
    ),
]
Eyes = Annotated[
    str | None,
    QueryParameter(
        name="as",
        required=False,
        pattern=VIEWER,
        description="With whose eyes: `spectator`, `seat:N` for a seat of the caller's, `auditor` with that scope and "
        "once the game has ended. Left out: the caller's own seat, or else a spectator.",
    ),
]
Cursor = Annotated[
    str | None,
    QueryParameter(required=False, max_length=512, description="From the `next` or `previous` of another page."),
]
Wait = Annotated[
    int,
    QueryParameter(
        ge=0,
        le=MOST_WAIT,
        schema_extra=FROM_ZERO,
        description="Seconds to wait for something new before answering. An open request counts as a stream.",
    ),
]
PageSize = Annotated[int, QueryParameter(ge=1, le=200, description="At most so many items.")]

_TELL: Final = {
    400: "Malformed.",
    401: "The token is missing or not good.",
    403: "The caller may not do this.",
    404: "No such thing, as far as the caller may know.",
    406: "No such representation.",
    409: "The game, or the thing, stands elsewhere than the request assumes.",
    412: "The game is at another version than `If-Match` names.",
    413: "The body is larger than 64 KiB.",
    415: "The body is no plain JSON.",
    422: "The rules refuse it, or the Idempotency-Key was used for another request.",
    429: "The budget is spent, or as many streams are open as may be. `Retry-After` says how long to wait.",
    500: "A fault of the server.",
    503: "Not just now.",
}
BODY: Final = (413, 415)


def unchanged() -> dict[int, ResponseSpec]:
    """304, for operations that know `If-None-Match`."""
    return {304: ResponseSpec(None, description="The caller has this version already.", generate_examples=False)}


def over() -> dict[int, ResponseSpec]:
    """204, for a stream that has nothing more to say: an `EventSource` does not come back after it."""
    return {204: ResponseSpec(None, description="The game has ended, and the caller has it all.")}


def fails(*statuses: int) -> dict[int, ResponseSpec]:
    """The problems that an operation may answer with, beside those that every operation may."""
    return {
        status: ResponseSpec(
            ProblemDetails,
            description=_TELL[status],
            media_type=problems.MEDIA_TYPE,
            generate_examples=False,
        )
        for status in sorted({*statuses, 400, 429, 500, 503})
    }


def json_answer(
    value: Any, *, status: int = 200, etag: str | None = None, headers: dict[str, str] | None = None
) -> Response[Any]:
    """A value (or bytes, as they are) as JSON. With a version it may be kept, but not used unasked."""
    body = value if isinstance(value, bytes) else encode(value)
    return Ready(answer(body, status=status, etag=etag, headers=headers))


def versioned(value: Any, etag: str, known: str | None, headers: dict[str, str] | None = None) -> Response[Any]:
    """The answer with its `ETag`, or 304 where the caller has that version."""
    if none_match(known, etag):
        return Ready(unchanged_answer(etag, headers))
    return json_answer(value, etag=etag, headers=headers)


def link(parts: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The `Link` header of `(relation, address)` pairs."""
    return {"link": ", ".join(f'<{address}>; rel="{relation}"' for relation, address in parts)} if parts else {}


def turn(path: str, query: Mapping[str, object], older: str | None, newer: str | None) -> dict[str, str]:
    """The `Link` header of a page of a list: the next and the previous one, asked for in the same way."""
    asked = urlencode({name: value for name, value in query.items() if value is not None})
    cursors = (("next", older), ("previous", newer))
    return link([(relation, f"{path}?{asked}&cursor={cursor}") for relation, cursor in cursors if cursor is not None])


def write_cursor(direction: str, game: str | None) -> str | None:
    """An opaque cursor: from which game on, and in which direction."""
    return None if game is None else urlsafe_b64encode(f"{direction}:{game}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> tuple[str, str | None]:
    """The direction (`after` or `before`) and the game of a cursor. Raises `Problem` (400)."""
    if cursor is None:
        return "after", None
    try:
        direction, _, game = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").partition(":")
    except ValueError as error:
        raise bad_parameter("invalid", "query", "cursor", "not one of this list") from error
    if direction not in ("after", "before"):
        raise bad_parameter("invalid", "query", "cursor", "not one of this list")
    return direction, game
