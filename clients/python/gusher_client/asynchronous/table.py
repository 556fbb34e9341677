"""A game, as its caller sees it and plays in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any
from uuid import UUID

from gusher_client import wire
from gusher_client.asynchronous.branch import AsyncBranch
from gusher_client.asynchronous.connection import AsyncConnection
from gusher_client.model import (
    Asked,
    Audit,
    BranchHeader,
    Checked,
    Dispute,
    DisputeDetails,
    Done,
    EntriesPage,
    Entry,
    Header,
    Invitation,
    InvitationMade,
    Level,
    SignedHead,
    Standing,
    TokenMade,
    Verdict,
    View,
)
from gusher_client.wire import Call, Known


class AsyncTable:
    """One game, as its caller sees it and plays in it."""

    def __init__(self, line: AsyncConnection, game: str, *, seat: int | None = None) -> None:
        self.game, self.seat = game, seat
        self._line = line
        self._path = f"/v1/games/{game}"

    # ---- what is

    async def header(self) -> Header:
        """Ruleset, edition, options, who sits where, what the game waits for, how it ended. Raises `Problem`."""
        return (await self.header_since(None)).value

    async def header_since(self, known: Known[Header] | None) -> Known[Header]:
        """The header with its version; `known` itself where nothing has happened since. Raises `Problem`."""
        return await self._line.read_since(wire.get(self._path), known, Header)

    async def view(self, *, viewer: str | None = None, at: int | None = None) -> View:
        """The state: now, or after entry `at`. `viewer` is `spectator`, `seat:N` or `auditor`. Raises `Problem`."""
        return await self._line.read(wire.get(f"{self._path}/view", {"as": viewer, "at": at}), View)

    async def view_since(self, known: Known[View] | None, *, viewer: str | None = None, wait: int = 0) -> Known[View]:
        """The state with its version; `known` itself where nothing has happened since, not even while one waited up to
        `wait` seconds for it. Raises `Problem`.
        """
        call = wire.get(f"{self._path}/view", {"as": viewer, **self._waiting(wait)})
        return await self._line.read_since(call, known, View)

    async def options(self) -> Asked:
        """What is asked of the caller's seat, with every legal answer. Raises `Problem`."""
        return (await self.options_since(None)).value

    async def options_since(self, known: Known[Asked] | None, *, wait: int = 0) -> Known[Asked]:
        """The options with their version; `known` itself where nothing has happened since. With `wait` they come as
        soon as something is asked, or the game has ended, or so many seconds have passed. Raises `Problem`.
        """
        call = wire.get(f"{self._path}/options", {**self._for_seat(), **self._waiting(wait)})
        return await self._line.read_since(call, known, Asked)

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
        return await self._line.read(wire.command(f"{self._path}/seats/{seat}", method="DELETE", key=key), Done)

    async def add_bot(self, level: Level = "sensible", *, seat: int | None = None, key: UUID | None = None) -> Done:
        """Seat a house bot. Raises `Problem`."""
        return await self._done("bots", {"level": level, **wire.given(seat=seat)}, key=key)

    async def invite(self, *, seat: int | None = None, key: UUID | None = None) -> InvitationMade:
        """A code that lets somebody into a private game, once. Raises `Problem`."""
        call = wire.command(f"{self._path}/invitations", wire.given(seat=seat), key=key)
        return await self._line.read(call, InvitationMade)

    async def invitations(self) -> tuple[Invitation, ...]:
        """The invitations of the game, oldest first. Raises `Problem`."""
        found = await self._line.read(wire.get(f"{self._path}/invitations"), dict[str, tuple[Invitation, ...]])
        return found["invitations"]

    async def revoke_invitation(self, invitation: str) -> None:
        """The code lets nobody in any more. Raises `Problem`."""
        await self._line.content(Call(method="DELETE", path=f"{self._path}/invitations/{invitation}", once=True))

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
        return await self._line.read(call, Checked)

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
        found = await self._line.read(wire.get(f"{self._path}/disputes"), dict[str, tuple[Dispute, ...]])
        return found["disputes"]

    async def read_dispute(self, number: int) -> DisputeDetails:
        """A dispute with its statement, and every time that somebody read hidden facts for it. Raises `Problem`."""
        return await self._line.read(wire.get(f"{self._path}/disputes/{number}"), DisputeDetails)

    async def allow_auditor(self, number: int, label: str, *, hours: int = 72) -> TokenMade:
        """A token that exports this game with every eye, until the dispute is settled. For arbiters who do not play.
        Raises `Problem`.
        """
        call = wire.unkeyed(f"{self._path}/disputes/{number}/auditors", {"label": label, "hours": hours})
        return await self._line.read(call, TokenMade)

    async def allow_arbiter(self, number: int, label: str, *, hours: int = 72) -> TokenMade:
        """A token that settles this dispute, and is good for nothing else. For a host who does not play, and for
        administrators. Raises `Problem`.
        """
        call = wire.unkeyed(f"{self._path}/disputes/{number}/arbiters", {"label": label, "hours": hours})
        return await self._line.read(call, TokenMade)

    async def settle(
        self, number: int, verdict: Verdict, reason: str, *, result: Standing | None = None, key: UUID | None = None
    ) -> Done:
        """Settle a dispute, as its arbiter; `result` goes with `corrected`. Raises `Problem`."""
        body = {"verdict": verdict, "reason": reason, **wire.given(result=result)}
        return await self._done(f"disputes/{number}/verdict", body, key=key)

    async def suspend(self, reason: str, *, key: UUID | None = None) -> Done:
        """Let nobody move for now. For administrators. Raises `Problem`."""
        return await self._done("suspend", {"reason": reason}, key=key)

    async def resume(self, reason: str, *, key: UUID | None = None) -> Done:
        """Let a suspended game go on. For administrators. Raises `Problem`."""
        return await self._done("resume", {"reason": reason}, key=key)

    # ---- what if

    async def what_if(
        self, version: int | None = None, *, viewer: str | None = None, key: UUID | None = None
    ) -> AsyncBranch:
        """A copy to play all seats of, from a version or from now; hidden facts are drawn anew for the viewer's eyes.
        Raises `Problem`.
        """
        call = wire.command(f"{self._path}/branches", wire.given(version=version, viewer=viewer), key=key)
        return self.branch((await self._line.read(call, BranchHeader)).branch)

    def branch(self, branch: str) -> AsyncBranch:
        """A copy that was made before, by its id."""
        return AsyncBranch(self._line, self.game, branch)

    # ---- the log

    async def log_page(self, after: int = 0, *, limit: int | None = None, viewer: str | None = None) -> EntriesPage:
        """Entries after `after`, at most `limit` of them (100 if left out). Raises `Problem`."""
        query = {"after": after, "limit": limit, "as": viewer}
        return await self._line.read(wire.get(f"{self._path}/log", query), EntriesPage)

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
        async with aclosing(self._line.followed(f"{self._path}/log", query, after)) as followed:
            async for one in followed:
                if isinstance(one, Entry):
                    yield one

    async def watch(self, *, viewer: str | None = None) -> AsyncGenerator[View | Entry, None]:
        """The state as of now, and then the entries that follow it, as `follow` gives them. Raises `Problem` and
        `Unreachable`.
        """
        query = {"as": viewer, "state": True}
        async with aclosing(self._line.followed(f"{self._path}/log", query, None)) as followed:
            async for one in followed:
                if isinstance(one, View | Entry):
                    yield one

    async def head(self) -> SignedHead:
        """Where the log stands, signed: keep it. Raises `Problem`."""
        return await self._line.read(wire.get(f"{self._path}/head"), SignedHead)

    async def audit(self, *, viewer: str | None = None) -> Audit:
        """The eight checks, run by the service over what this caller may export. Raises `Problem`.

        Whoever does not trust the service exports the log, and runs `gusher audit` at home.
        """
        return await self._line.read(wire.get(f"{self._path}/audit", {"as": viewer}), Audit)

    async def export(self, *, viewer: str | None = None) -> bytes:
        """The log file, for `gusher audit`. Raises `Problem`."""
        return await self._line.content(wire.get(f"{self._path}/export", {"as": viewer}))

    # ---- requests

    def _for_seat(self) -> wire.Query:
        return {"seat": self.seat}

    def _waiting(self, seconds: int) -> wire.Query:
        """A wait that the connection outlives."""
        return {"wait": min(seconds, max(int(self._line.timeout) - 5, 1))} if seconds else {}

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
        return await self._line.read(call, Done)
