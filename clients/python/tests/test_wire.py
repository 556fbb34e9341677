"""What the client sends and sends again, against answers that are made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import rules.choices
from gusher_client import (
    Entry,
    Gusher,
    Malformed,
    NotFound,
    Option,
    Refused,
    Retry,
    ServerFault,
    Unreachable,
    VersionMismatch,
    View,
)
from gusher_client.problems import problem_of

GAME = "0190a0a0-0000-7000-8000-000000000000"
DONE = {
    "game": GAME,
    "version": 3,
    "etag": "3-abc",
    "head": "00",
    "at": "2026-01-01T00:00:00Z",
    "actor": "seat:0",
    "command_id": "x",
    "events": [],
    "receipt": "note",
}
HEADER: dict[str, Any] = {
    "game": GAME,
    "ruleset": "some-game",
    "rules_version": 1,
    "edition": "standard",
    "edition_digest": "00",
    "options": {},
    "seed_commit": "00",
    "visibility": "public",
    "host": "ada",
    "created_at": "2026-01-01T00:00:00Z",
    "on_dispute": "go_on",
    "status": "running",
    "version": 2,
    "head": "00",
    "etag": "2-abc",
    "at": "2026-01-01T00:00:00Z",
    "seats": [],
    "yours": [],
    "question": None,
    "result": None,
    "ended_because": None,
    "suspended_for": None,
}
Answer = httpx.Response | httpx.TransportError


class Answers:
    """A service that answers as told, one after the other, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer

    @property
    def keys(self) -> list[str]:
        return [request.headers["idempotency-key"] for request in self.asked]


def client_of(answers: Callable[[httpx.Request], httpx.Response], **patience: Any) -> Gusher:
    retry = Retry(**{"first": 0.0, "most": 0.0, **patience})
    return Gusher("http://gusher.test", "gsh_x", retry=retry, transport=httpx.MockTransport(answers))


def entry(seq: int, *events: dict[str, Any]) -> dict[str, Any]:
    return {
        "seq": seq,
        "hash": "00",
        "at": "2026-01-01T00:00:00Z",
        "actor": "seat:0",
        "command": {"type": "x"},
        "events": list(events),
        "body": {},
        "disclosures": [],
    }


def event(name: str, data: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def stream(*pieces: bytes) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=iter(pieces))


@pytest.mark.parametrize(
    "trouble", [httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("gone"), httpx.Response(500), httpx.Response(503)]
)
def test_a_command_is_sent_again_with_the_same_key(trouble: Answer) -> None:
    answers = Answers(trouble, httpx.Response(200, json=DONE))
    assert client_of(answers).table(GAME).move({"type": "x"}).version == 3
    assert len(set(answers.keys)) == 1
    assert answers.asked[0].content == answers.asked[1].content


def test_two_commands_have_two_keys() -> None:
    answers = Answers(httpx.Response(200, json=DONE), httpx.Response(200, json=DONE))
    table = client_of(answers).table(GAME)
    table.move({"type": "x"})
    table.move({"type": "x"})
    assert len(set(answers.keys)) == 2


def test_no_answer_at_all_is_unreachable() -> None:
    answers = Answers(*[httpx.ReadTimeout("slow")] * 3)
    with pytest.raises(Unreachable):
        client_of(answers, sendings=3).table(GAME).start()
    assert len(answers.asked) == 3


def test_what_has_no_key_is_not_done_twice() -> None:
    """An account whose answer was lost may exist; one whose request was never sent does not."""
    lost = Answers(httpx.ReadTimeout("slow"))
    with pytest.raises(Unreachable):
        client_of(lost).create_account("ada")
    broken = Answers(httpx.Response(503))
    with pytest.raises(ServerFault):
        client_of(broken).create_account("ada")
    never_sent = Answers(httpx.ConnectError("nobody there"), httpx.Response(429), httpx.Response(404, json={}))
    with pytest.raises(NotFound):
        client_of(never_sent).create_account("ada")


def test_a_wait_that_is_too_long_is_the_callers() -> None:
    answers = Answers(httpx.Response(429, headers={"retry-after": "3600"}))
    with pytest.raises(Exception, match="429"):
        client_of(answers).me()
    assert len(answers.asked) == 1


def test_a_refusal_is_told_with_its_rule() -> None:
    members = {"type": "/problems/refused", "title": "No", "status": 409, "detail": "Stale.", "code": "stale_decision"}
    answers = Answers(httpx.Response(409, json={**members, "rule": "OG-176", "game_version": 12, "decision": 11}))
    with pytest.raises(Refused) as refused:
        client_of(answers).table(GAME).move({"type": "x"})
    problem = refused.value
    assert (problem.code, problem.rule, problem.game_version, problem.decision) == ("stale_decision", "OG-176", 12, 11)
    assert str(problem) == "No: Stale. (stale_decision)"


def test_a_mismatch_has_what_was_missed() -> None:
    members = {"type": "/problems/version_mismatch", "code": "version_mismatch", "etag": "4-abc", "missed": [entry(4)]}
    answers = Answers(httpx.Response(412, json=members))
    with pytest.raises(VersionMismatch) as raised:
        client_of(answers).table(GAME).move({"type": "x"}, if_match="3-abc")
    assert answers.asked[0].headers["if-match"] == '"3-abc"'
    assert [one.seq for one in raised.value.missed] == [4]
    assert raised.value.etag == "4-abc"


