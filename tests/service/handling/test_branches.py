"""What-if copies: played on by one person with every seat, apart from the game, hiding what their owner cannot know."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from audit import audit_file
from rules.catalogue import rulesets
from rules.choices import Option
from service.auth.caller import ANYBODY, Caller
from service.failures import Conflict, Forbidden, IdempotencyMismatch, NotFound, Unauthenticated
from service.handling import make_branch as making
from service.handling.branches import branch_options, drop_branch, export_branch, read_branch, view_branch
from service.handling.create_game import Table
from service.handling.desk import Desk
from service.handling.list_games import list_games
from service.handling.make_branch import make_branch
from service.handling.play_branch import play_branch
from service.handling.read_log import read_log
from service.handling.read_view import read_view
from service.handling.submit_command import resign
from service.store.protocol import Store
from tests.desks import a_desk, a_game, a_key, a_move, a_person

GAMES = sorted(rulesets())


async def a_played_game(desk: Desk, people: Sequence[Caller], ruleset: str = "oil-and-gas", moves: int = 12) -> str:
    game = await a_game(desk, *people, table=Table(ruleset=ruleset, seats=len(people)))
    below = random.Random(9).randrange
    for _ in range(moves):
        await a_move(desk, game, people, below)
    return game


async def play_on(desk: Desk, caller: Caller, game: str, branch: str, moves: int) -> int:
    """So many moves in a copy, each seat's by its options; how many were made before its end."""
    below = random.Random(3).randrange
    for number in range(moves):
        asked = await branch_options(desk, caller, game, branch)
        if not asked.options:
            return number
        option: Option = asked.options[below(len(asked.options))]
        await play_branch(desk, caller, game, branch, option.pick(below), key=a_key())
    return moves


def board(view: Any) -> Any:
    """A view's board as plain data."""
    return msgspec.to_builtins(view.board)


@pytest.mark.parametrize("ruleset", GAMES)
async def test_a_player_plays_on_with_every_seat_and_the_game_stays_as_it_is(store: Store, ruleset: str) -> None:
    desk, people = a_desk(store), [a_person(), a_person(), a_person()]
    game = await a_played_game(desk, people, ruleset)
    before = await store.rows(game, 0, 1000)
    own = (await read_view(desk, people[0], game)).view
    made = await make_branch(desk, people[0], game, a_key())
    assert (made.game, made.from_version, made.version, made.viewer, made.hidden) == (
        game,
        own.version,
        own.version,
        "seat:0",
        "redrawn",
    )
    seen = await view_branch(desk, people[0], game, made.branch)
    assert board(seen) == board(own)
    assert seen.game == made.branch
    true = [(await read_view(desk, people[seat], game)).view.board for seat in (1, 2)]
    copies = [made.branch, *[(await make_branch(desk, people[0], game, a_key())).branch for _ in range(9)]]
    others = [
        [(await view_branch(desk, people[0], game, copy, viewer=seat)).board for seat in (1, 2)] for copy in copies
    ]
    # Where little is hidden, one copy may well have drawn the truth.
    assert sum(other != true for other in others) > 5
    assert await play_on(desk, people[0], game, made.branch, 15) > 0
    moved = await read_branch(desk, people[0], game, made.branch)
    assert moved.version > made.version
    assert await store.rows(game, 0, 1000) == before
    assert (await read_view(desk, people[0], game)).view == own
    assert made.branch not in {one.game for one in (await list_games(desk, people[0], mine=True)).games}


async def test_an_auditor_finds_the_true_cards_and_the_true_chance(desk: Desk) -> None:
    """After the end, from any version: the same moves lead to the same entries."""
    people, auditor = [a_person(), a_person()], a_person("audit")
    game = await a_played_game(desk, people)
    version = (await desk.games.get(game)).version - 6
    with pytest.raises(Forbidden):
        await make_branch(desk, auditor, game, a_key(), viewer="auditor")
    await resign(desk, people[0], game, a_key())
    made = await make_branch(desk, auditor, game, a_key(), version=version, viewer="auditor")
    assert made.hidden == "true"
    for entry in (await read_log(desk, auditor, game, viewer="auditor", after=version, limit=6)).entries:
        command = {name: value for name, value in entry.command.items() if name != "id"}
        seat = int(entry.actor.removeprefix("seat:"))
        move = await play_branch(desk, auditor, game, made.branch, command, key=a_key(), seat=seat)
        assert (move.seq, move.actor, tuple(move.events)) == (
            entry.seq,
            entry.actor,
            entry.events,
        )


async def test_chance_in_a_players_copy_is_fresh(desk: Desk) -> None:
    """What a copy draws says nothing about what the game will draw: two copies draw differently."""
    people = [a_person(), a_person()]
    game = await a_played_game(desk, people)
    copies = [await make_branch(desk, people[0], game, a_key()) for _ in range(2)]
    lines = []
    for made in copies:
        await play_on(desk, people[0], game, made.branch, 12)
        lines.append((await export_branch(desk, people[0], game, made.branch)).splitlines()[1:])
    assert lines[0] != lines[1]


