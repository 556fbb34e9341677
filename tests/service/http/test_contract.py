"""The running application held to its own description, with data that fits and data that does not."""

import asyncio
import signal
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import Phase, settings
from schemathesis import AuthContext, Case
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from service.auth.accounts import first_admin, sign_up
from service.auth.scopes import ALL
from service.embedded import Embedded
from service.http.openapi import openapi_document
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.desks import a_desk, a_lobby, a_person
from tests.effort import examples
from tests.memory_store import MemoryStore
from tests.service.http.running import Server, settings_for
from tests.stores import a_store

COMMANDS = ["submit_command", "check_command"]
PATIENCE = 300
"""Seconds for an answer: a busy machine takes its time."""

# ---- in this process, over the store in memory

desk = a_desk(MemoryStore())
front: Any = Front(site(desk, Settings(limits=NO_LIMITS)))
schema = schemathesis.openapi.from_asgi("/openapi.json", front, timeout=PATIENCE)


@schema.auth()
class AdministratorsToken:
    def get(self, _case: Case[Any], _context: AuthContext) -> str:
        return asyncio.run(sign_up(desk.store, f"admin-{uuid4().hex[:8]}", "person", ALL)).first.secret

    def set(self, case: Case[Any], data: str, _context: AuthContext) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@pytest.fixture(scope="module")
def game() -> str:
    """A game in its lobby: without it most operations would only ever say 404."""
    return asyncio.run(a_lobby(desk, a_person()))


@schema.exclude(operation_id=COMMANDS).parametrize()
@examples(10)
def test_the_application_keeps_its_word(case: Case[Any], game: str) -> None:
    hold_to_its_word(case, game)


@schema.include(operation_id=COMMANDS).parametrize()
@settings(examples(50), phases=[Phase.generate])
def test_the_application_keeps_its_word_on_commands(case: Case[Any], game: str) -> None:
    """Without the examples of every corner of every command: there are hundreds, and the rules' own tests have them."""
    hold_to_its_word(case, game)


def answered_at_once(case: Case[Any]) -> None:
    """What goes on for ever has tests of its own."""
    for name in ("follow", "wait"):
        case.query.pop(name, None)


def hold_to_its_word(case: Case[Any], game: str) -> None:
    assert case.meta is not None
    answered_at_once(case)
    if case.meta.generation.mode.is_positive and "game" in case.path_parameters:
        case.path_parameters["game"] = game
    # What fits the description may still be against the rules of a game, which it cannot describe.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


# ---- the real server over Postgres

described = schemathesis.openapi.from_dict(openapi_document())


class Running(NamedTuple):
    """Where the server is, who may do everything there, and a game in its lobby."""

    url: str
    token: str
    game: str


@pytest.fixture(scope="module")
def running(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    place = tmp_path_factory.mktemp("running")
    server = Server(settings_for(servers, database_url, place / "data"), place / "server.log")
    try:
        server.wait()
        token = asyncio.run(_first_admin(database_url))
        headers = {"authorization": f"Bearer {token}", "idempotency-key": str(uuid4())}
        made = httpx.post(f"{server.url}/v1/games", json={"ruleset": "oil-and-gas", "seats": 4}, headers=headers)
        yield Running(server.url, token, made.json()["game"])
    finally:
        server.stop(signal.SIGTERM)
        said = server.log.read_text()
    assert "Traceback" not in said, said


async def _first_admin(database_url: str) -> str:
    store = await a_store(database_url)
    token = await first_admin(store)
    await store.close()
    assert token is not None
    return token


@pytest.mark.slow
@described.parametrize()
@settings(examples(8), phases=[Phase.generate])
def test_the_running_server_keeps_its_word(case: Case[Any], running: Running) -> None:
    assert case.meta is not None
    answered_at_once(case)
    if case.meta.generation.mode.is_positive and "game" in case.path_parameters:
        case.path_parameters["game"] = running.game
    headers = {"authorization": f"Bearer {running.token}"}
    excluded = [positive_data_acceptance, ignored_auth]
    case.call_and_validate(base_url=running.url, headers=headers, excluded_checks=excluded, timeout=PATIENCE)
