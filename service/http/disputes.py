"""When something is wrong: dispute it, look into it, settle it; suspend a game and let it go on."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET, Meta, Struct, UnsetType

from events.table import Standing, Verdict
from events.words import Seat
from projections.game import Dispute
from service.auth.accounts import Appointment
from service.handling import disputes
from service.handling.resume_game import resume_game as resume
from service.handling.resume_game import suspend_game as suspend
from service.http.accounts import Label, TokenMade, token_shown
from service.http.done import Done, done
from service.http.entries import Moment, moment
from service.http.identity import BEARER, NEEDS, OPEN, Asker
from service.http.play import ForSeat
from service.http.shapes import BODY, GameId, IdempotencyKey, fails, json_answer

TAG = ["disputes"]

Number = Annotated[int, PathParameter(description="The dispute's number in its game, from 1.", ge=1, le=2**31 - 1)]
Reason = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]{0,63}(?![\s\S])", description="One stable word; it stands in the log.")
]
Seq = Annotated[int, Meta(ge=1, le=2**53 - 1)]


class NewDispute(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong with the entries `first` to `last`. The statement is in the claimant's own words: sealed to the
    table and the auditor, and it can be erased.
    """

    reason: Reason
    first: Seq
    last: Seq
    statement: Annotated[str, Meta(max_length=4000)] = ""


class DisputeShown(Struct, frozen=True, kw_only=True):
    """A dispute. `filed` and `settled` are the entries in which that happened."""

    dispute: int
    seat: Seat
    reason: str
    first: int
    last: int
    filed: int
    state: Literal["open", "settled"]
    verdict: Verdict | None
    verdict_reason: str | None
    settled: int | None


class ReadShown(Struct, frozen=True):
    """Somebody read the whole game, hidden facts included, up to a version. `by` is the label of their token."""

    at: Moment
    by: str
    version: int


class DisputeTold(DisputeShown, frozen=True, kw_only=True):
    """A dispute with its statement, null where the caller may not read it or it was erased, and who has looked into it:
    told to those who take part.
    """

    statement: str | None
    reads: tuple[ReadShown, ...]


class Disputes(Struct, frozen=True):
    """The disputes of a game, by number."""

    disputes: tuple[DisputeShown, ...]


class Called(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is called to the dispute, and for how long. The players see the label when an auditor reads."""

    label: Label
    hours: Annotated[int, Meta(ge=1, le=720)] = 72


class NewVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """How it ends. `result` goes with `corrected`, and with nothing else."""

    verdict: Verdict
    reason: Reason
    result: Standing | UnsetType = UNSET


class Because(Struct, frozen=True, forbid_unknown_fields=True):
    """Why."""

    reason: Reason


@post(
    "/v1/games/{game:uuid}/disputes",
    operation_id="file_dispute",
    summary="Say that something is wrong",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, 422, 503, *BODY),
)
async def file_dispute(
    *,
    game: GameId,
    data: JSONBody[NewDispute],
    key: IdempotencyKey,
    caller: Asker,
    state: State,
    seat: ForSeat = None,
) -> Response[Done]:
    """By whoever holds a seat, while the game is played or after it. Where the game's policy says so, it is suspended
    until the dispute is settled.
    """
    claim = disputes.Claim(reason=data.reason, first=data.first, last=data.last, statement=data.statement)
    return done(await disputes.file_dispute(state.desk, caller, str(game), str(key), claim, seat=seat), status=201)


@get(
    "/v1/games/{game:uuid}/disputes",
    operation_id="list_disputes",
    summary="What was disputed?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404),
)
async def list_disputes(game: GameId, caller: Asker, state: State) -> Response[Disputes]:
    """Open and settled ones."""
    found = await disputes.list_disputes(state.desk, caller, str(game))
    return json_answer(Disputes(tuple(DisputeShown(**_members(n, one)) for n, one in enumerate(found, 1))))


@get(
    "/v1/games/{game:uuid}/disputes/{number:int}",
    operation_id="get_dispute",
    summary="What is it about, and who has looked into it?",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 404),
)
async def get_dispute(game: GameId, number: Number, caller: Asker, state: State) -> Response[DisputeTold]:
    """Every time that somebody read the game's hidden facts for it is told to the players."""
    found = await disputes.read_dispute(state.desk, caller, str(game), number)
    reads = tuple(ReadShown(moment(read.at), read.label, read.version) for read in found.reads)
    told = DisputeTold(**_members(found.number, found.dispute), statement=found.statement, reads=reads)
    return json_answer(told)


@post(
    "/v1/games/{game:uuid}/disputes/{number:int}/auditors",
    operation_id="create_auditor",
    summary="Let somebody look into it",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, *BODY),
)
async def create_auditor(
    game: GameId, number: Number, data: JSONBody[Called], caller: Asker, state: State
) -> Response[TokenMade]:
    """By an arbiter who has no seat in the game. The token exports this game `as=auditor`, hidden facts included, until
    it expires or the dispute is settled, and is good for nothing else. It is shown once.
    """
    appointment = Appointment(str(game), number, data.label, data.hours)
    made = await disputes.allow_auditor(state.desk, caller, str(game), appointment)
    return json_answer(TokenMade(made.secret, token_shown(made.token)), status=201)


