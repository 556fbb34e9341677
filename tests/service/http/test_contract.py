"""The running application held to its own description, with data that fits and data that does not."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import AuthContext, Case
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service.auth.accounts import sign_up
from service.auth.scopes import ALL
from service.http.site import Front, site
from service.settings import Settings
from service.store.memory import MemoryStore
from tests.desks import a_desk, a_lobby, a_person

desk = a_desk(MemoryStore())
front: Any = Front(site(desk, Settings()))
schema = schemathesis.openapi.from_asgi("/openapi.json", front)


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


@schema.parametrize()
@settings(max_examples=10, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)
def test_the_application_keeps_its_word(case: Case[Any], game: str) -> None:
    assert case.meta is not None
    if case.meta.generation.mode.is_positive and "game" in case.path_parameters:
        case.path_parameters["game"] = game
    # What fits the description may still be against the rules of a game, which it cannot describe.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
