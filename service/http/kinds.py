"""The types of problems that there are: an address, a status and a title each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

REFUSED: Final = "refused"


class Kind(Struct, frozen=True):
    """A type of problem: the status it comes with, its title, and what to do about it."""

    status: int
    title: str
    advice: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed": Kind(
        400,
        "The request is malformed",
        "Body, path, query or headers are not as the operation describes them. `errors` names each parameter at fault, "
        "of a body the first member: where it stands (`in`), its `name`, and what is wrong. Of a parameter `code` is "
        "`invalid_parameter` (wrong type, out of range, not for this request), `unknown_parameter`, "
        "`missing_parameter` or `repeated_parameter`. Of a body it is `malformed`: bodies are JSON without duplicate "
        "members, floats or unknown members.",
    ),
    "unauthenticated": Kind(
        401, "A valid token is needed", "Send `Authorization: Bearer gsh_…` with a token that is not revoked."
    ),
    "forbidden": Kind(403, "The caller may not do this", "`code` says what the token or the account lacks."),
    "not_found": Kind(
        404,
        "There is nothing here",
        "The address is wrong, or it is about something that the caller may not know of. The answer is the same.",
    ),
    "method_not_allowed": Kind(405, "This address knows other methods", "The `Allow` header lists them."),
    "not_acceptable": Kind(406, "There is no such representation", "`Accept` names none that the operation offers."),
    "conflict": Kind(409, "The request does not fit the state of things", "`code` says what stands against it."),
    "version_mismatch": Kind(
        412,
        "The game moved on",
        "`If-Match` names another version than the current one, which is `game_version`; `etag` is what to send next. "
        "`missed` holds the entries in between, as the caller may see them.",
    ),
    "body_too_large": Kind(413, "The body is too large", "No body may be larger than 64 KiB."),
    "unsupported_media_type": Kind(
        415, "The body is of an unknown type", "Send `Content-Type: application/json`, without `Content-Encoding`."
    ),
    "unprocessable": Kind(422, "The request cannot be done", "`code` says why."),
    REFUSED: Kind(
        422,
        "The rules refuse this",
        "`rule` is the rule's id in the register of the ruleset and `code` the reason in one stable word. The status "
        "is 409 where the game stands elsewhere than the request assumes (somebody else was quicker), 403 where the "
        "caller is no player of the game, 400 where the command itself makes no sense, else 422. `errors` names the "
        "member of the command that is at fault, where it is one. Nothing has happened.",
    ),
    "too_many_requests": Kind(429, "Too many requests", "Wait for as many seconds as `Retry-After` says."),
    "internal": Kind(
        500, "Something went wrong here", "Not your fault. `instance` finds the failure in the operator's log."
    ),
    "unavailable": Kind(503, "Not just now", "Wait for as many seconds as `Retry-After` says, and ask again."),
}
"""By the last part of the type's address, `/problems/<name>`."""
