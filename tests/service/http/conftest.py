"""The whole service over a store in memory, spoken to over HTTP. The store's own promises are tested elsewhere."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient, Response

from rules.choices import Option
from service.auth.accounts import sign_up
from service.auth.scopes import ALL
from service.embedded import Embedded
from service.handling.desk import Desk
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.desks import a_key
from tests.service.http.running import Server, running, settings_for


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=NO_LIMITS)


@pytest.fixture
async def client(desk: Desk, settings: Settings) -> AsyncIterator[AsyncClient]:
    app = site(desk, settings)
    front: Any = Front(app)
    transport = ASGITransport(app=front, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="http://gusher.test") as client:
        yield client


class Person:
    """Somebody with a token, who asks."""

    def __init__(self, client: AsyncClient, token: str, account: str) -> None:
        self.client, self.token, self.account = client, token, account

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """One request; a key of its own where none is given. Header names are written with underscores."""
        named = {"authorization": f"Bearer {self.token}", "idempotency-key": a_key()}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.request(method, path, json=body, headers=named)

    async def get(self, path: str, **headers: str) -> Response:
        return await self.ask("GET", path, **headers)

    async def open_table(self, seats: int = 2, ruleset: str = "oil-and-gas", **more: Any) -> str:
        """A new game; its id."""
        made = await self.post("/v1/games", {"ruleset": ruleset, "seats": seats, **more})
        assert made.status_code == 201, made.text
        game: str = made.json()["game"]
        return game

    async def post(self, path: str, body: Any = None, **headers: str) -> Response:
        return await self.ask("POST", path, body, **headers)


@pytest.fixture
def server(servers: Embedded, database_url: str, tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, stopped afterwards if it still runs."""
    with running(settings_for(servers, database_url, tmp_path / "data"), tmp_path / "server.log") as found:
        yield found


Meet = Callable[[str], Awaitable[Person]]


@pytest.fixture
def meet(client: AsyncClient) -> Meet:
    async def meet_somebody(name: str) -> Person:
        made = (await client.post("/v1/accounts", json={"name": name})).json()
        return Person(client, made["token"], made["account"]["account"])

    return meet_somebody


@pytest.fixture
async def admin(client: AsyncClient, desk: Desk) -> Person:
    made = await sign_up(desk.store, "admin", "person", ALL)
    return Person(client, made.first.secret, made.account.id)


def problem(response: Response, status: int, code: str | None = None) -> dict[str, Any]:
    """The members of a problem, which has every member that a problem must have."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    members: dict[str, Any] = response.json()
    assert members["status"] == status
    assert members["type"].startswith("/problems/")
    assert members["title"]
    assert members["detail"]
    assert members["code"] == (code or members["code"])
    return members


async def started(*people: Person, ruleset: str = "oil-and-gas") -> str:
    """A running game with these people at the table, in order; the first is the host."""
    game = await people[0].open_table(len(people), ruleset)
    for person in people:
        sat = await person.post(f"/v1/games/{game}/seats", {"client_seed": "c0ffee"})
        assert sat.status_code == 201, sat.text
    begun = await people[0].post(f"/v1/games/{game}/start")
    assert begun.status_code == 200, begun.text
    return game


async def move(game: str, below: Callable[[int], int], *people: Person) -> Response | None:
    """Somebody who is asked does something of what the options list; None where nobody is asked."""
    for person in people:
        asked = (await person.get(f"/v1/games/{game}/options")).json()
        if asked["options"]:
            offered = msgspec.convert(asked["options"], list[Option])
            command = {**offered[below(len(offered))].pick(below), "decision_id": asked["decision_id"]}
            return await person.post(f"/v1/games/{game}/commands", command)
    return None
