"""The description of the API is the API: generated, committed, valid, and held to by the running application."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from httpx import AsyncClient
from jsonschema_rs import meta

from service.http.asyncapi import asyncapi_document
from service.http.openapi import openapi_document
from service.http.routes import ROUTES

COMMITTED = Path(__file__).parents[3] / "openapi" / "openapi.json"
METHODS = ("get", "put", "post", "delete", "patch")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document()


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [item[method] for item in document["paths"].values() for method in METHODS if method in item]


def test_the_committed_document_is_the_generated_one(document: dict[str, Any]) -> None:
    made = msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2) + b"\n"
    assert COMMITTED.read_bytes() == made, "the API has changed: run `make openapi` and review the difference"


async def test_the_streams_are_described_by_what_they_send(client: AsyncClient) -> None:
    """Committed, served, every reference good, every schema one."""
    streams = asyncapi_document()
    made = msgspec.json.format(msgspec.json.encode(streams, order="sorted"), indent=2) + b"\n"
    assert COMMITTED.with_name("asyncapi.json").read_bytes() == made, "run `make openapi` and review the difference"
    assert (await client.get("/asyncapi.json")).json() == streams
    schemas = streams["components"]["schemas"]
    for name, schema in schemas.items():
        assert meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}), name
    text = msgspec.json.encode(streams).decode()
    for kind in ("schemas", "messages"):
        for found in re.findall(rf'"#/components/{kind}/([^"]+)"', text):
            assert found in streams["components"][kind]
    addresses = {channel["address"] for channel in streams["channels"].values()}
    assert addresses <= set(openapi_document()["paths"])


async def test_the_document_is_served(client: AsyncClient, document: dict[str, Any]) -> None:
    served = await client.get("/openapi.json")
    assert served.json() == document
    assert served.json()["openapi"].startswith("3.1")


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    named = [operation["operationId"] for operation in operations(document)]
    assert len(named) == len(set(named)) == len(ROUTES)
    tags = {tag["name"] for tag in document["tags"]}
    for operation in operations(document):
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", operation["operationId"])
        assert operation["summary"]
        assert operation["description"]
        assert set(operation["tags"]) <= tags
        for parameter in operation.get("parameters", []):
            assert parameter["description"], (operation["operationId"], parameter["name"])


def test_every_failure_is_a_problem(document: dict[str, Any]) -> None:
    for operation in operations(document):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                media = response["content"]
                assert list(media) == ["application/problem+json"], operation["operationId"]
                assert media["application/problem+json"]["schema"]["$ref"].endswith("/ProblemDetails")


def test_every_schema_is_one(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        assert meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}), name
    for found in re.findall(r'"#/components/schemas/([^"]+)"', msgspec.json.encode(document).decode()):
        assert found in schemas


def test_every_body_has_an_example_that_fits(document: dict[str, Any]) -> None:
    from jsonschema_rs import Draft202012Validator

    for operation in operations(document):
        if "requestBody" in operation:
            media = operation["requestBody"]["content"]["application/json"]
            assert media["examples"], operation["operationId"]
            whole = {**media["schema"], "components": document["components"]}
            for example in media["examples"].values():
                assert Draft202012Validator(whole).is_valid(example["value"]), operation["operationId"]


def test_every_schema_says_what_it_is_and_is_used(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        assert re.fullmatch("[A-Z][A-Za-z]+", name), "a name of ours, with no module of the program in it"
        assert schema["title"], name
        assert schema["description"], name
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', msgspec.json.encode(document).decode()))
    assert used == set(schemas)


def unions(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema with a discriminator inside."""
    if isinstance(value, list):
        for one in value:
            yield from unions(one)
    elif isinstance(value, dict):
        if "discriminator" in value:
            yield value
        for one in value.values():
            yield from unions(one)


def test_every_discriminator_is_complete(document: dict[str, Any]) -> None:
    """It names each alternative, by the very word that the alternative has."""
    schemas = document["components"]["schemas"]
    found = list(unions(schemas))
    assert len(found) > 3
    for union in found:
        mapping, member = union["discriminator"]["mapping"], union["discriminator"]["propertyName"]
        assert sorted(mapping.values()) == sorted(one["$ref"] for one in union["anyOf"])
        for word, reference in mapping.items():
            alternative = schemas[reference.rsplit("/", 1)[-1]]
            assert alternative["properties"][member]["enum"] == [word]
            assert member in alternative["required"]


def test_every_operation_tells_each_way_in_which_it_can_fail(document: dict[str, Any]) -> None:
    for path, item in document["paths"].items():
        for operation in item.values():
            names = {one["name"] for one in operation.get("parameters", [])}
            expected = {"400", "429", "500", "503"}
            expected |= {"401"} if {"bearer": []} in operation["security"] else set()
            expected |= {"404"} if "{" in path else set()
            expected |= {"413", "415"} if "requestBody" in operation else set()
            expected |= {"412"} if "If-Match" in names else set()
            expected |= {"422"} if "Idempotency-Key" in names else set()
            assert expected <= set(operation["responses"]), operation["operationId"]


async def test_the_pages_need_nothing_from_elsewhere(client: AsyncClient, document: dict[str, Any]) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for operation in operations(document):
        assert f'id="{operation["operationId"]}"' in page.text
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert address.startswith(("#", "/")), address
        if address.startswith("/"):
            assert (await client.get(address)).status_code == 200
    anchors = set(re.findall(r'id="([^"]+)"', page.text))
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= anchors
    assert "<script" not in page.text


def test_the_streams_are_asked_for_as_the_operations_say() -> None:
    """Every parameter of the operation but those of pages, and every message with its place."""
    streams, operations = asyncapi_document(), openapi_document()["paths"]
    for name in ("log", "feed"):
        asked = streams["operations"][f"follow_{name}"]
        described = operations[streams["channels"][name]["address"]]["get"]
        told = {*asked["bindings"]["http"]["query"]["properties"], *asked["x-request-headers"]["properties"]}
        known = {one["name"] for one in described["parameters"] if one["in"] != "path"}
        assert known - told == ({"limit", "If-None-Match"} if name == "log" else {"limit", "wait"})
    for name, message in streams["components"]["messages"].items():
        assert ("id" in message["headers"]["properties"]) == (name != "end")
