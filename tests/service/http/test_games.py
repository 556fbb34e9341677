"""Tables: opening, finding, sitting down, starting."""

import pytest
from httpx import AsyncClient

from tests.desks import a_key
from tests.service.http.conftest import Meet, problem, started

TABLE = {"ruleset": "oil-and-gas", "seats": 2}


async def test_a_table_is_opened_once_per_key(meet: Meet) -> None:
    ada, key = await meet("ada"), a_key()
    first = await ada.post("/v1/games", TABLE, idempotency_key=key)
    assert first.status_code == 201
    body = first.json()
    assert first.headers["location"] == f"/v1/games/{body['game']}"
    assert first.headers["etag"] == f'"{body["etag"]}"' == f'"1-{body["head"][:16]}"'
    assert body["version"] == 1
    assert body["command_id"] == key
    assert body["events"][0]["seed_commit"]
    again = await ada.post("/v1/games", TABLE, idempotency_key=key.upper())
    assert (again.status_code, again.content) == (201, first.content)
    other = await ada.post("/v1/games", {**TABLE, "seats": 3}, idempotency_key=key)
    problem(other, 422, "idempotency_mismatch")


async def test_a_creation_needs_a_key(client: AsyncClient, meet: Meet) -> None:
    ada = await meet("ada")
    headers = {"authorization": f"Bearer {ada.token}"}
    members = problem(await client.post("/v1/games", json=TABLE, headers=headers), 400)
    assert "Idempotency-Key" in members["detail"]
    for key in ("7", "", "not-a-uuid", "12345678-1234-1234-1234-12345678901"):
        problem(await ada.post("/v1/games", TABLE, idempotency_key=key), 400)


@pytest.mark.rule("GU-01")
async def test_a_table_that_is_not_on_offer(meet: Meet) -> None:
    ada = await meet("ada")
    refused = problem(await ada.post("/v1/games", {"ruleset": "chess", "seats": 2}), 422, "unknown_ruleset")
    assert refused["rule"] == "GU-01"
    assert refused["type"] == "/problems/refused"
    for wrong, code in (
        ({"seats": 90}, "seats_out_of_range"),
        ({"edition": "pirate"}, "unknown_edition"),
        ({"options": {"victory": "mine"}}, "malformed_options"),
    ):
        refused = problem(await ada.post("/v1/games", {**TABLE, **wrong}), 422, code)
        assert [one["name"] for one in refused["errors"]] == [f"/{member}" for member in wrong]
    problem(await ada.post("/v1/games", {**TABLE, "server_seed": "00" * 32}), 400, "malformed")
    problem(await ada.post("/v1/games", {**TABLE, "seats": "2"}), 400, "malformed")