@post(
    "/v1/games/{game:uuid}/disputes/{number:int}/arbiters",
    operation_id="create_arbiter",
    summary="Let somebody settle it",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 404, 409, *BODY),
)
async def create_arbiter(
    game: GameId, number: Number, data: JSONBody[Called], caller: Asker, state: State
) -> Response[TokenMade]:
    """By the host, if the host has no seat in the game, or an administrator. The token settles this dispute, until it
    expires, and is good for nothing else. It is shown once.
    """
    appointment = Appointment(str(game), number, data.label, data.hours)
    made = await disputes.name_arbiter(state.desk, caller, str(game), appointment)
    return json_answer(TokenMade(made.secret, token_shown(made.token)), status=201)


@post(
    "/v1/games/{game:uuid}/disputes/{number:int}/verdict",
    operation_id="give_verdict",
    summary="Settle it",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422, 503, *BODY),
)
async def give_verdict(
    *, game: GameId, number: Number, data: JSONBody[NewVerdict], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """By an arbiter (scope `arbitrate`) who has no seat in the game. Dismissed: nothing changes. Corrected: a finished
    game has another result. Annulled: the game does not count. A game that was suspended for it goes on.
    """
    ruling = disputes.Ruling(number, data.verdict, data.reason, data.result)
    return done(await disputes.give_verdict(state.desk, caller, str(game), str(key), ruling))


@post(
    "/v1/games/{game:uuid}/suspend",
    operation_id="suspend_game",
    summary="Let nobody move for now",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422, 503, *BODY),
)
async def suspend_game(
    game: GameId, data: JSONBody[Because], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """By an administrator. The service itself does so where an entry that it signed is not in the log any more."""
    return done(await suspend(state.desk, caller, str(game), str(key), data.reason))


@post(
    "/v1/games/{game:uuid}/resume",
    operation_id="resume_game",
    summary="Let a suspended game go on",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    status_code=200,
    responses=fails(401, 403, 404, 409, 422, 503, *BODY),
)
async def resume_game(
    game: GameId, data: JSONBody[Because], key: IdempotencyKey, caller: Asker, state: State
) -> Response[Done]:
    """By an administrator: as the log stands, with the question that was open."""
    return done(await resume(state.desk, caller, str(game), str(key), data.reason))


def _members(number: int, dispute: Dispute) -> dict[str, Any]:
    return {
        "dispute": number,
        "seat": dispute.seat,
        "reason": dispute.reason,
        "first": dispute.first,
        "last": dispute.last,
        "filed": dispute.filed,
        "state": "open" if dispute.verdict is None else "settled",
        "verdict": dispute.verdict,
        "verdict_reason": dispute.verdict_reason,
        "settled": dispute.settled,
    }


ROUTES = [
    file_dispute,
    list_disputes,
    get_dispute,
    create_auditor,
    create_arbiter,
    give_verdict,
    suspend_game,
    resume_game,
]
