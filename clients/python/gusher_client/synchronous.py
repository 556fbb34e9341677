"""The client without `await`: made of `asynchronous.py` by `tools/unasync.py`."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
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


class Gusher:
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"user-agent": AGENT} | ({} if token is None else {"authorization": f"Bearer {token}"})
        self.url, self.token = url, token
        self.retry = retry or Retry()
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)

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

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # ---- accounts and tokens

    def create_account(self, name: str, *, kind: Literal["person", "program"] = "person") -> AccountMade:
        """A new account with its first token, which is shown this once. Raises `Problem`."""
        return self._read(wire.unkeyed("/v1/accounts", {"name": name, "kind": kind}), AccountMade)

    def me(self) -> Me:
        """Who the token speaks for, and what it is good for. Raises `Problem`."""
        return self._read(wire.get("/v1/accounts/me"), Me)

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
        return self._read(wire.unkeyed("/v1/tokens", body), TokenMade)

    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the account, newest first. Raises `Problem`."""
        found = self._read(wire.get("/v1/tokens"), dict[str, tuple[Token, ...]])
        return found["tokens"]

    def revoke_token(self, token_id: str) -> None:
        """From now on the token is good for nothing. Raises `Problem`."""
        self._do(Call(method="DELETE", path=f"/v1/tokens/{token_id}", once=True))

    # ---- what there is to play

    def rulesets(self) -> tuple[Ruleset, ...]:
        """The games on offer. Raises `Problem`."""
        found = self._read(wire.get("/v1/rulesets"), dict[str, tuple[Ruleset, ...]])
        return found["rulesets"]

    def ruleset(self, name: str) -> RulesetDetails:
        """Everything there is to know about a game. Raises `Problem`."""
        return self._read(wire.get(f"/v1/rulesets/{name}"), RulesetDetails)

    def edition(self, ruleset: str, edition: str) -> EditionDetails:
        """The cards and numbers of an edition. Raises `Problem`."""
        return self._read(wire.get(f"/v1/rulesets/{ruleset}/editions/{edition}"), EditionDetails)

    def keys(self) -> tuple[str, ...]:
        """The public keys that sign heads and receipts. Raises `Problem`."""
        found = self._read(wire.get("/.well-known/gusher-keys"), dict[str, tuple[str, ...]])
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
        return self._read(wire.get("/v1/games", query), GamesPage)

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
        key: UUID | None = None,
    ) -> Table:
        """A new game: its chance is committed to before anybody sits down. Raises `Problem`."""
        chosen = wire.given(edition=edition, options=options)
        body = {"ruleset": ruleset, "seats": seats, "visibility": visibility, **chosen}
        done = self._read(wire.command("/v1/games", body, key=key), Done)
        return self.table(done.game)

    def table(self, game: str, *, seat: int | None = None) -> Table:
        """A game by its id. `seat` is needed where the caller holds several of its seats."""
        return Table(self, game, seat=seat)

    # ---- everything that concerns the caller

    def news_page(self, after: int = 0, *, limit: int = 100, wait: int = 0) -> NewsPage:
        """News after a position; with `wait` as soon as there are any, or after so many seconds. Raises `Problem`."""
        return self._read(wire.get("/v1/feed", {"after": after, "limit": limit, "wait": wait}), NewsPage)

    def news(self, after: int | None = None) -> Generator[News, None, None]:
        """News of all the caller's games as they come, without an end: from a position on, or from now on.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        with closing(self.followed("/v1/feed", {}, after)) as followed:
            for one in followed:
                if isinstance(one, News):
                    yield one

    # ---- requests

    def send(self, call: Call) -> httpx.Response:
        """The answer, whatever it says, after as many sendings as it takes. Raises `Unreachable`."""
        for sending in count():
            outcome = self._sent(call)
            pause = self.retry.wait(call, sending, outcome)
            if pause is not None:
                time.sleep(pause)
            elif isinstance(outcome, httpx.TransportError):
                raise Unreachable(f"{call.method} {self.url}{call.path}: {outcome!r}") from outcome
            else:
                return outcome
        raise AssertionError

    def _sent(self, call: Call) -> httpx.Response | httpx.TransportError:
        try:
            return self._http.send(self._request(call))
        except httpx.TransportError as error:
            return error

    def _request(self, call: Call) -> httpx.Request:
        return self._http.build_request(
            call.method, call.path, params=call.query, headers=call.headers, content=call.content
        )

    def _read(self, call: Call, kind: type[T]) -> T:
        return wire.read(self.send(call), kind)

    def _do(self, call: Call) -> None:
        response = self.send(call)
        if response.is_error:
            raise wire.failure(response)

    # ---- streams

    def followed(self, path: str, query: wire.Query, after: int | None) -> Generator[Entry | News, None, None]:
        """What a stream tells, over as many connections as it takes. Raises `Problem` and `Unreachable`."""
        position, lost = after, 0
        while True:
            call = wire.get(path, {**query, "after": position}, accept=wire.STREAM)
            last: wire.Told = httpx.ReadError("the stream broke off")
            with closing(self._stream(call)) as told:
                for last in told:
                    if not isinstance(last, Entry | News):
                        break
                    position, lost = last.seq if isinstance(last, Entry) else last.position, 0
                    yield last
            if isinstance(last, End) and last.reason == wire.FINISHED:
                return
            lost = self._lost(call, lost, last)

    def _stream(self, call: Call) -> Generator[wire.Told, None, None]:
        """One connection: what it tells, and then why there is no more of it."""
        try:
            response = self._http.send(self._request(call), stream=True)
            with closing(response):
                if response.status_code == wire.NO_CONTENT:
                    yield End(wire.FINISHED)
                elif response.is_error:
                    response.read()
                    yield response
                else:
                    events = Events()
                    for piece in response.iter_bytes():
                        yield from events.take(piece)
        except httpx.TransportError as error:
            yield error

    def _lost(self, call: Call, lost: int, last: wire.Told) -> int:
        """Wait before the stream is opened again; how often it was lost in a row."""
        outcome = last if isinstance(last, httpx.Response | httpx.TransportError) else httpx.ReadError(repr(last))
        pause = self.retry.wait(call, lost, outcome)
        if pause is None:
            if isinstance(outcome, httpx.Response):
                raise wire.failure(outcome)
            raise Unreachable(f"{self.url}{call.path}: {outcome!r}") from outcome
        time.sleep(pause)
        return lost + 1


class Table:
    """One game, as its caller sees it and plays in it."""

    def __init__(self, gusher: Gusher, game: str, *, seat: int | None = None) -> None:
        self.game, self.seat = game, seat
        self._gusher = gusher
        self._path = f"/v1/games/{game}"

    # ---- what is

    def header(self) -> Header:
        """Ruleset, edition, options, who sits where, what the game waits for, how it ended. Raises `Problem`."""
        return (self.header_since(None)).value

    def header_since(self, known: Known[Header] | None) -> Known[Header]:
        """The header with its version; `known` itself where nothing has happened since. Raises `Problem`."""
        return self._since(self._path, {}, known, Header)

    def view(self, *, viewer: str | None = None, at: int | None = None) -> View:
        """The state: now, or after entry `at`. `viewer` is `spectator`, `seat:N` or `auditor`. Raises `Problem`."""
        return self._read(wire.get(f"{self._path}/view", {"as": viewer, "at": at}), View)

    def view_since(self, known: Known[View] | None, *, viewer: str | None = None) -> Known[View]:
        """The state with its version; `known` itself where nothing has happened since. Raises `Problem`."""
        return self._since(f"{self._path}/view", {"as": viewer}, known, View)

    def options(self) -> Asked:
        """What is asked of the caller's seat, with every legal answer. Raises `Problem`."""
        return (self.options_since(None)).value

    def options_since(self, known: Known[Asked] | None) -> Known[Asked]:
        """The options with their version; `known` itself where nothing has happened since. Raises `Problem`."""
        return self._since(f"{self._path}/options", self._for_seat(), known, Asked)

    # ---- sitting down

    def sit(
        self,
        *,
        seat: int | None = None,
        client_seed: str | None = None,
        invitation: str | None = None,
        key: UUID | None = None,
    ) -> Done:
        """Take a seat (the first free one), with randomness of your own for the game's chance. Raises `Problem`."""
        body = wire.given(seat=seat, client_seed=client_seed, invitation=invitation)
        return self._done("seats", body, key=key)

    def leave(self, seat: int, *, key: UUID | None = None) -> Done:
        """Get up again, before the game begins. Raises `Problem`."""
        return self._read(wire.command(f"{self._path}/seats/{seat}", method="DELETE", key=key), Done)

    def add_bot(self, level: Level = "sensible", *, seat: int | None = None, key: UUID | None = None) -> Done:
        """Seat a house bot. Raises `Problem`."""
        return self._done("bots", {"level": level, **wire.given(seat=seat)}, key=key)

    def invite(self, *, seat: int | None = None, key: UUID | None = None) -> InvitationMade:
        """A code that lets somebody into a private game, once. Raises `Problem`."""
        call = wire.command(f"{self._path}/invitations", wire.given(seat=seat), key=key)
        return self._read(call, InvitationMade)

    def invitations(self) -> tuple[Invitation, ...]:
        """The invitations of the game, oldest first. Raises `Problem`."""
        found = self._read(wire.get(f"{self._path}/invitations"), dict[str, tuple[Invitation, ...]])
        return found["invitations"]

    def revoke_invitation(self, invitation: str) -> None:
        """The code lets nobody in any more. Raises `Problem`."""
        response = self._gusher.send(Call(method="DELETE", path=f"{self._path}/invitations/{invitation}", once=True))
        if response.is_error:
            raise wire.failure(response)

    # ---- playing

    def start(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Begin, as the host. Raises `Problem`."""
        return self._done("start", if_match=if_match, key=key)

    def move(self, command: Mapping[str, Any], *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Send a command. `if_match` (an `etag`) holds it to a version. Raises `Problem`: `Refused` by a rule."""
        return self._done("commands", command, query=self._for_seat(), if_match=if_match, key=key)

    def check(self, command: Mapping[str, Any]) -> Checked:
        """Whether the command would be accepted, without a trace. Raises `Problem`."""
        call = wire.unkeyed(f"{self._path}/commands:check", command, once=True, query=self._for_seat())
        return self._read(call, Checked)

    def resign(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """Leave a running game for good. Raises `Problem`."""
        return self._done("resign", query=self._for_seat(), if_match=if_match, key=key)

    def abort(self, *, if_match: str | None = None, key: UUID | None = None) -> Done:
        """End the game without a result, as the host. Raises `Problem`."""
        return self._done("abort", if_match=if_match, key=key)

    def turns(self) -> Generator[Asked, None, None]:
        """What is asked of the caller's seat, each time that something is, until the game has ended.

        What was left unanswered is asked again once something else has happened. Raises `Problem`.
        """
        asked = self.options()
        if asked.options:
            yield asked
        with closing(self.follow(asked.version)) as entries:
            for entry in entries:
                if entry.seq > asked.version and asked.seat in entry.awaits:
                    asked = self.options()
                    if asked.options:
                        yield asked

    # ---- what is wrong

    def dispute(self, reason: str, first: int, last: int, *, statement: str = "", key: UUID | None = None) -> Done:
        """Claim that something is wrong with entries `first` to `last`. Raises `Problem`."""
        body = {"reason": reason, "first": first, "last": last, "statement": statement}
        return self._done("disputes", body, query=self._for_seat(), key=key)

    def disputes(self) -> tuple[Dispute, ...]:
        """The disputes of the game, by number. Raises `Problem`."""
        found = self._read(wire.get(f"{self._path}/disputes"), dict[str, tuple[Dispute, ...]])
        return found["disputes"]

    # ---- the log

    def log_page(self, after: int = 0, *, limit: int | None = None, viewer: str | None = None) -> EntriesPage:
        """Entries after `after`, at most `limit` of them (100 if left out). Raises `Problem`."""
        query = {"after": after, "limit": limit, "as": viewer}
        return self._read(wire.get(f"{self._path}/log", query), EntriesPage)

    def log(self, after: int = 0, *, viewer: str | None = None) -> Iterator[Entry]:
        """The entries after `after` up to the newest, page by page as they are asked for. Raises `Problem`."""
        position = after
        while True:
            page = self.log_page(position, limit=200, viewer=viewer)
            for entry in page.entries:
                yield entry
                position = entry.seq
            if page.next is None:
                return

    def follow(self, after: int = 0, *, viewer: str | None = None) -> Generator[Entry, None, None]:
        """The entries after `after` as they come, each once and in order, until the game has ended.

        A stream that breaks off goes on where it was. Raises `Problem` and `Unreachable`.
        """
        query = {"as": viewer}
        with closing(self._gusher.followed(f"{self._path}/log", query, after)) as followed:
            for one in followed:
                if isinstance(one, Entry):
                    yield one

    def head(self) -> SignedHead:
        """Where the log stands, signed: keep it. Raises `Problem`."""
        return self._read(wire.get(f"{self._path}/head"), SignedHead)

    def export(self, *, viewer: str | None = None) -> bytes:
        """The log file, for `gusher audit`. Raises `Problem`."""
        response = self._gusher.send(wire.get(f"{self._path}/export", {"as": viewer}))
        if response.is_error:
            raise wire.failure(response)
        return response.content

    # ---- requests

    def _for_seat(self) -> wire.Query:
        return {"seat": self.seat}

    def _done(
        self,
        what: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: wire.Query | None = None,
        if_match: str | None = None,
        key: UUID | None = None,
    ) -> Done:
        call = wire.command(f"{self._path}/{what}", body, query=query, if_match=if_match, key=key)
        return self._read(call, Done)

    def _since(self, path: str, query: wire.Query, known: Known[T] | None, kind: type[T]) -> Known[T]:
        call = wire.get(path, query, etag=None if known is None else known.etag)
        response = self._gusher.send(call)
        if response.status_code == wire.NOT_MODIFIED and known is not None:
            return known
        return Known(wire.read(response, kind), wire.etag_of(response))

    def _read(self, call: Call, kind: type[T]) -> T:
        return wire.read(self._gusher.send(call), kind)
