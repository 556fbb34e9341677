"""The client. `synchronous.py` is made of this file by `tools/unasync.py`: change this one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from datetime import datetime
from itertools import count
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

import httpx

from gusher_client import wire
from gusher_client.model import (
    AccountMade,
    Asked,
    Checked,
    Dispute,
    Done,
    EditionDetails,
    EntriesPage,
    Entry,
    GamesPage,
    Header,
    Invitation,
    InvitationMade,
    Level,
    ListedGame,
    Me,
    News,
    NewsPage,
    Ruleset,
    RulesetDetails,
    SignedHead,
    Status,
    Token,
    TokenMade,
    View,
    Visibility,
)
from gusher_client.problems import Unreachable
from gusher_client.version import AGENT
from gusher_client.wire import Call, End, Events, Known, Retry

T = TypeVar("T")


class AsyncGusher:
    """One caller of one service. `token` None is somebody without an account: public games can be watched.

    Requests that do something carry an `Idempotency-Key`, made once per call: after a timeout, a lost connection or a
    5xx the same request is sent again, and is done once. Give `key` to keep that promise across restarts of your own.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retry: Retry | None = None,
        timeout: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"user-agent": AGENT} | ({} if token is None else {"authorization": f"Bearer {token}"})
        self.url, self.token = url, token
        self.retry = retry or Retry()
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, transport=transport)

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

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    # ---- accounts and tokens

    async def create_account(self, name: str, *, kind: Literal["person", "program"] = "person") -> AccountMade:
        """A new account with its first token, which is shown this once. Raises `Problem`."""
        return await self._read(wire.unkeyed("/v1/accounts", {"name": name, "kind": kind}), AccountMade)

    async def me(self) -> Me:
        """Who the token speaks for, and what it is good for. Raises `Problem`."""
        return await self._read(wire.get("/v1/accounts/me"), Me)

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
        return await self._read(wire.unkeyed("/v1/tokens", body), TokenMade)

    async def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account, newest first. Raises `Problem`."""
        found = await self._read(wire.get("/v1/tokens"), dict[str, tuple[Token, ...]])
        return found["tokens"]

    async def revoke_token(self, token_id: str) -> None:
        """From now on the token is good for nothing. Raises `Problem`."""
        await self._do(Call(method="DELETE", path=f"/v1/tokens/{token_id}", once=True))

    # ---- what there is to play

    async def rulesets(self) -> tuple[Ruleset, ...]:
        """The games on offer. Raises `Problem`."""
        found = await self._read(wire.get("/v1/rulesets"), dict[str, tuple[Ruleset, ...]])
        return found["rulesets"]

    async def ruleset(self, name: str) -> RulesetDetails:
        """Everything there is to know about a game. Raises `Problem`."""
        return await self._read(wire.get(f"/v1/rulesets/{name}"), RulesetDetails)

    async def edition(self, ruleset: str, edition: str) -> EditionDetails:
        """The cards and numbers of an edition. Raises `Problem`."""
        return await self._read(wire.get(f"/v1/rulesets/{ruleset}/editions/{edition}"), EditionDetails)

    async def keys(self) -> tuple[str, ...]:
        """The public keys that sign heads and receipts. Raises `Problem`."""
        found = await self._read(wire.get("/.well-known/gusher-keys"), dict[str, tuple[str, ...]])
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
        return await self._read(wire.get("/v1/games", query), GamesPage)

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
        key: UUID | None = None,
    ) -> AsyncTable:
        """A new game: its chance is committed to before anybody sits down. Raises `Problem`."""
        chosen = wire.given(edition=edition, options=options)
        body = {"ruleset": ruleset, "seats": seats, "visibility": visibility, **chosen}
        done = await self._read(wire.command("/v1/games", body, key=key), Done)
        return self.table(done.game)

    def table(self, game: str, *, seat: int | None = None) -> AsyncTable:
        """A game by its id. `seat` is needed where the caller holds several of its seats."""
        return AsyncTable(self, game, seat=seat)

    # ---- everything that concerns the caller

    async def news_page(self, after: int = 0, *, limit: int = 100, wait: int = 0) -> NewsPage:
        """News after a position; with `wait` as soon as there are any, or after so many seconds. Raises `Problem`."""
        return await self._read(wire.get("/v1/feed", {"after": after, "limit": limit, "wait": wait}), NewsPage)

    async def news(self, after: int | None = None) -> AsyncGenerator[News, None]:
        """News of all the caller's games as they come, without an end: from a position on, or from now on.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        async with aclosing(self.followed("/v1/feed", {}, after)) as followed:
            async for one in followed:
                if isinstance(one, News):
                    yield one

    # ---- requests

    async def send(self, call: Call) -> httpx.Response:
        """The answer, whatever it says, after as many sendings as it takes. Raises `Unreachable`."""
        for sending in count():
            outcome = await self._sent(call)
            pause = self.retry.wait(call, sending, outcome)
            if pause is not None:
                await asyncio.sleep(pause)
            elif isinstance(outcome, httpx.TransportError):
                raise Unreachable(f"{call.method} {self.url}{call.path}: {outcome!r}") from outcome
            else:
                return outcome
        raise AssertionError

    async def _sent(self, call: Call) -> httpx.Response | httpx.TransportError:
        try:
            return await self._http.send(self._request(call))
        except httpx.TransportError as error:
            return error

    def _request(self, call: Call) -> httpx.Request:
        return self._http.build_request(
            call.method, call.path, params=call.query, headers=call.headers, content=call.content
        )

    async def _read(self, call: Call, kind: type[T]) -> T:
        return wire.read(await self.send(call), kind)

    async def _do(self, call: Call) -> None:
        response = await self.send(call)
        if response.is_error:
            raise wire.failure(response)

    # ---- streams

    async def followed(self, path: str, query: wire.Query, after: int | None) -> AsyncGenerator[Entry | News, None]:
        """What a stream tells, over as many connections as it takes. Raises `Problem` and `Unreachable`."""
        position, lost = after, 0
        while True:
            call = wire.get(path, {**query, "after": position}, accept=wire.STREAM)
            last: wire.Told = httpx.ReadError("the stream broke off")
            async with aclosing(self._stream(call)) as told:
                async for last in told:
                    if not isinstance(last, Entry | News):
                        break
                    position, lost = last.seq if isinstance(last, Entry) else last.position, 0
                    yield last
            if isinstance(last, End) and last.reason == wire.FINISHED:
                return
            lost = await self._lost(call, lost, last)

    async def _stream(self, call: Call) -> AsyncGenerator[wire.Told, None]:
        """One connection: what it tells, and then why there is no more of it."""
        try:
            response = await self._http.send(self._request(call), stream=True)
            async with aclosing(response):
                if response.status_code == wire.NO_CONTENT:
                    yield End(wire.FINISHED)
                elif response.is_error:
                    await response.aread()
                    yield response
                else:
                    events = Events()
                    async for piece in response.aiter_bytes():
                        for one in events.take(piece):
                            yield one
        except httpx.TransportError as error:
            yield error

    async def _lost(self, call: Call, lost: int, last: wire.Told) -> int:
        """Wait before the stream is opened again; how often it was lost in a row."""
        outcome = last if isinstance(last, httpx.Response | httpx.TransportError) else httpx.ReadError(repr(last))
        pause = self.retry.wait(call, lost, outcome)
        if pause is None:
            if isinstance(outcome, httpx.Response):
                raise wire.failure(outcome)
            raise Unreachable(f"{self.url}{call.path}: {outcome!r}") from outcome
        await asyncio.sleep(pause)
        return lost + 1


