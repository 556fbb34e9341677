"""Whatever is wrong with a parameter is told in one way: where it stands, its name, what is wrong."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from httpx import AsyncClient, Response
from litestar._parsers import parse_query_string

from service.http.openapi import openapi_document
from tests.service.http.conftest import Meet, Person, problem

NOWHERE = "0190f3c0-0000-7000-8000-00000000dead"
"""Nothing has this id; parameters are looked at before anything is looked up."""

ODDLY_WRITTEN = ("1e3", "7.0", "+7", " 7", "007", "1_0")

Bad = tuple[str, str, dict[str, Any], str]
"""Method, path, the parameter as the document has it, and a value that does not fit."""


def bad_values(schema: dict[str, Any]) -> Iterator[str]:
    """Values that a parameter of this schema cannot have."""
    if schema["type"] == "integer":
        yield from ("x", "1.5", "", "null", *ODDLY_WRITTEN)
    if schema["type"] == "boolean":
        yield from ("perhaps", "null")
    if "minimum" in schema:
        yield str(schema["minimum"] - 1)
    if "maximum" in schema:
        yield str(schema["maximum"] + 1)
    if "enum" in schema or "pattern" in schema:
        yield "!"
    if "maxLength" in schema:
        yield "a" * (schema["maxLength"] + 1)


def every_parameter(place: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and parameter, for each parameter that stands there."""
    for path, item in openapi_document()["paths"].items():
        for method, operation in item.items():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == place:
                    yield method.upper(), path, parameter


def every_bad_value(place: str) -> list[Bad]:
    return [
        (method, path, parameter, value)
        for method, path, parameter in every_parameter(place)
        for value in bad_values(parameter["schema"])
    ]


def address(path: str, **known: str) -> str:
    """The path, with ids of nothing where none is known."""
    names = {"game", "branch", "token", "invitation", "edition", "ruleset", "seat", "number"}
    usual = {**dict.fromkeys(names, NOWHERE), "ruleset": "oil-and-gas", "seat": "0", "number": "1"}
    return path.format(**{**usual, **known})


def body_of(method: str, path: str) -> Any:
    """A body that fits: what the document shows; None where there is none."""
    content = openapi_document()["paths"][path][method.lower()].get("requestBody", {}).get("content", {})
    examples = [one["value"] for media in content.values() for one in media["examples"].values()]
    return examples[0] if examples else None


def told(response: Response, how: str, place: str, name: str) -> None:
    assert response.status_code == 400, (str(response.request.url), name, response.text)
    members = problem(response, 400, f"{how}_parameter")
    assert members["type"] == "/problems/malformed"
    assert [(one["in"], one["name"]) for one in members["errors"]] == [(place, name)], members
    assert members["errors"][0]["detail"]
    assert f"{place}: {name}: " in members["detail"]


@pytest.fixture
async def ada(meet: Meet) -> Person:
    return await meet("ada")


async def test_a_query_parameter_that_does_not_fit(ada: Person) -> None:
    cases = every_bad_value("query")
    assert len(cases) > 50
    for method, path, parameter, value in cases:
        where = f"{address(path)}?{urlencode({parameter['name']: value})}"
        answer = await ada.ask(method, where, body_of(method, path))
        told(answer, "invalid", "query", parameter["name"])


async def test_a_query_parameter_given_twice(ada: Person) -> None:
    for method, path, parameter in every_parameter("query"):
        twice = "&".join([f"{parameter['name']}=1"] * 2)
        told(await ada.ask(method, f"{address(path)}?{twice}"), "repeated", "query", parameter["name"])


async def test_a_query_parameter_that_nobody_knows(ada: Person) -> None:
    paths = openapi_document()["paths"]
    for path, item in paths.items():
        for method in item:
            told(await ada.ask(method.upper(), f"{address(path)}?sea=1"), "unknown", "query", "sea")


async def test_a_part_of_the_path_that_is_out_of_range(ada: Person) -> None:
    bounded = [
        (method, path, parameter, value)
        for method, path, parameter in every_parameter("path")
        for value in bad_values(parameter["schema"])
        if (re.fullmatch("-?[0-9]+", value) and value not in ODDLY_WRITTEN) or len(value) > 64
    ]
    assert {one["name"] for _, _, one, _ in bounded} == {"seat", "number", "ruleset", "edition"}
    for method, path, parameter, value in bounded:
        answer = await ada.ask(method, address(path, **{parameter["name"]: value}), body_of(method, path))
        told(answer, "invalid", "path", parameter["name"])


async def test_an_id_that_is_none_names_nothing(ada: Person) -> None:
    for path in ("/v1/games/7", f"/v1/games/{NOWHERE}/disputes/x", f"/v1/games/{NOWHERE}/branches/x"):
        problem(await ada.get(path), 404, "not_found")


