"""Whatever goes wrong is told as RFC 9457 asks, and nothing else is told."""

import gzip
from collections.abc import AsyncIterator
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from rules.catalogue import rulesets
from service.handling.desk import Desk
from service.http.pages.guide import PAGES, _page
from service.http.site import Front, site
from service.settings import Settings
from service.store.protocol import StoreUnavailable
from tests.service.http.conftest import Meet, problem, started

JSON = {"content-type": "application/json"}


async def test_an_address_that_does_not_exist(client: AsyncClient) -> None:
    problem(await client.get("/v1/nothing"), 404, "not_found")
    problem(await client.get("/"), 404, "not_found")
    problem(await client.get("/v1/rulesets/chess"), 404, "not_found")
    problem(await client.get("/v1/games/none-of-yours/view"), 404, "not_found")


async def test_where_somebody_was_sent_in_vain_is_not_remembered(desk: Desk, settings: Settings) -> None:
    """The router remembers a thousand ways, however long they are."""
    app = site(desk, settings)
    front: Any = Front(app)
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        for n in range(20):
            problem(await client.get(f"/v1/rulesets/{'a' * 1000}{n}"), 404, "not_found")
            problem(await client.get(f"/docs/guide/nothing-{n}"), 404, "not_found")
    assert app.asgi_router.handle_routing.cache_info().currsize == 20
    assert _page.cache_info().currsize <= len(PAGES) + len(rulesets())


async def test_what_was_sent_is_not_sent_back_at_length(client: AsyncClient, meet: Meet) -> None:
    ada, long = await meet("ada"), "a" * 30_000
    game = await started(ada, await meet("bob"))
    bodies: list[tuple[str, dict[str, object]]] = [
        ("/v1/tokens", {"label": "x", "scopes": [long]}),
        ("/v1/tokens", {long: 1}),
        ("/v1/games", {"ruleset": "oil-and-gas", "seats": 2, "options": {"victory": long}}),
        (f"/v1/games/{game}/commands", {"type": long}),
        (f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": [], long: 1}),
        (f"/v1/games/{game}/commands", {long: {}}),
    ]
    for path, body in bodies:
        refused = await ada.post(path, body)
        assert 400 <= refused.status_code < 500
        assert len(refused.content) < 2000, path


async def test_another_method_is_told_which_methods_there_are(client: AsyncClient) -> None:
    refused = await client.patch("/v1/accounts")
    problem(refused, 405, "method_not_allowed")
    assert set(refused.headers["allow"].split(", ")) == {"OPTIONS", "POST"}
    refused = await client.delete("/v1/rulesets")
    assert set(refused.headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


async def test_head_is_get_without_the_body(client: AsyncClient) -> None:
    answer = await client.head("/v1/rulesets")
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["content-length"] == (await client.get("/v1/rulesets")).headers["content-length"]
    assert (await client.head("/v1/nothing")).status_code == 404


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "body"),
        (b"{", "not JSON"),
        (b'{"name": "ada", "name": "bob"}', "same name"),
        (b'{"name": "ada", "kind": NaN}', "NaN"),
        (b'{"name": "ada", "age": 1.5}', "float"),
        (b'{"name": "ada", "age": 1e400}', "float"),
        (b'{"name": "ada", "age": 9007199254740992}', "integer too large"),
        (b'{"name": "ada", "age": 1}', "unknown field"),
        (b'{"name": "\\ud800abc"}', "lone surrogate"),
        (b'{"name": "\xff\xfe"}', "not UTF-8"),
        (b'\xef\xbb\xbf{"name": "ada"}', "not JSON"),
        ('{"name": "ada"}'.encode("utf-16"), "not"),
        (b'{"name": "ada", "Age": 1}', "a-z"),
        (b'{"' + b"n" * 100 + b'": 1}', "longer than 64"),
        (b'{"name": 7}', "Expected `str`"),
        (b'{"name": "ada", "kind": "parrot"}', "parrot"),
        (b'{"name": "a/../b"}', "regex"),
        (b'["name", "ada"]', "object"),
        (b"[" * 10_000 + b"]" * 10_000, "too deep"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "too deep"),
        (b'{"name": ' + b"9" * 5000 + b"}", "body"),
    ],
)
async def test_a_body_that_cannot_be_meant(client: AsyncClient, body: bytes, says: str) -> None:
    members = problem(await client.post("/v1/accounts", content=body, headers=JSON), 400, "malformed")
    assert says in members["detail"]


async def test_a_body_of_another_type(client: AsyncClient) -> None:
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/msgpack",
        "application/json; charset=utf-16",
    ):
        refused = await client.post("/v1/accounts", content=b'{"name": "ada"}', headers={"content-type": kind})
        problem(refused, 415)
    zipped = gzip.compress(b" " * 50_000_000)
    refused = await client.post("/v1/accounts", content=zipped, headers={**JSON, "content-encoding": "gzip"})
    problem(refused, 415)


async def test_a_body_that_is_too_large_is_not_read(client: AsyncClient) -> None:
    refused = await client.post("/v1/accounts", content=b"[" + b" " * 70_000 + b"]", headers=JSON)
    problem(refused, 413, "body_too_large")
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b" " * 1024

    problem(await client.post("/v1/accounts", content=endless(), headers=JSON), 413)
    assert read < 100


async def test_query_parameters_are_the_operations_own(client: AsyncClient) -> None:
    members = problem(await client.get("/v1/rulesets?page=2"), 400, "unknown_parameter")
    assert "page" in members["detail"]
    problem(await client.get("/v1/games?limit=3&limit=4"), 400)
    problem(await client.get("/v1/games?limit=many"), 400)
    problem(await client.get("/v1/games?limit=0"), 400)


async def test_a_fault_of_ours_tells_nothing_but_where_to_look(
    client: AsyncClient, desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the secret is 1234")

    monkeypatch.setattr(desk.store, "token", broken)
    token = "gsh_" + "a" * 40 + "000000"
    monkeypatch.setattr("service.auth.accounts.is_token", lambda _: True)
    failed = await client.get("/v1/tokens", headers={"authorization": f"Bearer {token}"})
    members = problem(failed, 500, "internal")
    assert "1234" not in failed.text
    assert members["instance"] in caplog.text
    assert token not in caplog.text


async def test_a_database_that_is_away_is_told_as_it_is(
    client: AsyncClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreUnavailable("connection refused at 10.0.0.7")

    monkeypatch.setattr(desk.store, "create_account", away)
    failed = await client.post("/v1/accounts", json={"name": "ada"})
    problem(failed, 503, "store_unavailable")
    assert failed.headers["retry-after"] == "1"
    assert "10.0.0.7" not in failed.text


async def test_every_type_of_problem_has_a_page(client: AsyncClient) -> None:
    members = problem(await client.get("/v1/nothing"), 404)
    page = await client.get(members["type"])
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "There is nothing here" in page.text
    assert members["type"] in (await client.get("/problems")).text
