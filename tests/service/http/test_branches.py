"""What-if copies over HTTP."""

import random
from typing import Any

import msgspec
from httpx import AsyncClient

from rules.choices import Option
from tests.desks import a_key
from tests.service.http.conftest import Meet, problem, started


async def test_a_copy_is_made_played_looked_at_taken_home_and_thrown_away(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game, key = await started(ada, bob), a_key()
    before = (await ada.get(f"/v1/games/{game}/head")).json()
    made = await ada.post(f"/v1/games/{game}/branches", {}, idempotency_key=key)
    assert made.status_code == 201, made.text
    at = made.headers["location"]
    assert at == f"/v1/games/{game}/branches/{key}"
    assert made.json()["hidden"] == "redrawn"
    again = await ada.post(f"/v1/games/{game}/branches", {}, idempotency_key=key)
    assert (again.status_code, again.content) == (201, made.content)
    asked = (await ada.get(f"{at}/options?seat=1")).json()
    option = msgspec.convert(asked["options"][0], Option)
    command = {**option.pick(random.Random(1).randrange), "decision_id": asked["decision_id"]}
    moved = await ada.post(f"{at}/commands?seat=1", command)
    assert moved.status_code == 200, moved.text
    assert moved.json()["actor"] == "seat:1"
    assert (await ada.get(at)).json()["version"] == moved.json()["seq"] == before["version"] + 1
    assert (await ada.get(f"{at}/view?as=seat:1")).json()["board"]["companies"][1]["hand"] is not None
    refused = await ada.post(f"{at}/commands?seat=1", {**command, "decision_id": 1})
    assert problem(refused, 409, "stale_decision")["game_version"] == moved.json()["seq"]
    problem(await ada.get(f"{at}/view?as=seat:7"), 404, "no_such_seat")
    lines = (await ada.get(f"{at}/export")).content.splitlines()
    assert msgspec.json.decode(lines[0])["kind"] == "branch"
    assert len(lines) == 2
    for part in ("", "/view", "/options", "/export"):
        problem(await bob.get(at + part), 404, "no_such_branch")
        problem(await client.get(at + part), 401)
    problem(await bob.ask("DELETE", at), 404)
    assert (await ada.ask("DELETE", at)).status_code == 204
    problem(await ada.get(at), 404, "no_such_branch")
    assert (await ada.get(f"/v1/games/{game}/head")).json() == before


async def test_what_is_no_copy(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    address = f"/v1/games/{game}/branches"
    bodies: list[Any] = [
        {"version": 0},
        {"version": "6"},
        {"viewer": "me"},
        {"seed": "00"},
        {"server_seed": "00" * 32},
        [],
    ]
    for body in bodies:
        problem(await ada.post(address, body), 400, "malformed")
    problem(await ada.post(address, {"version": 1}), 409, "not_running")
    problem(await ada.post(address, {"version": 999}), 404, "no_such_version")
    problem(await ada.post(address, {"viewer": "seat:1"}), 403, "not_your_seat")
    problem(await ada.post(address, {"viewer": "auditor"}), 403, "not_your_seat")
