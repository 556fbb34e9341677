"""The lane and the framework's routes say the same, to careful and to careless requests; and the lane takes what it is
there for.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
import pytest
from httpx import AsyncClient

from rules.choices import Option
from service.auth.accounts import Wanted, current_token, issue
from service.auth.caller import Caller
from service.handling.desk import Desk
from service.http.lane import Lane
from service.http.site import Front, site
from service.settings import NO_LIMITS, Limits, Settings
from service.store.budgets import Budget
from tests.service.http.conftest import Meet, Person, started

Headers = list[tuple[bytes, bytes]]

HOST: Headers = [(b"host", b"gusher.test")]
JSON: Headers = [(b"content-type", b"application/json")]
CHARSET: Headers = [(b"content-type", b"application/json; charset=utf-8")]


class Said(NamedTuple):
    """An answer as it goes over the wire."""

    status: int
    headers: Headers
    body: bytes


class Talk:
    """One request to an ASGI application, and what came of it."""

    def __init__(self, method: str, path: str, headers: Headers, body: bytes, query: bytes) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "headers": headers,
            "client": ("192.0.2.1", 4711),
            "server": ("gusher.test", 80),
            "scheme": "http",
            "root_path": "",
        }
        half = len(body) // 2
        self.left = [body[:half], body[half:]]
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        """The body, in two pieces."""
        if not self.left:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": self.left.pop(0), "more_body": bool(self.left)}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    @property
    def said(self) -> Said:
        start, *rest = self.sent
        return Said(start["status"], list(start["headers"]), b"".join(one["body"] for one in rest))


class Both:
    """The two ways to the same desk."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        app = site(desk, settings)
        self._lane, self._front = Lane(app.state), Front(app, lane=False)
        self.front: Any = Front(app)

    async def by_lane(self, *request: Any) -> Said | None:
        """The lane's answer; None where it leaves the request alone, and then it has touched nothing."""
        talk: Any = Talk(*request)
        taken = await self._lane.take(talk.scope, talk.receive, talk.send)
        if taken is None:
            assert not talk.sent
            assert len(talk.left) == 2
            return None
        said: Said = talk.said
        assert taken == said.status
        return said

    async def by_framework(self, *request: Any) -> Said:
        talk: Any = Talk(*request)
        await self._front(talk.scope, talk.receive, talk.send)
        said: Said = talk.said
        return said


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=NO_LIMITS)


@pytest.fixture
def both(desk: Desk, settings: Settings) -> Both:
    return Both(desk, settings)


@pytest.fixture
async def people(meet: Meet) -> tuple[Person, Person, Person]:
    return await meet("ada"), await meet("bob"), await meet("eve")


def bearer(token: str) -> Headers:
    return [(b"authorization", f"Bearer {token}".encode())]


def length(body: bytes) -> Headers:
    return [(b"content-length", b"%d" % len(body))]


def key(value: object = None) -> Headers:
    return [(b"idempotency-key", str(value or uuid4()).encode())]


async def narrowed(desk: Desk, person: Person, **more: Any) -> str:
    """Another token of a person's, for less."""
    parent, account = await current_token(desk.store, f"Bearer {person.token}")
    caller = Caller(account.id, frozenset(parent.scopes))
    wanted = Wanted(label="less", scopes=("play",), **more)
    return (await issue(desk.store, caller, wanted, parent)).secret


async def test_reading_is_the_same_by_both_ways(both: Both, desk: Desk, people: Any) -> None:
    ada, bob, eve = people
    game, other = await started(ada, bob), await started(ada, bob)
    private = await ada.open_table(2, visibility="private")
    etag = (await ada.get(f"/v1/games/{game}/view")).headers["etag"].encode()
    callers = [
        *map(bearer, (ada.token, eve.token, "gsh_wrong", "")),
        bearer(await narrowed(desk, ada, game=other)),
        bearer(await narrowed(desk, ada, read_only=True)),
        [],
        [(b"authorization", b"Basic YWRhOmFkYQ==")],
        [(b"authorization", b"bearer  " + ada.token.encode())],
    ]
    known: list[Headers] = [
        [],
        *([(b"if-none-match", value)] for value in (etag, b"W/" + etag, b'"1-0"', b"*", b"null", b"")),
    ]
    addresses = [f"/v1/games/{one}/{what}" for one in (game, private, uuid4()) for what in ("view", "options")]
    statuses = set()
    for path, caller, version in product(addresses, callers, known):
        request = "GET", path, [*HOST, *caller, *version], b"", b""
        found = await both.by_lane(*request)
        assert found is not None
        assert found == await both.by_framework(*request)
        statuses.add(found.status)
    assert statuses == {200, 304, 401, 403, 404}


