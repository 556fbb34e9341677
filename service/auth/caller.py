"""Who asks: what the token of a request grants."""

from __future__ import annotations

from msgspec import Struct


class Caller(Struct, frozen=True):
    """An account and what its token is good for; `account` None is somebody without a token.

    `game`, `seat` and `read_only` narrow the token; None and False leave it as it is. `dispute` is of an auditor's
    token for one dispute of that game; `token` is its id.
    """

    account: str | None = None
    scopes: frozenset[str] = frozenset()
    game: str | None = None
    seat: int | None = None
    read_only: bool = False
    dispute: int | None = None
    token: str | None = None


ANYBODY = Caller()
