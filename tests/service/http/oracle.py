"""What must hold after every failure, asked of the database and of the service: the oracle of the failure tests.

Each acknowledged command is in the log exactly once; every game passes the audit, with every receipt that was given;
the feed is dense and holds each entry once, in game order; and what is served is what the log alone gives.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from uuid import uuid4

import asyncpg
import msgspec
from httpx import ASGITransport, AsyncClient
from msgspec import Struct

from audit import audit_file
from rules.choices import Option
from service.http.site import Front, site
from service.settings import NO_LIMITS, Settings
from tests.databases import connected
from tests.desks import a_desk
from tests.service.http.conftest import Person
from tests.stores import a_store


class Acknowledged(Struct, frozen=True):
    """A command of which somebody was told that it is in the log."""

    key: str
    version: int
    receipt: str


class Played:
    """A running game, and what its players were told."""

    def __init__(self, game: str, people: tuple[Person, ...], seed: int) -> None:
        self.game, self.people = game, people
        self.told: list[Acknowledged] = []
        self._below = random.Random(seed).randrange

    async def play(self, moves: int) -> None:
        """So many moves, each answered with success."""
        for _ in range(moves):
            await self._move()

    async def _move(self) -> None:
        for person in self.people:
            asked = (await person.get(f"/v1/games/{self.game}/options")).json()
            if asked["options"]:
                offered = msgspec.convert(asked["options"], list[Option])
                command = {**offered[self._below(len(offered))].pick(self._below), "decision_id": asked["decision_id"]}
                await self._say(person, command)
                return
        raise AssertionError("nobody is asked: the game is over")

    async def _say(self, person: Person, command: dict[str, object]) -> None:
        key = str(uuid4())
        answer = await person.post(f"/v1/games/{self.game}/commands", command, idempotency_key=key)
        assert answer.status_code == 200, answer.text
        said = answer.json()
        self.told.append(Acknowledged(key, said["version"], said["receipt"]))


async def all_holds(database_url: str, games: list[Played], folder: Path) -> None:
    """Raises `AssertionError`, naming what does not hold."""
    async with connected(database_url) as connection:
        for played in games:
            await _each_is_there_once(connection, played)
        await _the_feed_is_dense(connection)
    for played in games:
        await _every_receipt_fits(played, folder)
    await _the_log_alone_gives_the_same(database_url, games)


async def _each_is_there_once(connection: asyncpg.Connection[asyncpg.Record], played: Played) -> None:
    rows = await connection.fetch("SELECT seq, command_id FROM moves WHERE game_id = $1 ORDER BY seq", played.game)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    at = [(str(row["command_id"]), row["seq"]) for row in rows]
    for one in played.told:
        assert at.count((one.key, one.version)) == 1, f"{one.key} of {played.game}"


async def _the_feed_is_dense(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    for _ in range(600):
        if await connection.fetchval("SELECT count(*) FROM feed_pending") == 0:
            break
        await asyncio.sleep(0.1)
    fed = await connection.fetch("SELECT pos, game_id, seq FROM feed_entries ORDER BY pos")
    assert [row["pos"] for row in fed] == list(range(1, len(fed) + 1))
    by_game: dict[str, list[int]] = {}
    for row in fed:
        by_game.setdefault(str(row["game_id"]), []).append(row["seq"])
    last = await connection.fetch("SELECT game_id, max(seq) AS seq FROM moves GROUP BY game_id")
    assert by_game == {str(row["game_id"]): list(range(1, row["seq"] + 1)) for row in last}


async def _every_receipt_fits(played: Played, folder: Path) -> None:
    place = folder / played.game
    place.mkdir(parents=True)
    file = place / "game.jsonl"
    file.write_bytes((await played.people[0].get(f"/v1/games/{played.game}/export")).content)
    kept = [place / f"receipt-{one.version}" for one in played.told]
    for path, one in zip(kept, played.told, strict=True):
        path.write_text(one.receipt)
    assert audit_file(file, receipts=kept).findings == ()


async def _the_log_alone_gives_the_same(database_url: str, games: list[Played]) -> None:
    """A worker that knows nothing yet and has no snapshots says of each game what those say that played it."""
    desk = a_desk(await a_store(database_url))
    anew = Front(site(desk, Settings(limits=NO_LIMITS)))
    async with AsyncClient(transport=ASGITransport(app=anew), base_url="http://anew") as client:  # type: ignore[arg-type]
        for played in games:
            for person in played.people:
                again = Person(client, person.token, person.account)
                path = f"/v1/games/{played.game}/view"
                assert (await again.get(path)).content == (await person.get(path)).content
    await desk.close()
