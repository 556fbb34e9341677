"""Failures as exceptions: one class per type of problem, with the members of the answer (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from gusher_client.model import Entry

T = TypeVar("T")


class GusherError(Exception):
    """Anything that this client raises of itself."""


class Unreachable(GusherError):
    """No answer came, however often the request was sent: whether it was done is not known.

    The same call with the same `key` asks again without doing it twice.
    """


class Problem(GusherError):
    """The service answered that it did not do it. Decide by `code`, show `detail` to people."""

    def __init__(self, members: Mapping[str, Any], status: int) -> None:
        self.members = dict(members)
        self.status = status
        self.type = str(members.get("type", "about:blank"))
        self.title = str(members.get("title", "The service answered with a failure"))
        self.detail = str(members.get("detail", ""))
        self.code = str(members.get("code", status))
        super().__init__(f"{self.title}: {self.detail} ({self.code})" if self.detail else f"{self.title} ({self.code})")

    @property
    def rule(self) -> str | None:
        """Of a refused move: the rule's id in the register of the ruleset."""
        return _optional(self.members.get("rule"), str)

    @property
    def game_version(self) -> int | None:
        """Where the game stands."""
        return _optional(self.members.get("game_version"), int)

    @property
    def decision(self) -> int | None:
        """The id of the question that is open now."""
        return _optional(self.members.get("decision"), int)

    @property
    def instance(self) -> str | None:
        """Names this very failure in the operator's log."""
        return _optional(self.members.get("instance"), str)


class Malformed(Problem):
    """400, 406, 413, 415: the request itself is wrong."""


class Unauthenticated(Problem):
    """401: no token, or one that is not good."""


class Forbidden(Problem):
    """403: a good token that may not do this."""


class NotFound(Problem):
    """404: no such thing, as far as the caller may know."""


class Conflict(Problem):
    """409: the game, or the thing, stands elsewhere than the request assumes. Look again."""


class VersionMismatch(Problem):
    """412: the game has moved on since the version in `if_match`; `missed` is what happened since."""

    @property
    def etag(self) -> str:
        """What to send next."""
        return str(self.members["etag"])

    @property
    def missed(self) -> tuple[Entry, ...]:
        """The entries in between, as the caller may see them."""
        return msgspec.convert(self.members["missed"], tuple[Entry, ...])


class Unprocessable(Problem):
    """422: it cannot be done wherever the game stands, or the key was used for another request."""


class Refused(Problem):
    """The rules refuse the move, and `rule` names the rule. Nothing has happened."""


class RefusedNow(Refused, Conflict):
    """The rules refuse the move as the game stands now: somebody else was quicker, say. Look again."""


class TooManyRequests(Problem):
    """429: `retry_after` seconds from now."""


class ServerFault(Problem):
    """5xx: not the caller's fault."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: VersionMismatch,
    422: Unprocessable,
    429: TooManyRequests,
}
_REFUSED = "/problems/refused"
_CONFLICT = 409
_FAULTS_FROM = 500


def problem_of(status: int, content: bytes) -> Problem:
    """The exception for an answer that is a failure, whoever made it: a proxy in between knows no problem details."""
    try:
        members = msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.DecodeError:
        members = {}
    if str(members.get("type", "")).endswith(_REFUSED):
        return RefusedNow(members, status) if status == _CONFLICT else Refused(members, status)
    fallback = ServerFault if status >= _FAULTS_FROM else Malformed
    return _BY_STATUS.get(status, fallback)(members, status)


def _optional(value: Any, kind: type[T]) -> T | None:
    return value if isinstance(value, kind) else None
