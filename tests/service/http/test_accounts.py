"""Accounts and tokens: who may make what, and that a token is worth no more than it says."""

from datetime import UTC, datetime, timedelta

import pytest
from httpx import AsyncClient

from service.auth.accounts import first_admin
from service.auth.tokens import hash_of, is_token, make_token
from service.handling.desk import Desk
from service.settings import Settings
from tests.service.http.conftest import Meet, Person, problem

UNKNOWN = "gsh_qSwA5ElVrRmSfuO9XBbowp2ZHAKIkA1s8JqbGLp91hC2fO"
"""Well-formed, and nobody's; written out, so that every worker collects the same tests."""


def test_a_token_checks_itself() -> None:
    token = make_token()
    assert is_token(token)
    assert not is_token(token[:-1] + ("0" if token[-1] != "0" else "1"))
    assert not is_token(token + " ")
    assert len(hash_of(token)) == 32


async def test_an_account_comes_with_a_token(client: AsyncClient) -> None:
    made = await client.post("/v1/accounts", json={"name": "ada"})
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    body = made.json()
    assert is_token(body["token"])
    assert body["details"]["scopes"] == ["play", "organize"]
    assert "token" not in body["details"]
    problem(await client.post("/v1/accounts", json={"name": "ada"}), 409, "name_taken")


async def test_who_am_i(meet: Meet) -> None:
    ada = await meet("ada")
    me = (await ada.get("/v1/accounts/me")).json()
    assert me["account"]["account"] == ada.account
    assert me["account"]["name"] == "ada"
    assert me["token"]["label"] == "first"
    datetime.fromisoformat(me["account"]["created_at"])


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer gsh_no", "Basic YTpi", f"Bearer {UNKNOWN}", "bearer\t x"])
async def test_a_token_that_is_not_good(client: AsyncClient, value: str) -> None:
    refused = await client.get("/v1/accounts/me", headers={"authorization": value})
    problem(refused, 401, "unauthenticated")
    assert refused.headers["www-authenticate"].startswith("Bearer")
    problem(await client.get("/v1/rulesets", headers={"authorization": value}), 401)


async def test_tokens_are_needed_where_they_are(client: AsyncClient) -> None:
    problem(await client.get("/v1/tokens"), 401, "unauthenticated")
    problem(await client.get("/v1/accounts/me"), 401)
    assert (await client.get("/v1/rulesets")).status_code == 200


async def test_a_token_makes_narrower_ones(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    game = "01890a5d-ac96-774b-bcce-b302099a8057"
    made = await ada.post(
        "/v1/tokens", {"label": "watcher", "scopes": ["play"], "game": game, "seat": 1, "read_only": True}
    )
    assert made.status_code == 201
    details = made.json()["details"]
    assert (details["game"], details["seat"], details["read_only"]) == (game, 1, True)
    watcher = Person(client, made.json()["token"], ada.account)
    assert (await watcher.get("/v1/accounts/me")).json()["token"]["label"] == "watcher"
    problem(await watcher.post("/v1/tokens", {"label": "x", "scopes": ["play"]}), 403, "read_only")


async def test_a_token_cannot_reach_further_than_its_parent(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    problem(await ada.post("/v1/tokens", {"label": "x", "scopes": ["admin"]}), 403, "scope_exceeded")
    problem(await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "seat": 1}), 403, "seat_without_game")
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    later = (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    game, other = "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"
    body = {"label": "child", "scopes": ["play"], "game": game, "expires_at": soon}
    child = Person(client, (await ada.post("/v1/tokens", body)).json()["token"], ada.account)
    for wider in ({"game": other}, {"expires_at": later}):
        refused = await child.post("/v1/tokens", {"label": "x", "scopes": ["play"], **wider})
        problem(refused, 403, "narrowing_exceeded")
    inherited = (await child.post("/v1/tokens", {"label": "x", "scopes": ["play"]})).json()["details"]
    assert inherited["game"] == game
    assert datetime.fromisoformat(inherited["expires_at"]) <= datetime.fromisoformat(soon)


async def test_times_have_an_offset(meet: Meet) -> None:
    ada = await meet("ada")
    for spelling in ("2030-01-01T00:00:00", "2030-01-01", "tomorrow", 1893456000):
        problem(
            await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "expires_at": spelling}), 400, "malformed"
        )


async def test_a_moment_that_no_year_of_ours_has_is_no_expiry(meet: Meet) -> None:
    """It would be kept and could never be told again, and no other token of the account with it."""
    ada = await meet("ada")
    for beyond in ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"):
        refused = await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "expires_at": beyond})
        assert problem(refused, 400, "malformed")["errors"][0]["name"] == "/expires_at"
    for kept in ("9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z"):
        made = await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "expires_at": kept})
        assert made.json()["details"]["expires_at"][:19] == kept[:19]
    assert len((await ada.get("/v1/tokens")).json()["tokens"]) == 3


