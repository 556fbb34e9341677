"""Every failure as `application/problem+json` (RFC 9457): one shape, one handler."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal, cast
from uuid import uuid4

from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Meta, Struct

from rules.catalogue import rulesets
from rules.refusal import CONFLICTS, RuleViolation
from service.failures import Failure, Refused, Unauthenticated, Unavailable, VersionMismatch
from service.faults import Fault, Place
from service.http.answers import Answer, Ready, answer, encode
from service.http.entries import EntryShown, shown
from service.http.kinds import KINDS, REFUSED
from service.store.protocol import StoreUnavailable

MEDIA_TYPE: Final = "application/problem+json"

logger = logging.getLogger("service.http")

_BY_STATUS: Final = {kind.status: name for name, kind in KINDS.items() if name != REFUSED}
_STATUS_OF_REASON: Final = {"malformed": 400, "not_a_player": 403}

_NAMES: Final = {
    "key": "Idempotency-Key",
    "if_match": "If-Match",
    "known": "If-None-Match",
    "eyes": "as",
    "last_event": "Last-Event-ID",
    "state_first": "state",
}
"""Parameters that are called otherwise in Python."""

_NO_HOST: Final = "Invalid host header"
_MISSING: Final = re.compile(r"Missing required (?P<place>query|path|header) parameter '(?P<name>[^']+)'")


class ProblemDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457). `code` is one stable word. Further members depend on the type, and on `code`: the
    facts of a refusal (`least` and `most`, say) stand beside it.
    """

    type: Annotated[str, Meta(description="A page that explains this type of problem; stable.")]
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: str
    code: Annotated[str, Meta(description="One stable word.")]
    instance: Annotated[str | None, Meta(description="Names this very failure.")] = None
    rule: Annotated[str | None, Meta(description="Of a refused move: the rule's id in the register.")] = None
    game_version: Annotated[int | None, Meta(description="The game's current version.")] = None
    decision: Annotated[int | None, Meta(description="The id of the question that is open now.")] = None
    errors: Annotated[tuple[Fault, ...], Meta(description="The fields at fault, where there are any.")] = ()
    etag: Annotated[str | None, Meta(description="Where `If-Match` named another version: the current one's.")] = None
    missed: Annotated[tuple[EntryShown, ...], Meta(description="The entries in between, as the caller sees them.")] = ()
    index: Annotated[int | None, Meta(description="Of many tables: the first that is not on offer, from 0.")] = None


class Problem(Exception):
    """A failure on its way out: the members of the answer and its headers."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        code: str | None = None,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = KINDS[kind].status if status is None else status
        self.headers = dict(headers or {})
        self.members = {
            "type": f"/problems/{kind}",
            "title": KINDS[kind].title,
            "status": self.status,
            "detail": detail,
            "code": code or kind,
        }
        self.members.update((name, value) for name, value in (members or {}).items() if name not in self.members)


def malformed(fault: Fault) -> Problem:
    """400: the body is not as the operation describes it."""
    where = f" at {fault.name}" if fault.name else ""
    return Problem("malformed", f"body{where}: {fault.detail}", members={"errors": (fault,)})


How = Literal["invalid", "unknown", "missing", "repeated"]


def bad_parameter(how: How, place: Place, name: str, detail: str) -> Problem:
    """400: a parameter is not as the operation describes it."""
    return _bad_parameters(how, (Fault(place, name, detail),))


def _bad_parameters(how: How, errors: tuple[Fault, ...]) -> Problem:
    detail = "; ".join(f"{one.place}: {one.name}: {one.detail}" for one in errors)
    return Problem("malformed", detail, code=f"{how}_parameter", members={"errors": errors})


def answer_problem(_: Request[Any, Any, Any], raised: Exception) -> Response[Any]:
    """The one exception handler."""
    return Ready(problem_answer(raised))


def problem_answer(raised: Exception) -> Answer:
    """An exception as the caller is told of it."""
    problem = problem_of(raised)
    body = encode(problem.members)
    return answer(body, status=problem.status, headers=problem.headers, kind=MEDIA_TYPE.encode())


def problem_of(raised: Exception) -> Problem:
    """What an exception means to the caller."""
    for kind, translate in _TRANSLATIONS:
        if isinstance(raised, kind):
            return translate(raised)
    return _internal(raised)


def _internal(raised: Exception) -> Problem:
    """A fault of ours: what it was stands in the log."""
    instance = uuid4().urn
    logger.error("%s", instance, exc_info=raised)
    return Problem(
        "internal", "The operator's log has more under the name in `instance`.", members={"instance": instance}
    )


def status_of(reason: str) -> int:
    """The status of a refused move, from the reason's stable word."""
    return 409 if reason in _conflicts() else _STATUS_OF_REASON.get(reason, 422)