async def test_a_copy_is_its_owners_alone(desk: Desk) -> None:
    people, other = [a_person(), a_person()], a_person()
    game = await a_played_game(desk, people)
    made = await make_branch(desk, people[0], game, a_key())
    asks = (read_branch, drop_branch, view_branch, branch_options, export_branch)
    for ask in asks:
        for stranger in (people[1], other, a_person("admin"), ANYBODY):
            with pytest.raises(NotFound):
                await ask(desk, stranger, game, made.branch)
    with pytest.raises(NotFound):
        await play_branch(desk, other, game, made.branch, {"type": "finish_phase"}, key=a_key())
    with pytest.raises(Unauthenticated):
        await make_branch(desk, ANYBODY, game, a_key())
    with pytest.raises(Forbidden):
        await make_branch(desk, people[1], game, a_key(), viewer=0)
    assert people[0].account is not None
    reader = Caller(people[0].account, people[0].scopes, read_only=True)
    with pytest.raises(Forbidden):
        await make_branch(desk, reader, game, a_key())


async def test_a_token_for_one_seat_sees_no_copy_made_with_other_eyes(desk: Desk) -> None:
    """One person plays both seats, and lets somebody else play one of them; an arbiter's token is nobody's seat."""
    ana = a_person()
    game = await a_game(desk, ana, ana, table=Table(ruleset="oil-and-gas", seats=2, visibility="private"))
    seats = [replace(ana, game=game, seat=seat) for seat in (0, 1)]
    made = [(await make_branch(desk, ana, game, a_key(), viewer=eyes)).branch for eyes in (0, 1, "spectator")]
    known = {ana: [True, True, True], seats[0]: [True, False, True], seats[1]: [False, True, True]}
    known[replace(ana, game=game, dispute=1)] = [False, False, True]
    for caller, may in known.items():
        for branch, may_see in zip(made, may, strict=True):
            if may_see:
                assert (await view_branch(desk, caller, game, branch, viewer=0)).game == branch
                continue
            for ask in (read_branch, view_branch, branch_options, export_branch):
                with pytest.raises(NotFound):
                    await ask(desk, caller, game, branch)


async def test_the_same_key_makes_one_copy_and_one_move(desk: Desk) -> None:
    people, key = [a_person(), a_person()], a_key()
    game = await a_played_game(desk, people)
    made = await make_branch(desk, people[0], game, key)
    assert await make_branch(desk, people[0], game, key) == made
    with pytest.raises(IdempotencyMismatch):
        await make_branch(desk, people[0], game, key, version=made.version - 1)
    with pytest.raises(IdempotencyMismatch):
        await make_branch(desk, people[1], game, key)
    asked, key = await branch_options(desk, people[0], game, made.branch), a_key()
    command = asked.options[0].pick(random.Random(1).randrange)
    move = await play_branch(desk, people[0], game, made.branch, command, key=key)
    assert await play_branch(desk, people[0], game, made.branch, command, key=key) == move
    assert (await read_branch(desk, people[0], game, made.branch)).version == made.version + 1
    with pytest.raises(IdempotencyMismatch):
        await play_branch(desk, people[0], game, made.branch, command, key=key, seat=1 - asked.seat)


async def test_copies_expire_and_give_way(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    people, now = [a_person(), a_person()], 1_764_451_200_000
    desk.clock = lambda: now
    monkeypatch.setattr(making, "MOST", 2)
    game = await a_played_game(desk, people)
    made = []
    for _ in range(3):
        made.append(await make_branch(desk, people[0], game, a_key()))
        now += 1
    with pytest.raises(NotFound):
        await read_branch(desk, people[0], game, made[0].branch)
    assert (await read_branch(desk, people[0], game, made[2].branch)).branch == made[2].branch
    now = made[2].expires_at
    with pytest.raises(NotFound):
        await read_branch(desk, people[0], game, made[2].branch)


async def test_where_nothing_is_to_be_played_there_is_no_copy(desk: Desk) -> None:
    people = [a_person(), a_person()]
    game = await a_played_game(desk, people)
    for version in (1, 2):
        with pytest.raises(Conflict):
            await make_branch(desk, people[0], game, a_key(), version=version)
    with pytest.raises(NotFound):
        await make_branch(desk, people[0], game, a_key(), version=9999)
    await resign(desk, people[1], game, a_key())
    with pytest.raises(Conflict):
        await make_branch(desk, people[0], game, a_key())


async def test_an_exported_copy_says_so_and_no_auditor_takes_it_for_a_log(desk: Desk, tmp_path: Path) -> None:
    people = [a_person(), a_person()]
    game = await a_played_game(desk, people)
    made = await make_branch(desk, people[0], game, a_key())
    await play_on(desk, people[0], game, made.branch, 3)
    data = await export_branch(desk, people[0], game, made.branch)
    header, *moves = [msgspec.json.decode(line) for line in data.splitlines()]
    assert (header["kind"], header["format"], header["game"]) == ("branch", "gusher-branch/1", game)
    assert [move["seq"] for move in moves] == [made.version + 1 + n for n in range(len(moves))]
    path = tmp_path / "branch.jsonl"
    path.write_bytes(data)
    assert audit_file(path).verdict == "unusable"


async def test_two_workers_move_one_copy(stores: tuple[Store, Store]) -> None:
    """Each sees what the other has played."""
    desks = [a_desk(store) for store in stores]
    people = [a_person(), a_person()]
    game = await a_played_game(desks[0], people)
    made = await make_branch(desks[0], people[0], game, a_key())
    for desk in (*desks, *desks):
        assert await play_on(desk, people[0], game, made.branch, 1) == 1
    assert (await read_branch(desks[1], people[0], game, made.branch)).version == made.version + 4
