"""Invitations to private games: a code that is shown when it is made, and kept as a hash."""

from __future__ import annotations

import hmac
from hashlib import sha256
from uuid import UUID

from msgspec import Struct

from events.chain import base64url
from service.auth.caller import Caller
from service.failures import Conflict, IdempotencyMismatch, NotFound
from service.handling.access import readable, require_host
from service.handling.act import read_key
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import Invitation

CODE_BYTES = 18


class Invited(Struct, frozen=True):
    """A new invitation. The code is told here only, and again to a retry."""

    id: str
    game: str
    code: str
    seat: int | None


async def create_invitation(desk: Desk, caller: Caller, game: str, key: str, *, seat: int | None = None) -> Invited:
    """A way in for whoever gets the code, once. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    account = require_host(hot, caller)
    key = read_key(key)
    if seat is not None and seat >= len(hot.game.seats):
        raise NotFound("no_such_seat", "The game has no such seat.")
    code = _code(desk, game, key)
    wanted = Invitation(key, game, code_hash(code), account, desk.clock(), seat)
    kept = await desk.store.invite(wanted)
    if (kept.created_by, kept.seat) != (account, seat):
        raise IdempotencyMismatch
    if kept.code_hash != wanted.code_hash:
        raise Conflict("code_forgotten", "The service's key has changed since; make a new invitation.")
    return Invited(kept.id, game, code, kept.seat)


async def list_invitations(desk: Desk, caller: Caller, game: str) -> list[Invitation]:
    """The host's invitations, oldest first. Raises `Failure`."""
    await _hosted(desk, caller, game)
    return await desk.store.invitations(game)


async def revoke_invitation(desk: Desk, caller: Caller, game: str, invitation: str) -> None:
    """The code is no use from now on. Raises `Failure`."""
    await _hosted(desk, caller, game)
    if not _is_uuid(invitation) or not await desk.store.revoke_invitation(game, invitation):
        raise NotFound("no_such_invitation", "The game has no such invitation.")


def code_hash(code: str) -> bytes:
    """What is kept of a code."""
    return sha256(code.encode("utf-8", "surrogatepass")).digest()


def _code(desk: Desk, game: str, key: str) -> str:
    """Made from the service's secret and the request, so that a retry gets the same and nobody else can make it."""
    return base64url(hmac.digest(desk.invitation_key, f"{game}\n{key}".encode(), "sha256")[:CODE_BYTES])


async def _hosted(desk: Desk, caller: Caller, game: str) -> Hot:
    hot = await readable(desk, caller, game)
    require_host(hot, caller)
    return hot


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