BODIES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b'{"type": "buy_extra_card"',
    b'{"type": "buy_extra_card", "type": "pass"}',
    b'{"type": "no_such_command"}',
    b'{"type": 7}',
    b'{"type": "buy_extra_card", "more": 1.5}',
    b'{"type": "buy_extra_card", "id": "x"}',
    b'{"type": "buy_extra_card", "decision_id": "3"}',
    b'{"type": "finish_phase", "discard": ["no_such_card"]}',
    b'{"type": "buy_extra_card", "decision_id": 999}',
    b'{"type": "\xff"}',
    b'{"type": NaN}',
    b"[" * 5000,
    b'{"type": "buy_extra_card"}' + b" " * 70_000,
]


async def test_what_is_refused_is_refused_alike(both: Both, desk: Desk, people: Any) -> None:
    ada, bob, eve = people
    game = await started(ada, bob)
    waiting = bob if (await bob.get(f"/v1/games/{game}/options")).json()["options"] else ada
    idle = ada if waiting is bob else bob
    seat = await narrowed(desk, waiting, read_only=True)
    taken = set()
    for token, body in product((waiting.token, idle.token, eve.token, seat), BODIES):
        for what in ("commands", "commands:check"):
            request = (
                "POST",
                f"/v1/games/{game}/{what}",
                [*HOST, *bearer(token), *JSON, *length(body), *key()],
                body,
                b"",
            )
            found = await both.by_lane(*request)
            expected = await both.by_framework(*request)
            assert 400 <= expected.status < 500
            assert found in (expected, None)
            # No body, and one that says itself that it is too large, is the framework's.
            assert (found is None) == (len(body) > 65_536 or not body)
            taken.add(expected.status)
    assert taken == {400, 403, 409, 413}


async def test_what_is_done_is_told_alike_whichever_way_it_was_done(both: Both, people: Any) -> None:
    """The same key with the same body gets the first answer again: so each way can be asked about the other's deeds."""
    ada, bob, _ = people
    game = await started(ada, bob)
    for turn in range(8):
        for person in (ada, bob):
            asked = (await person.get(f"/v1/games/{game}/options")).json()
            if asked["options"]:
                break
        option = msgspec.convert(asked["options"][turn % len(asked["options"])], Option)
        command = {**option.pick(lambda _: 0), "decision_id": asked["decision_id"]}
        body = msgspec.json.encode(command)
        version = (await person.get(f"/v1/games/{game}/view")).headers["etag"].encode()
        headers = [*HOST, *bearer(person.token), *JSON, *length(body), *key(), (b"if-match", version)]
        request = "POST", f"/v1/games/{game}/commands", headers, body, b""
        checked = "POST", f"/v1/games/{game}/commands:check", headers, body, b""
        assert await both.by_lane(*checked) == await both.by_framework(*checked)
        first = await (both.by_lane if turn % 2 else both.by_framework)(*request)
        assert first is not None
        assert first.status == 200, first.body
        assert await both.by_lane(*request) == await both.by_framework(*request) == first
        # With a key of its own it is refused alike: the game stands elsewhere now.
        late = [*headers[:-2], *key(), (b"if-match", version)]
        late_request = "POST", f"/v1/games/{game}/commands", late, body, b""
        assert await both.by_lane(*late_request) == await both.by_framework(*late_request)


