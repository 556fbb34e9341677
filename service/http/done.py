"""How an accepted command is told: always from the stored entry, so that a retry is told the very same."""

from __future__ import annotations

from typing import Annotated, Any, cast

from litestar import Response
from msgspec import Meta, Struct

from service.handling.answer import Accepted
from service.handling.version import etag_of
from service.http.answers import Answer, Ready, answer, encode
from service.http.entries import Moment, moment


class Done(Struct, frozen=True):
    """An accepted command: one entry of the game's log."""

    game: str
    version: Annotated[int, Meta(description="The entry's `seq`: the game's version from now on.")]
    etag: Annotated[str, Meta(description="The version's name, for `If-Match` and `If-None-Match`.")]
    head: Annotated[str, Meta(description="The entry's hash, 64 hex digits.")]
    at: Moment
    actor: str
    command_id: Annotated[str, Meta(description="The Idempotency-Key.")]
    events: Annotated[
        tuple[dict[str, Any], ...],
        Meta(description="What happened, as the sender may see it. What is sealed is a digest in `_sd`."),
    ]
    receipt: Annotated[str, Meta(description="A signed note over the head: proof that the entry was accepted.")]


def told(accepted: Accepted) -> Done:
    """An accepted command as it is told."""
    return Done(
        game=accepted.game,
        version=accepted.version,
        etag=etag_of(accepted.version, accepted.head),
        head=accepted.head,
        at=moment(accepted.at),
        actor=accepted.actor,
        command_id=accepted.command_id,
        events=cast("Any", accepted.written),
        receipt=accepted.receipt,
    )


def done(accepted: Accepted, *, status: int = 200, location: str | None = None) -> Response[Any]:
    """The answer to an accepted command, on its way through the framework."""
    return Ready(done_answer(accepted, status=status, location=location))


def done_answer(accepted: Accepted, *, status: int = 200, location: str | None = None) -> Answer:
    """The answer to an accepted command."""
    shown = told(accepted)
    headers = None if location is None else {"location": location}
    return answer(encode(shown), status=status, etag=shown.etag, headers=headers, kept=False)
