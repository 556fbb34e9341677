"""Results over HTTP: what a list says, its pages, its filters, and what is no filter."""

from __future__ import annotations

import pytest
from httpx import AsyncClient

from events.table import SuspendGame
from service.auth.caller import ANYBODY
from service.handling.act import Plan, Wish, act
from service.handling.desk import Desk
from tests.desks import a_key
from tests.service.http.conftest import Meet, Person, problem, started


async def over(ana: Person, bo: Person) -> str:
    game = await started(ana, bo)
    assert (await ana.post(f"/v1/games/{game}/resign")).status_code == 200
    return game


async def test_a_list_says_how_games_ended_and_who_played(meet: Meet, client: AsyncClient) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    assert (await client.get("/v1/results")).json() == {"results": [], "next": None, "previous": None}
    game = await over(ana, bo)
    (told,) = (await client.get("/v1/results")).json()["results"]
    header = (await client.get(f"/v1/games/{game}")).json()
    assert (told["game"], told["ruleset"], told["outcome"]) == (game, "oil-and-gas", "finished")
    assert {name: told[name] for name in ("winners", "standings", "scores")} == {
        name: header["result"][name] for name in ("winners", "standings", "scores")
    }
    assert (told["version"], told["at"], told["corrected"], told["in_doubt"]) == (
        header["version"], header["at"], False, False,
    )  # fmt: skip
    assert told["seats"] == [
        {"seat": 0, "account": ana.account, "bot": None},
        {"seat": 1, "account": bo.account, "bot": None},
    ]


async def test_pages_follow_each_other_by_link(meet: Meet, client: AsyncClient) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    made = [await over(ana, bo) for _ in range(3)]
    first = await client.get(f"/v1/results?limit=2&account={bo.account}&ruleset=oil-and-gas")
    assert [one["game"] for one in first.json()["results"]] == [made[2], made[1]]
    second = await client.get(first.headers["link"].partition(">")[0].lstrip("<"))
    assert [one["game"] for one in second.json()["results"]] == [made[0]]
    assert second.json()["next"] is None
    back = await client.get(f"/v1/results?limit=2&cursor={second.json()['previous']}")
    assert [one["game"] for one in back.json()["results"]] == [made[2], made[1]]


async def test_since_is_a_moment_with_offset(meet: Meet, client: AsyncClient) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    await over(ana, bo)
    (told,) = (await client.get("/v1/results")).json()["results"]
    assert len((await client.get("/v1/results", params={"since": told["at"]})).json()["results"]) == 1
    later = (await client.get("/v1/results", params={"since": "2999-01-01T00:00:00+01:00"})).json()
    assert later["results"] == []


@pytest.mark.parametrize(
    "query",
    [
        "since=2026-11-30",
        "since=2026-11-30T10:00:00",
        "since=2026-11-30%2010:00:00Z",
        "since=2026-02-30T10:00:00Z",
        "since=1764496800000",
        "account=ana",
        "cursor=rubbish",
        "limit=0",
        "player=1",
    ],
)
async def test_other_questions_are_refused(client: AsyncClient, query: str) -> None:
    problem(await client.get(f"/v1/results?{query}"), 400)


async def test_a_game_whose_log_is_not_the_one_that_was_signed_is_in_doubt(
    meet: Meet, client: AsyncClient, desk: Desk
) -> None:
    ana, bo = await meet("ana"), await meet("bo")
    game = await over(ana, bo)
    lost = SuspendGame("head_gone", 9, "ab" * 32, id=a_key())
    wish = Wish(caller=ANYBODY, key=lost.id, said={}, plan=lambda _hot, _players: Plan("system", lost), admitted=True)
    await act(desk, game, wish)
    (told,) = (await client.get("/v1/results")).json()["results"]
    assert (told["outcome"], told["in_doubt"], told["winners"]) == ("finished", True, [1])