def test_a_failure_that_is_no_problem_document_is_one_all_the_same() -> None:
    assert isinstance(problem_of(502, b"<html>bad gateway"), ServerFault)
    assert isinstance(problem_of(400, b"[]"), Malformed)


def test_what_has_not_changed_is_not_sent_again() -> None:
    answers = Answers(httpx.Response(200, json=HEADER, headers={"etag": '"2-abc"'}), httpx.Response(304))
    table = client_of(answers).table(GAME)
    known = table.header_since(None)
    assert table.header_since(known) is known
    assert answers.asked[1].headers["if-none-match"] == '"2-abc"'


def test_a_stream_that_breaks_off_goes_on_where_it_was() -> None:
    first = b"retry: 1000\n\n:\n\n" + event("entry", entry(1)) + event("entry", entry(2))
    cut = event("entry", entry(3))[:20]
    answers = Answers(
        stream(first[:30], first[30:], cut),
        httpx.ConnectError("away"),
        stream(event("end", {"reason": "closing", "last": 2})),
        stream(event("entry", entry(3)), event("end", {"reason": "finished", "last": 3})),
    )
    assert [one.seq for one in client_of(answers).table(GAME).follow()] == [1, 2, 3]
    assert [request.url.params["after"] for request in answers.asked] == ["0", "2", "2", "2"]


def test_a_stream_with_nothing_to_tell_may_break_off_as_often_as_it_likes() -> None:
    quiet = [stream(b"retry: 1000\n\n", b":\n\n") for _ in range(5)]
    answers = Answers(*quiet, stream(event("end", {"reason": "finished", "last": 0})))
    assert list(client_of(answers, sendings=2).table(GAME).follow()) == []
    dead = Answers(*(stream(b"retry: 1000\n\n") for _ in range(5)))
    with pytest.raises(Unreachable):
        list(client_of(dead, sendings=2).table(GAME).follow())


def test_the_state_comes_first_and_only_once() -> None:
    view = {
        **{name: HEADER[name] for name in ("game", "ruleset", "edition", "options", "status", "seats", "question")},
        **{name: HEADER[name] for name in ("result", "ended_because", "version")},
        "viewer": 0,
        "board": {},
    }
    answers = Answers(
        httpx.ConnectError("away"),
        stream(event("view", view)),
        stream(event("entry", entry(3)), event("end", {"reason": "finished", "last": 3})),
    )
    told = list(client_of(answers).table(GAME).watch())
    assert [type(one) for one in told] == [View, Entry]
    asked = [dict(request.url.params) for request in answers.asked]
    assert asked == [{"state": "true"}, {"state": "true"}, {"after": "2"}]


def test_a_line_separator_inside_of_an_entry_ends_no_line() -> None:
    said = entry(1, {"type": "said", "text": "a\u2028b\x85c"})
    answers = Answers(stream(event("entry", said)), httpx.Response(204))
    (told,) = client_of(answers).table(GAME).follow()
    assert told.events[0]["text"] == "a\u2028b\x85c"


def test_a_stream_that_nobody_may_read_is_a_problem() -> None:
    with pytest.raises(NotFound):
        list(client_of(Answers(httpx.Response(404, json={}))).table(GAME).follow())


def test_pages_follow_one_another() -> None:
    listed = {
        name: HEADER[name] for name in ("game", "ruleset", "edition", "visibility", "host", "created_at", "status")
    }
    game = {**listed, "version": 2, "seats": 2, "taken": 1, "bots": 0, "yours": []}
    answers = Answers(
        httpx.Response(200, json={"games": [game, game], "next": "abc", "previous": None}),
        httpx.Response(200, json={"games": [game], "next": None, "previous": "def"}),
    )
    assert len(list(client_of(answers).games(status="running", mine=True))) == 3
    assert dict(answers.asked[1].url.params) == {"status": "running", "mine": "true", "cursor": "abc", "limit": "200"}


def test_both_clients_are_one_source() -> None:
    namespace: dict[str, Any] = {"__file__": str(TOOL), "__name__": "unasync"}
    exec(compile(TOOL.read_text(), str(TOOL), "exec"), namespace)  # noqa: S102 - a script of ours
    modules = sorted(namespace["SOURCE"].glob("*.py"))
    assert [module.name for module in modules] == sorted(made.name for made in namespace["MADE"].glob("*.py"))
    for module in modules:
        assert (namespace["MADE"] / module.name).read_text() == namespace["synchronous"](module), "make client"


TOOL = Path(__file__).parents[1] / "tools" / "unasync.py"


def test_the_client_knows_every_description_that_the_service_gives() -> None:
    """The client may not import the service, so it has descriptions of its own: the same, with the same members."""
    assert shapes_of(Option) == shapes_of(rules.choices.Option)


def shapes_of(kind: type) -> dict[str, Any]:
    _, found = msgspec.json.schema_components([kind])
    return {name: {key: value for key, value in one.items() if key != "description"} for name, one in found.items()}
