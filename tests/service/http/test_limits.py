"""What a caller may take, and what an answer says about it. The clock stands still unless a test moves it."""

from __future__ import annotations

from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar

from service.handling.desk import Desk
from service.http.limits import Gate
from service.http.site import Front, site
from service.settings import Limits, Settings
from service.store.budgets import Budget, ProcessBudgets
from service.store.leases import Leases
from tests.service.http.conftest import Meet, Person, move, problem, started

SECOND = 1_000_000_000


@pytest.fixture
def settings() -> Settings:
    return Settings(
        limits=Limits(
            token=Budget(12, 60), address=Budget(6, 30), game=Budget(40, 60), audits=Budget(2, 60), streams=2
        ),
        proxies=1,
    )


class Clock:
    now = 1_000 * SECOND

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(desk: Desk, settings: Settings, clock: Clock) -> Litestar:
    made = site(desk, settings)
    made.state.gate = Gate(settings, ProcessBudgets(clock), Leases())
    return made


@pytest.fixture
async def client(app: Litestar) -> Any:
    front: Any = Front(app)
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        yield client


async def test_every_answer_says_what_is_left(meet: Meet) -> None:
    ada = await meet("ada")
    for left in (11, 10, 9):
        answer = await ada.get("/v1/accounts/me")
        assert answer.headers["ratelimit-policy"] == '"token";q=12;w=60'
        assert answer.headers["ratelimit"] == f'"token";r={left};t={5 * (12 - left)}'


async def test_p37_who_waits_as_long_as_it_says_is_let_in(meet: Meet, clock: Clock) -> None:
    ada = await meet("ada")
    for _ in range(12):
        assert (await ada.get("/v1/accounts/me")).status_code == 200
    refused = await ada.get("/v1/accounts/me")
    told = problem(refused, 429, "rate_limited")
    assert told["type"] == "/problems/too_many_requests"
    assert refused.headers["ratelimit"].startswith('"token";r=0;')
    clock.now += (int(refused.headers["retry-after"]) - 1) * SECOND
    problem(await ada.get("/v1/accounts/me"), 429)
    clock.now += SECOND
    assert (await ada.get("/v1/accounts/me")).status_code == 200


@pytest.mark.parametrize("path", ["/v1/rulesets", "/v1/games", "/openapi.json", "/docs", "/problems"])
async def test_p37_without_a_token_the_address_pays_on_every_path(client: AsyncClient, path: str) -> None:
    for _ in range(6):
        assert (await client.get(path)).status_code == 200
    refused = problem(await client.get(path), 429, "rate_limited")
    assert "address" in refused["detail"]
    other = await client.get(path, headers={"x-forwarded-for": "203.0.113.9, 198.51.100.4"})
    assert other.status_code == 200


async def test_an_address_cannot_be_made_up(client: AsyncClient) -> None:
    """Only the last entry was written by the proxy; those before it are the client's own words."""
    for number in range(7):
        headers = {"x-forwarded-for": f"192.0.2.{number}, 198.51.100.4"}
        last = await client.get("/v1/rulesets", headers=headers)
    problem(last, 429)


async def test_a_household_of_ipv6_is_one_address(client: AsyncClient) -> None:
    for number in range(7):
        last = await client.get("/v1/rulesets", headers={"x-forwarded-for": f"2001:db8:1:2::{number:x}"})
    problem(last, 429)


async def test_addresses_of_ipv4_behind_a_socket_of_ipv6_are_no_household(client: AsyncClient) -> None:
    for number in range(9):
        found = await client.get("/v1/rulesets", headers={"x-forwarded-for": f"::ffff:192.0.2.{number}"})
        assert found.status_code == 200
    for _ in range(7):
        last = await client.get("/v1/rulesets", headers={"x-forwarded-for": "::ffff:192.0.2.99"})
    problem(last, 429)
    problem(await client.get("/v1/rulesets", headers={"x-forwarded-for": "192.0.2.99"}), 429)