class AsyncTable:
    """One game, as its caller sees it and plays in it."""

    def __init__(self, gusher: AsyncGusher, game: str, *, seat: int | None = None) -> None:
        self.game, self.seat = game, seat
        self._gusher = gusher
        self._path = f"/v1/games/{game}"

    # ---- what is

    async def header(self) -> Header:
        """Ruleset, edition, options, who sits where, what the game waits for, how it ended. Raises `Problem`."""
        return (await self.header_since(None)).value

    async def header_since(self, known: Known[Header] | None) -> Known[Header]:
        """The header with its version; `known` itself where nothing has happened since. Raises `Problem`."""
        return await self._since(self._path, {}, known, Header)

    async def view(self, *, viewer: str | None = None, at: int | None = None) -> View:
        """The state: now, or after entry `at`. `viewer` is `spectator`, `seat:N` or `auditor`. Raises `Problem`."""
        return await self._read(wire.get(f"{self._path}/view", {"as": viewer, "at": at}), View)

    async def view_since(self, known: Known[View] | None, *, viewer: str | None = None) -> Known[View]:
        """The state with its version; `known` itself where nothing has happened since. Raises `Problem`."""
        return await self._since(f"{self._path}/view", {"as": viewer}, known, View)

    async def options(self) -> Asked:
        """What is asked of the caller's seat, with every legal answer. Raises `Problem`."""
        return (await self.options_since(None)).value

    async def options_since(self, known: Known[Asked] | None) -> Known[Asked]:
        """The options with their version; `known` itself where nothing has happened since. Raises `Problem`."""
        return await self._since(f"{self._path}/options", self._for_seat(), known, Asked)

    # ---- sitting down

    async def sit(
        self,
        *,
        seat: int | None = None,
        client_seed: str | None = None,
        invitation: str | None = None,
        key: UUID | None = None,
    ) -> Done:
        """Take a seat (the first free one), with randomness of your own for the game's chance. Raises `Problem`."""
        body = wire.given(seat=seat, client_seed=client_seed, invitation=invitation)
        return await self._done("seats", body, key=key)

    async def leave(self, seat: int, *, key: UUID | None = None) -> Done:
        """Get up again, before the game begins. Raises `Problem`."""
        return await self._read(wire.command(f"{self._path}/seats/{seat}", method="DELETE", key=key), Done)

    async def add_bot(self, level: Level = "sensible", *, seat: int | None = None, key: UUID | None = None) -> Done:
        """Seat a house bot. Raises `Problem`."""
        return await self._done("bots", {"level": level, **wire.given(seat=seat)}, key=key)

    async def invite(self, *, seat: int | None = None, key: UUID | None = None) -> InvitationMade:
        """A code that lets somebody into a private game, once. Raises `Problem`."""
        call = wire.command(f"{self._path}/invitations", wire.given(seat=seat), key=key)
        return await self._read(call, InvitationMade)

    async def invitations(self) -> tuple[Invitation, ...]:
        """The invitations of the game, oldest first. Raises `Problem`."""
        found = await self._read(wire.get(f"{self._path}/invitations"), dict[str, tuple[Invitation, ...]])
        return found["invitations"]

    async def revoke_invitation(self, invitation: str) -> None:
        """The code lets nobody in any more. Raises `Problem`."""
        response = await self._gusher.send(
            Call(method="DELETE", path=f"{self._path}/invitations/{invitation}", once=True)
        )
        if response.is_error:
            raise wire.failure(response)

    # ---- playing

    async def start(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Begin, as the host. Raises `Problem`."""
        return await self._done("start", if_match=if_match, key=key)

    async def move(self, command: Mapping[str, Any], *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Send a command. `if_match` (an `etag`) holds it to a version. Raises `Problem`: `Refused` by a rule."""
        return await self._done("commands", command, query=self._for_seat(), if_match=if_match, key=key)

    async def check(self, command: Mapping[str, Any]) -> Checked:
        """Whether the command would be accepted, without a trace. Raises `Problem`."""
        call = wire.unkeyed(f"{self._path}/commands:check", command, once=True, query=self._for_seat())
        return await self._read(call, Checked)

    async def resign(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Leave a running game for good. Raises `Problem`."""
        return await self._done("resign", query=self._for_seat(), if_match=if_match, key=key)

    async def abort(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """End the game without a result, as the host. Raises `Problem`."""
        return await self._done("abort", if_match=if_match, key=key)

    async def turns(self) -> AsyncGenerator[Asked, None]:
        """What is asked of the caller's seat, each time that something is, until the game has ended.

        What was left unanswered is asked again once something else has happened. Raises `Problem`.
        """
        asked = await self.options()
        if asked.options:
            yield asked
        async with aclosing(self.follow(asked.version)) as entries:
            async for entry in entries:
                if entry.seq > asked.version and asked.seat in entry.awaits:
                    asked = await self.options()
                    if asked.options:
                        yield asked

    # ---- what is wrong

    async def dispute(
        self, reason: str, first: int, last: int, *, statement: str = "", key: UUID | None = None
    ) -> Done:
        """Claim that something is wrong with entries `first` to `last`. Raises `Problem`."""
        body = {"reason": reason, "first": first, "last": last, "statement": statement}
        return await self._done("disputes", body, query=self._for_seat(), key=key)

    async def disputes(self) -> tuple[Dispute, ...]:
        """The disputes of the game, by number. Raises `Problem`."""
        found = await self._read(wire.get(f"{self._path}/disputes"), dict[str, tuple[Dispute, ...]])
        return found["disputes"]

    # ---- the log

    async def log_page(self, after: int = 0, *, limit: int | None = None, viewer: str | None = None) -> EntriesPage:
        """Entries after `after`, at most `limit` of them (100 if left out). Raises `Problem`."""
        query = {"after": after, "limit": limit, "as": viewer}
        return await self._read(wire.get(f"{self._path}/log", query), EntriesPage)

    async def log(self, after: int = 0, *, viewer: str | None = None) -> AsyncIterator[Entry]:
        """The entries after `after` up to the newest, page by page as they are asked for. Raises `Problem`."""
        position = after
        while True:
            page = await self.log_page(position, limit=200, viewer=viewer)
            for entry in page.entries:
                yield entry
                position = entry.seq
            if page.next is None:
                return

    async def follow(self, after: int = 0, *, viewer: str | None = None) -> AsyncGenerator[Entry, None]:
        """The entries after `after` as they come, each once and in order, until the game has ended.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        query = {"as": viewer}
        async with aclosing(self._gusher.followed(f"{self._path}/log", query, after)) as followed:
            async for one in followed:
                if isinstance(one, Entry):
                    yield one

    async def head(self) -> SignedHead:
        """Where the log stands, signed: keep it. Raises `Problem`."""
        return await self._read(wire.get(f"{self._path}/head"), SignedHead)

    async def export(self, *, viewer: str | None = None) -> bytes:
        """The log file, for `gusher audit`. Raises `Problem`."""
        response = await self._gusher.send(wire.get(f"{self._path}/export", {"as": viewer}))
        if response.is_error:
            raise wire.failure(response)
        return response.content

    # ---- requests

    def _for_seat(self) -> wire.Query:
        return {"seat": self.seat}

    async def _done(
        self,
        what: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: wire.Query | None = None,
        if_match: str | None = None,
        key: UUID | None = None,
    ) -> Done:
        call = wire.command(f"{self._path}/{what}", body, query=query, if_match=if_match, key=key)
        return await self._read(call, Done)

    async def _since(self, path: str, query: wire.Query, known: Known[T] | None, kind: type[T]) -> Known[T]:
        call = wire.get(path, query, etag=None if known is None else known.etag)
        response = await self._gusher.send(call)
        if response.status_code == wire.NOT_MODIFIED and known is not None:
            return known
        return Known(wire.read(response, kind), wire.etag_of(response))

    async def _read(self, call: Call, kind: type[T]) -> T:
        return wire.read(await self._gusher.send(call), kind)