@cache
def _conflicts() -> frozenset[str]:
    """A reason means the same in every ruleset."""
    return CONFLICTS.union(*(ruleset.conflicts for ruleset in rulesets().values()))


def _of_refusal(raised: RuleViolation) -> Problem:
    words = raised.reason.replace("_", " ")
    members: dict[str, Any] = {"rule": raised.rule, **raised.facts}
    if raised.field is not None:
        members["errors"] = (Fault("body", raised.field, words),)
    if isinstance(raised, Refused):
        members["game_version"] = raised.version
        members.setdefault("decision", raised.decision)
    return Problem(
        REFUSED,
        f"{raised}.",
        code=raised.reason,
        status=status_of(raised.reason),
        members=members,
    )


def _of_mismatch(raised: VersionMismatch) -> Problem:
    return Problem(
        "version_mismatch",
        raised.message,
        headers={"etag": f'"{raised.etag}"'},
        members={"game_version": raised.version, "etag": raised.etag, "missed": tuple(map(shown, raised.missed))},
    )


def _of_failure(raised: Failure) -> Problem:
    headers = {}
    if isinstance(raised, Unauthenticated):
        headers["www-authenticate"] = 'Bearer realm="gusher"'
    if isinstance(raised, Unavailable):
        headers["retry-after"] = str(raised.retry_after)
    kind = _BY_STATUS[raised.status]
    return Problem(kind, raised.message, code=raised.code, headers=headers, members=raised.facts)


def _of_outage(raised: StoreUnavailable) -> Problem:
    # Without the way here: while the database is away there are as many of these as there are requests.
    logger.error("the store is unavailable: %s", raised)
    unsure = (
        "The database does not answer. Whether the request was done is not known: send it again, with the same key."
    )
    return Problem("unavailable", unsure, code="store_unavailable", headers={"retry-after": "1"})


def _of_http(raised: HTTPException) -> Problem:
    kind = _BY_STATUS.get(raised.status_code)
    if kind is None or raised.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _internal(raised)
    if raised.status_code == HTTPStatus.BAD_REQUEST:
        return _of_validation(raised)
    return Problem(kind, _detail_of(raised), headers=_with_head(raised.headers))


def _of_validation(raised: HTTPException) -> Problem:
    """The framework has looked at the parameters: it stops at a missing one, and tells all that are not valid."""
    missing = _MISSING.match(raised.detail)
    if missing is not None:
        place = cast("Place", missing["place"])
        return bad_parameter("missing", place, missing["name"], "it is needed")
    if raised.detail == _NO_HOST:
        return bad_parameter("invalid", "header", "Host", "no host")
    if not isinstance(raised.extra, list) or not raised.extra:
        return malformed(Fault("body", "", raised.detail.partition(" for path ")[0]))
    if any(one.get("key") == "data" for one in raised.extra):
        return malformed(Fault("body", "", "a JSON body is needed"))
    return _bad_parameters("invalid", tuple(map(_fault, raised.extra)))


def allowed(methods: Iterable[str]) -> str:
    """The `Allow` header of these methods: where there is a GET, there is a HEAD (`site.Front`)."""
    found = {*methods, "OPTIONS"}
    return ", ".join(sorted(found | {"HEAD"} if "GET" in found else found))


def _with_head(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Headers of the framework's, `Allow` made complete."""
    found = dict(headers or {})
    if "allow" in found:
        found["allow"] = allowed(found["allow"].split(", "))
    return found


def _detail_of(raised: HTTPException) -> str:
    """Litestar's words, without the address (which may be long)."""
    if raised.status_code == HTTPStatus.NOT_FOUND:
        return "There is nothing at this address; `/docs` lists what there is."
    if raised.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return "The address exists, but not for this method."
    if raised.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return "No body may be larger than 64 KiB."
    return raised.detail.partition(" for path ")[0]


def _fault(one: Mapping[str, Any]) -> Fault:
    name = one["key"]
    return Fault(
        getattr(one["source"], "value", one["source"]), _NAMES.get(name, name), one["message"].replace(" | null`", "`")
    )


_TRANSLATIONS: Final[list[tuple[type[Exception], Callable[[Any], Problem]]]] = [
    (Problem, lambda raised: raised),
    (RuleViolation, _of_refusal),
    (VersionMismatch, _of_mismatch),
    (Failure, _of_failure),
    (StoreUnavailable, _of_outage),
    (HTTPException, _of_http),
]