async def test_the_unusual_is_left_to_the_framework_before_anything_is_done(both: Both, people: Any) -> None:
    ada, bob, _ = people
    game = await started(ada, bob)
    upper, me, body = game.upper(), bearer(ada.token), b"{}"
    good = [*HOST, *me, *JSON, *length(body), *key()]
    commands = f"/v1/games/{game}/commands"
    left: list[tuple[str, str, Headers, bytes, bytes]] = [
        ("GET", f"/v1/games/{upper}/view", [*HOST, *me], b"", b""),
        ("GET", f"/v1/games/{game}/view/", [*HOST, *me], b"", b""),
        ("GET", f"/v1/games/{game}/view\n", [*HOST, *me], b"", b""),
        ("GET", f"/v1/games/{game}/view", [*HOST, *me], b"", b"at=1"),
        ("GET", f"/v1/games/{game}/view", [*HOST, *me], b"", b"no_such=1"),
        ("GET", f"/v1/games/{game}/view", me, b"", b""),
        ("GET", f"/v1/games/{game}/view", [(b"host", b"a b"), *me], b"", b""),
        ("GET", f"/v1/games/{game}/view", [*HOST, *me, *me], b"", b""),
        ("GET", f"/v1/games/{game}/log", [*HOST, *me], b"", b""),
        ("GET", f"/v1/games/{game}", [*HOST, *me], b"", b""),
        ("GET", commands, [*HOST, *me], b"", b""),
        ("HEAD", f"/v1/games/{game}/view", [*HOST, *me], b"", b""),
        ("OPTIONS", f"/v1/games/{game}/view", [*HOST], b"", b""),
        ("POST", f"/v1/games/{game}/view", good, body, b""),
        ("POST", commands, good[:-1], body, b""),
        ("POST", commands, [*good[:-1], *key("no-uuid")], body, b""),
        ("POST", commands, [*good[:-1], *key(str(uuid4()).upper())], body, b""),
        ("POST", commands, [*good, (b"if-match", b"W/" + b'"1-0"')], body, b""),
        ("POST", commands, [*good, (b"if-match", b'"' + b"1" * 64 + b'"')], body, b""),
        ("POST", commands, [*good, (b"if-match", b'"1-0", "2-0"')], body, b""),
        ("POST", commands, [*good, (b"content-encoding", b"gzip")], body, b""),
        ("POST", commands, [*HOST, *me, *length(body), *key()], body, b""),
        ("POST", commands, [*HOST, *me, *JSON, *key()], body, b""),
        ("POST", commands, [*HOST, *me, (b"content-type", b"text/plain"), *length(body), *key()], body, b""),
        ("POST", commands, [*HOST, *me, *CHARSET, *length(body), *key()], body, b""),
        ("POST", commands, [*HOST, *me, *JSON, (b"content-length", b"65537"), *key()], body, b""),
        ("POST", commands, good, body, b"seat=0"),
    ]  # fmt: skip
    before = (await ada.get(f"/v1/games/{game}/view")).headers["etag"]
    for request in left:
        assert await both.by_lane(*request) is None, request
        answer = await both.by_framework(*request)
        assert answer.status in (200, 204, 400, 404, 405, 413, 415, 422), answer
    assert (await ada.get(f"/v1/games/{game}/view")).headers["etag"] == before


async def test_a_body_that_breaks_off_is_refused_alike(both: Both, people: Any) -> None:
    ada, bob, _ = people
    game = await started(ada, bob)
    headers = [*HOST, *bearer(ada.token), *JSON, *length(b"{}"), *key()]
    answers = []
    for take in (both._lane.take, both._front):
        talk: Any = Talk("POST", f"/v1/games/{game}/commands", headers, b"{}", b"")
        talk.left = []
        await take(talk.scope, talk.receive, talk.send)
        answers.append(talk.said)
    assert answers[0] == answers[1]
    assert answers[0].status == 400


async def test_a_fault_of_ours_is_told_alike(
    both: Both, desk: Desk, people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob, _ = people
    game = await started(ada, bob)

    def broken(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(desk.games, "fresh", broken)
    request = "GET", f"/v1/games/{game}/view", [*HOST, *bearer(ada.token)], b"", b""
    found, expected = await both.by_lane(*request), await both.by_framework(*request)
    assert found is not None
    one, other = msgspec.json.decode(found.body), msgspec.json.decode(expected.body)
    assert one.pop("instance") != other.pop("instance")
    assert (found.status, one) == (expected.status, other)
    assert one["code"] == "internal"
    assert found.headers == expected.headers


@pytest.mark.parametrize("limits", [Limits(token=Budget(50, 60), address=Budget(9, 60), game=Budget(6, 60))])
async def test_both_ways_are_paid_from_one_budget(desk: Desk, limits: Limits, client: AsyncClient, people: Any) -> None:
    ada, bob, eve = people
    game, budgets = await started(ada, bob), Both(desk, Settings(limits=limits))
    for caller, name, quota in (
        (bearer(ada.token), b"game", 6),
        (bearer(eve.token), b"token", 50),
        ([], b"address", 9),
    ):
        request = "GET", f"/v1/games/{game}/view", [*HOST, *caller], b"", b""
        for spent in range(1, quota + 1):
            found = await (budgets.by_lane if spent % 2 else budgets.by_framework)(*request)
            assert found is not None
            headers = dict(found.headers)
            assert found.status == 200
            assert headers[b"ratelimit-policy"] == b'"%s";q=%d;w=60' % (name, quota)
            assert headers[b"ratelimit"].startswith(b'"%s";r=%d;t=' % (name, quota - spent))
        refused = await budgets.by_lane(*request)
        assert refused is not None
        expected = await budgets.by_framework(*request)
        assert (refused.status, refused.body) == (expected.status, expected.body)
        assert [name for name, _ in refused.headers] == [name for name, _ in expected.headers]
        assert refused.status == 429


async def test_the_front_takes_the_lane_where_there_is_one(
    both: Both, people: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob, _ = people
    game = await started(ada, bob)

    async def unused(*_: object) -> None:
        raise AssertionError("the framework was asked")

    front = both.front
    monkeypatch.setattr(front, "app", unused)
    talk: Any = Talk("GET", f"/v1/games/{game}/view", [*HOST, *bearer(ada.token)], b"", b"")
    await front(talk.scope, talk.receive, talk.send)
    assert talk.said.status == 200
