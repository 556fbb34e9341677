"""The examples in the description of the API: each request was sent, and each answer was given."""

from typing import Any

import pytest
from httpx import Response
from jsonschema_rs import Draft202012Validator

from service.http.openapi import openapi_document
from tests.course import on_course
from tests.service.http.answers import ANSWERED, SCENE, operations, play, written


def described() -> dict[str, dict[str, Any]]:
    """Each operation of the document, by its id."""
    return {one["operationId"]: one for item in openapi_document()["paths"].values() for one in item.values()}


@pytest.fixture
async def answers() -> dict[str, list[Response]]:
    with on_course("answers"):
        return await play()


async def test_every_example_is_done(answers: dict[str, list[Response]]) -> None:
    """The scene does each operation with each of its examples, and fails where one is not done."""
    assert {word.rpartition(":")[2] for word in SCENE} == set(operations())
    assert {name: len(found) for name, found in answers.items()} == {
        name: len(bodies) for name, (_, _, bodies) in operations().items()
    }
    for operation in described().values():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            assert media["examples"], operation["operationId"]


async def test_the_answers_in_the_document_are_those_that_are_given(answers: dict[str, list[Response]]) -> None:
    assert written(answers) == ANSWERED.read_bytes(), "run `make golden openapi` and review the difference"


def test_every_operation_shows_an_answer_that_fits_its_schema() -> None:
    components = openapi_document()["components"]
    for name, operation in described().items():
        shown = 0
        for status, response in operation["responses"].items():
            for media in response.get("content", {}).values() if status.startswith("2") else ():
                for example in media.get("examples", {}).values():
                    found = Draft202012Validator({**media["schema"], "components": components})
                    assert found.is_valid(example["value"]), (
                        name,
                        [one.message for one in found.iter_errors(example["value"])],
                    )
                    shown += 1
        assert shown == 1 or "204" in operation["responses"], name


def test_no_example_holds_a_token_that_is_one() -> None:
    text = ANSWERED.read_text()
    assert "gsh_" + "x" * 46 in text
    assert text.count("gsh_") == text.count("gsh_" + "x" * 46)
