"""What if? A copy of a game from one of its versions, to play on with: its owner has every seat.

Hidden facts are the true ones for an auditor. For everybody else they are drawn anew, consistently with what the seat
that asks (or a spectator) could know at that version. A copy expires, and can touch nothing of the game it is of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw, Struct, to_builtins
from msgspec.structs import replace

from events.entry import seat_of
from events.export import AUDITOR, SPECTATOR
from events.seals import Sealed
from events.words import Command, Event
from projections.chance import Draw, KeyedChance, game_key
from projections.game import AnyGame, Status
from projections.knowledge import known_words
from projections.redact import Viewer, viewer_of
from projections.view import GameView, QuestionView, question_of
from rules.choices import Option
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset, options_for
from rules.table import Secret
from service.handling.access import readable, reading_as, require_game
from service.handling.act import ATTEMPTS, fingerprint_of, read_key
from service.handling.caller import Caller
from service.handling.desk import Desk
from service.handling.failures import (
    Conflict,
    Forbidden,
    IdempotencyMismatch,
    NotFound,
    Refused,
    Unauthenticated,
    Unavailable,
)
from service.handling.hot import Hot
from service.handling.read_view import view_for
from service.handling.words import read_command
from service.store.protocol import BranchRow
from service.store.snapshots import folding_fingerprint

DAYS: Final = 7
"""So long a copy is kept."""

MOST: Final = 20
"""So many copies one account may have; a further one takes the place of the oldest."""

MOST_MOVES: Final = 1000

_PAGE: Final = 200
_MILLISECONDS_A_DAY: Final = 86_400_000

Hidden = Literal["true", "redrawn"]


class BranchMove(Struct, frozen=True):
    """What was played in a copy: an entry without a chain. Nothing is sealed, for its owner has every seat."""

    seq: int
    actor: str
    command: dict[str, Any]
    events: list[dict[str, Any]]


class _Copy(Struct, frozen=True, array_like=True):
    """A copy as it is kept. `key` is what its chance comes from, `folding` the code whose state `game` is."""

    folding: bytes
    ruleset: str
    from_version: int
    from_head: str
    viewer: Viewer
    hidden: Hidden
    key: bytes
    server_seed: str
    rules_version: int
    game: Raw
    moves: list[BranchMove]


class Branch(Struct, frozen=True):
    """A copy, and where it stands."""

    branch: str
    game: str
    ruleset: str
    from_version: int
    from_head: str
    viewer: Viewer
    hidden: Hidden
    version: int
    status: Status
    question: QuestionView | None
    created_at: int
    expires_at: int


class BranchOptions(Struct, frozen=True):
    """What is asked of a seat of the copy."""

    version: int
    seat: int
    decision_id: int | None
    options: tuple[Option, ...]


class _Open(Struct, frozen=True):
    row: BranchRow
    copy: _Copy
    ruleset: Ruleset
    state: AnyGame


async def make_branch(
    desk: Desk, caller: Caller, game: str, key: str, *, version: int | None = None, viewer: str | int | None = None
) -> Branch:
    """A copy from a version (by default the current one) of what the viewer knows there. Raises `Failure`."""
    owner, key = _owner(caller), read_key(key)
    fingerprint = fingerprint_of(owner, {"do": "branch", "version": version, "viewer": viewer})
    hot = await readable(desk, caller, game)
    kept = await desk.store.branch(game, key, desk.clock())
    if kept is None:
        eyes = reading_as(hot.game, caller, await hot.players(desk.store), viewer)
        copy = await _copied(desk, hot, key, hot.version if version is None else version, eyes)
        now = desk.clock()
        row = BranchRow(
            game=game,
            id=key,
            owner=owner,
            fingerprint=fingerprint,
            created_at=now,
            expires_at=now + DAYS * _MILLISECONDS_A_DAY,
            version=copy.from_version,
            content=msgspec.msgpack.encode(copy),
        )
        kept = await desk.store.add_branch(row, MOST)
    if (kept.owner, kept.fingerprint) != (owner, fingerprint):
        raise IdempotencyMismatch
    return _shown(_opened(desk, kept))


async def read_branch(desk: Desk, caller: Caller, game: str, branch: str) -> Branch:
    """Where the copy stands. Raises `Failure`."""
    return _shown(await _open(desk, caller, game, branch))


async def drop_branch(desk: Desk, caller: Caller, game: str, branch: str) -> None:
    """The copy is gone. Raises `Failure`."""
    await _kept(desk, caller, game, branch)
    await desk.store.drop_branch(game, branch)


async def view_branch(
    desk: Desk, caller: Caller, game: str, branch: str, *, viewer: str | int | None = None
) -> GameView[Any]:
    """The copy with the eyes of any seat, of a spectator, or of whom it was made for. Raises `Failure`."""
    found = await _open(desk, caller, game, branch)
    if viewer is None:
        seat = seat_of(found.copy.viewer)
    else:
        seat = None if viewer in (SPECTATOR, AUDITOR) else _seat(found.state, int(viewer))
    return view_for(found.ruleset, found.state, seat)


async def branch_options(
    desk: Desk, caller: Caller, game: str, branch: str, *, seat: int | None = None
) -> BranchOptions:
    """The options of a seat, by default of the first one awaited. Raises `Failure`."""
    found = await _open(desk, caller, game, branch)
    state = found.state
    asked = _acting(state, seat)
    options = tuple(options_for(state, found.ruleset.book_of(state), asked))
    decision = state.waiting.decision if state.waiting is not None and options else None
    return BranchOptions(state.version, asked, decision, options)


async def play_branch(
    desk: Desk,
    caller: Caller,
    game: str,
    branch: str,
    command: Mapping[str, Any],
    *,
    key: str,
    seat: int | None = None,
) -> BranchMove:
    """A command of any seat, by default of the first one awaited. Raises `Failure`, or `Refused` by the rules."""
    _owner(caller)
    key = read_key(key)
    for _ in range(ATTEMPTS):
        found = await _open(desk, caller, game, branch)
        if (before := _moved_before(found, key, command, seat)) is not None:
            return before
        row, move = _moved(found, key, command, seat)
        if await desk.store.move_branch(row, found.row.version):
            return move
    raise Unavailable("busy", "This copy keeps being moved elsewhere; ask again.")


async def export_branch(desk: Desk, caller: Caller, game: str, branch: str) -> bytes:
    """The copy as lines of JSON. The first one says that this is no log: no auditor takes it for one."""
    found = await _open(desk, caller, game, branch)
    header = {"kind": "branch", "format": "gusher-branch/1", **to_builtins(_shown(found))}
    return b"".join(msgspec.json.encode(one) + b"\n" for one in (header, *found.copy.moves))


def _owner(caller: Caller) -> str:
    """The account that a copy belongs to. Raises `Failure`."""
    if caller.account is None:
        raise Unauthenticated("unauthenticated", "This needs a token.")
    if caller.read_only:
        raise Forbidden("read_only", "This token may only read.")
    return caller.account


async def _copied(desk: Desk, hot: Hot, branch: str, version: int, eyes: Viewer) -> _Copy:
    state = hot.game if version == hot.version else await desk.games.at(hot, version)
    if state.status != "running":
        raise Conflict("not_running", f"At version {version} there is nothing to play.", status=state.status)
    entries, head = await _log(desk, hot.id, version)
    seed = desk.entropy(32)
    if eyes == AUDITOR:
        hidden: Hidden = "true"
        seed = await desk.store.server_seed(hot.id) if hot.game.ended else seed
        key = game_key(hot.id, seed, [seat.client_seed for seat in state.seats])
    else:
        hidden, key = "redrawn", seed
        edition = hot.ruleset.edition(state.edition).edition
        below = Draw(KeyedChance(desk.entropy(32)), "redraw", 0).below
        state = hot.ruleset.redraw(state, seat_of(eyes), known_words(entries, eyes), edition, below)
    return _Copy(
        folding=folding_fingerprint(),
        ruleset=hot.ruleset.name,
        from_version=version,
        from_head=head,
        viewer=eyes,
        hidden=hidden,
        key=key,
        server_seed=seed.hex(),
        rules_version=hot.ruleset.version,
        game=Raw(msgspec.msgpack.encode(replace(state, id=branch))),
        moves=[],
    )


async def _log(desk: Desk, game: str, version: int) -> tuple[list[tuple[bytes, Sequence[Sealed]]], str]:
    entries, head = [], ""
    for after in range(0, version, _PAGE):
        for row in await desk.store.rows(game, after, min(_PAGE, version - after)):
            entries.append((row.body, row.sealed))
            head = row.hash
    return entries, head


async def _kept(desk: Desk, caller: Caller, game: str, branch: str) -> BranchRow:
    require_game(caller, game)
    row = await desk.store.branch(game, branch, desk.clock())
    if row is None or row.owner != caller.account:
        raise NotFound("no_such_branch", "There is no such copy, or it has expired.")
    return row


async def _open(desk: Desk, caller: Caller, game: str, branch: str) -> _Open:
    """The copy. With a token for one seat, or for a dispute, none that knows what other eyes see."""
    found = _opened(desk, await _kept(desk, caller, game, branch))
    narrow = caller.seat is not None or caller.dispute is not None
    if narrow and found.copy.viewer not in (SPECTATOR, viewer_of(caller.seat)):
        raise NotFound("no_such_branch", "There is no such copy, or it has expired.")
    return found


def _opened(desk: Desk, row: BranchRow) -> _Open:
    copy = msgspec.msgpack.decode(row.content, type=_Copy)
    ruleset = desk.rulesets.get(copy.ruleset)
    pinned = None if ruleset is None else ruleset.of_version(copy.rules_version)
    if pinned is None or copy.folding != folding_fingerprint():
        raise NotFound("no_such_branch", "The copy was made by another release of the service.")
    return _Open(row, copy, pinned, msgspec.msgpack.decode(copy.game, type=pinned.projection.game))


def _shown(found: _Open) -> Branch:
    row, copy, state = found.row, found.copy, found.state
    return Branch(
        branch=row.id,
        game=row.game,
        ruleset=copy.ruleset,
        from_version=copy.from_version,
        from_head=copy.from_head,
        viewer=copy.viewer,
        hidden=copy.hidden,
        version=state.version,
        status=state.status,
        question=question_of(state),
        created_at=row.created_at,
        expires_at=row.expires_at,
    )


def _seat(state: AnyGame, seat: int) -> int:
    if seat >= len(state.seats):
        raise NotFound("no_such_seat", "The game has no such seat.")
    return seat


def _acting(state: AnyGame, seat: int | None) -> int:
    """The seat that is meant: the one named, or the first that is awaited (seat 0 where none is)."""
    if seat is not None:
        return _seat(state, seat)
    return state.awaited[0] if state.awaited else 0


def _moved_before(found: _Open, key: str, command: Mapping[str, Any], seat: int | None) -> BranchMove | None:
    """The move that this key has made already. Raises `IdempotencyMismatch` where it was another one."""
    move = next((one for one in found.copy.moves if one.command["id"] == key), None)
    if move is None:
        return None
    same = {name: value for name, value in move.command.items() if name != "id"}
    said = _plain(read_command(found.ruleset, command, key))
    if same != {name: value for name, value in said.items() if name != "id"}:
        raise IdempotencyMismatch
    if seat is not None and move.actor != f"seat:{seat}":
        raise IdempotencyMismatch
    return move


def _moved(found: _Open, key: str, command: Mapping[str, Any], seat: int | None) -> tuple[BranchRow, BranchMove]:
    copy, state = found.copy, found.state
    if len(copy.moves) >= MOST_MOVES:
        raise Conflict("branch_full", f"A copy takes {MOST_MOVES} moves; make another one.")
    actor, said = f"seat:{_acting(state, seat)}", read_command(found.ruleset, command, key)
    secret = Secret(KeyedChance(copy.key), copy.server_seed)
    try:
        decision = decide(state, said, actor, found.ruleset.book_of(state), secret)
    except RuleViolation as error:
        raise Refused(error, state.version, None if state.waiting is None else state.waiting.decision) from error
    after = replace(decision.game, version=state.version + 1)
    move = BranchMove(after.version, actor, _plain(said), [_plain(event) for event in decision.events])
    moved = replace(copy, game=Raw(msgspec.msgpack.encode(after)), moves=[*copy.moves, move])
    return replace(found.row, version=after.version, content=msgspec.msgpack.encode(moved)), move


def _plain(word: Command | Event) -> dict[str, Any]:
    """The word as it comes out of storage again, so that a retry is told the very same."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(word))
    return plain
