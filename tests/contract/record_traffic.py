"""Records the traffic anew: `make traffic`. Review the difference: whatever is gone from an answer breaks a client.

A few people open tables of a ruleset, play with what they are offered, and look at whatever there is to see. Every so
often one of them is careless: a wrong token, a member too many, an old version, half a body.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from httpx import Client, Response
from msgspec.structs import replace

from rules.catalogue import rulesets
from rules.choices import Option
from service.auth.accounts import first_admin
from service.embedded import Embedded, EmbeddedServers
from service.store.opening import open_postgres
from tests.contract.traffic import ADMIN, Asked, Line, Symbols, corpus, line_of, send, write
from tests.service.http.answers import operations
from tests.service.http.running import running, settings_for

SERVE: Final = """
from service.app import serve
import sys
serve("127.0.0.1", int(sys.argv[1]), 1, "tests.contract.served:create")
"""
CARELESS: Final = 0.3
NOTHING: Final = "0190f3c0-0000-7000-8000-00000000dead"


class Recorder:
    """Asks, and keeps what was asked and told."""

    def __init__(self, client: Client, admin: str, seed: str) -> None:
        self.client, self.dice = client, random.Random(seed)
        self.symbols, self.lines = Symbols(admin), list[Line]()
        self.tokens = {ADMIN: admin}
        self._operations = operations()

    def key(self) -> str:
        """A fresh idempotency key."""
        return str(UUID(int=self.dice.getrandbits(128), version=4))

    def do(self, name: str, who: str | None, body: Any = None, query: str = "", **names: Any) -> Response:
        """One request as it should be, and now and then a careless one after it: some of those are let pass."""
        asked = self._asked(name, who, body, query, names)
        answer = self._keep(asked)
        if self.dice.random() < CARELESS:
            self._keep(self.dice.choice(SLIPS)(self, asked))
        return answer

    def _asked(self, name: str, who: str | None, body: Any, query: str, names: dict[str, Any]) -> Asked:
        method, path, _ = self._operations[name]
        headers = {} if who is None else {"authorization": f"Bearer {self.tokens[who]}"}
        headers |= {key: value for key, value in names.items() if "-" in key}
        if method != "GET":
            headers.setdefault("idempotency-key", self.key())
        where = path.format(**names) + (f"?{query}" if query else "")
        return Asked(name, method, where, headers, body)

    def _keep(self, asked: Asked) -> Response:
        answer = send(self.client, asked)
        self.lines.append(line_of(asked, answer, self.symbols))
        return answer


Slip = Callable[[Recorder, Asked], Asked]


def _header(name: str, value: str | None) -> Slip:
    def slip(_: Recorder, asked: Asked) -> Asked:
        others = {known: one for known, one in asked.headers.items() if known != name}
        return replace(asked, headers=others if value is None else {**others, name: value})

    return slip


def _query(text: str) -> Slip:
    return lambda _, asked: replace(asked, path=f"{asked.path}{'&' if '?' in asked.path else '?'}{text}")


def _elsewhere(_: Recorder, asked: Asked) -> Asked:
    parts = asked.path.split("/")
    return replace(asked, path="/".join([*parts[:3], NOTHING, *parts[4:]]) if len(parts) > 3 else f"{asked.path}/x")


def _method(_: Recorder, asked: Asked) -> Asked:
    return replace(asked, method="PATCH")


def _half(_: Recorder, asked: Asked) -> Asked:
    if asked.body is None:
        return replace(asked, method="PUT")
    text = msgspec.json.encode(asked.body).decode()
    return replace(
        asked, body=None, raw=text[: len(text) // 2], headers={**asked.headers, "content-type": "application/json"}
    )


def _as_text(_: Recorder, asked: Asked) -> Asked:
    return replace(asked, body=None, raw="hello", headers={**asked.headers, "content-type": "text/plain"})


def _member(change: Callable[[random.Random, dict[str, Any]], dict[str, Any]]) -> Slip:
    def slip(recorder: Recorder, asked: Asked) -> Asked:
        body = asked.body if isinstance(asked.body, dict) else {}
        return replace(asked, body=change(recorder.dice, body))

    return slip


def _without_one(dice: random.Random, body: dict[str, Any]) -> dict[str, Any]:
    gone = dice.choice(sorted(body)) if body else ""
    return {name: value for name, value in body.items() if name != gone}


def _with_another_type(dice: random.Random, body: dict[str, Any]) -> dict[str, Any]:
    return {**body, dice.choice(sorted(body)): [[]]} if body else {"x": 1}


SLIPS: Final[tuple[Slip, ...]] = (
    _header("authorization", None),
    _header("authorization", "Bearer gsh_wrong"),
    _header("idempotency-key", None),
    _header("idempotency-key", "7"),
    _header("if-match", '"1-0000000000000000"'),
    _header("if-match", "7"),
    _header("if-none-match", "*"),
    _header("accept", "image/png"),
    _query("colour=blue"),
    _query("limit=0&limit=1"),
    _query("seat=100"),
    _query("as=seat:9"),
    _elsewhere,
    _method,
    _half,
    _as_text,
    _member(lambda _, body: {**body, "colour": "blue"}),
    _member(lambda _, body: {**body, "seat": -1}),
    _member(_without_one),
    _member(_with_another_type),
)


def play(recorder: Recorder, ruleset: str) -> None:
    """Everything there is to ask, around one game of the ruleset."""
    do = recorder.do
    _look_around(recorder, ruleset)
    for who in ("ada", "bob", "eve"):
        made = do("create_account", None, {"name": f"{who}-{ruleset}"}).json()
        recorder.tokens[who] = made["token"]
    do("get_me", "ada")
    token = do("create_token", "ada", {"label": "phone", "scopes": ["play"], "read_only": True}).json()
    do("list_tokens", "ada")
    do("revoke_token", "ada", token=token["details"]["token_id"])
    table = {"ruleset": ruleset, "seats": 2}
    do("create_games", "ada", {"games": [table, table]}, "dry_run=true")
    batch = do("create_games", "ada", {"games": [table, {**table, "visibility": "private"}]}).json()["games"]
    _private(recorder, batch[1]["game"])
    do("add_bot", "ada", {"level": "random"}, game=batch[0]["game"])
    do("abort_game", "ada", game=batch[0]["game"])
    game = do("create_game", "ada", table).json()["game"]
    for who in ("ada", "bob", "bob"):
        do("take_seat", who, {"client_seed": "c0ffee"}, game=game)
    do("leave_seat", "bob", game=game, seat=1)
    do("take_seat", "bob", {"seat": 1, "client_seed": "c0ffee"}, game=game)
    do("start_game", "bob", game=game)
    do("start_game", "ada", game=game)
    _moves(recorder, game, 8)
    late = {"if-match": '"1-0000000000000000"'}
    do("submit_command", "ada", {"type": "finish_phase"}, game=game, **late)
    _what_if(recorder, game)
    _disputes(recorder, game)
    _moves(recorder, game, 40)
    do("resign", "eve", game=game)
    do("resign", "bob", game=game)
    do("submit_command", "ada", {"type": "finish_phase"}, game=game)
    _read(recorder, game)
    do("export_log", "admin", None, "as=auditor", game=game)
    do("get_log", None, None, "follow=true&after=0", game=game)
    do("get_log", None, None, "after=0", game=game, accept="application/x-ndjson")
    do("audit_log", None, game=game)
    do("list_results", None, None, f"ruleset={ruleset}&limit=3")
    do("get_feed", "ada", None, "limit=5")
    do("get_metrics", "eve")
    do("get_metrics", "admin")


def _look_around(recorder: Recorder, ruleset: str) -> None:
    do = recorder.do
    for name in ("is_live", "is_ready", "list_keys", "list_rulesets"):
        do(name, None)
    do("get_ruleset", None, ruleset=ruleset)
    do("list_rules", None, ruleset=ruleset)
    do("get_ruleset", None, ruleset="chess")
    do("get_edition", None, ruleset=ruleset, edition=rulesets()[ruleset].default_edition)
    do("list_games", None, None, f"ruleset={ruleset}&status=running")


def _private(recorder: Recorder, game: str) -> None:
    do = recorder.do
    made = do("create_invitation", "ada", {"seat": 1}, game=game).json()
    spare = do("create_invitation", "ada", {}, game=game).json()
    do("list_invitations", "ada", game=game)
    do("revoke_invitation", "ada", game=game, invitation=spare["invitation"])
    do("get_game", "bob", game=game)
    do("take_seat", "bob", {"invitation": spare["code"]}, game=game)
    do("take_seat", "bob", {"invitation": made["code"]}, game=game)
    do("get_game", "bob", game=game)
    do("list_games", "ada", None, "mine=true&limit=2")


def _moves(recorder: Recorder, game: str, rounds: int) -> None:
    """Random moves of both, some of them asked about first, some of them sent twice, some of them by the wrong one."""
    do, dice = recorder.do, recorder.dice
    for _ in range(rounds):
        for who, other in (("ada", "bob"), ("bob", "ada")):
            asked = do("get_options", who, game=game).json()
            if not asked.get("options"):
                continue
            offered = msgspec.convert(asked["options"], list[Option])
            command = {**dice.choice(offered).pick(dice.randrange), "decision_id": asked["decision_id"]}
            if dice.random() < 0.2:
                do("check_command", who, command, game=game)
            if dice.random() < 0.1:
                do("submit_command", other, command, game=game)
            key = {"idempotency-key": recorder.key()}
            done = do("submit_command", who, command, game=game, **key)
            if dice.random() < 0.1:
                do("submit_command", who, command, game=game, **key)
                do("submit_command", who, {**command, "decision_id": 1}, game=game, **key)
            if dice.random() < 0.1 and done.is_success:
                do("submit_command", who, command, game=game, **{"if-match": done.headers["etag"]})
        if dice.random() < 0.2:
            _read(recorder, game)


def _read(recorder: Recorder, game: str) -> None:
    do, dice = recorder.do, recorder.dice
    who = dice.choice(["ada", "bob", "eve", None])
    name, query = dice.choice(
        [
            ("get_game", ""),
            ("get_view", ""),
            ("get_view", "as=spectator"),
            ("get_view", "as=seat:1"),
            ("get_view", "at=3"),
            ("get_view", "at=999999"),
            ("get_log", "after=2&limit=3"),
            ("get_head", ""),
            ("export_log", ""),
            ("list_games", "status=running"),
        ]
    )
    do(name, who, None, query, **({} if name == "list_games" else {"game": game}))


def _what_if(recorder: Recorder, game: str) -> None:
    do = recorder.do
    made = do("create_branch", "ada", {}, game=game)
    assert made.is_success, made.text
    branch = made.json()["branch"]
    do("create_branch", "eve", {}, game=game)
    do("get_branch", "ada", game=game, branch=branch)
    do("get_branch", "bob", game=game, branch=branch)
    do("view_branch", "ada", None, "as=seat:1", game=game, branch=branch)
    asked = do("get_branch_options", "ada", game=game, branch=branch).json()
    offered = msgspec.convert(asked["options"], list[Option])
    command = offered[0].pick(recorder.dice.randrange)
    do("play_branch", "ada", command, f"seat={asked['seat']}", game=game, branch=branch)
    do("export_branch", "ada", game=game, branch=branch)
    do("delete_branch", "ada", game=game, branch=branch)


def _disputes(recorder: Recorder, game: str) -> None:
    do = recorder.do
    do("suspend_game", "ada", {"reason": "maintenance"}, game=game)
    do("suspend_game", "admin", {"reason": "maintenance"}, game=game)
    do("get_options", "ada", game=game)
    do("resume_game", "admin", {"reason": "checked"}, game=game)
    claim = {"reason": "wrong_score", "first": 1, "last": 2, "statement": "The wells were counted twice."}
    do("file_dispute", "eve", claim, game=game)
    do("file_dispute", "ada", claim, game=game)
    do("file_dispute", "ada", claim, game=game)
    do("list_disputes", None, game=game)
    do("create_auditor", "ada", {"label": "me", "hours": 1}, game=game, number=1)
    do("create_auditor", "admin", {"label": "referee", "hours": 1}, game=game, number=1)
    arbiter = do("create_arbiter", "admin", {"label": "arbiter", "hours": 1}, game=game, number=1).json()
    recorder.tokens["arbiter"] = arbiter["token"]
    do("get_dispute", "ada", game=game, number=1)
    do("give_verdict", "bob", {"verdict": "dismissed", "reason": "checked"}, game=game, number=1)
    do("give_verdict", "arbiter", {"verdict": "dismissed", "reason": "checked"}, game=game, number=1)
    do("get_dispute", None, game=game, number=1)


@contextmanager
def serving(database_url: str, redis_url: str, folder: Path) -> Iterator[tuple[Client, str]]:
    """The service with its chance made plain, on an empty database; a client, and the administrator's token."""
    admin = asyncio.run(_first_admin(database_url))
    environment = settings_for(Embedded(database_url, redis_url, {}), database_url, folder / "data")
    with running(environment, folder / "server.log", SERVE) as server:
        yield Client(base_url=server.url, timeout=60), admin


async def _first_admin(database_url: str) -> str:
    store = await open_postgres(database_url, unsafe_allowed=("fsync", "full_page_writes"))
    token = await first_admin(store)
    await store.close()
    assert token is not None, "the database is empty"
    return token


def main() -> None:
    """Record every corpus again, each against a service of its own."""
    for name in rulesets():
        with tempfile.TemporaryDirectory() as place:
            recorder = _recorded(name, Path(place))
        write(corpus(name), recorder.lines)
        print(f"{name}: {len(recorder.lines)} requests, {corpus(name).stat().st_size:,} bytes")


def _recorded(name: str, place: Path) -> Recorder:
    with EmbeddedServers(place / "servers", postgres=True, valkey=True) as servers:
        assert servers.database_url is not None
        assert servers.redis_url is not None
        with serving(servers.database_url, servers.redis_url, place) as (client, admin):
            recorder = Recorder(client, admin, name)
            play(recorder, name)
    return recorder


if __name__ == "__main__":
    main()
