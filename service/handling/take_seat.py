"""Somebody sits down: a player, or a house bot that the host invites."""

from __future__ import annotations

from collections.abc import Sequence

from events.table import TakeSeat
from rules.refusal import RuleViolation
from service.auth.caller import Caller
from service.bots import LEVELS
from service.failures import Conflict, Forbidden, Malformed
from service.handling.access import account_of, require_host, takes_part
from service.handling.act import Plan, Wish, act, read_key
from service.handling.answer import Accepted
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.handling.invitations import code_hash
from service.store.protocol import Changes, Invitation, Player


async def take_seat(
    desk: Desk,
    caller: Caller,
    game: str,
    key: str,
    *,
    seat: int | None = None,
    client_seed: str = "",
    invitation: str | None = None,
) -> Accepted:
    """The caller sits down at this seat, or at the first free one. Raises `Failure`, or `Refused` by the rules.

    A private game asks for an invitation, of everybody but its host. Only there one account may hold several seats: in
    a public game that would be several hands in one head.
    """
    account = account_of(caller, "play")
    key = read_key(key)
    invited = None if invitation is None else await desk.store.invitation(game, code_hash(invitation))
    admitted = invited is not None and not invited.revoked

    def plan(hot: Hot, players: Sequence[Player]) -> Plan:
        used = _invitation_for(hot, account, players, invited)
        _require_one_hand(hot, account, players)
        wanted = _wanted(seat, caller.seat, None if used is None else used.seat)
        taken = _seat(hot, wanted)
        changes = Changes(seated=Player(taken, account=account), invitation=None if used is None else used.id)
        return Plan(f"seat:{taken}", TakeSeat(taken, client_seed, id=key), changes)

    said = {"do": "take_seat", "seat": seat, "client_seed": client_seed, "invitation": invitation}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan, admitted=admitted))


async def add_bot(desk: Desk, caller: Caller, game: str, key: str, level: str, *, seat: int | None = None) -> Accepted:
    """The host seats a house bot. Raises `Failure`, or `Refused` by the rules."""
    key = read_key(key)
    if level not in LEVELS:
        raise Malformed("malformed", f"A bot's level is one of {', '.join(LEVELS)}.")

    def plan(hot: Hot, _players: Sequence[Player]) -> Plan:
        require_host(hot, caller)
        taken = _seat(hot, seat)
        return Plan("host", TakeSeat(taken, id=key), Changes(seated=Player(taken, bot=level)))

    said = {"do": "add_bot", "level": level, "seat": seat}
    return await act(desk, game, Wish(caller=caller, key=key, said=said, plan=plan))


def _invitation_for(hot: Hot, account: str, players: Sequence[Player], invited: Invitation | None) -> Invitation | None:
    """The invitation that sitting down uses up, if one is needed. Raises `Forbidden`."""
    if hot.row.visibility == "public" or takes_part(hot, account, players):
        return None
    if invited is None or invited.revoked:
        raise Forbidden("not_invited", "This game asks for an invitation.")
    if invited.used_by is not None:
        raise Conflict("invitation_spent", "The invitation has been used.")
    return invited


def _require_one_hand(hot: Hot, account: str, players: Sequence[Player]) -> None:
    held = [player.seat for player in players if player.account == account]
    if held and hot.row.visibility == "public":
        raise Conflict("already_seated", "The caller sits at this game already.", seat=held[0])


def _wanted(asked: int | None, *bound: int | None) -> int | None:
    """The seat asked for; token and invitation may bind it. Raises `Forbidden` where they say otherwise."""
    for seat in bound:
        if seat is not None:
            if asked not in (None, seat):
                raise Forbidden("other_seat", "The token or the invitation is for another seat.", seat=seat)
            asked = seat
    return asked


def _seat(hot: Hot, wanted: int | None) -> int:
    """The seat wanted, or the first free one."""
    if wanted is not None:
        if wanted >= len(hot.game.seats):
            raise RuleViolation("GU-02", "no_such_seat", field="/seat", seat=wanted)
        return wanted
    free = [number for number, seat in enumerate(hot.game.seats) if not seat.taken]
    if not free and hot.game.status == "lobby":
        raise RuleViolation("GU-02", "no_free_seat")
    return free[0] if free else 0
