"""An organizer opens many tables with one request."""

from typing import Any
from uuid import uuid4

from httpx import AsyncClient

from tests.service.http.conftest import Meet, Person, problem

BATCH = "/v1/games:batch"
TABLE = {"ruleset": "oil-and-gas", "seats": 2}
TABLES: list[dict[str, Any]] = [TABLE, {"ruleset": "petroleo", "seats": 4, "visibility": "private"}, TABLE]


async def test_many_tables_are_opened_in_order_and_once(meet: Meet) -> None:
    ada, key = await meet("ada"), str(uuid4())
    made = await ada.post(BATCH, {"games": TABLES}, idempotency_key=key)
    assert made.status_code == 201
    told = made.json()
    assert told["tables"] == len(told["games"]) == 3
    games = [one["game"] for one in told["games"]]
    assert len(set(games)) == 3
    for game, table, one in zip(games, TABLES, told["games"], strict=True):
        shown = (await ada.get(f"/v1/games/{game}")).json()
        assert (shown["ruleset"], len(shown["seats"])) == (table["ruleset"], table["seats"])
        assert (shown["version"], shown["etag"], shown["head"]) == (1, one["etag"], one["head"])
    again = await ada.post(BATCH, {"games": TABLES}, idempotency_key=key)
    assert (again.status_code, again.content) == (201, made.content)
    assert len((await ada.get("/v1/games?mine=true")).json()["games"]) == 3


async def test_a_key_is_good_for_one_request(meet: Meet) -> None:
    ada, key = await meet("ada"), str(uuid4())
    assert (await ada.post(BATCH, {"games": TABLES}, idempotency_key=key)).status_code == 201
    for other in (TABLES[:2], TABLES[1:] + TABLES[:1], [*TABLES, TABLE]):
        problem(await ada.post(BATCH, {"games": other}, idempotency_key=key), 422, "idempotency_mismatch")
    problem(await ada.post("/v1/games", TABLE, idempotency_key=key), 422, "idempotency_mismatch")
    single = str(uuid4())
    assert (await ada.post("/v1/games", TABLE, idempotency_key=single)).status_code == 201
    problem(await ada.post(BATCH, {"games": [TABLE]}, idempotency_key=single), 422, "idempotency_mismatch")
    bob = await meet("bob")
    assert (await bob.post(BATCH, {"games": TABLES}, idempotency_key=key)).status_code == 201


async def test_one_table_that_is_not_on_offer_is_named_and_none_is_opened(meet: Meet) -> None:
    ada = await meet("ada")
    for wrong, code, rule, member in (
        ({"ruleset": "chess", "seats": 2}, "unknown_ruleset", "GU-01", "ruleset"),
        ({**TABLE, "seats": 90}, "seats_out_of_range", "OG-01", "seats"),
    ):
        for dry in ("", "?dry_run=true"):
            refused = problem(await ada.post(BATCH + dry, {"games": [TABLE, TABLE, wrong]}), 422, code)
            assert (refused["rule"], refused["index"]) == (rule, 2)
            assert [one["name"] for one in refused["errors"]] == [f"/games/2/{member}"]
    assert (await ada.get("/v1/games?mine=true")).json()["games"] == []


async def test_a_dry_run_leaves_no_trace(meet: Meet) -> None:
    ada, key = await meet("ada"), str(uuid4())
    could = await ada.post(f"{BATCH}?dry_run=true", {"games": TABLES}, idempotency_key=key)
    assert (could.status_code, could.json()) == (200, {"tables": 3, "games": []})
    assert (await ada.get("/v1/games?mine=true")).json()["games"] == []
    assert (await ada.post(BATCH, {"games": [TABLE]}, idempotency_key=key)).status_code == 201


async def test_who_may_and_how_many(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    problem(await client.post(BATCH, json={"games": TABLES}, headers={"idempotency-key": str(uuid4())}), 401)
    made = (await ada.post("/v1/tokens", {"label": "plays", "scopes": ["play"]})).json()
    problem(await Person(client, made["token"], ada.account).post(BATCH, {"games": TABLES}), 403, "missing_scope")
    for many in ([], [TABLE] * 501):
        members = problem(await ada.post(BATCH, {"games": many}), 400, "malformed")
        assert [(one["in"], one["name"]) for one in members["errors"]] == [("body", "/games")]
    most = await ada.post(BATCH, {"games": [TABLE] * 500})
    assert most.status_code == 201
    assert len({one["game"] for one in most.json()["games"]}) == 500
