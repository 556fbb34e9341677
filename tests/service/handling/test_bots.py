"""House bots: they move when awaited, in the background, and go on after a restart."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from service import bots
from service.handling import house_bots
from service.handling.desk import Desk
from service.handling.house_bots import HouseBots
from service.handling.read_game import read_game
from service.handling.read_log import read_log
from service.handling.start_game import start_game
from service.handling.take_seat import add_bot, take_seat
from service.store.protocol import Store
from tests.desks import TABLE, a_desk, a_key, a_lobby, a_move, a_person

HOST = a_person("organize")


def _house(desk: Desk, seed: int = 1) -> HouseBots:
    return HouseBots(desk, below=random.Random(seed).randrange)


async def _bots_only(desk: Desk, seats: int) -> str:
    game = await a_lobby(desk, HOST, replace(TABLE, seats=seats, visibility="private"))
    for _ in range(seats):
        await add_bot(desk, HOST, game, a_key(), "random")
    await start_game(desk, HOST, game, a_key())
    return game


async def test_bots_play_a_game_to_its_end_by_themselves(store: Store) -> None:
    desk = a_desk(store)
    house = _house(desk)
    game = await _bots_only(desk, 3)
    await house.settle()
    header = await read_game(desk, HOST, game)
    assert header.status == "finished"
    actors = {entry.actor for entry in (await read_log(desk, HOST, game, after=5, limit=9999)).entries}
    assert actors == {"seat:0", "seat:1", "seat:2"}
    row = await store.game(game)
    assert row is not None
    assert row.status == "finished"


async def test_bots_wait_for_people(store: Store) -> None:
    desk, ana = a_desk(store), a_person()
    house = _house(desk)
    game = await a_lobby(desk, HOST)
    await add_bot(desk, HOST, game, a_key(), "random")
    await take_seat(desk, ana, game, a_key())
    await start_game(desk, HOST, game, a_key())
    for _ in range(20):
        await house.settle()
        assert 0 not in [seat.seat for seat in (await read_game(desk, ana, game)).seats if seat.awaited]
        if await a_move(desk, game, (ana,), random.Random(2).randrange) is None:
            break


async def test_after_a_restart_the_bots_go_on(store: Store) -> None:
    game = await _bots_only(a_desk(store), 2)
    restarted = a_desk(store)
    house = _house(restarted)
    await house.resume()
    await house.settle()
    assert (await read_game(restarted, HOST, game)).status == "finished"


async def test_two_workers_that_both_wake_the_bots_do_no_harm(store: Store) -> None:
    game = await _bots_only(a_desk(store), 2)
    houses = [_house(a_desk(store), seed) for seed in (1, 2)]
    for house in houses:
        await house.resume()
    for house in houses:
        await house.settle()
    desk = a_desk(store)
    assert (await read_game(desk, HOST, game)).status == "finished"


async def test_a_bot_that_fails_is_logged_and_plays_anything_legal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    levels: list[str] = []

    def stumbling(ruleset: str, level: str, *rest: object) -> object:
        levels.append(level)
        if len(levels) == 1:
            raise ZeroDivisionError
        return bots.choose(ruleset, "random", *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(house_bots, "choose", stumbling)
    monkeypatch.setattr(house_bots, "FIRST_PAUSE", 0.01)
    house = _house(desk)
    game = await a_lobby(desk, HOST)
    for _ in range(2):
        await add_bot(desk, HOST, game, a_key(), "sensible")
    await start_game(desk, HOST, game, a_key())
    await house.settle()
    assert (await read_game(desk, HOST, game)).status == "finished"
    assert levels[:3] == ["sensible", "random", "sensible"]
    assert "a house bot could not move" in caplog.text


async def test_closing_the_desk_stops_the_bots(desk: Desk) -> None:
    house = _house(desk)
    await _bots_only(desk, 2)
    await desk.close()
    await house.settle()
