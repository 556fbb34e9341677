"""A dispute from the claim to the verdict, over HTTP: who may what, who sees what, and what the log says of it."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient

from audit import audit_lines
from service.auth.accounts import HOUR, Appointment, appoint, sign_up
from service.auth.known import now_ms
from service.handling.desk import Desk
from service.http.site import Front, site
from service.keys import KeyFile
from service.settings import Settings
from tests.desks import a_desk, a_key
from tests.memory_store import MemoryStore
from tests.service.http.conftest import Meet, Person, move, problem, started

CLAIM: dict[str, Any] = {"reason": "hidden_cards", "first": 2, "last": 4, "statement": "Bo knew my hand."}


async def disputed(meet: Meet, *, on_dispute: str = "suspend") -> tuple[str, Person, Person]:
    ana, bo = await meet("ana"), await meet("bo")
    game = await ana.open_table(2, on_dispute=on_dispute)
    for person in (ana, bo):
        assert (await person.post(f"/v1/games/{game}/seats", {})).status_code == 201
    assert (await ana.post(f"/v1/games/{game}/start")).status_code == 200
    made = await ana.post(f"/v1/games/{game}/disputes", CLAIM)
    assert made.status_code == 201, made.text
    return game, ana, bo


async def called(who: Person, game: str, role: str, **body: Any) -> Person:
    made = await who.post(f"/v1/games/{game}/disputes/1/{role}", {"label": "Referee", **body})
    assert made.status_code == 201, made.text
    return Person(who.client, made.json()["token"], "")


async def auditor(admin: Person, game: str, **body: Any) -> Person:
    return await called(admin, game, "auditors", **body)


async def arbiter(meet: Meet, desk: Desk) -> Person:
    """Somebody who settles disputes of all games, and does nothing else."""
    anybody = await meet("zoe")
    made = await sign_up(desk.store, "judge", "person", ("arbitrate",))
    return Person(anybody.client, made.first.secret, made.account.id)


async def hosted(meet: Meet) -> tuple[str, Person, Person, Person]:
    """A disputed game of two whose host does not play: the game, the host, the players."""
    host, ana, bo = await meet("host"), await meet("ana"), await meet("bo")
    game = await host.open_table(2)
    for person in (ana, bo):
        assert (await person.post(f"/v1/games/{game}/seats", {})).status_code == 201
    assert (await host.post(f"/v1/games/{game}/start")).status_code == 200
    assert (await ana.post(f"/v1/games/{game}/disputes", CLAIM)).status_code == 201
    return game, host, ana, bo


def opened(text: str) -> int:
    """How many sealed fields a file opens."""
    lines = (msgspec.json.decode(line) for line in text.splitlines())
    return sum(len(line.get("disclosures", ())) for line in lines)


@pytest.mark.rule("GU-07")
async def test_a_dispute_suspends_the_game_by_its_policy(meet: Meet, client: AsyncClient) -> None:
    game, ana, bo = await disputed(meet)
    shown = (await bo.get(f"/v1/games/{game}")).json()
    assert (shown["status"], shown["on_dispute"], shown["question"]) == ("suspended", "suspend", None)
    assert (await ana.get(f"/v1/games/{game}/options")).json()["options"] == []
    refused = problem(await ana.post(f"/v1/games/{game}/resign"), 409, "suspended")
    assert (refused["rule"], refused["because"]) == ("GU-06", "dispute")
    assert (await client.get("/v1/games?status=suspended")).json()["games"][0]["game"] == game


@pytest.mark.rule("GU-07")
async def test_without_that_policy_the_game_goes_on(meet: Meet) -> None:
    game, ana, bo = await disputed(meet, on_dispute="go_on")
    assert (await move(game, Random(1).randrange, ana, bo)).status_code == 200  # type: ignore[union-attr]
    problem(await ana.post(f"/v1/games/{game}/disputes", CLAIM), 409, "dispute_open")
    problem(await bo.post(f"/v1/games/{game}/disputes", {**CLAIM, "last": 999}), 422, "no_such_entries")
    problem(await (await meet("cy")).post(f"/v1/games/{game}/disputes", CLAIM), 403, "not_a_player")


async def test_the_same_claim_again_is_one_dispute(meet: Meet) -> None:
    game, _, bo = await disputed(meet)
    key = a_key()
    first = await bo.post(f"/v1/games/{game}/disputes", CLAIM, idempotency_key=key)
    again = await bo.post(f"/v1/games/{game}/disputes", CLAIM, idempotency_key=key)
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert [one["dispute"] for one in (await bo.get(f"/v1/games/{game}/disputes")).json()["disputes"]] == [1, 2]


async def test_the_table_reads_the_statement_and_nobody_else(meet: Meet, client: AsyncClient) -> None:
    game, ana, bo = await disputed(meet)
    path = f"/v1/games/{game}/disputes/1"
    for person in (ana, bo):
        assert (await person.get(path)).json()["statement"] == CLAIM["statement"]
    assert (await client.get(path)).json()["statement"] is None
    assert CLAIM["statement"] not in (await client.get(f"/v1/games/{game}/log?limit=200")).text
    problem(await ana.get(f"/v1/games/{game}/disputes/2"), 404, "no_such_dispute")


@pytest.mark.rule("GU-10")
async def test_an_auditor_reads_everything_while_it_lasts_and_the_players_see_every_time(
    meet: Meet, admin: Person, client: AsyncClient
) -> None:
    game, ana, bo = await disputed(meet)
    referee = await auditor(admin, game)
    export = f"/v1/games/{game}/export"
    everything = await referee.get(f"{export}?as=auditor")
    assert everything.status_code == 200
    assert opened(everything.text) > opened((await ana.get(export)).text) > opened((await client.get(export)).text)
    report = audit_lines([everything.content])
    assert report.findings == ()
    problem(await admin.get(f"{export}?as=auditor"), 403, "not_your_seat")
    await referee.get(f"{export}?as=auditor")
    for person in (ana, bo, admin):
        reads = (await person.get(f"/v1/games/{game}/disputes/1")).json()["reads"]
        assert [(one["by"], one["version"]) for one in reads] == [("Referee", 5), ("Referee", 5)]
    assert (await client.get(f"/v1/games/{game}/disputes/1")).json()["reads"] == []


async def test_an_auditor_s_token_is_good_for_nothing_else(meet: Meet, admin: Person) -> None:
    game, ana, _ = await disputed(meet)
    other = await started(ana, await meet("cy"))
    referee = await auditor(admin, game)
    for path in ("view?as=auditor", "log?as=auditor", "view?as=seat:0", "export?as=seat:1"):
        problem(await referee.get(f"/v1/games/{game}/{path}"), 403, "not_your_seat")
    problem(await referee.get(f"/v1/games/{other}/export?as=auditor"), 403, "other_game")
    problem(await referee.post(f"/v1/games/{game}/resume", {"reason": "x"}), 403, "read_only")
    problem(await referee.post("/v1/tokens", {"label": "more", "scopes": ["audit"]}), 403, "read_only")
    for person in (ana, referee):
        refused = await person.post(f"/v1/games/{game}/disputes/1/auditors", {"label": "me"})
        assert refused.status_code == 403


async def test_an_auditor_s_token_expires_and_ends_with_the_dispute(
    meet: Meet, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_ = await disputed(meet)
    referee, later = await auditor(admin, game, hours=1), await auditor(admin, game, hours=5)
    clock = count(now_ms() + 2 * HOUR)
    monkeypatch.setattr("service.auth.accounts.now_ms", lambda: next(clock))
    problem(await referee.get(f"/v1/games/{game}/export?as=auditor"), 401)
    assert (await later.get(f"/v1/games/{game}/export?as=auditor")).status_code == 200
    verdict = {"verdict": "dismissed", "reason": "checked"}
    assert (await admin.post(f"/v1/games/{game}/disputes/1/verdict", verdict)).status_code == 200
    problem(await later.get(f"/v1/games/{game}/export?as=auditor"), 403, "dispute_settled")
    problem(await admin.post(f"/v1/games/{game}/disputes/1/auditors", {"label": "late"}), 409, "dispute_settled")


VERDICT = {"verdict": "dismissed", "reason": "checked"}


async def test_an_arbiter_settles_what_nobody_else_may(meet: Meet, desk: Desk, client: AsyncClient) -> None:
    game, host, ana, bo = await hosted(meet)
    path = f"/v1/games/{game}/disputes/1/verdict"
    for person in (host, ana, bo, await meet("cy")):
        refused = problem(await person.post(path, VERDICT), 403, "missing_scope")
        assert refused["scope"] == "arbitrate"
    problem(await client.post(path, json=VERDICT, headers={"idempotency-key": a_key()}), 401)
    judge = await arbiter(meet, desk)
    told = (await judge.post(path, VERDICT)).json()
    assert (told["actor"], told["events"][0]["type"]) == ("arbiter", "verdict_given")
    problem(await judge.post(f"/v1/games/{game}/suspend", {"reason": "mine"}), 403, "missing_scope")


async def test_nobody_judges_a_game_in_which_they_hold_a_seat(meet: Meet, desk: Desk, admin: Person) -> None:
    ana = await meet("ana")
    game = await ana.open_table(2)
    judge = await sign_up(desk.store, "player and judge", "person", ("play", "organize", "arbitrate"))
    bo = Person(admin.client, judge.first.secret, judge.account.id)
    for person in (bo, admin):
        assert (await person.post(f"/v1/games/{game}/seats", {})).status_code == 201
    assert (await ana.post(f"/v1/games/{game}/start")).status_code == 200
    assert (await bo.post(f"/v1/games/{game}/disputes", CLAIM)).status_code == 201
    at = f"/v1/games/{game}/disputes/1"
    for person in (bo, admin):
        problem(await person.post(f"{at}/verdict", VERDICT), 403, "player_of_the_game")
        problem(await person.post(f"{at}/auditors", {"label": "me"}), 403, "player_of_the_game")
    problem(await admin.post(f"{at}/arbiters", {"label": "me"}), 403, "player_of_the_game")
    assert (await bo.post(f"/v1/games/{game}/resign")).status_code == 200
    problem(await bo.post(f"{at}/verdict", VERDICT), 403, "player_of_the_game")


async def test_a_host_who_does_not_play_names_an_arbiter_for_one_dispute(meet: Meet) -> None:
    game, host, ana, bo = await hosted(meet)
    other, *_ = await hosted(lambda name: meet(f"{name}-2"))
    assert (await bo.post(f"/v1/games/{game}/disputes", CLAIM)).status_code == 201
    at = f"/v1/games/{game}/disputes/1"
    problem(await ana.post(f"{at}/arbiters", {"label": "me"}), 403, "not_the_host")
    judge = await called(host, game, "arbiters")
    problem(await judge.post(f"/v1/games/{game}/disputes/2/verdict", VERDICT), 403, "other_dispute")
    problem(await judge.post(f"/v1/games/{other}/disputes/1/verdict", VERDICT), 403, "other_game")
    problem(await judge.post(f"{at}/auditors", {"label": "a friend"}), 403, "missing_scope")
    problem(await judge.get(f"/v1/games/{game}/export?as=auditor"), 403, "dispute_not_for_reading")
    problem(await judge.post("/v1/tokens", {"label": "more", "scopes": ["arbitrate"]}), 403, "narrowing_exceeded")
    assert [one["label"] for one in (await judge.get("/v1/tokens")).json()["tokens"]] == ["Referee"]
    assert (await judge.post(f"{at}/verdict", VERDICT)).status_code == 200
    problem(await host.post(f"{at}/arbiters", {"label": "late"}), 409, "dispute_settled")


async def test_a_host_names_no_more_arbiters_than_there_is_room_for_tokens(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, host, *_ = await hosted(meet)
    monkeypatch.setattr("service.auth.accounts.MOST_TOKENS", 2)
    await called(host, game, "arbiters")
    problem(await host.post(f"/v1/games/{game}/disputes/1/arbiters", {"label": "one too many"}), 409, "too_many_tokens")


async def test_a_host_who_plays_names_nobody(meet: Meet) -> None:
    game, ana, _ = await disputed(meet)
    problem(await ana.post(f"/v1/games/{game}/disputes/1/arbiters", {"label": "me"}), 403, "player_of_the_game")


async def test_an_arbiter_knows_of_a_private_game_that_is_disputed_and_of_no_other(meet: Meet, desk: Desk) -> None:
    ana = await meet("ana")
    game = await ana.open_table(2, visibility="private")
    judge = await arbiter(meet, desk)
    problem(await judge.get(f"/v1/games/{game}"), 404)
    assert (await ana.post(f"/v1/games/{game}/seats", {})).status_code == 201
    assert (await ana.post(f"/v1/games/{game}/disputes", {**CLAIM, "last": 2})).status_code == 201
    assert (await judge.get(f"/v1/games/{game}/disputes/1")).status_code == 200
    assert (await judge.post(f"/v1/games/{game}/disputes/1/verdict", VERDICT)).status_code == 200


@pytest.mark.rule("GU-08")
async def test_a_verdict_lets_the_game_go_on_and_the_log_says_why(meet: Meet, admin: Person) -> None:
    game, ana, bo = await disputed(meet)
    path = f"/v1/games/{game}/disputes/1/verdict"
    verdict = {"verdict": "dismissed", "reason": "checked"}
    problem(await ana.post(path, verdict), 403, "missing_scope")
    problem(await admin.post(path, {**verdict, "verdict": "corrected"}), 422, "result_goes_with_corrected")
    told = (await admin.post(path, verdict)).json()
    assert [event["type"] for event in told["events"]] == ["verdict_given", "game_resumed", "awaiting"]
    assert told["actor"] == "arbiter"
    settled = (await bo.get(f"/v1/games/{game}/disputes/1")).json()
    assert (settled["state"], settled["verdict"], settled["settled"]) == ("settled", "dismissed", told["version"])
    problem(await admin.post(path, verdict), 409, "already_settled")
    assert (await move(game, Random(1).randrange, ana, bo)).status_code == 200  # type: ignore[union-attr]


@pytest.mark.rule("GU-09")
async def test_the_result_of_a_finished_game_follows_the_verdict(
    meet: Meet, admin: Person, memory_store: MemoryStore
) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    game = await started(ana, bo)
    await ana.post(f"/v1/games/{game}/resign")
    before = (await ana.get(f"/v1/games/{game}")).json()
    assert (before["status"], before["result"]["winners"]) == ("finished", [1])
    assert (await ana.post(f"/v1/games/{game}/disputes", CLAIM)).status_code == 201
    result = {"winners": [0], "standings": [[0], [1]], "scores": [5, 3]}
    ruling = {"verdict": "corrected", "reason": "miscounted", "result": result}
    assert (await admin.post(f"/v1/games/{game}/disputes/1/verdict", ruling)).status_code == 200
    after = (await bo.get(f"/v1/games/{game}")).json()
    assert (after["status"], after["result"]["winners"], after["result"]["scores"]) == ("finished", [0], [5, 3])
    assert (await bo.post(f"/v1/games/{game}/disputes", {**CLAIM, "last": 7})).status_code == 201
    ruling = {"verdict": "annulled", "reason": "collusion"}
    assert (await admin.post(f"/v1/games/{game}/disputes/2/verdict", ruling)).status_code == 200
    over = (await bo.get(f"/v1/games/{game}")).json()
    assert (over["status"], over["result"], over["ended_because"]) == ("annulled", None, "collusion")
    assert (await memory_store.game(game)).status == "annulled"  # type: ignore[union-attr]
    report = audit_lines([(await ana.get(f"/v1/games/{game}/export")).content])
    assert report.findings == ()


@pytest.mark.rule("GU-06")
async def test_operators_suspend_and_resume(meet: Meet, admin: Person) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    game = await started(ana, bo)
    problem(await ana.post(f"/v1/games/{game}/suspend", {"reason": "mine"}), 403, "missing_scope")
    assert (await admin.post(f"/v1/games/{game}/suspend", {"reason": "maintenance"})).status_code == 200
    problem(await admin.post(f"/v1/games/{game}/suspend", {"reason": "maintenance"}), 409, "already_suspended")
    problem(await ana.post(f"/v1/games/{game}/resume", {"reason": "mine"}), 403, "missing_scope")
    told = (await admin.post(f"/v1/games/{game}/resume", {"reason": "done"})).json()
    assert msgspec.json.encode(told["events"][0]) == b'{"reason":"done","schema":1,"type":"game_resumed"}'
    problem(await admin.post(f"/v1/games/{game}/resume", {"reason": "done"}), 409, "not_suspended")
    problem(await admin.post(f"/v1/games/{game}/resume", {"reason": "Two Words"}), 400)


async def test_a_token_for_a_dispute_never_speaks_for_a_seat_of_its_account(
    meet: Meet, admin: Person, desk: Desk
) -> None:
    ana = await meet("ana")
    game = await ana.open_table(2, visibility="private")
    invited = await ana.post(f"/v1/games/{game}/invitations", {})
    assert (await ana.post(f"/v1/games/{game}/seats", {})).status_code == 201
    sat = await admin.post(f"/v1/games/{game}/seats", {"invitation": invited.json()["code"]})
    assert sat.status_code == 201, sat.text
    assert (await ana.post(f"/v1/games/{game}/start")).status_code == 200
    assert (await ana.post(f"/v1/games/{game}/disputes", CLAIM)).status_code == 201
    made = await appoint(desk.store, admin.account, Appointment(game, 1, "Referee", 1), "audit")
    referee = Person(admin.client, made.secret, "")
    assert (await admin.get(f"/v1/games/{game}/view")).json()["viewer"] == 1
    assert (await referee.get(f"/v1/games/{game}/view")).json()["viewer"] is None
    assert (await referee.get(f"/v1/games/{game}/export?as=auditor")).status_code == 200
    problem(await (await meet("cy")).get(f"/v1/games/{game}/disputes/1"), 404)


async def test_every_key_is_listed_retired_ones_too(tmp_path: Path) -> None:
    desk = a_desk(MemoryStore(), keys=KeyFile(tmp_path).read)
    before = desk.keys.vkeys
    KeyFile(tmp_path).rotate(desk.clock() + 60_000)
    front: Any = Front(site(desk, Settings()))
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        listed = (await client.get("/.well-known/gusher-keys")).json()["vkeys"]
    assert listed[1:] == before
    assert len(listed) == 2
