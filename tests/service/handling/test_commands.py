"""Moves: accepted once, answered the same for ever, on the state that the log has."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from events import chain, codec
from events.table import TableCommand
from rules.refusal import RuleViolation
from service.failures import (
    Damaged,
    Failure,
    Forbidden,
    IdempotencyMismatch,
    Malformed,
    NotFound,
    Refused,
    VersionMismatch,
)
from service.handling.answer import Accepted
from service.handling.check_command import check_command
from service.handling.desk import Desk
from service.handling.folding import fold_rows
from service.handling.read_game import read_game
from service.handling.read_log import read_head, read_log
from service.handling.read_options import read_options
from service.handling.start_game import abort_game
from service.handling.submit_command import resign, submit_command
from service.store.protocol import Store
from tests.course import on_course
from tests.desks import a_desk, a_game, a_key, a_lobby, a_move, a_person
from tests.memory_store import MemoryStore

Workers = tuple[Store, Store]
FINISH: dict[str, Any] = {"type": "finish_phase", "discard": []}


async def etag(desk: Desk, game: str) -> str:
    return (await read_head(desk, a_person(), game)).etag


async def test_a_move_is_answered_with_version_head_receipt_and_what_its_sender_may_see(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_game(desk, ana, bo)
    key = a_key()
    answer = await submit_command(desk, ana, game, key, {"type": "buy_extra_card"})
    head = await store.head(game)
    assert head is not None
    assert (answer.version, answer.head, answer.command_id, answer.actor) == (head.seq, head.hash, key, "seat:0")
    text = chain.head_text(game, answer.version, answer.head)
    assert chain.note_is_signed(answer.receipt, text, [chain.read_vkey(desk.keys.vkeys[0])])
    drawn = next(event for event in answer.events if event["type"] == "cards_drawn")
    (card,) = drawn["cards"]
    for_bo = (await read_log(desk, bo, game, after=answer.version - 1)).entries[0]
    assert "cards" not in next(event for event in for_bo.events if event["type"] == "cards_drawn")
    assert card.encode() not in bytes(for_bo.body)


async def test_the_same_command_again_gets_the_first_answer_after_more_moves_and_a_restart(store: Store) -> None:
    desk, people = a_desk(store), (a_person(), a_person())
    game = await a_game(desk, *people)
    key, command = a_key(), {"type": "buy_extra_card"}
    first = msgspec.json.encode(await submit_command(desk, people[0], game, key, command))
    for _ in range(6):
        await a_move(desk, game, people, random.Random(1).randrange)
    restarted = a_desk(store)
    for worker in (desk, restarted):
        again = await submit_command(worker, people[0], game, key.upper(), command, if_match="2-0123456789abcdef")
        assert msgspec.json.encode(again) == first
        with pytest.raises(IdempotencyMismatch):
            await submit_command(worker, people[0], game, key, FINISH)
        with pytest.raises(IdempotencyMismatch):
            await submit_command(worker, people[1], game, key, command)
    assert len([row for row in await store.rows(game, 0, 999) if row.command_id == key]) == 1


async def test_the_last_answer_stays_as_closed_as_it_was(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_game(desk, ana, bo)
    key = a_key()
    answer = await submit_command(desk, ana, game, key, {"type": "buy_extra_card"})
    await resign(desk, bo, game, a_key())
    assert (await read_game(desk, ana, game)).status == "finished"
    assert await submit_command(desk, ana, game, key, {"type": "buy_extra_card"}) == answer


async def test_fifty_times_at_once_over_two_workers_is_one_move(stores: Workers) -> None:
    workers, ana, bo = (a_desk(stores[0]), a_desk(stores[1])), a_person(), a_person()
    game = await a_game(workers[0], ana, bo)
    before = (await read_head(workers[0], ana, game)).version
    key = a_key()
    answers = await asyncio.gather(
        *(submit_command(workers[n % 2], ana, game, key, {"type": "buy_extra_card"}) for n in range(50))
    )
    assert len({msgspec.json.encode(answer) for answer in answers}) == 1
    assert (await read_head(workers[1], bo, game)).version == before + 1


async def test_of_fifty_rivals_on_one_version_one_wins_and_the_others_hear_what_they_missed(
    stores: Workers,
) -> None:
    workers, ana, bo = (a_desk(stores[0]), a_desk(stores[1])), a_person(), a_person()
    game = await a_game(workers[0], ana, bo)
    named = await etag(workers[0], game)

    async def rival(n: int) -> Accepted | VersionMismatch:
        try:
            return await submit_command(workers[n % 2], ana, game, a_key(), {"type": "buy_extra_card"}, if_match=named)
        except VersionMismatch as mismatch:
            return mismatch

    outcomes = await asyncio.gather(*map(rival, range(50)))
    won = [one for one in outcomes if isinstance(one, Accepted)]
    lost = [one for one in outcomes if isinstance(one, VersionMismatch)]
    assert (len(won), len(lost)) == (1, 49)
    assert {one.version for one in lost} == {won[0].version}
    for one in lost:
        assert [entry.seq for entry in one.missed] == [won[0].version]
        assert one.missed[0].events == won[0].events


async def test_rivals_without_if_match_are_decided_one_after_the_other(stores: Workers) -> None:
    workers = (a_desk(stores[0]), a_desk(stores[1]))
    people = [a_person() for _ in range(6)]
    game = await a_game(workers[0], *people)
    await asyncio.gather(
        *(submit_command(workers[n % 2], person, game, a_key(), FINISH) for n, person in enumerate(people))
    )
    log = (await read_log(workers[1], people[0], game)).entries
    assert {entry.actor for entry in log[-6:]} == {f"seat:{n}" for n in range(6)}
    assert (await read_options(workers[0], people[0], game)).version == log[-1].seq


@pytest.mark.parametrize("lie", ["99-{hash}", "1-{hash}", "{seq}-0123456789abcdef", 'W/"{seq}-{hash}"', "nonsense", ""])
async def test_an_if_match_that_is_not_the_version_appends_nothing(desk: Desk, lie: str) -> None:
    ana, bo = a_person(), a_person()
    game = await a_game(desk, ana, bo)
    head = await read_head(desk, ana, game)
    said = lie.format(seq=head.version, hash=head.head[:16])
    with pytest.raises(VersionMismatch) as refused:
        await submit_command(desk, ana, game, a_key(), {"type": "buy_extra_card"}, if_match=said)
    assert (refused.value.etag, refused.value.missed) == (head.etag, ())
    assert await read_head(desk, ana, game) == head


async def test_a_worker_that_is_behind_decides_and_refuses_on_the_state_of_the_log(store: Store) -> None:
    ahead, behind = a_desk(store), a_desk(store)
    ana, bo = a_person(), a_person()
    game = await a_game(ahead, ana, bo)
    assert (await read_options(behind, ana, game)).options
    for person in (ana, bo):
        await submit_command(ahead, person, game, a_key(), FINISH)
    # `behind` still believes that ana has the Company Phase before her.
    with pytest.raises(Refused) as refused:
        await submit_command(behind, ana, game, a_key(), {"type": "buy_extra_card"})
    assert refused.value.reason == "wrong_phase"
    assert refused.value.version == (await read_head(ahead, ana, game)).version
    assert (await read_options(behind, bo, game)).version == refused.value.version
    for worker in (ahead, behind, behind, ahead):
        assert await a_move(worker, game, (ana, bo), random.Random(5).randrange)
    assert len((await read_log(behind, ana, game)).entries) == refused.value.version + 4


async def test_a_refused_command_leaves_nothing_behind(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_game(desk, ana, bo)
    before = (await read_head(desk, ana, game), await read_options(desk, ana, game))
    for command in ({"type": "convert_cards", "cards": ["nothing"]}, {"type": "accept_trade", "offer": 1, "cards": []}):
        key = a_key()
        with pytest.raises(RuleViolation):
            await submit_command(desk, ana, game, key, command)
        # The key is free: nothing was done under it.
        assert await store.row_of(game, key) is None
    assert (await read_head(desk, ana, game), await read_options(desk, ana, game)) == before


def _shared_words() -> list[dict[str, Any]]:
    names = [kind.__struct_config__.tag for kind in TableCommand.__args__]
    return [{"type": name} for name in names] + [
        {"type": "expire", "seat": 1},
        {"type": "take_seat", "seat": 0},
        {"type": "abort_game", "reason": "losing"},
    ]


@pytest.mark.parametrize(
    "command",
    [
        *_shared_words(),
        {},
        {"type": "no_such_word"},
        {"type": 5},
        {**FINISH, "id": ""},
        {**FINISH, "server_seed": "00"},
        {**FINISH, "decision_id": "5"},
        {**FINISH, "decision_id": 1.5},
    ],
)
async def test_only_the_game_s_own_commands_with_their_own_fields_are_taken(
    desk: Desk, command: dict[str, Any]
) -> None:
    ana, bo = a_person(), a_person()
    game = await a_game(desk, ana, bo)
    with pytest.raises(Malformed):
        await submit_command(desk, ana, game, a_key(), command)


async def test_only_who_holds_the_seat_moves(desk: Desk) -> None:
    ana, bo, eve = a_person(), a_person(), a_person()
    game, other = await a_game(desk, ana, bo), await a_game(desk, ana, bo)
    narrowed = [
        (eve, None, "not_a_player"),
        (eve, 0, "not_your_seat"),
        (ana, 1, "not_your_seat"),
        (msgspec.structs.replace(ana, scopes=frozenset({"organize"})), None, "missing_scope"),
        (msgspec.structs.replace(ana, read_only=True), None, "read_only"),
        (msgspec.structs.replace(ana, game=other), None, "other_game"),
        (msgspec.structs.replace(ana, seat=1), None, "not_a_player"),
    ]
    for caller, seat, code in narrowed:
        with pytest.raises(Forbidden) as refused:
            await submit_command(desk, caller, game, a_key(), FINISH, seat=seat)
        assert refused.value.code == code
    token = msgspec.structs.replace(ana, game=game, seat=0)
    assert (await submit_command(desk, token, game, a_key(), FINISH)).actor == "seat:0"


@pytest.mark.parametrize("game", ["", "nonsense", "00000000-0000-7000-8000-000000000000", "\ud800"])
async def test_a_game_that_is_not_there_is_not_found(store: Store, game: str) -> None:
    with pytest.raises(NotFound):
        await submit_command(a_desk(store), a_person(), game, a_key(), FINISH)


async def test_a_key_is_a_uuid(desk: Desk) -> None:
    with pytest.raises(Malformed):
        await submit_command(desk, a_person(), "whatever", "retry-1", FINISH)


async def test_a_question_asked_before_is_not_answered_by_mistake(desk: Desk) -> None:
    ana, bo = a_person(), a_person()
    game = await a_game(desk, ana, bo)
    with pytest.raises(Refused) as refused:
        await submit_command(desk, ana, game, a_key(), {**FINISH, "decision_id": 1})
    assert refused.value.reason == "stale_decision"
    assert refused.value.decision == (await read_options(desk, ana, game)).decision_id


async def test_checking_says_what_submitting_would_and_leaves_no_trace(desk: Desk) -> None:
    ana, bo = a_person(), a_person()
    game = await a_game(desk, ana, bo)
    head = await read_head(desk, ana, game)
    checked = await check_command(desk, ana, game, {"type": "buy_extra_card"})
    assert (checked.version, checked.costs) == (head.version, {"profit": 1})
    with pytest.raises(Refused):
        await check_command(desk, ana, game, {"type": "accept_trade", "offer": 7, "cards": []})
    assert await read_head(desk, ana, game) == head


async def test_time_in_a_log_never_goes_back(desk: Desk) -> None:
    ana, bo = a_person(), a_person()
    game = await a_game(desk, ana, bo)
    now = desk.clock()
    for clock in (now + 86_400_000, now - 3_600_000, now):
        desk.clock = lambda clock=clock: clock  # type: ignore[misc]
        await a_move(desk, game, (ana, bo), random.Random(2).randrange)
    times = [entry.at for entry in (await read_log(desk, ana, game)).entries]
    assert times == sorted(times)
    assert times[-1] == now + 86_400_000


async def test_a_host_who_plays_aborts_before_the_start_only(desk: Desk) -> None:
    ana, bo, organizer = a_person(), a_person(), a_person()
    game = await a_game(desk, ana, bo)
    with pytest.raises(Forbidden):
        await abort_game(desk, ana, game, a_key())
    lobby = await a_lobby(desk, ana)
    await abort_game(desk, ana, lobby, a_key())
    organized = await a_game(desk, ana, bo, host=organizer)
    with pytest.raises(Forbidden):
        await abort_game(desk, ana, organized, a_key())
    await abort_game(desk, organizer, organized, a_key())
    assert (await read_game(desk, ana, organized)).status == "aborted"
    with pytest.raises(Refused):
        await submit_command(desk, ana, organized, a_key(), FINISH)


# ---- what goes wrong around


async def test_a_restart_between_every_two_moves_changes_no_draw() -> None:
    """The same game twice, id and seed alike: the second time each move meets a worker that has just started."""

    async def played(*, restart: bool) -> list[object]:
        store, below = MemoryStore(), random.Random(7).randrange
        with on_course("played twice"):
            desk, people = a_desk(store), (a_person(), a_person())
            game = await a_game(desk, *people)
        seen: list[object] = []
        for _ in range(60):
            answer = await a_move(a_desk(store) if restart else desk, game, people, below)
            assert answer is not None
            seen.append([{k: v for k, v in event.items() if k != "_sd"} for event in answer.events])
        return seen

    assert await played(restart=True) == await played(restart=False)


async def test_what_is_in_memory_is_what_the_log_folds_to(store: Store) -> None:
    desk, people, below = a_desk(store), (a_person(), a_person(), a_person()), random.Random(3).randrange
    game = await a_game(desk, *people)
    for _ in range(80):
        await a_move(desk, game, people, below)
    hot = await desk.games.get(game)
    rows = await store.rows(game, 0, 9999)
    assert fold_rows(rows, hot.ruleset.projection) == hot.game
    assert rows[-1].hash == hot.head
    prev = chain.GENESIS
    for row in rows:
        assert codec.decode(row.body)["prev"] == prev
        prev = chain.entry_hash(row.body)


async def test_a_log_put_back_to_an_earlier_day_is_noticed(memory_store: MemoryStore) -> None:
    desk, people, below = a_desk(memory_store), (a_person(), a_person()), random.Random(4).randrange
    game = await a_game(desk, *people)
    for _ in range(5):
        await a_move(desk, game, people, below)
    for row in memory_store._logs[game][-3:]:
        del memory_store._by_command[game, row.command_id]
    del memory_store._logs[game][-3:]
    answer = await a_move(desk, game, people, below)
    assert answer is not None
    assert answer.version == len(memory_store._logs[game])
    assert desk.games.counts["head_not_in_log"] == 1


async def test_failures_speak_in_one_stable_word(desk: Desk) -> None:
    with pytest.raises(Failure) as refused:
        await read_game(desk, a_person(), "nonsense")
    assert (refused.value.status, refused.value.code) == (404, "no_such_game")


async def test_a_log_that_does_not_hang_together_stops_the_game(memory_store: MemoryStore) -> None:
    people = (a_person(), a_person())
    game = await a_game(a_desk(memory_store), *people)
    log = memory_store._logs[game]
    for damaged in ([*log[:2], *log[3:]], [msgspec.structs.replace(log[0], body=b"{}"), *log[1:]]):
        memory_store._logs[game] = damaged
        with pytest.raises(Damaged):
            await read_game(a_desk(memory_store), people[0], game)


async def test_an_entry_that_cannot_follow_stops_a_game_in_memory(memory_store: MemoryStore) -> None:
    people = (a_person(), a_person())
    desk = a_desk(memory_store)
    game = await a_game(desk, *people)
    before = (await read_game(desk, people[0], game)).version
    assert await a_move(a_desk(memory_store), game, people, lambda _: 0) is not None
    last = memory_store._logs[game][-1]
    for body in (b"{}", last.body.replace(b'"seq":%d' % last.seq, b'"seq":99'), last.body.replace(b"[", b"", 1)):
        memory_store._logs[game][-1] = msgspec.structs.replace(last, body=body)
        with pytest.raises(Damaged):
            await read_game(desk, people[0], game)
    memory_store._logs[game][-1] = last
    assert (await read_game(desk, people[0], game)).version == before + 1
