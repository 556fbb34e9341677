"""What if? A copy of a game from one of its versions, to play on with: its owner has every seat.

A copy expires, and can touch nothing of the game it is of. `make_branch` makes one, `play_branch` moves in it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, to_builtins

from events.entry import seat_of
from events.export import AUDITOR, SPECTATOR
from projections.game import Status
from projections.redact import Viewer
from projections.view import GameView, QuestionView, question_of
from rules.choices import Option
from rules.ruleset import options_for
from service.auth.caller import Caller
from service.handling.branch_copies import Hidden, OpenCopy, acting_in, kept_copy, open_copy, seat_in
from service.handling.desk import Desk
from service.handling.read_view import view_for


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


async def read_branch(desk: Desk, caller: Caller, game: str, branch: str) -> Branch:
    """Where the copy stands. Raises `Failure`."""
    return shown(await open_copy(desk, caller, game, branch))


async def drop_branch(desk: Desk, caller: Caller, game: str, branch: str) -> None:
    """The copy is gone. Raises `Failure`."""
    await kept_copy(desk, caller, game, branch)
    await desk.store.drop_branch(game, branch)


async def view_branch(
    desk: Desk, caller: Caller, game: str, branch: str, *, viewer: str | int | None = None
) -> GameView[Any]:
    """The copy with the eyes of any seat, of a spectator, or of whom it was made for. Raises `Failure`."""
    found = await open_copy(desk, caller, game, branch)
    if viewer is None:
        seat = seat_of(found.copy.viewer)
    else:
        seat = None if viewer in (SPECTATOR, AUDITOR) else seat_in(found.state, int(viewer))
    return view_for(found.ruleset, found.state, seat)


async def branch_options(
    desk: Desk, caller: Caller, game: str, branch: str, *, seat: int | None = None
) -> BranchOptions:
    """The options of a seat, by default of the first one awaited. Raises `Failure`."""
    found = await open_copy(desk, caller, game, branch)
    state = found.state
    asked = acting_in(state, seat)
    options = tuple(options_for(state, found.ruleset.book_of(state), asked))
    decision = state.waiting.decision if state.waiting is not None and options else None
    return BranchOptions(state.version, asked, decision, options)


async def export_branch(desk: Desk, caller: Caller, game: str, branch: str) -> bytes:
    """The copy as lines of JSON. The first one says that this is no log: no auditor takes it for one."""
    found = await open_copy(desk, caller, game, branch)
    header = {"kind": "branch", "format": "gusher-branch/1", **to_builtins(shown(found))}
    return b"".join(msgspec.json.encode(one) + b"\n" for one in (header, *found.copy.moves))


def shown(found: OpenCopy) -> Branch:
    """A copy as it is told."""
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
