"""The feed at work in running services: results follow the log, verdicts included, whoever numbers and reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from events.table import Standing
from service.cli.main import main
from service.composition import compose
from service.handling.desk import Desk
from service.handling.disputes import Claim, Ruling, file_dispute, give_verdict
from service.handling.submit_command import resign
from service.reactors import HANDLERS
from service.settings import Settings
from tests.desks import a_game, a_key, a_person
from tests.stores import FORGETFUL, a_store


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, database_url=database_url, unsafe_database=FORGETFUL)


@pytest.fixture
async def watcher(settings: Settings) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    assert settings.database_url is not None
    store = await a_store(settings.database_url)
    await store.close()
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


async def sooner_or_later(question: Callable[[], Awaitable[Any]]) -> Any:
    """The first answer that is one."""
    async with asyncio.timeout(300):
        for pause in repeat(0.02):
            answer = await question()
            if answer:
                return answer
            await asyncio.sleep(pause)
    return None


async def caught_up(watcher: asyncpg.Connection[asyncpg.Record]) -> bool:
    """Whether everything has been numbered, and read by every reader."""
    pending = await watcher.fetchval("SELECT count(*) FROM feed_pending")
    done = await watcher.fetchval("SELECT count(*) FROM feed_readers WHERE pos = (SELECT max(pos) FROM feed)")
    return (pending, done) == (0, len(HANDLERS))


async def over(desk: Desk) -> tuple[str, list[Any]]:
    """A game that seat 1 has won, and its people."""
    people = [a_person(), a_person()]
    game = await a_game(desk, *people)
    await resign(desk, people[0], game, a_key())
    return game, people


async def test_a_result_is_written_corrected_and_annulled_as_the_log_says(
    settings: Settings, watcher: asyncpg.Connection[asyncpg.Record]
) -> None:
    admin = a_person("admin")

    async def row(outcome: str, *, corrected: bool) -> Any:
        sql = "SELECT * FROM results WHERE game_id = $1 AND outcome = $2 AND corrected = $3"
        return await sooner_or_later(lambda: watcher.fetchrow(sql, game, outcome, corrected))

    async with compose(settings) as desk:
        game, people = await over(desk)
        found = await row("finished", corrected=False)
        assert (found["ruleset"], found["winners"], found["standings"]) == ("oil-and-gas", [1], "[[1], [0]]")
        await file_dispute(desk, people[0], game, a_key(), Claim(reason="score", first=1, last=5))
        result = Standing((0,), ((0,), (1,)), (7, 2))
        await give_verdict(desk, admin, game, a_key(), Ruling(1, "corrected", "miscounted", result))
        found = await row("finished", corrected=True)
        assert (found["winners"], found["standings"], found["scores"]) == ([0], "[[0], [1]]", "[7, 2]")
        await file_dispute(desk, people[1], game, a_key(), Claim(reason="score", first=1, last=5))
        await give_verdict(desk, admin, game, a_key(), Ruling(2, "annulled", "collusion"))
        found = await row("annulled", corrected=True)
        assert (found["winners"], found["standings"], found["scores"]) == ([], "[]", "[]")


async def test_two_services_number_and_read_one_feed_and_one_goes_on_alone(
    settings: Settings, watcher: asyncpg.Connection[asyncpg.Record]
) -> None:
    async with compose(settings) as second:
        async with compose(settings) as first:
            games = [(await over(desk))[0] for desk in (first, second, first)]
            await sooner_or_later(lambda: caught_up(watcher))
        games.append((await over(second))[0])
        await sooner_or_later(lambda: caught_up(watcher))
    found = await watcher.fetch("SELECT game_id FROM results WHERE game_id = ANY($1::uuid[])", games)
    assert {str(row["game_id"]) for row in found} == set(games)
    places = [row["pos"] for row in await watcher.fetch("SELECT pos FROM feed_entries ORDER BY pos")]
    assert places == list(range(1, len(places) + 1))
    assert await watcher.fetchval("SELECT count(*) FROM feed_parked") == 0


async def test_rebuilt_results_are_those_that_were_there(
    settings: Settings,
    watcher: asyncpg.Connection[asyncpg.Record],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with compose(settings) as desk:
        await over(desk)
        await sooner_or_later(lambda: caught_up(watcher))
    before = await watcher.fetch("SELECT * FROM results ORDER BY game_id")
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url)
    last = await watcher.fetchval("SELECT max(pos) FROM feed")
    news = await watcher.fetchval("SELECT pos FROM feed_readers WHERE name = 'news'")
    assert await asyncio.to_thread(main, ["feed", "--rebuild", "results"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"results: {last} entries read again",
        f"feed: {last} entries, 0 waiting for the sequencer",
        f"news: at {news}",
        f"results: at {last}",
    ]
    assert await watcher.fetch("SELECT * FROM results ORDER BY game_id") == before
