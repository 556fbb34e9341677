"""The client against the OpenAPI document: every operation is one of its calls, with everything that may be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from gusher_client import Gusher, GusherError, Known, Table, model
from gusher_client.model import NewGame, Standing

GAME = "0190a0a0-0000-7000-8000-000000000000"
DOCUMENT: dict[str, Any] = msgspec.json.decode((Path(__file__).parents[3] / "openapi" / "openapi.json").read_bytes())
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if "operationId" in operation
}
RESULT = Standing(winners=(0,), standings=((0,), (1,)), scores=(3, 1))
KNOWN: Known[Any] = Known(None, "1-a")

Calls = Mapping[str, list[Callable[[Gusher, Table], object]]]
CALLS: Calls = {
    "list_keys": [lambda g, _: g.keys()],
    "is_live": [lambda g, _: g.alive()],
    "is_ready": [lambda g, _: g.ready()],
    "create_account": [lambda g, _: g.create_account("ada", kind="program", scopes=("play",))],
    "get_me": [lambda g, _: g.me()],
    "list_tokens": [lambda g, _: g.tokens()],
    "create_token": [
        lambda g, _: g.create_token("x", ("play",), game=GAME, seat=1, read_only=True, expires_at=datetime.now(UTC))
    ],
    "revoke_token": [lambda g, _: g.revoke_token(GAME)],
    "list_rulesets": [lambda g, _: g.rulesets()],
    "list_rules": [lambda g, _: g.rules("peak-oil")],
    "get_metrics": [lambda g, _: g.metrics()],
    "create_games": [lambda g, _: g.open_tables([NewGame("peak-oil", 2)], dry_run=True)],
    "list_results": [
        lambda g, _: g.results_page(ruleset="peak-oil", account="x", since=datetime.now(UTC), cursor="x", limit=3)
    ],
    "audit_log": [lambda _, t: t.audit(viewer="auditor")],
    "create_arbiter": [lambda _, t: t.allow_arbiter(1, "eve", hours=3)],
    "get_ruleset": [lambda g, _: g.ruleset("peak-oil")],
    "get_edition": [lambda g, _: g.edition("peak-oil", "standard")],
    "list_games": [lambda g, _: g.games_page(ruleset="peak-oil", status="lobby", mine=True, cursor="x", limit=3)],
    "create_game": [
        lambda g, _: g.open_table(
            "peak-oil", 2, edition="standard", options={"a": 1}, visibility="private", on_dispute="suspend"
        )
    ],
    "get_feed": [lambda g, _: g.news_page(3, limit=4, wait=5), lambda g, _: list(g.news(3))],
    "get_game": [lambda _, t: t.header_since(KNOWN)],
    "get_view": [lambda _, t: t.view(viewer="spectator", at=3), lambda _, t: t.view_since(KNOWN, wait=5)],
    "get_options": [lambda _, t: t.options_since(KNOWN, wait=5)],
    "take_seat": [lambda _, t: t.sit(seat=1, client_seed="c0", invitation="code")],
    "leave_seat": [lambda _, t: t.leave(1)],
    "add_bot": [lambda _, t: t.add_bot("random", seat=1)],
    "create_invitation": [lambda _, t: t.invite(seat=1)],
    "list_invitations": [lambda _, t: t.invitations()],
    "revoke_invitation": [lambda _, t: t.revoke_invitation(GAME)],
    "start_game": [lambda _, t: t.start(if_match="1-a")],
    "submit_command": [lambda _, t: t.move({"type": "x"}, if_match="1-a")],
    "check_command": [lambda _, t: t.check({"type": "x"})],
    "resign": [lambda _, t: t.resign(if_match="1-a")],
    "abort_game": [lambda _, t: t.abort(if_match="1-a")],
    "get_log": [lambda _, t: t.log_page(3, limit=2, viewer="seat:1"), lambda _, t: list(t.watch(viewer="seat:1"))],
    "get_head": [lambda _, t: t.head()],
    "export_log": [lambda _, t: t.export(viewer="auditor")],
    "file_dispute": [lambda _, t: t.dispute("wrong", 1, 2, statement="so")],
    "list_disputes": [lambda _, t: t.disputes()],
    "get_dispute": [lambda _, t: t.read_dispute(1)],
    "create_auditor": [lambda _, t: t.allow_auditor(1, "eve", hours=3)],
    "give_verdict": [lambda _, t: t.settle(1, "corrected", "counted_again", result=RESULT)],
    "suspend_game": [lambda _, t: t.suspend("maintenance")],
    "resume_game": [lambda _, t: t.resume("done")],
    "create_branch": [lambda _, t: t.what_if(3, viewer="seat:0")],
    "get_branch": [lambda _, t: t.branch(GAME).header()],
    "view_branch": [lambda _, t: t.branch(GAME).view(viewer="seat:1")],
    "get_branch_options": [lambda _, t: t.branch(GAME).options(seat=1)],
    "play_branch": [lambda _, t: t.branch(GAME).move({"type": "x"}, seat=1)],
    "export_branch": [lambda _, t: t.branch(GAME).export()],
    "delete_branch": [lambda _, t: t.branch(GAME).drop()],
}

OTHERWISE = {
    "follow": "streams are asked for by `Accept`",
    "Last-Event-ID": "streams go on with `after`",
}
"""Parameters that the client never sends, and what it does instead."""

WHOLE = frozenset({"get_log", "get_head", "export_log", "audit_log"})
"""What the client does not ask for only if it has changed: whoever reads the log goes on from its last entry."""


def asked_by(operation: str) -> list[httpx.Request]:
    """What the calls of an operation ask, of a service that knows nothing."""
    asked: list[httpx.Request] = []

    def nothing(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(404, json={})

    with Gusher("http://gusher.test", "gsh_x", transport=httpx.MockTransport(nothing)) as gusher:
        for call in CALLS[operation]:
            with suppress(GusherError):
                call(gusher, gusher.table(GAME, seat=1))
    return asked


def test_every_operation_is_a_call_of_the_client() -> None:
    assert set(CALLS) == set(OPERATIONS)


@pytest.mark.parametrize("operation", sorted(CALLS))
def test_a_call_asks_what_the_document_describes(operation: str) -> None:
    method, path, described = OPERATIONS[operation]
    asked = asked_by(operation)
    assert asked
    for request in asked:
        assert request.method == method
        assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path)
    sent = {name.lower() for request in asked for name in [*request.url.params, *request.headers]}
    known = {one["name"] for one in described.get("parameters", []) if one["in"] != "path"}
    left_out = {*OTHERWISE, "If-None-Match"} if operation in WHOLE else set(OTHERWISE)
    assert {name.lower() for name in known - left_out} <= sent


@pytest.mark.parametrize("operation", sorted(CALLS))
def test_a_body_has_every_member_that_the_document_describes(operation: str) -> None:
    content = OPERATIONS[operation][2].get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    schema = DOCUMENT["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    sent = {name for request in asked_by(operation) for name in msgspec.json.decode(request.content or b"{}")}
    assert set(schema.get("properties", {})) <= sent


SHAPES: Mapping[type[msgspec.Struct], str] = {
    model.Account: "AccountShown",
    model.AccountMade: "AccountMade",
    model.Audit: "Report",
    model.BranchHeader: "BranchShown",
    model.BranchMove: "BranchMove",
    model.Check: "Check",
    model.Checked: "Checked",
    model.Dispute: "DisputeShown",
    model.DisputeDetails: "DisputeTold",
    model.Done: "Done",
    model.Entry: "EntryShown",
    model.Finding: "Finding",
    model.GameResult: "ResultShown",
    model.GamesMade: "GamesMade",
    model.Header: "GameShown",
    model.ListedGame: "ListedGame",
    model.Looked: "ReadShown",
    model.News: "NewsShown",
    model.Question: "QuestionView",
    model.ResultSeat: "ResultSeat",
    model.RulesetDetails: "RulesetDetails",
    model.SignedHead: "SignedHead",
    model.Token: "TokenShown",
    model.View: "PeakOilGameView",
}


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.__name__)
def test_an_answer_has_every_member_that_the_document_describes(kind: type[msgspec.Struct]) -> None:
    described = DOCUMENT["components"]["schemas"][SHAPES[kind]]["properties"]
    assert set(kind.__struct_encode_fields__) == set(described)