async def test_a_query_that_is_longer_than_any_is_not_looked_at(ada: Person) -> None:
    known = parse_query_string.cache_info().currsize
    told(await ada.get("/v1/games?ruleset=" + "a" * 3000), "invalid", "query", "")
    assert parse_query_string.cache_info().currsize == known


@pytest.mark.parametrize("host", ["gusher.test:99999", "gusher.test:-1", "[::1"])
async def test_a_host_of_any_kind_keeps_nobody_from_being_told_what_is_wrong(ada: Person, host: str) -> None:
    answer = await ada.post(f"/v1/games/{NOWHERE}/start", idempotency_key="7", host=host)
    told(answer, "invalid", "header", "Idempotency-Key")


async def test_what_is_no_host_is_a_header_that_does_not_fit(ada: Person) -> None:
    told(await ada.get("/v1/games", host="a b"), "invalid", "header", "Host")


HEADERS = {"Idempotency-Key": ("7", ""), "If-Match": ("7", 'W/"1-x"', '"a" "b"'), "Last-Event-ID": ("x", "-1")}


async def test_a_header_that_does_not_fit(ada: Person) -> None:
    cases = [
        (method, path, parameter["name"])
        for method, path, parameter in every_parameter("header")
        if parameter["name"] in HEADERS
    ]
    assert {name for _, _, name in cases} == set(HEADERS)
    for method, path, name in cases:
        for value in HEADERS[name]:
            header = name.lower().replace("-", "_")
            answer = await ada.ask(method, address(path), body_of(method, path), **{header: value})
            told(answer, "invalid", "header", name)


async def test_a_header_that_is_missing_or_given_twice(ada: Person, client: AsyncClient) -> None:
    start = f"/v1/games/{NOWHERE}/start"
    bearer = ("authorization", f"Bearer {ada.token}")
    told(await client.post(start, headers=[bearer]), "missing", "header", "Idempotency-Key")
    keys = [("idempotency-key", str(uuid4())) for _ in range(2)]
    told(await client.post(start, headers=[bearer, *keys]), "repeated", "header", "Idempotency-Key")
    told(await client.get("/v1/accounts/me", headers=[bearer, bearer]), "repeated", "header", "Authorization")


@pytest.mark.parametrize(
    ("path", "place", "name"),
    [
        ("/v1/games?cursor=rubbish", "query", "cursor"),
        ("/v1/games?cursor=YWZ0ZXI6cnViYmlzaA", "query", "cursor"),
        ("/v1/results?cursor=YWZ0ZXI6cnViYmlzaA", "query", "cursor"),
        ("/v1/results?since=9999-12-31T23:59:59-12:00", "query", "since"),
        ("/v1/results?cursor=YWZ0ZXI6OTAwNzE5OTI1NDc0MDk5Mzow", "query", "cursor"),
        (f"/v1/games/{NOWHERE}/log?follow=true&limit=3", "query", "limit"),
        (f"/v1/games/{NOWHERE}/log?state=true", "query", "state"),
        ("/v1/feed?follow=true&wait=3", "query", "wait"),
    ],
)
async def test_a_parameter_that_does_not_go_with_the_others(ada: Person, path: str, place: str, name: str) -> None:
    told(await ada.get(path), "invalid", place, name)


async def test_a_position_is_for_streams(ada: Person) -> None:
    for path in (f"/v1/games/{NOWHERE}/log", "/v1/feed"):
        told(await ada.get(path, last_event_id="3"), "invalid", "header", "Last-Event-ID")


async def test_a_member_of_a_body_is_named_by_its_pointer(ada: Person) -> None:
    table = {"ruleset": "oil-and-gas", "seats": 2}
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("/v1/games", {**table, "seats": 100}, "/seats"),
        ("/v1/games", {**table, "chairs": 2}, "/chairs"),
        ("/v1/games", {"seats": 2}, "/ruleset"),
        ("/v1/tokens", {"label": "x", "scopes": ["play", "rule"]}, "/scopes/1"),
    ]
    for path, body, name in cases:
        members = problem(await ada.post(path, body), 400, "malformed")
        assert [(one["in"], one["name"]) for one in members["errors"]] == [("body", name)]


async def test_a_member_of_a_command_is_named_by_its_pointer(ada: Person) -> None:
    game = await ada.open_table()
    await ada.post(f"/v1/games/{game}/seats", {})
    cases: list[tuple[dict[str, Any], str]] = [
        ({"type": "finish_phase", "discard": 5}, "/discard"),
        ({"type": "sing"}, "/type"),
        ({}, "/type"),
        ({"type": "finish_phase", "id": str(uuid4())}, "/id"),
    ]
    for body, name in cases:
        members = problem(await ada.post(f"/v1/games/{game}/commands", body), 400, "malformed")
        assert [(one["in"], one["name"]) for one in members["errors"]] == [("body", name)]
