"""What can keep a request from being done, beside the rules of the game. HTTP turns each into a problem.

`code` is one stable word; the message is for people; `facts` are further public members of the problem.
"""

from __future__ import annotations

from typing import ClassVar

from projections.redact import SeenEntry
from rules.refusal import RuleViolation
from service.faults import Fault


class Failure(Exception):
    """A request that is not done. Nothing has happened."""

    status: ClassVar[int] = 400

    def __init__(self, code: str, message: str, **facts: object) -> None:
        super().__init__(message)
        self.code, self.message, self.facts = code, message, facts


class Malformed(Failure):
    """The request says something that cannot be meant."""

    status = 400


def bad_query(name: str, detail: str) -> Malformed:
    """A query parameter that has the right type and cannot be meant."""
    return Malformed("invalid_parameter", f"query: {name}: {detail}", errors=(Fault("query", name, detail),))


class Unauthenticated(Failure):
    """The request needs an account."""

    status = 401


class Forbidden(Failure):
    """The caller may not do this."""

    status = 403


class NotFound(Failure):
    """There is no such thing, or the caller may not know of it."""

    status = 404


class Conflict(Failure):
    """The request does not fit what is the case now."""

    status = 409


class IdempotencyMismatch(Failure):
    """The idempotency key was used for another request."""

    status = 422

    def __init__(self) -> None:
        super().__init__("idempotency_mismatch", "This Idempotency-Key was used for a different request.")


class VersionMismatch(Failure):
    """The game does not stand where `If-Match` says. `missed` is what came after it, as the caller may see it."""

    status = 412

    def __init__(self, version: int, etag: str, missed: tuple[SeenEntry, ...]) -> None:
        super().__init__("version_mismatch", "The game stands at another version than If-Match names.")
        self.version, self.etag, self.missed = version, etag, missed


class Unavailable(Failure):
    """The request may well be done a little later. `retry_after` is in seconds."""

    status = 503

    def __init__(self, code: str, message: str, retry_after: int = 1) -> None:
        super().__init__(code, message)
        self.retry_after = retry_after


class Damaged(Failure):
    """The game's log is not what it must be: it stands still until an operator has looked."""

    status = 500


class Refused(RuleViolation):
    """What the rules refuse, with where the game stands: its version, and the question that is open, if any."""

    def __init__(self, violation: RuleViolation, version: int, decision: int | None) -> None:
        super().__init__(violation.rule, violation.reason, field=violation.field, **violation.facts)
        self.version, self.decision = version, decision