async def test_guessing_tokens_is_paid_by_the_address(client: AsyncClient) -> None:
    for _ in range(6):
        problem(await client.get("/v1/accounts/me", headers={"authorization": "Bearer gsh_wrong"}), 401)
    problem(await client.get("/v1/accounts/me", headers={"authorization": "Bearer gsh_wrong"}), 429)


async def test_spelling_a_token_otherwise_is_no_second_budget(client: AsyncClient, meet: Meet) -> None:
    ada = await meet("ada")
    for number in range(13):
        spelled = f"{'Bearer' if number % 2 else 'bearer'} {' ' * (number % 3)}{ada.token}"
        last = await client.get("/v1/accounts/me", headers={"authorization": spelled})
    problem(last, 429)


async def test_health_is_always_told(client: AsyncClient) -> None:
    for _ in range(30):
        assert (await client.get("/health/live")).status_code == 200
        assert (await client.get("/health/ready")).status_code == 200


async def test_a_match_goes_on_when_everything_else_is_spent(meet: Meet, clock: Clock) -> None:
    """Whatever else a player's token was used for, a running game has its own budget, and that is one per game."""
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    while (await ada.get("/v1/accounts/me")).status_code == 200:
        pass
    moved = await move(game, lambda _: 0, ada, bob)
    assert moved is not None
    assert moved.status_code == 200
    assert moved.headers["ratelimit-policy"] == '"game";q=40;w=60'
    problem(await ada.get("/v1/games"), 429)
    while (last := await ada.get(f"/v1/games/{game}/options")).status_code == 200:
        pass
    problem(last, 429)
    clock.now += int(last.headers["retry-after"]) * SECOND
    assert (await ada.get(f"/v1/games/{game}/options")).status_code == 200


async def test_watching_somebody_elses_game_is_paid_like_everything_else(meet: Meet) -> None:
    ada, bob, eve = await meet("ada"), await meet("bob"), await meet("eve")
    game = await started(ada, bob)
    watched = await eve.get(f"/v1/games/{game}/view")
    assert watched.headers["ratelimit-policy"].startswith('"token"')
    unknown = await eve.get("/v1/games/01900000-0000-7000-8000-000000000000/view")
    assert unknown.headers["ratelimit-policy"].startswith('"token"')


async def test_a_token_for_another_game_is_paid_as_if_there_were_none(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    here, there = await started(ada, bob), await started(ada, bob)
    made = await ada.post("/v1/tokens", {"label": "here", "scopes": ["play"], "game": here})
    handed = Person(client, made.json()["token"], ada.account)
    for game, budget in ((here, '"game"'), (there, '"token"'), ("01900000-0000-7000-8000-000000000000", '"token"')):
        assert (await handed.get(f"/v1/games/{game}/view")).headers["ratelimit-policy"].startswith(budget)


async def held(app: Litestar) -> int:
    gate: Gate = app.state.gate
    return gate.leases.held


async def test_long_polls_count_as_streams_and_come_back(meet: Meet, app: Litestar) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    etag = (await bob.get(f"/v1/games/{game}/view")).headers["etag"]
    waited = await bob.get(f"/v1/games/{game}/view?wait=1", if_none_match=etag)
    assert waited.status_code == 304
    assert await held(app) == 0


async def test_a_game_checked_here_is_paid_from_a_budget_besides(meet: Meet, client: AsyncClient) -> None:
    ana = await meet("ana")
    path = f"/v1/games/{await ana.open_table()}/audit"
    known = (await ana.get(path)).headers["etag"]
    assert (await ana.get(path)).status_code == 200
    told = await ana.get(path)
    problem(told, 429, "rate_limited")
    assert told.headers["retry-after"] == "30"
    assert (await ana.get(path, if_none_match=known)).status_code == 304
    assert (await client.get(path)).status_code == 200
