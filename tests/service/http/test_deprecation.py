"""An operation that is to go says so, everywhere and in time. There is none yet, so these tests bring one."""

from datetime import date
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response
from litestar import Response as Answer
from litestar import get

from service.handling.desk import Desk
from service.http.deprecation import TooSoon, deprecated
from service.http.identity import NEEDS
from service.http.openapi import document_of
from service.http.operations import Health, is_live
from service.http.shapes import fails, json_answer
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.service.http.conftest import problem

MARK = deprecated(date(2027, 1, 15), date(2028, 1, 15), "is_live")


@get(
    "/v1/alive",
    operation_id="is_alive",
    summary="Is the process alive?",
    tags=["operations"],
    opt=NEEDS | MARK,
    responses=fails(401),
)
async def is_alive() -> Answer[Health]:
    """As it was asked once."""
    return json_answer(Health("live"))


@pytest.fixture
async def client(desk: Desk) -> Any:
    app = site(desk, Settings(limits=NO_LIMITS))
    app.register(is_alive)
    front: Any = Front(app)
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        yield client


def marks(answer: Response) -> list[str | None]:
    return [answer.headers.get(name) for name in ("deprecation", "sunset", "link")]


GOING = ["@1799971200", "Sat, 15 Jan 2028 00:00:00 GMT", '</docs/guide/versions>; rel="deprecation"; type="text/html"']


async def test_each_answer_says_from_when_and_until_when(client: AsyncClient) -> None:
    refused = await client.get("/v1/alive")
    problem(refused, 401)
    assert marks(refused) == GOING
    token = (await client.post("/v1/accounts", json={"name": "ada"})).json()["token"]
    done = await client.get("/v1/alive", headers={"authorization": f"Bearer {token}"})
    assert (done.status_code, marks(done)) == (200, GOING)
    assert marks(await client.get("/health/live")) == [None, None, None]


async def test_the_link_leads_to_the_policy(client: AsyncClient) -> None:
    page = await client.get("/docs/guide/versions")
    assert "RFC 9745" in page.text
    assert "RFC 8594" in page.text


def test_the_document_marks_it() -> None:
    paths = document_of([is_live, is_alive])["paths"]
    going, staying = paths["/v1/alive"]["get"], paths["/health/live"]["get"]
    assert going["deprecated"] is True
    assert "Deprecated since 2027-01-15, to go on 2028-01-15: use `is_live`." in going["description"]
    for response in going["responses"].values():
        assert {"Deprecation", "Sunset"} <= set(response["headers"])
    assert "deprecated" not in staying


def test_nothing_goes_within_a_year() -> None:
    with pytest.raises(TooSoon):
        deprecated(date(2027, 1, 15), date(2028, 1, 14), "is_live")
