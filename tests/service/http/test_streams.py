"""Streams on the real server: two workers, a real Postgres, a real Valkey."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from httpx import AsyncClient, Limits, Response
from jsonschema_rs import Draft202012Validator

from service.embedded import Embedded
from service.http.asyncapi import asyncapi_document
from tests.service.http.conftest import Person, move, problem, started
from tests.service.http.running import Server, running, settings_for

pytestmark = [pytest.mark.slow]

SSE = {"accept": "text/event-stream"}
BEAT = {"GUSHER_STREAM_BEAT": "1"}
LINES = {"accept": "application/x-ndjson"}


@pytest.fixture(scope="module")
def server(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that all of these share; its streams beat every second."""
    place = tmp_path_factory.mktemp("streams")
    with running(settings_for(servers, database_url, place / "data") | BEAT, place / "server.log") as found:
        yield found
    assert "Traceback" not in found.log.read_text(), found.log.read_text()


@pytest.fixture(scope="module")
def capped(servers: Embedded, database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where a token has four streams, whichever of the two workers it meets."""
    place = tmp_path_factory.mktemp("capped")
    limits = BEAT | {"GUSHER_LIMITS": "token=off address=off game=off streams=4"}
    with running(settings_for(servers, database_url, place / "data") | limits, place / "server.log") as found:
        yield found
    assert "Traceback" not in found.log.read_text(), found.log.read_text()


class Event(msgspec.Struct, frozen=True):
    """A server-sent event as it was read."""

    name: str
    id: int | None
    data: Any


@cache
def validator(message: str) -> Draft202012Validator:
    """What the document of the streams says of a message."""
    components = asyncapi_document()["components"]
    return Draft202012Validator({**components["messages"][message]["payload"], "components": components})


async def events(response: Response) -> AsyncIterator[Event]:
    name, place, data = "", None, ""
    async for line in response.aiter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "id":
            place = int(value)
        elif field == "data":
            data = value
        elif not line and data:
            told = msgspec.json.decode(data)
            assert validator(name).is_valid(told), (name, data)
            yield Event(name, place, told)
            name, place, data = "", None, ""


@asynccontextmanager
async def people(url: str, *names: str) -> AsyncIterator[list[Person]]:
    limits = Limits(max_connections=None, max_keepalive_connections=0)
    async with AsyncClient(base_url=url, timeout=300, limits=limits) as client:
        met = []
        for name in names:
            made = (await client.post("/v1/accounts", json={"name": f"{name}-{uuid4().hex[:8]}"})).json()
            met.append(Person(client, made["token"], made["account"]["account"]))
        yield met


@asynccontextmanager
async def stream(who: Person, path: str, **headers: str) -> AsyncIterator[Response]:
    named = {"authorization": f"Bearer {who.token}", **{key.replace("_", "-"): one for key, one in headers.items()}}
    async with who.client.stream("GET", path, headers=named) as response:
        yield response


async def play(game: str, moves: int, *players: Person) -> None:
    below = random.Random(3).randrange
    for _ in range(moves):
        answer = await move(game, below, *players)
        assert answer is None or answer.status_code == 200, answer.text


async def read_to_the_end(who: Person, game: str, **headers: str) -> list[Event]:
    async with stream(who, f"/v1/games/{game}/log", **SSE, **headers) as response:
        assert response.status_code == 200
        return [event async for event in events(response)]


async def test_readers_of_both_workers_see_each_entry_once_and_in_order(server: Server) -> None:
    """Eight readers are spread over two workers, as are the moves: who only heard its own worker would miss half."""
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        readers = [asyncio.create_task(read_to_the_end(who, game)) for who in (ada, bob) * 4]
        await play(game, 12, ada, bob)
        last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
        for got in await asyncio.gather(*readers):
            assert [event.id for event in got[:-1]] == list(range(1, last + 1))
            assert got[-1] == Event("end", None, {"reason": "finished", "last": last})


async def test_a_stream_says_what_the_page_says(server: Server) -> None:
    """Each with own eyes: in the stream nothing is open that the page keeps closed."""
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        await play(game, 6, ada, bob)
        for who in (ada, bob):
            page = (await who.get(f"/v1/games/{game}/log")).json()["entries"]
            got = []
            async with stream(who, f"/v1/games/{game}/log", **SSE) as response:
                async for event in events(response):
                    got.append(event.data)
                    if len(got) == len(page):
                        break
            assert got == page


async def test_the_state_comes_first_and_then_what_follows_it(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        async with stream(ada, f"/v1/games/{game}/log?state=true", **SSE) as response:
            told = events(response)
            first = await anext(told)
            assert first.name == "view"
            view = (await ada.get(f"/v1/games/{game}/view")).json()
            assert (first.data, first.id) == (view, view["version"])
            await play(game, 1, ada, bob)
            assert (await anext(told)).id == view["version"] + 1
        async with stream(ada, f"/v1/games/{game}/log?state=true&after=2&follow=true", **LINES) as response:
            lines = response.aiter_lines()
            got = [msgspec.json.decode(line) for line in [await anext(lines) for _ in range(4)] if line]
            assert got[0]["view"]["version"] == 2
            assert got[1]["seq"] == 3


async def test_lines_go_on_and_say_how_they_end(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        async with stream(bob, f"/v1/games/{game}/log?follow=true&after=2", **LINES) as response:
            assert response.headers["content-type"] == "application/x-ndjson"
            last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
            got = [msgspec.json.decode(line) async for line in response.aiter_lines() if line]
        assert [one["seq"] for one in got[:-1]] == list(range(3, last + 1))
        assert got[-1] == {"end": {"reason": "finished", "last": last}}


async def test_who_has_it_all_is_not_called_back(server: Server) -> None:
    """An `EventSource` connects again after every end, but not after 204."""
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
        async with stream(ada, f"/v1/games/{game}/log", **SSE, last_event_id=str(last)) as response:
            assert response.status_code == 204
        ahead = await ada.get(f"/v1/games/{game}/log?after={last + 1}", **SSE)
        problem(ahead, 409, "ahead_of_log")


async def resume(who: Person, game: str, cut: random.Random) -> list[int]:
    """Read with a connection that breaks again and again, each time after a few events, until the end."""
    seen: list[int] = []
    while True:
        left = cut.randrange(1, 4)
        headers = {"last_event_id": str(seen[-1])} if seen else {}
        async with stream(who, f"/v1/games/{game}/log", **SSE, **headers) as response:
            if response.status_code == 204:
                return seen
            async for event in events(response):
                if event.name == "end":
                    return seen
                assert event.id is not None
                seen.append(event.id)
                left -= 1
                if not left:
                    break


async def test_p32_a_storm_of_resumes_loses_nothing_and_repeats_nothing(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        readers = [asyncio.create_task(resume(ada, game, random.Random(seed))) for seed in range(20)]
        await play(game, 15, ada, bob)
        last = (await bob.post(f"/v1/games/{game}/resign")).json()["version"]
        for seen in await asyncio.gather(*readers):
            assert seen == list(range(1, last + 1))


async def eventually_open(who: Person, path: str, wanted: int) -> None:
    """So many streams can be had at once; those that ended a moment ago may take that moment."""
    for _ in range(200):
        async with AsyncExitStack() as stack:
            opened = [await stack.enter_async_context(stream(who, path, **SSE)) for _ in range(wanted)]
            if all(response.status_code == 200 for response in opened):
                return
        await asyncio.sleep(0.1)
    raise AssertionError("the streams did not come back")


async def test_p30_one_stream_too_many_is_refused_and_the_others_stay(capped: Server) -> None:
    async with people(capped.url, "ada", "bob") as (ada, bob), AsyncExitStack() as stack:
        game = await started(ada, bob)
        path = f"/v1/games/{game}/log"
        opened = [await stack.enter_async_context(stream(ada, path, **SSE)) for _ in range(4)]
        for _ in range(6):
            refused = await ada.get(path, **SSE)
            problem(refused, 429, "too_many_streams")
            assert int(refused.headers["retry-after"]) >= 1
        other = await stack.enter_async_context(stream(bob, path, **SSE))
        assert other.status_code == 200
        last = (await ada.post(f"/v1/games/{game}/resign")).json()["version"]
        for response in (*opened, other):
            assert [event.id async for event in events(response)][-2] == last


async def test_p40_a_token_that_is_revoked_ends_its_streams(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        made = (await ada.post("/v1/tokens", {"label": "phone", "scopes": ["play"]})).json()
        phone = Person(ada.client, made["token"], ada.account)
        async with stream(phone, f"/v1/games/{game}/log", **SSE) as response:
            told = events(response)
            await anext(told)
            listed = (await ada.get("/v1/tokens")).json()["tokens"]
            ids = [one["token_id"] for one in listed if one["label"] == "phone"]
            assert (await ada.ask("DELETE", f"/v1/tokens/{ids[0]}")).status_code == 204
            rest = [event async for event in told]
        assert rest[-1].data["reason"] == "unauthenticated"


async def test_head_of_a_stream_has_no_body(server: Server) -> None:
    async with people(server.url, "ada", "bob") as (ada, bob):
        game = await started(ada, bob)
        answer = await ada.ask("HEAD", f"/v1/games/{game}/log", **SSE)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream"
        assert not answer.content
