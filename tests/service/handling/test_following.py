"""Games that are followed: one look at the log per move, whoever moved it and however many follow."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import msgspec
import pytest

from service.auth.caller import ANYBODY, Caller
from service.failures import Unauthenticated
from service.handling.await_change import await_question, await_version
from service.handling.desk import Desk
from service.handling.follow_log import AT_ONCE, PIECE, Begun, Reading, follow_log, pieces
from service.handling.invitations import create_invitation
from service.handling.leave_seat import leave_seat
from service.handling.live import TAIL
from service.handling.read_log import read_log
from service.handling.read_options import read_options
from service.handling.start_game import start_game
from service.handling.submit_command import resign
from service.handling.take_seat import take_seat
from service.http.entries import shown
from service.http.streams import FORMS, NDJSON
from service.store.protocol import Row, StoreUnavailable
from tests.desks import TABLE, a_desk, a_game, a_key, a_lobby, a_move, a_person
from tests.memory_store import MemoryStore

Below = Callable[[int], int]


@pytest.fixture
def below() -> Below:
    """Dice of this test's own."""
    return random.Random(5).randrange


class CountingStore(MemoryStore):
    """Counts the questions that reading asks."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()
        self.polled = asyncio.Event()
        self.away = False

    async def rows(self, game: str, after: int, limit: int) -> list[Row]:
        self.asked["rows"] += 1
        if self.away:
            raise StoreUnavailable("away")
        return await super().rows(game, after, limit)

    async def versions(self, games: Any) -> dict[str, int]:
        self.polled.set()
        return await super().versions(games)


def reading(caller: Caller, game: str, **changes: Any) -> Reading:
    async def still() -> Caller:
        return caller

    told: dict[str, Any] = {"caller": caller, "game": game, "form": FORMS[NDJSON], "still": still, "beat": 30}
    return Reading(**{**told, **changes})


async def begin(desk: Desk, wanted: Reading) -> Begun:
    begun = await follow_log(desk, wanted)
    assert begun is not None
    return begun


async def seqs(desk: Desk, begun: Begun) -> list[int]:
    """The entries of a stream, read to its end."""
    said = await text(desk, begun)
    return [line["seq"] for line in map(msgspec.json.decode, said.splitlines()) if "seq" in line]


async def text(desk: Desk, begun: Begun) -> bytes:
    return b"".join([piece async for piece in pieces(desk, begun)])


async def test_a_thousand_readers_ask_the_log_no_more_than_one(below: Below) -> None:
    """What is asked grows with the moves, not with the readers."""
    store = CountingStore()
    desk, people = a_desk(store), [a_person(), a_person()]
    game = await a_game(desk, *people)
    start = (await read_log(desk, ANYBODY, game)).version
    readers = [
        asyncio.create_task(seqs(desk, await begin(desk, reading(ANYBODY, game, after=start)))) for _ in range(1000)
    ]
    await asyncio.sleep(0)
    assert desk.live.open == 1000
    store.asked.clear()
    for _ in range(8):
        await a_move(desk, game, people, below)
        await asyncio.sleep(0)
    last = (await resign(desk, people[0], game, a_key())).version
    for got in await asyncio.gather(*readers):
        assert got == list(range(start + 1, last + 1))
    assert store.asked["rows"] <= 20
    assert desk.live.open == 0


async def test_a_long_log_is_read_from_the_start_and_then_followed(below: Below) -> None:
    desk, people = a_desk(MemoryStore()), [a_person(), a_person()]
    game = await a_game(desk, *people)
    for _ in range(AT_ONCE + TAIL):
        await a_move(desk, game, people, below)
    reader = asyncio.create_task(seqs(desk, await begin(desk, reading(ANYBODY, game))))
    await asyncio.sleep(0)
    last = (await resign(desk, people[0], game, a_key())).version
    assert last > AT_ONCE
    assert await reader == list(range(1, last + 1))


async def test_pieces_are_small_so_that_a_reader_that_stops_holds_up_little(below: Below) -> None:
    desk, people = a_desk(MemoryStore()), [a_person(), a_person()]
    game = await a_game(desk, *people)
    for _ in range(30):
        await a_move(desk, game, people, below)
    largest = max(len(FORMS[NDJSON].entry(one)) for one in (await read_log(desk, ANYBODY, game)).entries)
    async with aclosing(pieces(desk, await begin(desk, reading(ANYBODY, game)))) as stream:
        sizes = [len(await anext(stream)) for _ in range(2)]
    assert max(sizes) < PIECE + largest
    assert desk.live.open == 0


async def test_two_games_that_differ_in_what_is_hidden_stream_the_same_bytes_to_who_may_not_see_it(
    desk: Desk, below: Below
) -> None:
    """A rendering is shared by those who see the same: never between seats."""
    people = [a_person(), a_person()]
    game = await a_game(desk, *people)
    for _ in range(6):
        await a_move(desk, game, people, below)
    wanted = {who: [shown(one) for one in (await read_log(desk, who, game)).entries] for who in (*people, ANYBODY)}
    for who, entries in wanted.items():
        async with aclosing(pieces(desk, await begin(desk, reading(who, game)))) as stream:
            lines = b""
            while lines.count(b"\n") < len(entries):
                lines += await anext(stream)
        assert lines == b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
    assert wanted[people[0]] != wanted[people[1]]


async def test_who_leaves_a_private_table_hears_no_more_of_it(desk: Desk) -> None:
    host, guest = a_person(), a_person()
    game = await a_lobby(desk, host, msgspec.structs.replace(TABLE, visibility="private"))
    made = await create_invitation(desk, host, game, a_key())
    await take_seat(desk, guest, game, a_key(), invitation=made.code)
    reader = asyncio.create_task(text(desk, await begin(desk, reading(guest, game))))
    await asyncio.sleep(0)
    left = await leave_seat(desk, guest, game, a_key(), 0)
    said = msgspec.json.decode((await reader).splitlines()[-1])
    assert said["end"]["reason"] == "no_such_game"
    assert said["end"]["last"] < left.version


async def test_an_entry_of_another_worker_is_found_by_the_slow_poll() -> None:
    """No wake-up reaches this worker: it asks for all followed games at once, again and again."""
    store = CountingStore()
    here, there = a_desk(store), a_desk(store)
    here.live._fast = 0.01
    people = [a_person(), a_person()]
    game = await a_game(there, *people)
    reader = asyncio.create_task(seqs(here, await begin(here, reading(ANYBODY, game))))
    await store.polled.wait()
    last = (await resign(there, people[1], game, a_key())).version
    assert await reader == list(range(1, last + 1))


async def test_a_log_that_does_not_answer_ends_the_stream_with_its_place(desk: Desk) -> None:
    store = CountingStore()
    desk, people = a_desk(store), [a_person(), a_person()]
    game = await a_game(desk, *people)
    begun = await begin(desk, reading(ANYBODY, game, after=2))
    store.away = True
    said = msgspec.json.decode((await text(desk, begun)).splitlines()[-1])
    assert said == {"end": {"reason": "unavailable", "last": 2}}


async def test_a_server_that_stops_sends_its_readers_away_with_their_place(desk: Desk) -> None:
    people = [a_person(), a_person()]
    game = await a_game(desk, *people)
    version = (await read_log(desk, ANYBODY, game)).version
    reader = asyncio.create_task(text(desk, await begin(desk, reading(ANYBODY, game))))
    await asyncio.sleep(0.01)
    desk.live.end()
    said = msgspec.json.decode((await reader).splitlines()[-1])
    assert said == {"end": {"reason": "closing", "last": version}}


async def test_each_beat_asks_whether_the_reader_is_still_welcome(desk: Desk) -> None:
    people = [a_person(), a_person()]
    game = await a_game(desk, *people)
    welcome = iter([people[0]])

    async def still() -> Caller:
        for one in welcome:
            return one
        raise Unauthenticated("unauthenticated", "The token was revoked.")

    begun = await begin(desk, reading(people[0], game, still=still, beat=0.01))
    lines = (await text(desk, begun)).splitlines()
    assert b"" in lines, "a beat"
    assert msgspec.json.decode(lines[-1])["end"]["reason"] == "unauthenticated"


# ---- long polls


async def test_who_waits_for_a_version_is_answered_when_it_comes(desk: Desk, below: Below) -> None:
    people = [a_person(), a_person()]
    game = await a_game(desk, *people)
    etag = (await read_log(desk, ANYBODY, game)).etag
    waiting = asyncio.create_task(await_version(desk, ANYBODY, game, etag.__eq__, seconds=60))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await a_move(desk, game, people, below)
    await waiting
    await await_version(desk, ANYBODY, game, etag.__eq__, seconds=60)
    assert desk.live.open == 0


async def test_who_waits_for_a_question_is_answered_when_it_is_asked(desk: Desk, below: Below) -> None:
    people = [a_person(), a_person()]
    game = await a_lobby(desk, people[0])
    for person in people:
        await take_seat(desk, person, game, a_key())

    def anything(_etag: str) -> bool:
        return False

    waiting = asyncio.create_task(await_question(desk, people[1], game, anything, seat=None, seconds=60))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await start_game(desk, people[0], game, a_key())
    while not (await read_options(desk, people[1], game)).options:
        await asyncio.sleep(0)
        await a_move(desk, game, people[:1], below)
    await waiting


async def test_nobody_waits_longer_than_they_said(desk: Desk) -> None:
    game = await a_game(desk, a_person(), a_person())
    etag = (await read_log(desk, ANYBODY, game)).etag
    await await_version(desk, ANYBODY, game, etag.__eq__, seconds=0.01)
    await await_question(desk, ANYBODY, game, etag.__eq__, seat=None, seconds=0.01)
    assert desk.live.open == 0
