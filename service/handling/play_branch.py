"""A move in a copy of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from events.words import Command, Event
from projections.chance import KeyedChance
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.table import Secret
from service.auth.caller import Caller
from service.failures import Conflict, IdempotencyMismatch, Refused, Unavailable
from service.handling.act import ATTEMPTS, read_key
from service.handling.branch_copies import BranchMove, OpenCopy, acting_in, open_copy, owner_of
from service.handling.desk import Desk
from service.handling.words import read_command
from service.store.protocol import BranchRow

MOST_MOVES: Final = 1000


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
    owner_of(caller)
    key = read_key(key)
    for _ in range(ATTEMPTS):
        found = await open_copy(desk, caller, game, branch)
        if (before := _moved_before(found, key, command, seat)) is not None:
            return before
        row, move = _moved(found, key, command, seat)
        if await desk.store.move_branch(row, found.row.version):
            return move
    raise Unavailable("busy", "This copy keeps being moved elsewhere; ask again.")


def _moved_before(found: OpenCopy, key: str, command: Mapping[str, Any], seat: int | None) -> BranchMove | None:
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


def _moved(found: OpenCopy, key: str, command: Mapping[str, Any], seat: int | None) -> tuple[BranchRow, BranchMove]:
    copy, state = found.copy, found.state
    if len(copy.moves) >= MOST_MOVES:
        raise Conflict("branch_full", f"A copy takes {MOST_MOVES} moves; make another one.")
    actor, said = f"seat:{acting_in(state, seat)}", read_command(found.ruleset, command, key)
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
