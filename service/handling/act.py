"""One command to one game: decided on the state in memory, appended if the log stands there, answered from the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.codec import OutsideProfile
from events.entry import Entry
from events.sealing import write
from events.words import Command, Event
from projections.game import AnyGame
from projections.redact import SeenEntry, see
from rules.decide import Decision, decide
from rules.refusal import RuleViolation
from service.auth.caller import Caller
from service.failures import (
    Conflict,
    Damaged,
    Failure,
    IdempotencyMismatch,
    Malformed,
    Refused,
    Unavailable,
    VersionMismatch,
)
from service.handling.access import reading_as, require_game, require_readable, require_readable_beside_the_log
from service.handling.answer import Accepted, answer_to
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.version import etag_of, seq_of
from service.store.protocol import (
    FINGERPRINT_BYTES,
    Appended,
    Changes,
    Duplicate,
    InvitationSpent,
    Move,
    MovedOn,
    Player,
    Row,
)

ATTEMPTS: Final = 4
"""The first, and three more where others were quicker."""

MOST_MISSED: Final = 100

AS_IN_THE_LOG: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""A UUID as it is written there."""

_is_as_in_the_log: Final = re.compile(rf"{AS_IN_THE_LOG}\Z").match

_fingerprints = msgspec.json.Encoder(order="sorted")


class Plan(Struct, frozen=True):
    """A command as it is to be decided, by whom, and what changes beside the log with it."""

    actor: str
    command: Command
    changes: Changes = Changes()


Planner = Callable[[Hot, Sequence[Player]], Plan]
"""From the game and who sits at it to a plan; raises `Failure` or `RuleViolation` where there can be none."""


class Wish(Struct, frozen=True, kw_only=True):
    """What a caller wants done to a game. `said` is the request as it tells itself from other requests.

    `admitted`: the caller holds an invitation, and may know of a private game.
    """

    caller: Caller
    key: str
    said: dict[str, Any]
    plan: Planner
    if_match: str | None = None
    admitted: bool = False

    @property
    def fingerprint(self) -> bytes:
        """What the same request always has, and no other."""
        return fingerprint_of(self.caller.account, self.said)


class _Prepared(Struct, frozen=True):
    """An entry that could follow, and the game after it."""

    move: Move
    game: AnyGame
    events: tuple[Event, ...]
    changes: Changes


class _Elsewhere(Exception):
    """The game does not stand where `If-Match` says, as far as is known here."""


def fingerprint_of(account: str | None, said: dict[str, Any]) -> bytes:
    """The fingerprint of a request by its account and what it says."""
    return sha256(_fingerprints.encode({"account": account, "said": said})).digest()[:FINGERPRINT_BYTES]


def read_key(key: str) -> str:
    """An idempotency key as it stands in the log. Raises `Malformed`."""
    if _is_as_in_the_log(key):
        return key
    try:
        return str(UUID(key))
    except ValueError as error:
        raise Malformed("malformed", "Idempotency-Key is a UUID.") from error


async def act(desk: Desk, game: str, wish: Wish) -> Accepted:
    """Do it once, however often it is asked for. Raises `Failure` or `Refused`; then nothing has happened."""
    require_game(wish.caller, game)
    try:
        hot = await desk.games.get(game)
        async with hot.lock:
            row, new = await settle(desk, hot, wish)
    except Damaged:
        if not wish.admitted:
            await require_readable_beside_the_log(desk, wish.caller, game)
        raise
    except RuleViolation:
        desk.commands[hot.row.ruleset, "refused"] += 1
        raise
    desk.commands[hot.row.ruleset, "accepted" if new else "repeated"] += 1
    if new:
        desk.games.snapshot(hot)
        desk.tell(game, row.seq)
    elif row.fingerprint != wish.fingerprint:
        raise IdempotencyMismatch
    return answer_to(row, desk.sign)