async def test_an_expired_token_is_not_good(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    made = (await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "expires_at": past})).json()
    problem(await Person(client, made["token"], ada.account).get("/v1/accounts/me"), 401)


async def test_expired_tokens_take_no_room(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    """An arbiter's account has one for everybody who was ever called to a dispute."""
    monkeypatch.setattr("service.auth.accounts.MOST_TOKENS", 3)
    ada = await meet("ada")
    past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    for _ in range(3):
        made = await ada.post("/v1/tokens", {"label": "x", "scopes": ["play"], "expires_at": past})
        assert made.status_code == 201
    for _ in range(2):
        assert (await ada.post("/v1/tokens", {"label": "y", "scopes": ["play"]})).status_code == 201
    problem(await ada.post("/v1/tokens", {"label": "z", "scopes": ["play"]}), 409, "too_many_tokens")


async def test_a_revoked_token_is_not_good(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    made = (await ada.post("/v1/tokens", {"label": "phone", "scopes": ["play"]})).json()
    phone = Person(client, made["token"], ada.account)
    address = f"/v1/tokens/{made['details']['token_id']}"
    problem(await bob.ask("DELETE", address), 404)
    assert (await phone.get("/v1/accounts/me")).status_code == 200
    assert (await ada.ask("DELETE", address)).status_code == 204
    problem(await phone.get("/v1/accounts/me"), 401, "unauthenticated")
    listed = (await ada.get("/v1/tokens")).json()["tokens"]
    assert [token["label"] for token in listed] == ["phone", "first"]
    assert listed[0]["revoked_at"]
    assert (await ada.ask("DELETE", address)).status_code == 204


async def test_a_token_in_other_hands_knows_of_itself_alone(meet: Meet, client: AsyncClient) -> None:
    ada = await meet("ada")
    watcher = (await ada.post("/v1/tokens", {"label": "watcher", "scopes": ["play"], "read_only": True})).json()
    seen = await Person(client, watcher["token"], ada.account).get("/v1/tokens")
    assert [one["label"] for one in seen.json()["tokens"]] == ["watcher"]
    narrowed = {"label": "friend", "scopes": ["play"], "game": "0190a0a0-0000-7000-8000-000000000000"}
    made = (await ada.post("/v1/tokens", narrowed)).json()
    (first,) = (one["token_id"] for one in (await ada.get("/v1/tokens")).json()["tokens"] if one["label"] == "first")
    friend = Person(client, made["token"], ada.account)
    assert [one["label"] for one in (await friend.get("/v1/tokens")).json()["tokens"]] == ["friend"]
    problem(await friend.ask("DELETE", f"/v1/tokens/{first}"), 404, "not_found")
    private = {"ruleset": "oil-and-gas", "seats": 2, "visibility": "private"}
    assert (await ada.post("/v1/games", private)).status_code == 201
    assert len((await ada.get("/v1/games?mine=true")).json()["games"]) == 1
    assert (await friend.get("/v1/games")).json()["games"] == []
    assert (await ada.get("/v1/accounts/me")).status_code == 200
    assert (await friend.ask("DELETE", f"/v1/tokens/{made['details']['token_id']}")).status_code == 204
    problem(await friend.get("/v1/accounts/me"), 401)


async def test_the_first_admin_is_made_once(desk: Desk, client: AsyncClient) -> None:
    token = await first_admin(desk.store)
    assert token is not None
    assert await first_admin(desk.store) is None
    me = (await client.get("/v1/accounts/me", headers={"authorization": f"Bearer {token}"})).json()
    assert me["token"]["scopes"] == ["play", "organize", "arbitrate", "audit", "admin"]


async def test_only_an_administrator_chooses_first_scopes(meet: Meet, admin: Person, client: AsyncClient) -> None:
    body = {"name": "auditor", "scopes": ["audit"]}
    problem(await client.post("/v1/accounts", json=body), 403, "missing_scope")
    problem(await (await meet("ada")).post("/v1/accounts", body), 403, "missing_scope")
    narrow = {"label": "here", "scopes": ["admin"], "game": "0190a0a0-0000-7000-8000-000000000000"}
    made = (await admin.post("/v1/tokens", narrow)).json()
    problem(await Person(client, made["token"], admin.account).post("/v1/accounts", body), 403, "missing_scope")
    assert (await admin.post("/v1/accounts", body)).json()["details"]["scopes"] == ["audit"]


class TestClosedToTheWorld:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(open_accounts=False)

    async def test_accounts_can_be_left_to_administrators(self, client: AsyncClient, admin: Person) -> None:
        problem(await client.post("/v1/accounts", json={"name": "ada"}), 403, "accounts_closed")
        assert (await admin.post("/v1/accounts", {"name": "ada"})).status_code == 201
