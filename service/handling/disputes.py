"""A seat says that something is wrong; an auditor looks; an arbiter settles it. What counts is in the log."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from events.table import FileDispute, GiveVerdict, Standing, Verdict
from projections.game import Dispute
from projections.redact import see
from service.auth.accounts import Appointment, Shown, appoint
from service.auth.caller import Caller
from service.failures import Conflict, Forbidden, NotFound
from service.handling.access import (
    account_of,
    acting_seat,
    has_scope,
    judge_of,
    readable,
    reading_as,
    require_host,
    require_no_player,
    takes_part,
)
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import DisputeRead, Player


class Claim(Struct, frozen=True, kw_only=True):
    """What a seat says is wrong. The statement is for the table and the auditor, in the claimant's own words."""

    reason: str
    first: int
    last: int
    statement: str = ""


class SeenDispute(Struct, frozen=True):
    """A dispute as the caller may see it. `statement` None: not theirs to read, or erased."""

    number: int
    dispute: Dispute
    statement: str | None
    reads: tuple[DisputeRead, ...]


class Ruling(Struct, frozen=True):
    """What an arbiter decides about a dispute."""

    dispute: int
    verdict: Verdict
    reason: str
    result: Standing | UnsetType = UNSET


async def file_dispute(
    desk: Desk, caller: Caller, game: str, key: str, claim: Claim, *, seat: int | None = None
) -> Accepted:
    """By whoever holds a seat, during the game or after it. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "play")
    key = read_key(key)

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        acting = acting_seat(caller, players, seat)
        suspend = hot.row.on_dispute == "suspend"
        command = FileDispute(claim.reason, claim.first, claim.last, claim.statement, suspend, id=key)
        return Plan(f"seat:{acting}", command)

    said = {"do": "dispute", "seat": seat, "claim": claim}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan))


async def give_verdict(desk: Desk, caller: Caller, game: str, key: str, ruling: Ruling) -> Accepted:
    """By an arbiter who has no seat in the game. Raises `Failure`, or `Refused` by the rules."""
    account_of(caller, "arbitrate")
    key = read_key(key)

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        judge_of(hot, caller, players, ruling.dispute)
        return Plan("arbiter", GiveVerdict(ruling.dispute, ruling.verdict, ruling.reason, ruling.result, id=key))

    said = {"do": "verdict", "ruling": ruling}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan))


async def list_disputes(desk: Desk, caller: Caller, game: str) -> tuple[Dispute, ...]:
    """The disputes of a game, by number from 1. Raises `Failure`."""
    return (await readable(desk, caller, game)).game.disputes


async def read_dispute(desk: Desk, caller: Caller, game: str, number: int) -> SeenDispute:
    """One dispute. Who read the game for it is for those who take part and arbiters. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    dispute = _dispute_of(hot, number)
    viewer = reading_as(hot.game, caller, players, None)
    (row,) = await desk.store.rows(hot.id, dispute.filed - 1, 1)
    statement = see(row.body, row.hash, row.sealed, viewer, ended=hot.game.ended).command.get("statement")
    concerned = caller.account is not None and takes_part(hot, caller.account, players)
    reads = await desk.store.reads(hot.id, number) if concerned or has_scope(caller, "arbitrate") else []
    return SeenDispute(number, dispute, statement, tuple(reads))


async def allow_auditor(desk: Desk, caller: Caller, game: str, appointment: Appointment) -> Shown:
    """A token for somebody who is to find out: for one open dispute, for some hours. Raises `Failure`.

    By an arbiter of the service's own; one who was called to this dispute by the host does not open hidden facts.
    """
    account_of(caller, "arbitrate")
    hot = await _with_open(desk, caller, game, appointment.dispute)
    if caller.dispute is not None:
        raise Forbidden("missing_scope", "An arbiter for one dispute lets nobody look into it.", scope="arbitrate")
    account = judge_of(hot, caller, await hot.players(desk.store), appointment.dispute)
    return await appoint(desk.store, account, appointment, "audit")


async def name_arbiter(desk: Desk, caller: Caller, game: str, appointment: Appointment) -> Shown:
    """A token for somebody who is to settle one open dispute. By the host who has no seat in the game, or by an
    administrator. Raises `Failure`.
    """
    account_of(caller, "organize")
    hot = await _with_open(desk, caller, game, appointment.dispute)
    account = require_host(hot, caller)
    require_no_player(account, await hot.players(desk.store))
    return await appoint(desk.store, account, appointment, "arbitrate")


async def _with_open(desk: Desk, caller: Caller, game: str, number: int) -> Hot:
    """The game, if this dispute of it is open."""
    hot = await readable(desk, caller, game)
    if _dispute_of(hot, number).verdict is not None:
        raise Conflict("dispute_settled", "The dispute is settled.")
    return hot


def _dispute_of(hot: Hot, number: int) -> Dispute:
    if not 1 <= number <= len(hot.game.disputes):
        raise NotFound("no_such_dispute", "The game has no such dispute.")
    return hot.game.disputes[number - 1]
