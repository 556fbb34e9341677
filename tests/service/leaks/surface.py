"""Everything that can be asked about a running game, and what of the answers is compared."""

from __future__ import annotations

import re
from asyncio import Event
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from litestar import Litestar
from msgspec import Struct

from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.service.leaks.worlds import Viewer, World

NDJSON = {"accept": "application/x-ndjson"}


class Ask(Struct, frozen=True):
    """One request, and the operation it is for. `@7` in a header stands for the `ETag` of version 7."""

    operation: str
    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


class Told(Struct, frozen=True):
    """An answer, what is a world's own taken out of it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    text: str


class Answer(Struct, frozen=True):
    """What came back, as it was sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


@cache
def _site() -> Litestar:
    return site(None, Settings(limits=NO_LIMITS))


class Service:
    """The service over a world. It is asked as a server would ask it, without one between: what is sent is seen as it
    is, and there is much to ask.
    """

    def __init__(self, world: World) -> None:
        self._world, self._desk, self._front = world, world.desk(), Front(_site())

    async def ask(self, viewer: Viewer, number: int, wanted: Ask) -> Answer:
        """The answer to the viewer's request of this number."""
        body = b"" if wanted.body is None else msgspec.json.encode(wanted.body)
        headers = {"host": "gusher.test", "accept": "*/*", "idempotency-key": str(UUID(int=10_000 + number))}
        headers |= {name: _etags(value, self._world) for name, value in wanted.headers.items()}
        if wanted.body is not None:
            headers |= {"content-type": "application/json", "content-length": str(len(body))}
        if viewer.token is not None:
            headers["authorization"] = f"Bearer {viewer.token}"
        _site().state.desk = self._desk
        return await _exchanged(self._front, wanted.method, wanted.path, headers, body)


async def _exchanged(app: Front, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Answer:
    path, _, query = address.partition("?")
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("gusher.test", 80),
    }
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]
    answered = Event()

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        await answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            answered.set()

    await app(scope, receive, send)
    start, *rest = sent
    told = tuple((name.decode().lower(), value.decode()) for name, value in start["headers"])
    return Answer(start["status"], told, b"".join(message.get("body", b"") for message in rest))


def _etags(value: str, world: World) -> str:
    return re.sub(r"^@(\d+)$", lambda at: f'"{at[1]}-{world.rows[int(at[1]) - 1].hash[:16]}"', value)


