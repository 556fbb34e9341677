"""A copy of a game is made.

Hidden facts are the true ones for an auditor. For everybody else they are drawn anew, consistently with what the seat
that asks (or a spectator) could know at that version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from events.entry import seat_of
from events.export import AUDITOR
from events.seals import Sealed
from projections.chance import Draw, KeyedChance, game_key
from projections.knowledge import known_words
from projections.redact import Viewer
from service.auth.caller import Caller
from service.failures import Conflict, IdempotencyMismatch
from service.handling.access import readable, reading_as
from service.handling.act import fingerprint_of, read_key
from service.handling.branch_copies import Copy, Hidden, opened, owner_of
from service.handling.branches import Branch, shown
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import BranchRow
from service.store.snapshots import folding_fingerprint

DAYS: Final = 7
"""So long a copy is kept."""

MOST: Final = 20
"""So many copies one account may have; a further one takes the place of the oldest."""

_PAGE: Final = 200
_MILLISECONDS_A_DAY: Final = 86_400_000


async def make_branch(
    desk: Desk, caller: Caller, game: str, key: str, *, version: int | None = None, viewer: str | int | None = None
) -> Branch:
    """A copy from a version (by default the current one) of what the viewer knows there. Raises `Failure`."""
    owner, key = owner_of(caller), read_key(key)
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
    return shown(opened(desk, kept))


async def _copied(desk: Desk, hot: Hot, branch: str, version: int, eyes: Viewer) -> Copy:
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
    return Copy(
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
