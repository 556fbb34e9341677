"""Who may read and who may act."""

from __future__ import annotations

from collections.abc import Sequence

from events.export import AUDITOR, SPECTATOR
from projections.game import ENDED, AnyGame
from projections.redact import Viewer, viewer_of
from service.auth.caller import Caller
from service.failures import Damaged, Forbidden, NotFound, Unauthenticated
from service.handling.desk import Desk
from service.handling.hot import Hot
from service.store.protocol import GameRow, Player


def has_scope(caller: Caller, scope: str) -> bool:
    """Whether the token grants this; an administrator's grants everything."""
    return scope in caller.scopes or "admin" in caller.scopes


def administers(caller: Caller) -> bool:
    """Whether the token is an administrator's, and for the whole service."""
    return "admin" in caller.scopes and caller.game is None


def account_of(caller: Caller, scope: str) -> str:
    """The account of a caller who acts under this scope. Raises `Unauthenticated`, `Forbidden`."""
    if caller.account is None:
        raise Unauthenticated("unauthenticated", "This needs a token.")
    if caller.read_only:
        raise Forbidden("read_only", "This token may only read.")
    if not has_scope(caller, scope):
        raise Forbidden("missing_scope", f"This needs a token with the scope {scope!r}.", scope=scope)
    return caller.account


def require_game(caller: Caller, game: str) -> None:
    """Raise `Forbidden` where the token is for another game. Asked first: it is so of games that there are not, too."""
    if caller.game is not None and caller.game != game:
        raise Forbidden("other_game", "This token is for another game.")


async def readable(desk: Desk, caller: Caller, game: str) -> Hot:
    """The game as the log has it now, if the caller may know of it. Raises `NotFound`, `Damaged`."""
    require_game(caller, game)
    try:
        hot = await desk.games.fresh(game)
    except Damaged:
        await require_readable_beside_the_log(desk, caller, game)
        raise
    require_readable(hot, caller, await hot.players(desk.store))
    return hot


def require_readable(hot: Hot, caller: Caller, players: Sequence[Player]) -> None:
    """Raise `NotFound`, as for a game that does not exist, where the caller may not know of this one."""
    _require_readable(hot.row, caller, players, ended=hot.game.ended, disputed=bool(hot.game.disputes))


async def require_readable_beside_the_log(desk: Desk, caller: Caller, game: str) -> None:
    """The same by what is known beside the log, which makes no game: that it is damaged is not for everybody either."""
    row = await desk.store.game(game)
    if row is None:
        raise NotFound("no_such_game", "There is no such game.")
    _require_readable(row, caller, await desk.store.players(game), ended=row.status in ENDED, disputed=False)


def _require_readable(row: GameRow, caller: Caller, players: Sequence[Player], *, ended: bool, disputed: bool) -> None:
    if row.visibility == "public" or has_scope(caller, "admin"):
        return
    if caller.dispute is not None or (ended and has_scope(caller, "audit")):
        # A token for a dispute is for this very game: `require_game` has looked.
        return
    if disputed and has_scope(caller, "arbitrate"):
        return
    require_part(caller, row.created_by, players)


def takes_part(hot: Hot, account: str, players: Sequence[Player]) -> bool:
    """Whether the account made the game or sits at it."""
    return account == hot.row.created_by or _sits(account, players)


def _sits(account: str, players: Sequence[Player]) -> bool:
    return any(player.account == account for player in players)


def require_part(caller: Caller, host: str, players: Sequence[Player]) -> None:
    """Raise `NotFound` unless the caller made the game, sits at it, or is an administrator."""
    account = caller.account
    if has_scope(caller, "admin") or (account is not None and (account == host or _sits(account, players))):
        return
    raise NotFound("no_such_game", "There is no such game.")


def seats_of(caller: Caller, players: Sequence[Player]) -> tuple[int, ...]:
    """The seats that the caller speaks for with this token; none with one for a dispute, whoever made it."""
    if caller.account is None or caller.dispute is not None:
        return ()
    account, seat = caller.account, caller.seat
    return tuple([player.seat for player in players if player.account == account and seat in (None, player.seat)])


def acting_seat(caller: Caller, players: Sequence[Player], wanted: int | None) -> int:
    """The seat that the caller acts for: the one wanted, or the only one. Raises `Forbidden`."""
    seats = seats_of(caller, players)
    if wanted is not None:
        if wanted not in seats:
            raise Forbidden("not_your_seat", "The caller does not hold this seat.", seat=wanted)
        return wanted
    if not seats:
        raise Forbidden("not_a_player", "The caller holds no seat of this game.")
    if len(seats) > 1:
        raise Forbidden("which_seat", "The caller holds several seats of this game: say for which one.", seats=seats)
    return seats[0]


def require_host(hot: Hot, caller: Caller) -> str:
    """The host's account. Raises `Forbidden` for anybody else."""
    account = account_of(caller, "organize")
    require_game(caller, hot.id)
    if account != hot.row.created_by and not has_scope(caller, "admin"):
        raise Forbidden("not_the_host", "Only who made the game may do this.")
    if caller.seat is not None:
        raise Forbidden("not_the_host", "This token is for one seat.")
    return account


def judge_of(hot: Hot, caller: Caller, players: Sequence[Player], dispute: int) -> str:
    """The account of whoever may judge in this dispute: an arbiter who has no seat in the game. Raises `Forbidden`.

    An arbiter's token may be for one dispute alone.
    """
    account = account_of(caller, "arbitrate")
    require_game(caller, hot.id)
    if caller.dispute not in (None, dispute):
        raise Forbidden("other_dispute", "This token is for another dispute.")
    require_no_player(account, players)
    return account


def require_no_player(account: str, players: Sequence[Player]) -> None:
    """Raise `Forbidden` where the account has a seat: nobody judges in a matter of their own."""
    if _sits(account, players):
        raise Forbidden("player_of_the_game", "Who plays the game does not judge it.")


def reading_as(game: AnyGame, caller: Caller, players: Sequence[Player], wanted: str | int | None) -> Viewer:
    """The viewer whom the caller may read as. Raises `Forbidden`.

    By default the caller's own seat, if there is exactly one. Another's seat, and everything, is for auditors, and once
    the game has ended: an organizer of a running game is a spectator. A token for a dispute reads by exporting, which
    is recorded, and else as a spectator.
    """
    seats = seats_of(caller, players)
    if wanted is None:
        return viewer_of(seats[0]) if len(seats) == 1 else SPECTATOR
    if wanted == SPECTATOR:
        return SPECTATOR
    audits = game.ended and has_scope(caller, "audit") and caller.dispute is None
    if wanted == AUDITOR and audits:
        return AUDITOR
    if isinstance(wanted, int) and (wanted in seats or (audits and wanted < len(game.seats))):
        return viewer_of(wanted)
    raise Forbidden("not_your_seat", "The caller may not read this game with these eyes.")