async def settle(desk: Desk, hot: Hot, wish: Wish) -> tuple[Row, bool]:
    """The entry of the wish, and whether it is a new one. Whoever asks holds the lock, or is a part of who does."""
    if desk.games.moved_on(hot):
        await desk.games.catch_up(hot)
    for _ in range(ATTEMPTS):
        try:
            prepared = await _prepare(desk, hot, wish)
            outcome = await desk.games.append(hot, prepared.move, prepared.changes)
        except (RuleViolation, Failure, InvitationSpent, _Elsewhere) as refusal:
            # Most often another worker has moved the game; else this is a retry of what was done already.
            if await desk.games.refresh(hot):
                continue
            row = await desk.store.row_of(hot.id, wish.key)
            if row is None:
                raise await _told(desk, hot, wish, refusal) from refusal
            return row, False
        match outcome:
            case Appended():
                return _kept(hot, prepared), True
            case Duplicate(row):
                return row, False
            case MovedOn():
                await desk.games.refresh(hot)
    raise Unavailable("busy", "Others keep moving this game; ask again.")


async def _prepare(desk: Desk, hot: Hot, wish: Wish) -> _Prepared:
    secret = await hot.secret(desk.store)
    players = await hot.players(desk.store)
    # From here on nothing waits: game, head and players belong together.
    if not wish.admitted:
        require_readable(hot, wish.caller, players)
    if wish.if_match not in (None, hot.etag):
        raise _Elsewhere
    plan = wish.plan(hot, players)
    decision = decide(hot.game, plan.command, plan.actor, hot.book, secret)
    return _written(desk, hot, wish, plan, decision)


def _written(desk: Desk, hot: Hot, wish: Wish, plan: Plan, decision: Decision) -> _Prepared:
    before = hot.game
    seq, at = before.version + 1, max(desk.clock(), before.at)
    entry: Entry[Command, Event] = Entry(hot.id, seq, at, plan.actor, plan.command, decision.events)
    try:
        written = write(entry, hot.head, desk.salt, decision.shown)
    except OutsideProfile as error:
        raise Malformed("malformed", f"The command cannot be written down: {error}.") from error
    after = replace(decision.game, version=seq, at=at)
    changes = plan.changes if after.status == before.status else replace(plan.changes, status=after.status)
    move = Move(
        game=hot.id,
        seq=seq,
        command_id=wish.key,
        fingerprint=wish.fingerprint,
        prev=hot.head,
        hash=written.hash,
        body=written.body,
        sealed=written.sealed,
    )
    return _Prepared(move, after, decision.events, changes)


def _kept(hot: Hot, prepared: _Prepared) -> Row:
    move = prepared.move
    # A reader may have met the entry in the log before we heard that it is there.
    if hot.version == move.seq - 1:
        hot.advance(prepared.game, move.hash, prepared.events)
    return Row(move.seq, move.command_id, move.fingerprint, move.hash, move.body, move.sealed)


async def _told(desk: Desk, hot: Hot, wish: Wish, refusal: Exception) -> Exception:
    """The refusal as the caller is told of it."""
    match refusal:
        case RuleViolation():
            waiting = hot.game.waiting
            return Refused(refusal, hot.version, None if waiting is None else waiting.decision)
        case InvitationSpent():
            return Conflict("invitation_spent", "The invitation was used or revoked.")
        case _Elsewhere():
            assert wish.if_match is not None
            return await _mismatch(desk, hot, wish.caller, wish.if_match)
        case _:
            return refusal


async def _mismatch(desk: Desk, hot: Hot, caller: Caller, if_match: str) -> VersionMismatch:
    """The current version, and what came after the one named, if there ever was such a one."""
    players = await hot.players(desk.store)
    game, head = hot.game, hot.head
    viewer = reading_as(game, caller, players, None)
    since = seq_of(if_match)
    missed: tuple[SeenEntry, ...] = ()
    if since is not None and since < game.version:
        named, *later = await desk.store.rows(hot.id, since - 1, MOST_MISSED + 1)
        if etag_of(since, named.hash) == if_match:
            missed = tuple(see(row.body, row.hash, row.sealed, viewer, ended=game.ended) for row in later)
    return VersionMismatch(game.version, etag_of(game.version, head), missed)
