"""Who you are: accounts, and the tokens that speak for them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from litestar import Request, Response, delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from service.auth import accounts as auth
from service.auth.scopes import FIRST, Scope
from service.failures import Forbidden
from service.faults import Fault
from service.handling.access import administers
from service.http.entries import Moment, milliseconds, moment
from service.http.identity import BEARER, NEEDS, OPEN, Asker
from service.http.problems import malformed
from service.http.shapes import BODY, fails, json_answer
from service.store.protocol import Account, Token

TAG = ["accounts"]
LEAST_SCOPES: Final = Meta(min_length=1, max_length=4)


AccountName = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?(?![\s\S])", examples=["ada-lovelace"])
]


Label = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]{1,80}(?![\s\S])")]
"""A line of text for people."""


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be made. `scopes` of its first token are the administrator's to choose."""

    name: AccountName
    kind: Literal["person", "program"] = "person"
    scopes: Annotated[tuple[Scope, ...], LEAST_SCOPES] | None = None


class AccountShown(Struct, frozen=True):
    """An account."""

    account: str
    name: str
    kind: str
    created_at: Moment


class TokenShown(Struct, frozen=True):
    """A token, without its secret. What it is narrowed to is null where it is not."""

    token_id: str
    label: str
    scopes: tuple[str, ...]
    game: str | None
    seat: int | None
    read_only: bool
    dispute: int | None
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None


class Me(Struct, frozen=True):
    """The account that the request's token speaks for, and that token."""

    account: AccountShown
    token: TokenShown


class AccountMade(Struct, frozen=True):
    """A new account and its first token. `token` is shown this once: keep it."""

    account: AccountShown
    token: str
    details: TokenShown


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made: it may do no more than the token that asks for it.

    `game`, `seat` and `read_only` narrow it; null leaves it as wide as its parent.
    """

    label: Label
    scopes: Annotated[tuple[Scope, ...], LEAST_SCOPES]
    game: UUID | None = None
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    read_only: bool = False
    expires_at: Annotated[datetime, Meta(tz=True)] | None = None


class TokenMade(Struct, frozen=True):
    """A new token. `token` is shown this once: keep it."""

    token: str
    details: TokenShown


class Tokens(Struct, frozen=True):
    """The tokens of an account, newest first."""

    tokens: tuple[TokenShown, ...]


@post(
    "/v1/accounts",
    operation_id="create_account",
    summary="Make an account",
    tags=TAG,
    security=OPEN,
    responses=fails(401, 403, 409, *BODY),
)
async def create_account(data: JSONBody[NewAccount], caller: Asker, state: State) -> Response[AccountMade]:
    """Anybody may, unless the service is set to leave it to administrators. The answer holds the first token, shown
    this once, so a retry cannot get it again: it makes another account, under another name.
    """
    administrator = administers(caller)
    if not administrator and not state.settings.open_accounts:
        raise Forbidden("accounts_closed", "Accounts are made by an administrator here.")
    if data.scopes is not None and not administrator:
        raise Forbidden("missing_scope", "Only an administrator chooses the scopes of a first token.")
    made = await auth.sign_up(state.desk.store, data.name, data.kind, data.scopes or FIRST)
    shown = AccountMade(_account(made.account), made.first.secret, token_shown(made.first.token))
    return json_answer(shown, status=201)


@get(
    "/v1/accounts/me",
    operation_id="get_me",
    summary="Who am I, and what is this token good for?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401),
)
async def get_me(request: Request[Any, Any, Any], state: State) -> Response[Me]:
    """The account and the very token of the request: also the way to test a token."""
    token, account = await auth.current_token(state.desk.store, request.headers.get("authorization"))
    return json_answer(Me(_account(account), token_shown(token)))


@post(
    "/v1/tokens",
    operation_id="create_token",
    summary="Make a token",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 403, 409, *BODY),
)
async def create_token(
    request: Request[Any, Any, Any], data: JSONBody[NewToken], caller: Asker, state: State
) -> Response[TokenMade]:
    """A narrower token for a bot, a phone or a friend who watches. It is shown once, so a retry makes another one."""
    parent, _ = await auth.current_token(state.desk.store, request.headers.get("authorization"))
    wanted = auth.Wanted(
        label=data.label,
        scopes=tuple(dict.fromkeys(data.scopes)),
        game=None if data.game is None else str(data.game),
        seat=data.seat,
        read_only=data.read_only,
        expires_at=_milliseconds(data.expires_at),
    )
    made = await auth.issue(state.desk.store, caller, wanted, parent)
    return json_answer(TokenMade(made.secret, token_shown(made.token)), status=201)


@get(
    "/v1/tokens",
    operation_id="list_tokens",
    summary="Which tokens are there?",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401),
)
async def list_tokens(caller: Asker, state: State) -> Response[Tokens]:
    """Every token of the account, revoked ones too, without their secrets. One that is narrowed to a game, a dispute or
    reading may be in other hands: it knows of itself alone.
    """
    tokens = await auth.tokens_of(state.desk.store, caller)
    newest = sorted(tokens, key=lambda token: (token.created_at, token.id), reverse=True)
    return json_answer(Tokens(tuple(map(token_shown, newest))))


@delete(
    "/v1/tokens/{token:uuid}",
    operation_id="revoke_token",
    summary="Make a token useless",
    tags=TAG,
    security=BEARER,
    opt=NEEDS,
    responses=fails(401, 404),
)
async def revoke_token(
    token: Annotated[UUID, PathParameter(description="The token's id, which is not its secret.")],
    caller: Asker,
    state: State,
) -> None:
    """From now on, for every worker. Revoked again, nothing more happens. A narrowed token can revoke itself alone."""
    await auth.revoke(state.desk.store, state.desk.tokens, caller, token)


def _milliseconds(expires_at: datetime | None) -> int | None:
    try:
        return None if expires_at is None else milliseconds(expires_at)
    except OverflowError as error:
        raise malformed(Fault("body", "/expires_at", "a moment after the year 9999 or before the year 1")) from error


def _account(account: Account) -> AccountShown:
    return AccountShown(account.id, account.name, account.kind, moment(account.created_at))


def token_shown(token: Token) -> TokenShown:
    """A token without its secret."""
    return TokenShown(
        token_id=token.id,
        label=token.label,
        scopes=token.scopes,
        game=token.game,
        seat=token.seat,
        read_only=token.read_only,
        dispute=token.dispute,
        created_at=moment(token.created_at),
        expires_at=None if token.expires_at is None else moment(token.expires_at),
        revoked_at=None if token.revoked_at is None else moment(token.revoked_at),
    )


ROUTES = [create_account, get_me, create_token, list_tokens, revoke_token]
