"""A copy of a game as it is kept, opened for its owner."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from events.export import SPECTATOR
from projections.game import AnyGame
from projections.redact import Viewer, viewer_of
from rules.ruleset import Ruleset
from service.auth.caller import Caller
from service.failures import Forbidden, NotFound, Unauthenticated
from service.handling.access import require_game
from service.handling.desk import Desk
from service.store.protocol import BranchRow
from service.store.snapshots import folding_fingerprint

Hidden = Literal["true", "redrawn"]


class BranchMove(Struct, frozen=True):
    """What was played in a copy: an entry without a chain. Nothing is sealed, for its owner has every seat."""

    seq: int
    actor: str
    command: dict[str, Any]
    events: list[dict[str, Any]]


class Copy(Struct, frozen=True, array_like=True):
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


class OpenCopy(Struct, frozen=True):
    """A copy with its rules, and the state that it stands at."""

    row: BranchRow
    copy: Copy
    ruleset: Ruleset
    state: AnyGame


def owner_of(caller: Caller) -> str:
    """The account that a copy belongs to. Raises `Failure`."""
    if caller.account is None:
        raise Unauthenticated("unauthenticated", "This needs a token.")
    if caller.read_only:
        raise Forbidden("read_only", "This token may only read.")
    return caller.account


async def kept_copy(desk: Desk, caller: Caller, game: str, branch: str) -> BranchRow:
    """What is kept of a copy, for its owner. Raises `Failure`."""
    require_game(caller, game)
    row = await desk.store.branch(game, branch, desk.clock())
    if row is None or row.owner != caller.account:
        raise NotFound("no_such_branch", "There is no such copy, or it has expired.")
    return row


async def open_copy(desk: Desk, caller: Caller, game: str, branch: str) -> OpenCopy:
    """The copy. With a token for one seat, or for a dispute, none that knows what other eyes see."""
    found = opened(desk, await kept_copy(desk, caller, game, branch))
    narrow = caller.seat is not None or caller.dispute is not None
    if narrow and found.copy.viewer not in (SPECTATOR, viewer_of(caller.seat)):
        raise NotFound("no_such_branch", "There is no such copy, or it has expired.")
    return found


def opened(desk: Desk, row: BranchRow) -> OpenCopy:
    """The copy, where this release can play on with it. Raises `NotFound`."""
    copy = msgspec.msgpack.decode(row.content, type=Copy)
    ruleset = desk.rulesets.get(copy.ruleset)
    pinned = None if ruleset is None else ruleset.of_version(copy.rules_version)
    if pinned is None or copy.folding != folding_fingerprint():
        raise NotFound("no_such_branch", "The copy was made by another release of the service.")
    return OpenCopy(row, copy, pinned, msgspec.msgpack.decode(copy.game, type=pinned.projection.game))


def seat_in(state: AnyGame, seat: int) -> int:
    """A seat of the copy. Raises `NotFound`."""
    if seat >= len(state.seats):
        raise NotFound("no_such_seat", "The game has no such seat.")
    return seat


def acting_in(state: AnyGame, seat: int | None) -> int:
    """The seat that is meant: the one named, or the first that is awaited (seat 0 where none is)."""
    if seat is not None:
        return seat_in(state, seat)
    return state.awaited[0] if state.awaited else 0
