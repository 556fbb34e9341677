"""Two workers as they are run, many connections: what was told to anybody is seen by everybody from then on."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import httpx
import msgspec
import pytest
from httpx import AsyncClient

from rules.choices import Option
from tests.service.http.conftest import Person, started
from tests.service.http.running import Server
from tests.service.http.test_server import people

pytestmark = [pytest.mark.slow]

CONNECTIONS = 8
GAMES = 6
MOVES = 200


async def test_what_was_told_is_seen_at_every_worker(server: Server) -> None:
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(_line(server)) for _ in range(CONNECTIONS)]
        ada, bob = await people(lines[0], "ada", "bob")
        games = [await started(ada, bob) for _ in range(GAMES)]
        moves = await asyncio.gather(*(_play(game, (ada, bob), lines, seed) for seed, game in enumerate(games)))
    assert sum(moves) > GAMES * 20


def _line(server: Server) -> AsyncClient:
    """One connection, which stays at one worker."""
    return AsyncClient(base_url=server.url, limits=httpx.Limits(max_connections=1), timeout=60)


async def _play(game: str, seats: tuple[Person, Person], lines: list[AsyncClient], seed: int) -> int:
    """Play, each request on any line; after each move all lines look at once."""
    dice, version = random.Random(seed), 0
    for done in range(MOVES):
        asked: dict[str, Any] = {"options": []}
        for person in seats:
            asked = (await _on(dice.choice(lines), person).get(f"/v1/games/{game}/options")).json()
            assert asked["version"] >= version
            if asked["options"]:
                break
        if not asked["options"]:
            return done
        offered = msgspec.convert(asked["options"], list[Option])
        fields = {**dice.choice(offered).pick(dice.randrange), "decision_id": asked["decision_id"]}
        moved = await _on(dice.choice(lines), person).post(f"/v1/games/{game}/commands", fields)
        assert moved.status_code == 200, moved.text
        version = moved.json()["version"]
        seen = await asyncio.gather(
            *(_on(line, dice.choice(seats)).get(f"/v1/games/{game}/view") for line in dice.sample(lines, 3))
        )
        assert [one.json()["version"] for one in seen] == [version] * 3
    return MOVES


def _on(line: AsyncClient, person: Person) -> Person:
    return Person(line, person.token, person.account)
