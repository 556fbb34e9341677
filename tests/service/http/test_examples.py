"""Every example in the description of the API is sent, in a game where it makes sense, and is done."""

from typing import Any

from httpx import AsyncClient

from service.app import openapi_document
from tests.service.http.conftest import Meet, Person

METHODS = ("post", "put", "patch")

SCENE = (
    "create_account",
    "create_token",
    "create_game",
    "create_games",
    "create_invitation",
    "take_seat",
    "add_bot",
    "start_game",
    "create_branch",
    "play_branch",
    "check_command",
    "submit_command",
    "suspend_game",
    "resume_game",
    "file_dispute",
    "create_auditor",
    "create_arbiter",
    "give_verdict",
)
"""Operations in an order in which each of them can be done; `start_game` has no body, and goes between."""

MAKES = {"create_game": "game", "create_branch": "branch"}
"""What an operation makes that others have in their path."""


def examples() -> dict[str, tuple[str, str, list[Any]]]:
    """Method, path and example bodies of each operation that takes a body."""
    return {
        operation["operationId"]: (
            method,
            path,
            [one["value"] for one in operation["requestBody"]["content"]["application/json"]["examples"].values()],
        )
        for path, item in openapi_document()["paths"].items()
        for method, operation in item.items()
        if method in METHODS and "requestBody" in operation
    }


async def test_every_example_is_done(client: AsyncClient, meet: Meet, admin: Person) -> None:
    found = examples()
    assert {*SCENE} - {"start_game"} == {*found}, "an operation with a body has no place in the scene"
    names = {"number": "1"}
    for operation in SCENE:
        method, path, bodies = found.get(operation, ("post", "/v1/games/{game}/start", [None]))
        for body in bodies:
            answer = await admin.ask(method.upper(), path.format(**names), body)
            assert answer.is_success, (operation, answer.text)
            if operation in MAKES:
                names[MAKES[operation]] = answer.json()[MAKES[operation]]


async def test_an_operation_has_a_use_of_each_of_its_examples(client: AsyncClient) -> None:
    for operation, (_, _, bodies) in examples().items():
        assert bodies, operation
        assert all(isinstance(body, dict) for body in bodies)
