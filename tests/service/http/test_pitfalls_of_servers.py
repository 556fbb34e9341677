"""What users of services like ours met when there was more than one process, shown not to be here."""

import signal
from uuid import uuid4

import httpx
import pytest
from httpx import AsyncClient

from tests.service.http.conftest import Person, problem
from tests.service.http.running import Server

pytestmark = [pytest.mark.slow]

TABLE = {"ruleset": "oil-and-gas", "seats": 2}


def asking(server: Server) -> AsyncClient:
    """Each request is a connection of its own, so that it meets any worker."""
    return AsyncClient(base_url=server.url, limits=httpx.Limits(max_keepalive_connections=0), timeout=60)


async def somebody(client: AsyncClient, name: str) -> Person:
    made = (await client.post("/v1/accounts", json={"name": f"{name}-{uuid4().hex[:8]}"})).json()
    return Person(client, made["token"], made["account"]["account"])


async def test_p39_what_was_made_is_there_for_every_worker_at_once(server: Server) -> None:
    async with asking(server) as client:
        ada = await somebody(client, "ada")
        for _ in range(10):
            game = await ada.open_table()
            for _ in range(3):
                assert (await ada.get(f"/v1/games/{game}")).status_code == 200
            assert (await ada.post(f"/v1/games/{game}/seats", {"seat": 0})).status_code == 201
            seats = [(await client.get(f"/v1/games/{game}")).json()["seats"][0]["account"] for _ in range(3)]
            assert seats == [ada.account] * 3
        made = await ada.post("/v1/games:batch", {"games": [TABLE] * 40})
        for one in made.json()["games"]:
            assert (await client.get(f"/v1/games/{one['game']}/view")).status_code == 200


async def test_p41_tokens_outlive_a_restart_and_so_does_their_end(server: Server) -> None:
    async with asking(server) as client:
        ada = await somebody(client, "ada")
        made = (await ada.post("/v1/tokens", {"label": "phone", "scopes": ["play"]})).json()
        phone = Person(client, made["token"], ada.account)
        assert (await phone.get("/v1/accounts/me")).status_code == 200
        gone = await ada.ask("DELETE", f"/v1/tokens/{made['details']['token_id']}")
        assert gone.status_code == 204
        server.stop(signal.SIGTERM)
        server.start()
        server.wait()
        for _ in range(6):
            assert (await ada.get("/v1/accounts/me")).status_code == 200
            problem(await phone.get("/v1/accounts/me"), 401)