async def test_a_header_tells_everything_but_the_board(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    told = await client.get(f"/v1/games/{game}")
    header = told.json()
    assert header["status"] == "running"
    assert [seat["name"] for seat in header["seats"]] == ["ada", "bob"]
    assert header["question"]["awaits"] == [0, 1]
    assert header["yours"] == []
    assert told.headers["etag"] == f'"{header["etag"]}"'
    assert header["created_at"].endswith("Z")
    known = await client.get(f"/v1/games/{game}", headers={"if-none-match": f'W/"x", {told.headers["etag"]}'})
    assert (known.status_code, known.content) == (304, b"")
    assert known.headers["etag"] == told.headers["etag"]
    assert (await bob.get(f"/v1/games/{game}")).json()["yours"] == [1]


async def test_lists_are_paged_both_ways_and_stable(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    made = [await ada.open_table() for _ in range(5)]
    first = await client.get("/v1/games?limit=2")
    page = first.json()
    assert [one["game"] for one in page["games"]] == [made[4], made[3]]
    assert page["previous"] is None
    await ada.open_table()
    address = first.headers["link"].partition(">")[0].lstrip("<")
    assert 'rel="next"' in first.headers["link"]
    second = await client.get(address)
    assert [one["game"] for one in second.json()["games"]] == [made[2], made[1]]
    back = await client.get(f"/v1/games?limit=2&cursor={second.json()['previous']}")
    assert [one["game"] for one in back.json()["games"]] == [made[4], made[3]]
    last = await client.get(f"/v1/games?limit=2&cursor={second.json()['next']}")
    assert [one["game"] for one in last.json()["games"]] == [made[0]]
    assert last.json()["next"] is None
    problem(await client.get("/v1/games?cursor=rubbish"), 400)
    problem(await client.get("/v1/games?cursor=ÿ"), 400)


async def test_lists_are_filtered(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    running, lobby = await started(ada, bob), await bob.open_table()
    assert [one["game"] for one in (await client.get("/v1/games?status=running")).json()["games"]] == [running]
    assert [one["game"] for one in (await client.get("/v1/games?status=lobby")).json()["games"]] == [lobby]
    assert (await client.get("/v1/games?ruleset=chess")).json()["games"] == []
    assert [one["game"] for one in (await ada.get("/v1/games?mine=true")).json()["games"]] == [running]
    problem(await client.get("/v1/games?status=burning"), 400)
    problem(await client.get("/v1/games?status=Null"), 400)


@pytest.mark.rule("GU-02")
async def test_seats_are_taken_once_and_given_up(meet: Meet) -> None:
    ada, bob, cy = await meet("ada"), await meet("bob"), await meet("cy")
    game = await ada.open_table()
    seats = f"/v1/games/{game}/seats"
    assert (await ada.post(seats, {"seat": 1})).json()["actor"] == "seat:1"
    refused = problem(await bob.post(seats, {"seat": 1}), 422, "seat_taken")
    assert (refused["rule"], refused["seat"], refused["game_version"]) == ("GU-02", 1, 2)
    for wrong, told in ((1, refused), (7, problem(await bob.post(seats, {"seat": 7}), 422, "no_such_seat"))):
        assert (told["seat"], [one["name"] for one in told["errors"]]) == (wrong, ["/seat"])
    problem(await bob.post(seats, {"seat": -1}), 400)
    problem(await bob.post(seats, {"client_seed": "XYZ"}), 400)
    assert (await bob.post(seats, {"client_seed": "00ff"})).json()["actor"] == "seat:0"
    problem(await cy.post(seats, {}), 422, "no_free_seat")
    problem(await cy.ask("DELETE", f"{seats}/0"), 403, "not_your_seat")
    assert (await bob.ask("DELETE", f"{seats}/0")).status_code == 200
    assert (await cy.post(seats, {})).json()["actor"] == "seat:0"


@pytest.mark.rule("GU-04")
async def test_a_game_starts_once_with_every_seat_taken(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await ada.open_table()
    await ada.post(f"/v1/games/{game}/seats", {})
    refused = problem(await ada.post(f"/v1/games/{game}/start"), 422, "seats_not_filled")
    assert refused["free"] == [1]
    await bob.post(f"/v1/games/{game}/seats", {})
    problem(await bob.post(f"/v1/games/{game}/start"), 403, "not_the_host")
    assert (await ada.post(f"/v1/games/{game}/start")).status_code == 200
    problem(await ada.post(f"/v1/games/{game}/start"), 409, "already_started")


async def test_a_private_game_is_no_game_to_others(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game, none = await ada.open_table(visibility="private"), a_key()
    addresses = ["", "/view", "/log", "/export", "/head", "/options", "/invitations"]
    for address in addresses:
        hidden, absent = await bob.get(f"/v1/games/{game}{address}"), await bob.get(f"/v1/games/{none}{address}")
        problem(hidden, 404)
        assert hidden.content == absent.content
        assert hidden.headers.keys() == absent.headers.keys()
    for address, body in (("seats", {}), ("start", None), ("commands", {"type": "finish_phase"}), ("resign", None)):
        hidden = await bob.post(f"/v1/games/{game}/{address}", body)
        absent = await bob.post(f"/v1/games/{none}/{address}", body)
        assert (hidden.status_code, hidden.content) == (absent.status_code, absent.content), address
    assert (await bob.get("/v1/games")).json()["games"] == []
    assert (await client.get("/v1/games")).json()["games"] == []
    assert [one["game"] for one in (await ada.get("/v1/games")).json()["games"]] == [game]


async def test_an_invitation_lets_one_in_once(meet: Meet) -> None:
    ada, bob, cy = await meet("ada"), await meet("bob"), await meet("cy")
    game, key = await ada.open_table(3, visibility="private"), a_key()
    made = await ada.post(f"/v1/games/{game}/invitations", {"seat": 1}, idempotency_key=key)
    assert made.status_code == 201
    again = await ada.post(f"/v1/games/{game}/invitations", {"seat": 1}, idempotency_key=key)
    assert again.content == made.content
    code = made.json()["code"]
    problem(await bob.post(f"/v1/games/{game}/seats", {"invitation": "guess"}), 404)
    sat = await bob.post(f"/v1/games/{game}/seats", {"invitation": code})
    assert sat.json()["actor"] == "seat:1"
    problem(await cy.post(f"/v1/games/{game}/seats", {"invitation": code}), 409, "invitation_spent")
    assert (await bob.get(f"/v1/games/{game}")).status_code == 200
    second = (await ada.post(f"/v1/games/{game}/invitations", {})).json()
    gone = await ada.ask("DELETE", f"/v1/games/{game}/invitations/{second['invitation']}")
    assert gone.status_code == 204
    problem(await cy.post(f"/v1/games/{game}/seats", {"invitation": second["code"]}), 404)
    listed = await ada.get(f"/v1/games/{game}/invitations")
    assert [one["state"] for one in listed.json()["invitations"]] == ["used", "revoked"]
    assert code not in listed.text


async def test_the_host_seats_house_bots(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await ada.open_table()
    problem(await bob.post(f"/v1/games/{game}/bots", {}), 403, "not_the_host")
    problem(await ada.post(f"/v1/games/{game}/bots", {"level": "genius"}), 400)
    assert (await ada.post(f"/v1/games/{game}/bots", {"level": "random"})).status_code == 201
    assert (await ada.get(f"/v1/games/{game}")).json()["seats"][0]["bot"] == "random"


async def test_a_token_for_one_seat_moves_only_there(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game, other = await started(ada, bob), await ada.open_table()
    body = {"label": "robot", "scopes": ["play"], "game": game, "seat": 0}
    robot = type(ada)(client, (await ada.post("/v1/tokens", body)).json()["token"], ada.account)
    problem(await robot.post(f"/v1/games/{other}/seats", {}), 403, "other_game")
    problem(await robot.post("/v1/games", TABLE), 403)
    assert (await robot.get(f"/v1/games/{game}/options")).json()["seat"] == 0
    body = {"label": "watcher", "scopes": ["play"], "game": game, "read_only": True}
    watcher = type(ada)(client, (await ada.post("/v1/tokens", body)).json()["token"], ada.account)
    assert (await watcher.get(f"/v1/games/{game}/view")).json()["viewer"] == 0
    problem(await watcher.post(f"/v1/games/{game}/resign"), 403, "read_only")