def readings(game: str, version: int, stale: str) -> Iterator[Ask]:
    """What everybody may try to read, now and then, with their own eyes and with others'."""
    at = f"/v1/games/{game}"
    eyes = ("spectator", "seat:0", "seat:1", "seat:2", "auditor")
    yield Ask("list_games", "GET", "/v1/games")
    yield Ask("list_games", "GET", "/v1/games?mine=true&limit=1")
    yield Ask("list_invitations", "GET", f"{at}/invitations")
    yield Ask("get_feed", "GET", "/v1/feed")
    yield Ask("list_results", "GET", "/v1/results?limit=3")
    yield Ask("get_feed", "GET", f"/v1/feed?after={version // 2}&limit=3")
    yield Ask("get_log", "GET", f"{at}/log?after=999999", headers={"accept": "text/event-stream"})
    yield Ask("list_disputes", "GET", f"{at}/disputes")
    yield Ask("get_dispute", "GET", f"{at}/disputes/1")
    for operation, part in (
        ("get_game", ""),
        ("get_view", "/view"),
        ("get_options", "/options"),
        ("get_log", "/log?limit=200"),
        ("export_log", "/export"),
        ("audit_log", "/audit"),
        ("get_head", "/head"),
    ):
        yield Ask(operation, "GET", at + part)
        yield Ask(operation, "HEAD", at + part)
        yield Ask(operation, "GET", at + part, headers={"if-none-match": stale})
        yield Ask(operation, "OPTIONS", at + part)
        yield Ask(operation, "GET", f"{at}{part}{'&' if '?' in part else '?'}server_seed=1")
    for who in eyes:
        yield Ask("get_view", "GET", f"{at}/view?as={who}")
        yield Ask("get_log", "GET", f"{at}/log?as={who}&limit=3")
        yield Ask("export_log", "GET", f"{at}/export?as={who}")
        yield Ask("audit_log", "GET", f"{at}/audit?as={who}")
    for then in sorted({1, version // 3 or 1, version - 1, version, version + 1}):
        yield Ask("get_view", "GET", f"{at}/view?at={then}")
        yield Ask("get_log", "GET", f"{at}/log?after={then - 1}&limit=2")
    yield Ask("get_log", "GET", f"{at}/log", headers=NDJSON)
    for seat in range(3):
        yield Ask("get_options", "GET", f"{at}/options?seat={seat}")


def attempts(game: str, stale: str, commands: Sequence[Mapping[str, Any]]) -> Iterator[Ask]:
    """What everybody may try to do. Most of it is refused; the refusals are what is compared."""
    at = f"/v1/games/{game}"
    yield Ask("take_seat", "POST", f"{at}/seats", {})
    yield Ask("add_bot", "POST", f"{at}/bots", {"level": "random"})
    yield Ask("start_game", "POST", f"{at}/start")
    yield Ask("leave_seat", "DELETE", f"{at}/seats/1")
    yield Ask("revoke_invitation", "DELETE", f"{at}/invitations/{UUID(int=5)}")
    yield Ask("create_invitation", "POST", f"{at}/invitations", {})
    yield Ask("file_dispute", "POST", f"{at}/disputes", {"reason": "leak", "first": 1, "last": 10**9})
    yield Ask("create_auditor", "POST", f"{at}/disputes/1/auditors", {"label": "me"})
    yield Ask("create_arbiter", "POST", f"{at}/disputes/1/arbiters", {"label": "me"})
    yield Ask("give_verdict", "POST", f"{at}/disputes/1/verdict", {"verdict": "dismissed", "reason": "leak"})
    yield Ask("suspend_game", "POST", f"{at}/suspend", {"reason": ""})
    yield Ask("resume_game", "POST", f"{at}/resume", {"reason": "leak"})
    for command in commands:
        yield Ask("check_command", "POST", f"{at}/commands:check", command)
        yield Ask("submit_command", "POST", f"{at}/commands", command, {"if-match": stale})
        yield Ask("submit_command", "POST", f"{at}/commands", {**command, "decision_id": 1})
        yield Ask("check_command", "POST", f"{at}/commands:check?seat=1", command)
    yield Ask("submit_command", "POST", f"{at}/commands", {"type": "fly"})
    yield Ask("resign", "POST", f"{at}/resign", headers={"if-match": stale})
    yield Ask("abort_game", "POST", f"{at}/abort", headers={"if-match": stale})


def what_ifs(game: str, version: int, commands: Sequence[Mapping[str, Any]]) -> Iterator[Ask]:
    """A copy to play on with, looked at with everybody's eyes: what it hides is made of what its owner may know."""
    for number, then in enumerate((version, version - 3)):
        key = str(UUID(int=77 + number))
        at = f"/v1/games/{game}/branches/{key}"
        yield Ask("create_branch", "POST", f"/v1/games/{game}/branches", {"version": then}, {"idempotency-key": key})
        yield Ask("get_branch", "GET", at)
        for command in (None, *commands[:2]):
            if command is not None:
                yield Ask("play_branch", "POST", f"{at}/commands", command)
            for seat in range(3):
                yield Ask("view_branch", "GET", f"{at}/view?as=seat:{seat}")
                yield Ask("get_branch_options", "GET", f"{at}/options?seat={seat}")
        yield Ask("export_branch", "GET", f"{at}/export")
        yield Ask("delete_branch", "DELETE", at)
    for who in ("spectator", "auditor", "seat:0", "seat:1"):
        yield Ask("create_branch", "POST", f"/v1/games/{game}/branches", {"viewer": who})


def told(answer: Answer, taken_out: OwnWords) -> Told:
    """What is left of an answer without hashes, digests, signatures and what is made of them.

    Each is taken out by its value, known from the world's log: any other difference stays.
    """
    assert answer.status < 500, answer.text
    for name, value in answer.headers:
        if name == "repr-digest" and answer.body:
            assert value == f"sha-256=:{b64encode(sha256(answer.body).digest()).decode()}:"
    # What is left of a budget depends on the moment at which it is asked, and on nothing that is hidden.
    headers = [(name, value) for name, value in answer.headers if name not in ("repr-digest", "ratelimit")]
    return Told(
        answer.status,
        tuple((name, taken_out.without(value)) for name, value in headers),
        taken_out.without(answer.text),
    )


class OwnWords:
    """The hashes, digests and signatures of a world."""

    def __init__(self, world: World) -> None:
        signer = world.desk().keys.of(0)
        self._words: set[str] = set()
        for row in world.rows:
            note = signer.sign(world.game, row.seq, row.hash)
            self._words |= {note.rpartition(" ")[2].strip(), row.hash, row.hash[:16]}
            self._words.update(one.digest for one in row.sealed)
        self._any = re.compile("|".join(sorted(map(re.escape, self._words), key=len, reverse=True)))

    def without(self, text: str) -> str:
        """The text, in the place of each of them how long it was."""
        return _LONG.sub(self._shortened, text)

    def _shortened(self, long: re.Match[str]) -> str:
        """One of them as a rule; they may also be a part of something long."""
        found = long[0]
        return f"<{len(found)}>" if found in self._words else self._any.sub(lambda one: f"<{len(one[0])}>", found)


_LONG = re.compile(r"[A-Za-z0-9_+/=-]{16,}")
"""What is as long as the shortest of these words, and of the letters that they have."""
