"""Reading: each viewer what is theirs, now or then; logs and exports that verify whoever they are for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from events import chain
from service.auth.caller import ANYBODY, Caller
from service.failures import Forbidden, NotFound
from service.handling.desk import Desk
from service.handling.export_log import export_log
from service.handling.read_game import read_game
from service.handling.read_log import read_head, read_log
from service.handling.read_options import read_options
from service.handling.read_view import read_view
from service.handling.submit_command import resign
from service.store.protocol import Store
from tests.desks import TABLE, a_desk, a_game, a_key, a_move, a_person

AUDITOR = a_person("audit")


async def _played(desk: Desk, people: Sequence[Caller], moves: int, seed: int = 5, host: Caller | None = None) -> str:
    game = await a_game(desk, *people, host=host)
    below = random.Random(seed).randrange
    for _ in range(moves):
        await a_move(desk, game, people, below)
    return game


async def _lines(desk: Desk, caller: Caller, game: str, viewer: str | int | None = None) -> list[Any]:
    export = await export_log(desk, caller, game, viewer=viewer)
    data = b"".join([piece async for piece in export.pieces])
    assert data.endswith(b"\n")
    return [(line, msgspec.json.decode(line)) for line in data[:-1].split(b"\n")]


def _verify(lines: list[Any], desk: Desk) -> int:
    """The entries of an export hang together, and every disclosure fits; how many disclosures there are."""
    (_, header), *entries, (_, note) = lines
    prev, seq, opened = chain.GENESIS, 0, 0
    body: dict[str, Any] = {}
    for raw, line in entries:
        if line.get("kind") == "disclosures":
            digests = [d for word in (body["command"], *body["events"]) for d in word.get("_sd", ())]
            assert line["seq"] == seq
            assert {chain.digest_of(text) for text in line["disclosures"]} <= set(digests)
            opened += len(line["disclosures"])
        else:
            body, seq = line, seq + 1
            assert (line["seq"], line["prev"], line["game"]) == (seq, prev, header["game"])
            prev = chain.entry_hash(raw)
    assert note["seq"] == seq
    keys = [chain.read_vkey(vkey) for vkey in header["vkeys"]]
    assert chain.note_is_signed(note["note"], chain.head_text(header["game"], seq, prev), keys)
    assert header["vkeys"] == desk.keys.vkeys
    return opened


async def test_an_export_verifies_for_every_viewer_and_opens_what_is_theirs(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person(), a_person())
    game = await _played(desk, people, 60)
    rows = await store.rows(game, 0, 999)
    total = sum(len(row.sealed) for row in rows)
    assert _verify(await _lines(desk, ANYBODY, game), desk) == 0
    for seat, person in enumerate(people):
        theirs = sum(seat in one.audience for row in rows for one in row.sealed)
        assert 0 < theirs < total
        assert _verify(await _lines(desk, person, game), desk) == theirs
        assert _verify(await _lines(desk, person, game, "spectator"), desk) == 0
    for person in people[1:]:
        await resign(desk, person, game, a_key())
    assert _verify(await _lines(desk, ANYBODY, game), desk) >= total


async def test_long_logs_are_exported_in_pages(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    people = (a_person(), a_person())
    game = await _played(desk, people, 30)
    whole = await _lines(desk, people[0], game)
    monkeypatch.setattr("service.handling.export_log.PAGE", 7)
    assert await _lines(desk, people[0], game) == whole


async def test_the_log_comes_in_pages_and_says_whether_more_follows(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person())
    game = await _played(desk, people, 10)
    head = await read_head(desk, ANYBODY, game)
    seen, after, more = [], 0, True
    while more:
        page = await read_log(desk, people[0], game, after=after, limit=4)
        seen += [entry.seq for entry in page.entries]
        after, more = seen[-1], page.more
        assert (page.version, page.etag) == (head.version, head.etag)
    assert seen == list(range(1, head.version + 1))
    beyond = await read_log(desk, people[0], game, after=2**70)
    assert (beyond.entries, beyond.more) == ((), False)


async def test_organizers_and_hosts_of_running_games_are_spectators(store: Store) -> None:
    host = a_person()
    desk, people = a_desk(store), (a_person(), a_person())
    game = await _played(desk, people, 20, host=host)
    admin = a_person("admin")

    async def everything(caller: Caller) -> list[Any]:
        return [
            await read_view(desk, caller, game),
            await read_log(desk, caller, game),
            await _lines(desk, caller, game),
            (await read_options(desk, caller, game)).options,
        ]

    spectator = await everything(ANYBODY)
    assert spectator[3] == ()
    for caller in (host, AUDITOR, admin, a_person("organize")):
        assert await everything(caller) == spectator
        for viewer in (0, 1, "auditor"):
            for ask in (read_view, read_log, export_log):
                with pytest.raises(Forbidden):
                    await ask(desk, caller, game, viewer=viewer)
    with pytest.raises(Forbidden):
        await read_view(desk, people[0], game, viewer=1)
    with pytest.raises(Forbidden):
        await read_options(desk, people[0], game, seat=1)
    assert await everything(people[0]) != spectator


@pytest.mark.rule("GU-10")
async def test_after_the_end_an_auditor_reads_with_any_eyes(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person())
    game = await _played(desk, people, 20)
    await resign(desk, people[0], game, a_key())
    assert (await read_view(desk, AUDITOR, game, viewer=1)).view.viewer == 1
    assert _verify(await _lines(desk, AUDITOR, game, "auditor"), desk) > 0
    with pytest.raises(Forbidden):
        await read_view(desk, AUDITOR, game, viewer=2)
    with pytest.raises(Forbidden):
        await read_view(desk, people[0], game, viewer=1)


async def test_an_auditor_finds_private_games_once_they_are_over(store: Store) -> None:
    desk, host = a_desk(store), a_person()
    table = replace(TABLE, visibility="private")
    game = await a_game(desk, host, host, table=table)
    with pytest.raises(NotFound):
        await read_game(desk, AUDITOR, game)
    await resign(desk, host, game, a_key(), seat=0)
    assert (await read_game(desk, AUDITOR, game)).status == "finished"


async def test_a_view_of_an_earlier_version_is_what_it_was_then(store: Store) -> None:
    desk, people, below = a_desk(store), (a_person(), a_person()), random.Random(6).randrange
    game = await a_game(desk, *people)
    then: dict[int, list[bytes]] = {}
    for _ in range(15):
        views = [await read_view(desk, caller, game) for caller in (*people, ANYBODY)]
        then[views[0].version] = [msgspec.json.encode(one.view) for one in views]
        await a_move(desk, game, people, below)
    for version, views_then in then.items():
        again = [await read_view(desk, caller, game, at=version) for caller in (*people, ANYBODY)]
        assert [msgspec.json.encode(one.view) for one in again] == views_then
    head = await read_head(desk, ANYBODY, game)
    assert (await read_view(desk, people[0], game, at=head.version)).etag == head.etag
    for version in (0, -1, head.version + 1, 2**70):
        with pytest.raises(NotFound):
            await read_view(desk, people[0], game, at=version)


async def test_who_holds_several_seats_says_for_which_they_read(desk: Desk) -> None:
    host = a_person()
    game = await a_game(desk, host, host, table=replace(TABLE, visibility="private"))
    assert (await read_game(desk, host, game)).yours == (0, 1)
    assert (await read_view(desk, host, game)).view.viewer is None
    assert (await read_view(desk, host, game, viewer=1)).view.viewer == 1
    with pytest.raises(Forbidden) as refused:
        await read_options(desk, host, game)
    assert refused.value.code == "which_seat"
    assert (await read_options(desk, host, game, seat=1)).seat == 1
    assert (await read_view(desk, replace(host, seat=1), game)).view.viewer == 1


async def test_the_header_tells_names_and_the_question_but_no_secret(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person())
    game = await a_game(desk, *people)
    header = await read_game(desk, ANYBODY, game)
    assert header.question is not None
    assert header.question.awaits == (0, 1)
    assert [seat.awaited for seat in header.seats] == [True, True]
    assert (await store.server_seed(game)).hex().encode() not in msgspec.json.encode(header)


async def test_no_answer_to_anybody_holds_the_seed_of_a_running_game(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person())
    game = await _played(desk, people, 20)
    seed = (await store.server_seed(game)).hex().encode()
    for caller in (*people, ANYBODY, AUDITOR, a_person("admin")):
        told = [
            await read_view(desk, caller, game),
            await read_log(desk, caller, game),
            await read_game(desk, caller, game),
        ]
        assert seed not in msgspec.json.encode(told)
        assert seed not in b"".join([piece async for piece in (await export_log(desk, caller, game)).pieces])
    await resign(desk, people[0], game, a_key())
    assert seed in msgspec.json.encode(await read_log(desk, ANYBODY, game, after=20))
