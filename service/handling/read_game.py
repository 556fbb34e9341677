"""The header of a game: what everybody who knows of it may know, but for the board."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from projections.game import AnyGame, Result, Status
from projections.view import QuestionView, question_of
from service.auth.caller import Caller
from service.handling.access import readable, seats_of
from service.handling.desk import Desk
from service.handling.version import etag_of
from service.store.protocol import Account, OnDispute, Player, Visibility


class SeatHeader(Struct, frozen=True):
    """A seat and who sits there: an account, or a house bot of a level."""

    seat: int
    taken: bool
    resigned: bool
    awaited: bool
    account: str | None = None
    name: str | None = None
    bot: str | None = None


class GameHeader(Struct, frozen=True, kw_only=True):
    """A game but for its board. `yours` are the caller's seats."""

    game: str
    ruleset: str
    rules_version: int
    edition: str
    edition_digest: str
    options: dict[str, Any]
    seed_commit: str
    visibility: Visibility
    on_dispute: OnDispute
    host: str
    created_at: int
    status: Status
    version: int
    head: str
    etag: str
    at: int
    seats: tuple[SeatHeader, ...]
    yours: tuple[int, ...]
    question: QuestionView | None
    result: Result | None
    ended_because: str | None
    suspended_for: str | None


async def read_game(desk: Desk, caller: Caller, game: str) -> GameHeader:
    """The header. Raises `Failure`."""
    hot = await readable(desk, caller, game)
    players = await hot.players(desk.store)
    row, now, head = hot.row, hot.game, hot.head
    names = await desk.store.accounts([player.account for player in players if player.account is not None])
    return GameHeader(
        game=row.id,
        ruleset=row.ruleset,
        rules_version=now.rules_version,
        edition=now.edition,
        edition_digest=now.edition_digest,
        options=now.options,
        seed_commit=now.seed_commit,
        visibility=row.visibility,
        on_dispute=row.on_dispute,
        host=row.created_by,
        created_at=row.created_at,
        status=now.status,
        version=now.version,
        head=head,
        etag=etag_of(now.version, head),
        at=now.at,
        seats=_seats(now, {player.seat: player for player in players}, names),
        yours=seats_of(caller, players),
        question=question_of(now),
        result=now.result,
        ended_because=now.ended_because,
        suspended_for=now.suspended_for,
    )


def _seats(game: AnyGame, players: dict[int, Player], names: dict[str, Account]) -> tuple[SeatHeader, ...]:
    awaited = game.awaited
    found = []
    for number, seat in enumerate(game.seats):
        player = players.get(number, Player(number))
        account = names.get(player.account or "")
        found.append(
            SeatHeader(
                seat=number,
                taken=seat.taken,
                resigned=seat.resigned,
                awaited=number in awaited,
                account=player.account,
                name=None if account is None else account.name,
                bot=player.bot,
            )
        )
    return tuple(found)
