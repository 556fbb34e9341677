"""Everything that concerns the caller: in memory, and over two real workers with the feed's reader between."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from httpx import AsyncClient

from events.opening import read_body
from service.embedded import Embedded
from service.store.news import WORDS, told_by
from service.store.postgres import PostgresStore
from tests.desks import a_key
from tests.service.http.conftest import Meet, Person, problem, started
from tests.service.http.running import Server, running, settings_for
from tests.service.http.test_streams import BEAT, LINES, SSE, events, people, play, stream

slow = pytest.mark.slow


async def page(who: Person, query: str = "") -> dict[str, Any]:
    answer = await who.get(f"/v1/feed{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_player_is_told_of_everything_at_the_own_tables_and_of_nothing_else(meet: Meet) -> None:
    ada, bob, eve = await meet("ada"), await meet("bob"), await meet("eve")
    game = await started(ada, bob)
    await started(eve, bob)
    news = (await page(ada))["news"]
    assert {one["game"] for one in news} == {game}
    assert [one["what"] for one in news] == [["joined"], ["joined"], ["started", "your_move"]]
    assert news[-1]["seats"] == [0]
    await ada.post(f"/v1/games/{game}/resign")
    last = (await page(ada))["news"][-1]
    assert last["what"][0] == "resigned"
    assert "finished" in last["what"]
    assert {word for one in news for word in one["what"]} <= set(WORDS)


async def test_who_is_asked_is_told_once_and_others_are_not(meet: Meet) -> None:
    """Half of the table has answered; the question is still the same, and nobody is asked again."""
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    before = (await page(bob))["position"]
    done = await ada.post(f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": []})
    assert done.status_code == 200, done.text
    assert (await page(bob, f"?after={before}"))["news"] == []
    await bob.post(f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": []})
    assert [one["what"] for one in (await page(bob, f"?after={before}"))["news"]] == [["your_move"]]


async def test_pages_hang_together(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    for _ in range(3):
        await started(ada, bob)
    whole, found, address = (await page(ada))["news"], [], "/v1/feed?limit=2"
    while address:
        answer = await ada.get(address)
        found += answer.json()["news"]
        address = answer.json()["next"]
        assert ("link" in answer.headers) == bool(address)
    assert found == whole


async def test_the_feed_needs_somebody(client: AsyncClient) -> None:
    problem(await client.get("/v1/feed"), 401)
    problem(await client.get("/v1/feed", headers={"accept": "text/event-stream"}), 401)


async def test_a_token_for_one_game_hears_of_that_alone(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    one, _other = await started(ada, bob), await started(ada, bob)
    made = await ada.post("/v1/tokens", {"label": "bot", "scopes": ["play"], "game": one})
    assert made.status_code == 201, made.text
    narrow = Person(ada.client, made.json()["token"], ada.account)
    assert {item["game"] for item in (await page(narrow))["news"]} == {one}


async def test_a_token_for_another_seat_hears_of_the_table_but_not_of_its_question(meet: Meet) -> None:
    """Ada sits at seat 0; a token narrowed to seat 1 of the game speaks for nobody there."""
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    made = await ada.post("/v1/tokens", {"label": "bot", "scopes": ["play"], "game": game, "seat": 1})
    assert made.status_code == 201, made.text
    narrow = Person(ada.client, made.json()["token"], ada.account)
    last = (await page(narrow))["news"][-1]
    assert (last["what"], last["seats"]) == (["started"], [])


async def test_what_makes_no_sense_is_refused(meet: Meet) -> None:
    ada = await meet("ada")
    problem(await ada.get("/v1/feed?follow=true&wait=5"), 400)
    problem(await ada.get("/v1/feed", last_event_id="4"), 400)
    problem(await ada.get("/v1/feed", accept="text/html"), 406)


# ---- real servers


@pytest.fixture(scope="module")
def server(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("feed")
    with running(settings_for(servers, database_url, place / "data") | BEAT, place / "server.log") as found:
        yield found
    assert "Traceback" not in found.log.read_text(), found.log.read_text()


async def until_finished(who: Person, position: int, game: str) -> list[dict[str, Any]]:
    """The news of a stream, up to the end of this game."""
    got: list[dict[str, Any]] = []
    async with stream(who, f"/v1/feed?after={position}", **SSE) as response:
        async for event in events(response):
            assert event.id == event.data["position"]
            got.append(event.data)
            if event.data["game"] == game and "finished" in event.data["what"]:
                break
    return got


@slow
async def test_every_reader_is_told_once_and_in_order_whichever_worker_it_meets(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(300):
        game = await started(ada, bob)
        readers = [asyncio.create_task(until_finished(who, 0, game)) for who in (ada, bob) * 3]
        await play(game, 10, ada, bob)
        await ada.post(f"/v1/games/{game}/resign")
        streams = await asyncio.gather(*readers)
        for who, got in zip((ada, bob) * 3, streams, strict=True):
            positions = [one["position"] for one in got]
            assert positions == sorted(set(positions))
            assert got == (await page(who))["news"]
        assert {word for one in streams[0] for word in one["what"]} >= {"started", "your_move", "finished"}


@slow
async def test_a_stream_without_a_position_begins_now(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(300):
        old = await started(ada, bob)
        await page(bob, "?wait=60")
        async with stream(bob, "/v1/feed?follow=true", **LINES) as response:
            assert response.headers["content-type"] == "application/x-ndjson"
            lines = response.aiter_lines()
            await anext(lines)
            await ada.post(f"/v1/games/{old}/resign")
            while True:
                line = await anext(lines)
                if line and "finished" in msgspec.json.decode(line)["what"]:
                    break


@slow
async def test_who_waits_for_news_is_told_when_they_come(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(300):
        waiting = asyncio.create_task(page(ada, "?after=0&wait=60"))
        await started(ada, bob)
        assert (await waiting)["news"][0]["what"] == ["joined"]


# ---- both stores say the same


@slow
async def test_news_of_any_entry_can_be_told(postgres_store: PostgresStore, server: Server) -> None:
    """What the table holds is what the log says, read afresh."""
    async with people(server.url, "ada", "bob") as (ada, bob), asyncio.timeout(300):
        game = await started(ada, bob)
        below = random.Random(4)
        await play(game, below.randrange(5, 9), ada, bob)
        await bob.post(f"/v1/games/{game}/resign")
        await until_finished(ada, 0, game)
        found = await postgres_store.news(ada.account, 0, 1000, game)
        rows = await postgres_store.rows(game, 0, 1000)
        expected = []
        for row in rows:
            at, told = told_by(row.body)
            asked = 0 in told.asked
            if told.what or asked:
                expected.append((row.seq, at, (*told.what, *(["your_move"] if asked else [])), (0,) if asked else ()))
        assert [(one.seq, one.at, one.what, one.seats) for one in found] == expected
        assert read_body(rows[-1].body).seq == found[-1].seq
        assert await postgres_store.newest([ada.account, a_key()]) == {ada.account: found[-1].pos}
