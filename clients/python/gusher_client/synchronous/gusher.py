"""Made of `asynchronous/gusher.py` by `tools/unasync.py`, without `await`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self
from uuid import UUID

from gusher_client import wire
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
from gusher_client.synchronous.connection import Connection
from gusher_client.synchronous.table import Table
from gusher_client.wire import Call


class Gusher(Connection):
    """One caller of one service. `token` None is somebody without an account: public games can be watched.

    Requests that do something carry an `Idempotency-Key`, made once per call: after a timeout, a lost connection or a
    5xx the same request is sent again, and is done once. Give `key` to keep that promise across restarts of your own.
    """

    @classmethod
    def sign_up(cls, url: str, name: str, *, kind: Literal["person", "program"] = "person") -> Self:
        """The client of a new account. Its `token` is shown by nobody again: keep it. Raises `Problem`."""
        with cls(url) as stranger:
            made = stranger.create_account(name, kind=kind)
        return cls(url, made.token)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def alive(self) -> bool:
        """Whether the service answers. Raises `Unreachable`."""
        return (self.send(Call(method="GET", path="/health/live", once=False))).is_success

    def ready(self) -> bool:
        """Whether its database answers too. Raises `Unreachable`."""
        return (self.send(Call(method="GET", path="/health/ready", once=False))).is_success

    def metrics(self) -> str:
        """What the service counts, in the format of Prometheus. For operators. Raises `Problem`."""
        return (self.content(wire.get("/metrics"))).decode()

    # ---- accounts and tokens

    def create_account(
        self, name: str, *, kind: Literal["person", "program"] = "person", scopes: tuple[str, ...] | None = None
    ) -> AccountMade:
        """A new account with its first token, which is shown this once. Only administrators choose its `scopes`.
        Raises `Problem`.
        """
        body = {"name": name, "kind": kind, **wire.given(scopes=scopes)}
        return self.read(wire.unkeyed("/v1/accounts", body), AccountMade)

    def me(self) -> Me:
        """Who the token speaks for, and what it is good for. Raises `Problem`."""
        return self.read(wire.get("/v1/accounts/me"), Me)

    def create_token(
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
        return self.read(wire.unkeyed("/v1/tokens", body), TokenMade)

    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account, newest first. Raises `Problem`."""
        found = self.read(wire.get("/v1/tokens"), dict[str, tuple[Token, ...]])
        return found["tokens"]

    def revoke_token(self, token_id: str) -> None:
        """From now on the token is good for nothing. Raises `Problem`."""
        self.content(Call(method="DELETE", path=f"/v1/tokens/{token_id}", once=True))

    # ---- what there is to play

    def rulesets(self) -> tuple[Ruleset, ...]:
        """The games on offer. Raises `Problem`."""
        found = self.read(wire.get("/v1/rulesets"), dict[str, tuple[Ruleset, ...]])
        return found["rulesets"]

    def ruleset(self, name: str) -> RulesetDetails:
        """Everything there is to know about a game. Raises `Problem`."""
        return self.read(wire.get(f"/v1/rulesets/{name}"), RulesetDetails)

    def rules(self, name: str) -> tuple[Rule, ...]:
        """Every rule that a refusal in this game can cite, those of the table included. Raises `Problem`."""
        return (self.read(wire.get(f"/v1/rulesets/{name}/rules"), Rules)).rules

    def edition(self, ruleset: str, edition: str) -> EditionDetails:
        """The cards and numbers of an edition. Raises `Problem`."""
        return self.read(wire.get(f"/v1/rulesets/{ruleset}/editions/{edition}"), EditionDetails)

    def keys(self) -> tuple[str, ...]:
        """The public keys that sign heads and receipts. Raises `Problem`."""
        found = self.read(wire.get("/.well-known/gusher-keys"), dict[str, tuple[str, ...]])
        return found["vkeys"]

    # ---- tables

    def games_page(
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
        return self.read(wire.get("/v1/games", query), GamesPage)

    def games(
        self, *, ruleset: str | None = None, status: Status | None = None, mine: bool = False
    ) -> Iterator[ListedGame]:
        """All games, newest first, page by page as they are asked for. Raises `Problem`."""
        cursor: str | None = None
        while True:
            page = self.games_page(ruleset=ruleset, status=status, mine=mine, cursor=cursor, limit=200)
            yield from page.games
            cursor = page.next
            if cursor is None:
                return

    def open_table(
        self,
        ruleset: str,
        seats: int,
        *,
        edition: str | None = None,
        options: Mapping[str, Any] | None = None,
        visibility: Visibility = "public",
        on_dispute: OnDispute = "go_on",
        key: UUID | None = None,
    ) -> Table:
        """A new game: its chance is committed to before anybody sits down. Raises `Problem`."""
        chosen = wire.given(edition=edition, options=options)
        body = {"ruleset": ruleset, "seats": seats, "visibility": visibility, "on_dispute": on_dispute, **chosen}
        done = self.read(wire.command("/v1/games", body, key=key), Done)
        return self.table(done.game)

    def open_tables(self, games: Sequence[NewGame], *, dry_run: bool = False, key: UUID | None = None) -> GamesMade:
        """Many tables, all of them or none; with `dry_run` only whether they could be opened. Raises `Problem`."""
        call = wire.command("/v1/games:batch", {"games": games}, query={"dry_run": dry_run}, key=key)
        return self.read(call, GamesMade)

    # ---- results

    def results_page(
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
        return self.read(wire.get("/v1/results", query), ResultsPage)

    def results(
        self, *, ruleset: str | None = None, account: str | None = None, since: datetime | None = None
    ) -> Iterator[GameResult]:
        """How games ended, page by page as they are asked for. Raises `Problem`."""
        cursor: str | None = None
        while True:
            page = self.results_page(ruleset=ruleset, account=account, since=since, cursor=cursor, limit=200)
            yield from page.results
            cursor = page.next
            if cursor is None:
                return

    def table(self, game: str, *, seat: int | None = None) -> Table:
        """A game by its id. `seat` is needed where the caller holds several of its seats."""
        return Table(self, game, seat=seat)

    # ---- everything that concerns the caller

    def news_page(self, after: int = 0, *, limit: int = 100, wait: int = 0) -> NewsPage:
        """News after a position; with `wait` as soon as there are any, or after so many seconds. Raises `Problem`."""
        return self.read(wire.get("/v1/feed", {"after": after, "limit": limit, "wait": wait}), NewsPage)

    def news(self, after: int | None = None) -> Generator[News, None, None]:
        """News of all the caller's games as they come, without an end: from a position on, or from now on.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        with closing(self.followed("/v1/feed", {}, after)) as followed:
            for one in followed:
                if isinstance(one, News):
                    yield one
