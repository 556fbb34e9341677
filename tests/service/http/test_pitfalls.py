"""What users of services like ours met, shown not to be here. `tests/README.md` says which test holds which."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from httpx import ASGITransport, AsyncBaseTransport, AsyncClient, ReadTimeout, Request, Response
from msgspec.structs import replace

from service.handling.desk import Desk
from service.http.openapi import openapi_document
from service.http.site import Front, site
from service.settings import Limits, Settings
from service.store.budgets import Budget
from tests.desks import a_key
from tests.memory_store import MemoryStore
from tests.service.http.conftest import Meet, Person, problem, started
from tests.service.http.test_parameters import NOWHERE, address, body_of

FINISH = {"type": "finish_phase", "discard": []}


def every_operation() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each."""
    for path, item in openapi_document()["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation


SEEDS = ("seed", "server_seed", "seed_commit", "random_seed", "salt", "nonce")


@pytest.mark.parametrize("member", SEEDS)
async def test_p11_nobody_chooses_the_seed(meet: Meet, member: str) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    problem(await ada.post("/v1/games", {"ruleset": "oil-and-gas", "seats": 2, member: "00" * 32}), 400, "malformed")
    game = await started(ada, bob)
    problem(await ada.post(f"/v1/games/{game}/commands", {**FINISH, member: "00" * 32}), 400, "malformed")
    lobby = await ada.open_table()
    problem(await ada.post(f"/v1/games/{lobby}/seats", {member: "00" * 32}), 400, "malformed")


async def test_p11_a_running_game_shows_its_seed_nowhere(meet: Meet, desk: Desk, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    seed = (await desk.store.server_seed(game)).hex()
    for name in ("", "/view", "/log", "/export", "/head", "/options", "/audit"):
        for answer in (await ada.get(f"/v1/games/{game}{name}"), await client.get(f"/v1/games/{game}{name}")):
            assert seed not in answer.text
    await ada.post(f"/v1/games/{game}/resign")
    assert seed in (await client.get(f"/v1/games/{game}/export")).text


class Dropping(AsyncBaseTransport):
    """Does what it is asked, and loses every other answer on the way back."""

    def __init__(self, inner: AsyncBaseTransport) -> None:
        self._inner, self._asked = inner, 0
        self.lost: list[bytes] = []

    async def handle_async_request(self, request: Request) -> Response:
        answer = await self._inner.handle_async_request(request)
        self._asked += 1
        if self._asked % 2:
            self.lost.append(await answer.aread())
            raise ReadTimeout("the answer was lost", request=request)
        return answer


async def test_p20_a_lost_answer_is_given_again(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    losing = Dropping(client._transport)
    async with AsyncClient(transport=losing, base_url="http://gusher.test") as unlucky:
        player, key = Person(unlucky, ada.token, ada.account), a_key()
        with pytest.raises(ReadTimeout):
            await player.post(f"/v1/games/{game}/commands", FINISH, idempotency_key=key)
        again = await player.post(f"/v1/games/{game}/commands", FINISH, idempotency_key=key)
    assert (again.status_code, [again.content]) == (200, losing.lost)
    log = (await client.get(f"/v1/games/{game}/log")).json()
    assert [entry["command"]["id"] for entry in log["entries"]].count(key) == 1


BELIEVED = ("status", "result", "winner", "actor", "version", "next_player", "seat", "cards", "rules_version", "events")


@pytest.mark.parametrize("member", BELIEVED)
async def test_p27_nothing_that_follows_is_taken_from_a_client(meet: Meet, member: str) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    before = (await ada.get(f"/v1/games/{game}")).json()["etag"]
    for where in ("commands", "commands:check"):
        told = problem(await ada.post(f"/v1/games/{game}/{where}", {**FINISH, member: 1}), 400, "malformed")
        assert told["errors"][0]["name"] == f"/{member}"
    assert (await ada.get(f"/v1/games/{game}")).json()["etag"] == before


async def test_p28_what_is_refused_changes_nothing_that_anybody_sees(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)

    async def seen() -> list[bytes]:
        places = ("", "/view", "/log", "/head", "/options")
        answers = [await person.get(f"/v1/games/{game}{place}") for person in (ada, bob) for place in places]
        return [one.content for one in [*answers, await ada.get("/v1/feed"), await bob.get("/v1/feed")]]

    await ada.post(f"/v1/games/{game}/commands", FINISH)
    before = await seen()
    refused = [
        await ada.post(f"/v1/games/{game}/commands", FINISH),
        await bob.post(f"/v1/games/{game}/commands", {**FINISH, "decision_id": 1}),
        await bob.post(f"/v1/games/{game}/commands", FINISH, if_match='"1-0000000000000000"'),
        await bob.post(f"/v1/games/{game}/commands", {"type": "finish_phase", "discard": ["X99"]}),
        await bob.post(f"/v1/games/{game}/start"),
        await bob.post(f"/v1/games/{game}/seats", {"seat": 0}),
        await bob.post(f"/v1/games/{game}/abort"),
    ]
    assert [one.status_code for one in refused if one.status_code < 400] == []
    assert await seen() == before


async def aborted(ada: Person, bob: Person) -> str:
    game = await ada.open_table()
    await bob.post(f"/v1/games/{game}/seats", {})
    await ada.post(f"/v1/games/{game}/abort")
    return game


async def resigned(ada: Person, bob: Person) -> str:
    game = await started(ada, bob)
    await ada.post(f"/v1/games/{game}/resign")
    return game


@pytest.mark.parametrize(("end", "word"), [(aborted, "game_aborted"), (resigned, "game_finished")])
async def test_p31_every_end_is_told_everywhere_and_closes_the_stream(
    meet: Meet, client: AsyncClient, end: Any, word: str
) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await end(ada, bob)
    lines = [
        json.loads(one) for one in (await client.get(f"/v1/games/{game}/log?follow=true")).text.splitlines() if one
    ]
    *entries, last = lines
    assert last["end"]["reason"] == "finished"
    assert word in {event["type"] for event in entries[-1]["events"]}
    assert last["end"]["last"] == entries[-1]["seq"]
    for person in (ada, bob):
        news = (await person.get("/v1/feed")).json()["news"]
        assert (news[-1]["game"], news[-1]["seq"]) == (game, entries[-1]["seq"])
        assert news[-1]["what"]
    assert word in (await client.get(f"/v1/games/{game}/export")).text
    assert (await client.get(f"/v1/games/{game}/log?follow=true&after={entries[-1]['seq']}")).status_code == 204


async def test_p37_every_operation_says_how_long_to_wait(desk: Desk) -> None:
    """The budget of an address is spent; then each operation but health is asked for, without a token."""
    front: Any = Front(site(desk, Settings(limits=Limits(address=Budget(1, 60)))))
    async with AsyncClient(transport=ASGITransport(app=front), base_url="http://gusher.test") as client:
        assert (await client.get("/v1/rulesets")).status_code == 200
        for method, path, operation in every_operation():
            answer = await client.request(method, address(path), json=body_of(method, path))
            if operation["operationId"] in ("is_live", "is_ready"):
                assert answer.status_code == 200
            else:
                problem(answer, 429, "rate_limited")
                assert int(answer.headers["retry-after"]) > 0
                assert answer.headers["ratelimit"].startswith('"address";r=0')


@pytest.mark.parametrize("token", ["gsh_wrong", "gsh_" + "a" * 46, "", "Bearer"])
async def test_p37_a_bad_token_is_never_passed_over(client: AsyncClient, token: str) -> None:
    """Also where none is needed: who sends one believes that it counts."""
    asked_of_nobody = {"is_live", "is_ready", "list_keys"}
    for method, path, operation in every_operation():
        if operation["operationId"] not in asked_of_nobody:
            headers = {"authorization": f"Bearer {token}", "idempotency-key": a_key()}
            answer = await client.request(method, address(path), json=body_of(method, path), headers=headers)
            told = problem(answer, 401)
            assert answer.headers["www-authenticate"].startswith("Bearer"), told


def writes() -> list[tuple[str, str]]:
    """Every operation on a game that changes something."""
    return [(method, path) for method, path, _ in every_operation() if method != "GET" and "{game}" in path]


async def test_p40_who_only_watches_changes_nothing(meet: Meet) -> None:
    ada, bob, eve = await meet("ada"), await meet("bob"), await meet("eve")
    game = await started(ada, bob)
    before = (await ada.get(f"/v1/games/{game}")).json()["etag"]
    assert len(writes()) > 12
    for method, path in writes():
        answer = await eve.ask(method, address(path, game=game), body_of(method, path))
        allowed = path.endswith("/branches")  # a copy of her own, which the game does not know of
        assert (answer.status_code < 400) == allowed, (method, path, answer.text)
    assert (await ada.get(f"/v1/games/{game}")).json()["etag"] == before


async def test_p40_a_token_for_one_game_is_no_token_for_another(meet: Meet, client: AsyncClient) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    here, there = await started(ada, bob), await started(ada, bob)
    narrow = {"label": "here", "scopes": ["play"], "game": here, "seat": 0}
    token = (await ada.post("/v1/tokens", narrow)).json()["token"]
    player = Person(client, token, ada.account)
    problem(await player.post(f"/v1/games/{there}/commands", FINISH), 403)
    problem(await player.post(f"/v1/games/{there}/resign"), 403)
    assert (await player.post(f"/v1/games/{here}/commands", FINISH)).status_code == 200


async def test_p40_a_token_for_one_game_does_not_tell_a_private_game_from_none(meet: Meet, client: AsyncClient) -> None:
    """Also where its account plays that game: the token may be in other hands."""
    ada, bob = await meet("ada"), await meet("bob")
    here, there = await started(ada, bob), await ada.open_table(visibility="private")
    assert (await ada.post(f"/v1/games/{there}/seats", {})).status_code == 201
    narrow = {"label": "here", "scopes": ["play", "organize"], "game": here}
    handed = Person(client, (await ada.post("/v1/tokens", narrow)).json()["token"], ada.account)
    asked = 0
    for method, path, _ in every_operation():
        if "{game}" in path:
            told = [
                (answer.status_code, answer.text.replace(game, "GAME"))
                for game in (there, NOWHERE)
                for answer in [await handed.ask(method, address(path, game=game), body_of(method, path))]
            ]
            assert told[0] == told[1], (method, path)
            assert told[0][0] in (403, 404), (method, path)
            asked += 1
    assert asked > 30


@pytest.mark.parametrize("known", [False, True])
async def test_p40_a_private_game_whose_log_is_damaged_is_none_to_strangers(
    meet: Meet, client: AsyncClient, desk: Desk, memory_store: MemoryStore, admin: Person, *, known: bool
) -> None:
    """Whether the log is damaged where it is loaded, or after what is in memory. Who may know of the game is told."""
    ada, stranger = await meet("ada"), await meet("bob")
    game = await ada.open_table(visibility="private")
    log = memory_store._logs[game]
    if known:
        log.append(replace(log[0], seq=2))
    else:
        desk.games._games.clear()
        log[0] = replace(log[0], body=b"{}")
    for person in (ada, admin):
        problem(await person.get(f"/v1/games/{game}"), 500, "log_damaged")
        problem(await person.post(f"/v1/games/{game}/seats", {"client_seed": "c0ffee"}), 500, "log_damaged")
    asked = 0
    for method, path, _ in every_operation():
        if "{game}" in path:
            told = [
                (answer.status_code, answer.text.replace(named, "GAME"))
                for named in (game, NOWHERE)
                for answer in [await stranger.ask(method, address(path, game=named), body_of(method, path))]
            ]
            assert told[0] == told[1], (method, path)
            assert told[0][0] in (403, 404), (method, path)
            asked += 1
    assert asked > 30


async def test_p40_a_seat_that_was_left_is_nobodys(meet: Meet, client: AsyncClient) -> None:
    ada, bob, cy = await meet("ada"), await meet("bob"), await meet("cy")
    game = await ada.open_table()
    for person in (ada, bob):
        await person.post(f"/v1/games/{game}/seats", {})
    token = (await bob.post("/v1/tokens", {"label": "1", "scopes": ["play"], "game": game, "seat": 1})).json()["token"]
    assert (await bob.ask("DELETE", f"/v1/games/{game}/seats/1")).status_code == 200
    assert (await cy.post(f"/v1/games/{game}/seats", {"seat": 1})).status_code == 201
    assert (await ada.post(f"/v1/games/{game}/start")).status_code == 200
    for left in (bob, Person(client, token, bob.account)):
        problem(await left.post(f"/v1/games/{game}/commands", FINISH), 403)
        assert (await left.get(f"/v1/games/{game}/view")).json()["viewer"] is None
    assert (await cy.post(f"/v1/games/{game}/commands", FINISH)).status_code == 200


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "authorization"])
async def test_p40_no_secret_is_taken_from_an_address(client: AsyncClient, meet: Meet, name: str) -> None:
    ada = await meet("ada")
    problem(await client.get(f"/v1/accounts/me?{name}={ada.token}"), 400, "unknown_parameter")


async def test_p55_what_is_offered_stays_and_is_taken_once(meet: Meet) -> None:
    ada, bob = await meet("ada"), await meet("bob")
    game = await started(ada, bob)
    offered = [await ada.get(f"/v1/games/{game}/options") for _ in range(3)]
    assert len({one.content for one in offered}) == 1
    asked = offered[0].json()
    command = {**FINISH, "decision_id": asked["decision_id"]}
    done = await ada.post(f"/v1/games/{game}/commands", command, if_match=offered[0].headers["etag"])
    assert done.status_code == 200
    problem(await ada.post(f"/v1/games/{game}/commands", command), 409)
    late = await ada.post(f"/v1/games/{game}/commands", command, if_match=offered[0].headers["etag"])
    assert problem(late, 412, "version_mismatch")["game_version"] == done.json()["version"]
    assert (await ada.get(f"/v1/games/{game}")).json()["version"] == done.json()["version"]
