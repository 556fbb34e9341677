"""Making accounts and tokens, and knowing who a token speaks for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace
from uuid6 import uuid7

from service.auth import scopes as known
from service.auth.caller import ANYBODY, Caller
from service.auth.known import KnownTokens, now_ms
from service.auth.tokens import hash_of, is_token, make_token
from service.failures import Conflict, Forbidden, NotFound, Unauthenticated
from service.store.protocol import Account, Accounts, NameTaken, Token

MOST_TOKENS: Final = 100
HOUR: Final = 3_600_000
_BEARER: Final = "bearer "

Find = Callable[[bytes], Awaitable[tuple[Token, Account] | None]]
"""From the hash of a secret to its token, from the store or from memory."""


class Wanted(Struct, frozen=True, kw_only=True):
    """A token as somebody wants it. `expires_at` is in milliseconds; None means: as the token that asks."""

    label: str
    scopes: tuple[known.Scope, ...]
    game: str | None = None
    seat: int | None = None
    read_only: bool = False
    expires_at: int | None = None
    dispute: int | None = None


class Shown(Struct, frozen=True):
    """A token just made: `secret` is shown this once and kept nowhere."""

    token: Token
    secret: str


class SignedUp(Struct, frozen=True):
    """An account just made, with its first token."""

    account: Account
    first: Shown


async def caller_of(tokens: KnownTokens, authorization: str | None) -> Caller:
    """Whoever the `Authorization` header speaks for. Raises `Unauthenticated` unless it is absent or good."""
    if authorization is None:
        return ANYBODY
    secret = _secret_in(authorization)
    # Whatever is remembered has the shape of a token.
    found = None if secret is None else tokens.at_hand(hash_of(secret))
    if found is None or not _good(found[0]):
        found = await _token_of(tokens.find, authorization)
    if found is None:
        raise Unauthenticated("unauthenticated", "The token is unknown, expired or revoked.")
    return _caller(*found)


def _caller(token: Token, account: Account) -> Caller:
    return Caller(
        account.id,
        known.granted(token.scopes),
        token.game,
        token.seat,
        read_only=token.read_only,
        dispute=token.dispute,
        token=token.id,
    )


async def _token_of(find: Find, authorization: str) -> tuple[Token, Account] | None:
    secret = _secret_in(authorization)
    if secret is None or not is_token(secret):
        return None
    found = await find(hash_of(secret))
    return found if found is not None and _good(found[0]) else None


def _secret_in(authorization: str) -> str | None:
    return authorization[len(_BEARER) :].strip() if authorization[: len(_BEARER)].lower() == _BEARER else None


def _good(token: Token) -> bool:
    return token.revoked_at is None and (token.expires_at is None or now_ms() < token.expires_at)


async def current_token(accounts: Accounts, authorization: str | None) -> tuple[Token, Account]:
    """The very token of a request. Raises `Unauthenticated`."""
    found = None if authorization is None else await _token_of(accounts.token, authorization)
    if found is None:
        raise Unauthenticated("unauthenticated", "The token is missing, unknown, expired or revoked.")
    return found


async def sign_up(accounts: Accounts, name: str, kind: str, scopes: Sequence[known.Scope] = known.FIRST) -> SignedUp:
    """Make an account and its first token. Raises `Conflict` where the name is taken."""
    now = now_ms()
    account = Account(str(uuid7()), name, kind, now)
    shown = _make(account.id, Wanted(label="first", scopes=tuple(scopes)), now)
    try:
        await accounts.create_account(account, shown.token)
    except NameTaken as error:
        raise Conflict("name_taken", "Another account has this name.") from error
    return SignedUp(account, shown)


async def first_admin(accounts: Accounts) -> str | None:
    """A token for everything, where nobody has one: made once, at the first start."""
    for name in ("admin", f"admin-{uuid7().hex[-8:]}"):
        if await accounts.has_admin():
            break
        with suppress(Conflict):
            return (await sign_up(accounts, name, "person", known.ALL)).first.secret
    return None


async def issue(accounts: Accounts, caller: Caller, wanted: Wanted, parent: Token) -> Shown:
    """Make a token that may do no more than the one that asks. Raises `Forbidden` or `Conflict`."""
    _require_no_more(wanted, caller, parent)
    assert caller.account is not None
    await _require_room(accounts, caller.account)
    narrowed = replace(
        wanted,
        game=wanted.game or parent.game,
        seat=parent.seat if wanted.seat is None else wanted.seat,
        read_only=wanted.read_only or parent.read_only,
        expires_at=parent.expires_at if wanted.expires_at is None else wanted.expires_at,
    )
    shown = _make(caller.account, narrowed, now_ms())
    await accounts.add_token(shown.token)
    return shown


class Appointment(Struct, frozen=True):
    """Somebody is called to one dispute of a game, under a label that the players see, for so many hours."""

    game: str
    dispute: int
    label: str
    hours: int


async def appoint(
    accounts: Accounts, account: str, appointment: Appointment, role: Literal["audit", "arbitrate"]
) -> Shown:
    """Make a token for one dispute, which expires: an auditor's reads that game, an arbiter's settles the dispute.

    Raises `Conflict`.
    """
    await _require_room(accounts, account)
    now = now_ms()
    wanted = Wanted(
        label=appointment.label,
        scopes=(role,),
        game=appointment.game,
        read_only=role == "audit",
        expires_at=now + appointment.hours * HOUR,
        dispute=appointment.dispute,
    )
    shown = _make(account, wanted, now)
    await accounts.add_token(shown.token)
    return shown


async def _require_room(accounts: Accounts, account: str) -> None:
    """Raise `Conflict` where the account has as many tokens as one may have."""
    good = [token for token in await accounts.tokens(account) if _good(token)]
    if len(good) >= MOST_TOKENS:
        raise Conflict("too_many_tokens", f"An account has at most {MOST_TOKENS} good tokens. Revoke one first.")


def _require_no_more(wanted: Wanted, caller: Caller, parent: Token) -> None:
    missing = sorted(set(wanted.scopes) - caller.scopes)
    if missing:
        raise Forbidden("scope_exceeded", f"This token does not have the scope {', '.join(missing)}.")
    wider = (
        (parent.game is not None and wanted.game not in (None, parent.game))
        or (parent.seat is not None and wanted.seat not in (None, parent.seat))
        or parent.dispute is not None
        or (parent.expires_at is not None and (wanted.expires_at or 0) > parent.expires_at)
    )
    if wider:
        raise Forbidden("narrowing_exceeded", "A token cannot make one that reaches further than itself.")
    if wanted.seat is not None and (wanted.game or parent.game) is None:
        raise Forbidden("seat_without_game", "A token is narrowed to a seat of a game: name the game too.")


def _make(account: str, wanted: Wanted, now: int) -> Shown:
    secret = make_token()
    token = Token(
        id=str(uuid7()),
        account=account,
        secret_hash=hash_of(secret),
        scopes=wanted.scopes,
        label=wanted.label,
        created_at=now,
        game=wanted.game,
        seat=wanted.seat,
        read_only=wanted.read_only,
        expires_at=wanted.expires_at,
        dispute=wanted.dispute,
    )
    return Shown(token, secret)


def is_narrowed(caller: Caller) -> bool:
    """Whether the token may have been handed to somebody else, who is to see no other token of the account."""
    return caller.read_only or caller.game is not None or caller.dispute is not None


async def tokens_of(accounts: Accounts, caller: Caller) -> list[Token]:
    """The tokens that the caller may know of: those of the account, or the narrowed one alone that asks."""
    assert caller.account is not None
    found = await accounts.tokens(caller.account)
    return [token for token in found if token.id == caller.token] if is_narrowed(caller) else found


async def revoke(accounts: Accounts, known: KnownTokens, caller: Caller, token: UUID) -> None:
    """The token is good for nothing from now on. Raises `NotFound` where the caller may know of no such token."""
    if str(token) not in {one.id for one in await tokens_of(accounts, caller)}:
        raise NotFound("not_found", "The account has no such token.")
    assert caller.account is not None
    if not await accounts.revoke_token(caller.account, str(token), now_ms()):
        raise NotFound("not_found", "The account has no such token.")
    known.forget(str(token))
