"""The client: one caller of one service."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self
from uuid import UUID

from gusher_client import wire
from gusher_client.asynchronous.connection import AsyncConnection
from gusher_client.asynchronous.table import AsyncTable
from gusher_client.model import (
    AccountMade,
    Done,
    EditionDetails,
    GameResult,
    GamesMade,
    GamesPage,
    ListedGame,
    Me,
    NewGame,
    News,
    NewsPage,
    OnDispute,
    ResultsPage,
    Rule,
    Rules,
    Ruleset,
    RulesetDetails,
    Status,
    Token,
    TokenMade,
    Visibility,
)
from gusher_client.wire import Call


class AsyncGusher(AsyncConnection):
    """One caller of one service. `token` None is somebody without an account: public games can be watched.

    Requests that do something carry an `Idempotency-Key`, made once per call: after a timeout, a lost connection or a
    5xx the same request is sent again, and is done once. Give `key` to keep that promise across restarts of your own.
    """

    @classmethod
    async def sign_up(cls, url: str, name: str, *, kind: Literal["person", "program"] = "person") -> Self:
        """The client of a new account. Its `token` is shown by nobody again: keep it. Raises `Problem`."""
        async with cls(url) as stranger:
            made = await stranger.create_account(name, kind=kind)
        return cls(url, made.token)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def alive(self) -> bool:
        """Whether the service answers. Raises `Unreachable`."""
        return (await self.send(Call(method="GET", path="/health/live", once=False))).is_success

    async def ready(self) -> bool:
        """Whether its database answers too. Raises `Unreachable`."""
        return (await self.send(Call(method="GET", path="/health/ready", once=False))).is_success

    async def metrics(self) -> str:
        """What the service counts, in the format of Prometheus. For operators. Raises `Problem`."""
        return (await self.content(wire.get("/metrics"))).decode()

    # ---- accounts and tokens

    async def create_account(
        self, name: str, *, kind: Literal["person", "program"] = "person", scopes: tuple[str, ...] | None = None
    ) -> AccountMade:
        """A new account with its first token, which is shown this once. Only administrators choose its `scopes`.
        Raises `Problem`.
        """
        body = {"name": name, "kind": kind, **wire.given(scopes=scopes)}
        return await self.read(wire.unkeyed("/v1/accounts", body), AccountMade)

    async def me(self) -> Me:
        """Who the token speaks for, and what it is good for. Raises `Problem`."""
        return await self.read(wire.get("/v1/accounts/me"), Me)

    async def create_token(
        self,
        label: str,
        scopes: tuple[str, ...],
        *,
        game: str | None = None,
        seat: int | None = None,
        read_only: bool = False,
        expires_at: datetime | None = None,
    ) -> TokenMade:
        """A token that may do no more than this one. Raises `Problem`."""
        narrowed = wire.given(game=game, seat=seat, expires_at=expires_at)
        body = {"label": label, "scopes": scopes, "read_only": read_only, **narrowed}
        return await self.read(wire.unkeyed("/v1/tokens", body), TokenMade)

    async def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account, newest first. Raises `Problem`."""
        found = await self.read(wire.get("/v1/tokens"), dict[str, tuple[Token, ...]])
        return found["tokens"]

    async def revoke_token(self, token_id: str) -> None:
        """From now on the token is good for nothing. Raises `Problem`."""
        await self.content(Call(method="DELETE", path=f"/v1/tokens/{token_id}", once=True))

    # ---- what there is to play

    async def rulesets(self) -> tuple[Ruleset, ...]:
        """The games on offer. Raises `Problem`."""
        found = await self.read(wire.get("/v1/rulesets"), dict[str, tuple[Ruleset, ...]])
        return found["rulesets"]

    async def ruleset(self, name: str) -> RulesetDetails:
        """Everything there is to know about a game. Raises `Problem`."""
        return await self.read(wire.get(f"/v1/rulesets/{name}"), RulesetDetails)

    async def rules(self, name: str) -> tuple[Rule, ...]:
        """Every rule that a refusal in this game can cite, those of the table included. Raises `Problem`."""
        return (await self.read(wire.get(f"/v1/rulesets/{name}/rules"), Rules)).rules

    async def edition(self, ruleset: str, edition: str) -> EditionDetails:
        """The cards and numbers of an edition. Raises `Problem`."""
        return await self.read(wire.get(f"/v1/rulesets/{ruleset}/editions/{edition}"), EditionDetails)

    async def keys(self) -> tuple[str, ...]:
        """The public keys that sign heads and receipts. Raises `Problem`."""
        found = await self.read(wire.get("/.well-known/gusher-keys"), dict[str, tuple[str, ...]])
        return found["vkeys"]

    # ---- tables

    async def games_page(
        self,
        *,
        ruleset: str | None = None,
        status: Status | None = None,
        mine: bool = False,
        cursor: str | None = None,
        limit: int = 50,
    ) -> GamesPage:
        """One page of games, newest first. Raises `Problem`."""
        query = {"ruleset": ruleset, "status": status, "mine": mine, "cursor": cursor, "limit": limit}
        return await self.read(wire.get("/v1/games", query), GamesPage)

    async def games(
        self, *, ruleset: str | None = None, status: Status | None = None, mine: bool = False
    ) -> AsyncIterator[ListedGame]:
        """All games, newest first, page by page as they are asked for. Raises `Problem`."""
        cursor: str | None = None
        while True:
            page = await self.games_page(ruleset=ruleset, status=status, mine=mine, cursor=cursor, limit=200)
            for game in page.games:
                yield game
            cursor = page.next
            if cursor is None:
                return

    async def open_table(
        self,
        ruleset: str,
        seats: int,
        *,
        edition: str | None = None,
        options: Mapping[str, Any] | None = None,
        visibility: Visibility = "public",
        on_dispute: OnDispute = "go_on",
        key: UUID | None = None,
    ) -> AsyncTable:
        """A new game: its chance is committed to before anybody sits down. Raises `Problem`."""
        chosen = wire.given(edition=edition, options=options)
        body = {"ruleset": ruleset, "seats": seats, "visibility": visibility, "on_dispute": on_dispute, **chosen}
        done = await self.read(wire.command("/v1/games", body, key=key), Done)
        return self.table(done.game)

    async def open_tables(
        self, games: Sequence[NewGame], *, dry_run: bool = False, key: UUID | None = None
    ) -> GamesMade:
        """Many tables, all of them or none; with `dry_run` only whether they could be opened. Raises `Problem`."""
        call = wire.command("/v1/games:batch", {"games": games}, query={"dry_run": dry_run}, key=key)
        return await self.read(call, GamesMade)

    # ---- results

    async def results_page(
        self,
        *,
        ruleset: str | None = None,
        account: str | None = None,
        since: datetime | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> ResultsPage:
        """One page of how games ended. Raises `Problem`."""
        query = {
            "ruleset": ruleset,
            "account": account,
            "since": None if since is None else since.isoformat(),
            "cursor": cursor,
            "limit": limit,
        }
        return await self.read(wire.get("/v1/results", query), ResultsPage)

    async def results(
        self, *, ruleset: str | None = None, account: str | None = None, since: datetime | None = None
    ) -> AsyncIterator[GameResult]:
        """How games ended, page by page as they are asked for. Raises `Problem`."""
        cursor: str | None = None
        while True:
            page = await self.results_page(ruleset=ruleset, account=account, since=since, cursor=cursor, limit=200)
            for result in page.results:
                yield result
            cursor = page.next
            if cursor is None:
                return

    def table(self, game: str, *, seat: int | None = None) -> AsyncTable:
        """A game by its id. `seat` is needed where the caller holds several of its seats."""
        return AsyncTable(self, game, seat=seat)

    # ---- everything that concerns the caller

    async def news_page(self, after: int = 0, *, limit: int = 100, wait: int = 0) -> NewsPage:
        """News after a position; with `wait` as soon as there are any, or after so many seconds. Raises `Problem`."""
        return await self.read(wire.get("/v1/feed", {"after": after, "limit": limit, "wait": wait}), NewsPage)

    async def news(self, after: int | None = None) -> AsyncGenerator[News, None]:
        """News of all the caller's games as they come, without an end: from a position on, or from now on.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        async with aclosing(self.followed("/v1/feed", {}, after)) as followed:
            async for one in followed:
                if isinstance(one, News):
                    yield one
