"""Before play and around it: tables, seats, invitations, lists, headers."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from projections.chance import seed_commit
from rules.refusal import RuleViolation
from service.auth.caller import ANYBODY
from service.composition import make_desk
from service.failures import Conflict, Failure, Forbidden, IdempotencyMismatch, Malformed, NotFound, Refused
from service.handling.create_game import create_game
from service.handling.desk import Desk
from service.handling.invitations import create_invitation, list_invitations, revoke_invitation
from service.handling.leave_seat import leave_seat
from service.handling.list_games import list_games
from service.handling.read_game import read_game
from service.handling.read_log import read_head, read_log
from service.handling.start_game import start_game
from service.handling.take_seat import add_bot, take_seat
from service.settings import Settings
from service.store.protocol import Store
from service.store.snapshots import NoSnapshots
from tests.desks import KEYS, TABLE, a_desk, a_game, a_key, a_lobby, a_person
from tests.memory_store import MemoryStore

PRIVATE = replace(TABLE, visibility="private")


# ---- creating


@pytest.mark.rule("GU-01")
async def test_a_game_begins_with_all_that_decides_it(store: Store) -> None:
    desk, ana = a_desk(store), a_person()
    answer = await create_game(desk, ana, a_key(), TABLE)
    header = await read_game(desk, ANYBODY, answer.game)
    assert (header.status, header.version, header.head, header.host) == ("lobby", 1, answer.head, ana.account)
    assert header.seed_commit == seed_commit(answer.game, await store.server_seed(answer.game))
    assert header.edition == desk.rulesets["oil-and-gas"].default_edition
    assert set(header.options) == set(desk.rulesets["oil-and-gas"].options.__struct_fields__)
    assert [seat.taken for seat in header.seats] == [False, False]


async def test_creating_again_gives_the_first_game(store: Store) -> None:
    ana, key = a_person(), a_key()
    first = await create_game(a_desk(store), ana, key, TABLE)
    assert await create_game(a_desk(store), ana, key, TABLE) == first
    with pytest.raises(IdempotencyMismatch):
        await create_game(a_desk(store), ana, key, replace(TABLE, seats=3))
    assert (await create_game(a_desk(store), a_person(), key, TABLE)).game != first.game


async def test_creating_fifty_times_at_once_makes_one_game(store: Store) -> None:
    desk, ana, key = a_desk(store), a_person(), a_key()
    answers = await asyncio.gather(*(create_game(desk, ana, key, TABLE) for _ in range(50)))
    assert len({msgspec.json.encode(answer) for answer in answers}) == 1
    assert len((await list_games(desk, ana, mine=True)).games) == 1


async def test_a_cursor_is_the_same_however_its_id_is_written(desk: Desk) -> None:
    """A database takes fewer spellings than Python does."""
    ana = a_person()
    _, game, _ = [await a_lobby(desk, ana) for _ in range(3)]
    expected = await list_games(desk, ana, after=game), await list_games(desk, ana, before=game)
    assert all(page.games for page in expected)
    for spelling in (f"urn:uuid:{game}", f"{{{game}}}", game.upper(), game.replace("-", "")):
        assert (await list_games(desk, ana, after=spelling), await list_games(desk, ana, before=spelling)) == expected


@pytest.mark.rule("GU-01")
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (replace(TABLE, ruleset="chess"), "unknown_ruleset"),
        (replace(TABLE, edition="gold"), "unknown_edition"),
        (replace(TABLE, seats=1), "seats_out_of_range"),
        (replace(TABLE, seats=7), "seats_out_of_range"),
        (replace(TABLE, options={"seed": "00"}), "malformed_options"),
    ],
)
async def test_a_table_that_is_not_on_offer_is_refused(desk: Desk, table: object, reason: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        await create_game(desk, a_person(), a_key(), table)  # type: ignore[arg-type]
    assert refused.value.reason == reason


async def test_who_may_not_organize_creates_nothing(desk: Desk) -> None:
    for caller, code in (
        (ANYBODY, "unauthenticated"),
        (a_person("play"), "missing_scope"),
        (replace(a_person(), read_only=True), "read_only"),
        (replace(a_person(), game="other"), "other_game"),
    ):
        with pytest.raises(Failure) as refused:
            await create_game(desk, caller, a_key(), TABLE)
        assert refused.value.code == code


@pytest.mark.slow
async def test_a_thousand_games_of_one_millisecond_have_seeds_of_their_own() -> None:
    """Of a desk as it is put together for the service, with the system's chance."""
    store = MemoryStore()
    desk, host = make_desk(Settings(), store, NoSnapshots(), lambda: KEYS), a_person()
    desk.clock = lambda: 1_700_000_000_000
    for _ in range(1000):
        await create_game(desk, host, a_key(), TABLE)
    assert len(set(store._seeds.values())) == 1000


# ---- sitting down


@pytest.mark.rule("GU-02")
async def test_players_take_the_first_free_seat_or_the_one_they_name(store: Store) -> None:
    desk, host, ana, bo = a_desk(store), a_person(), a_person(), a_person()
    game = await a_lobby(desk, host, replace(TABLE, seats=3))
    await take_seat(desk, ana, game, a_key(), seat=1, client_seed="c0ffee")
    answer = await take_seat(desk, bo, game, a_key())
    assert answer.actor == "seat:0"
    header = await read_game(desk, ana, game)
    assert [seat.account for seat in header.seats] == [bo.account, ana.account, None]
    assert header.yours == (1,)
    assert (await desk.games.get(game)).game.seats[1].client_seed == "c0ffee"
    with pytest.raises(Refused) as refused:
        await take_seat(desk, a_person(), game, a_key(), seat=1)
    assert refused.value.reason == "seat_taken"
    with pytest.raises(Refused) as refused:
        await take_seat(desk, a_person(), game, a_key(), seat=3)
    assert refused.value.reason == "no_such_seat"


async def test_sitting_down_again_gets_the_first_answer(store: Store) -> None:
    desk, host, ana, key = a_desk(store), a_person(), a_person(), a_key()
    game = await a_lobby(desk, host)
    first = await take_seat(desk, ana, game, key)
    assert await take_seat(a_desk(store), ana, game, key) == first
    with pytest.raises(IdempotencyMismatch):
        await take_seat(desk, a_person(), game, key)


async def test_in_a_public_game_nobody_has_two_hands(store: Store) -> None:
    desk, host, ana = a_desk(store), a_person(), a_person()
    game = await a_lobby(desk, host)
    await take_seat(desk, ana, game, a_key())
    with pytest.raises(Conflict) as refused:
        await take_seat(desk, ana, game, a_key())
    assert refused.value.code == "already_seated"
    at_home = await a_lobby(desk, host, PRIVATE)
    for seat in (0, 1):
        await take_seat(desk, host, at_home, a_key(), seat=seat)
    await start_game(desk, host, at_home, a_key())


async def test_of_many_who_want_the_last_seat_one_gets_it(stores: tuple[Store, Store]) -> None:
    workers, host = (a_desk(stores[0]), a_desk(stores[1])), a_person()
    game = await a_lobby(workers[0], host)
    await take_seat(workers[0], a_person(), game, a_key())
    people = [a_person() for _ in range(20)]
    outcomes = await asyncio.gather(
        *(take_seat(workers[n % 2], person, game, a_key()) for n, person in enumerate(people)), return_exceptions=True
    )
    got = [n for n, outcome in enumerate(outcomes) if not isinstance(outcome, Exception)]
    assert len(got) == 1
    assert {type(outcome).__name__ for n, outcome in enumerate(outcomes) if n not in got} == {"Refused"}
    header = await read_game(workers[1], host, game)
    assert header.seats[1].account == people[got[0]].account


@pytest.mark.rule("GU-03")
async def test_seats_are_left_by_their_holders_and_emptied_by_the_host(store: Store) -> None:
    desk, host, ana, bo = a_desk(store), a_person(), a_person(), a_person()
    game = await a_lobby(desk, host)
    await take_seat(desk, ana, game, a_key())
    await take_seat(desk, bo, game, a_key())
    with pytest.raises(Forbidden):
        await leave_seat(desk, bo, game, a_key(), 0)
    assert (await leave_seat(desk, ana, game, a_key(), 0)).actor == "seat:0"
    assert (await leave_seat(desk, host, game, a_key(), 1)).actor == "host"
    assert await store.players(game) == ()
    with pytest.raises(Refused) as refused:
        await leave_seat(desk, host, game, a_key(), 1)
    assert refused.value.reason == "seat_free"


async def test_who_left_on_one_worker_has_left_on_the_other(store: Store) -> None:
    one, other = a_desk(store), a_desk(store)
    ana = a_person()
    game = await a_lobby(one, ana)
    await take_seat(one, ana, game, a_key())
    assert (await read_game(other, ana, game)).yours == (0,)
    await leave_seat(one, ana, game, a_key(), 0)
    with pytest.raises(Refused) as refused:
        await leave_seat(other, ana, game, a_key(), 0)
    assert refused.value.reason == "seat_free"
    assert (await read_game(other, ana, game)).yours == ()


@pytest.mark.rule("GU-04")
async def test_the_host_starts_a_full_table_once(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_lobby(desk, ana)
    await take_seat(desk, ana, game, a_key())
    with pytest.raises(Refused) as refused:
        await start_game(desk, ana, game, a_key())
    assert refused.value.reason == "seats_not_filled"
    await take_seat(desk, bo, game, a_key())
    with pytest.raises(Forbidden):
        await start_game(desk, bo, game, a_key())
    key = a_key()
    first = await start_game(desk, ana, game, key)
    assert await start_game(a_desk(store), ana, game, key) == first
    with pytest.raises(Refused) as refused:
        await start_game(desk, ana, game, a_key())
    assert refused.value.reason == "already_started"
    row = await store.game(game)
    assert row is not None
    assert row.status == "running"


async def test_a_bot_is_seated_by_the_host(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_lobby(desk, ana)
    with pytest.raises(Forbidden):
        await add_bot(desk, bo, game, a_key(), "random")
    with pytest.raises(Malformed):
        await add_bot(desk, ana, game, a_key(), "grandmaster")
    assert (await add_bot(desk, ana, game, a_key(), "random")).actor == "host"
    assert (await read_game(desk, ana, game)).seats[0].bot == "random"


# ---- private games


async def test_a_private_game_is_not_there_for_strangers(store: Store) -> None:
    desk, host, eve = a_desk(store), a_person(), a_person("play", "organize", "audit")
    game = await a_lobby(desk, host, PRIVATE)
    for ask in (read_game, read_head, read_log):
        with pytest.raises(NotFound) as unseen:
            await ask(desk, eve, game)
        with pytest.raises(NotFound) as unknown:
            await ask(desk, eve, "00000000-0000-7000-8000-000000000000")
        assert (unseen.value.code, unseen.value.message) == (unknown.value.code, unknown.value.message)
    with pytest.raises(NotFound):
        await take_seat(desk, eve, game, a_key())
    with pytest.raises(NotFound):
        await start_game(desk, eve, game, a_key())
    assert (await read_game(desk, host, game)).game == game
    assert (await read_game(desk, a_person("admin"), game)).game == game


async def test_an_invitation_opens_a_private_game_to_one(store: Store) -> None:
    desk, host, ana, bo = a_desk(store), a_person(), a_person(), a_person()
    game = await a_lobby(desk, host, PRIVATE)
    key = a_key()
    invited = await create_invitation(desk, host, game, key, seat=1)
    assert await create_invitation(a_desk(store), host, game, key, seat=1) == invited
    with pytest.raises(IdempotencyMismatch):
        await create_invitation(desk, host, game, key, seat=0)
    with pytest.raises(Forbidden):
        await take_seat(desk, ana, game, a_key(), seat=0, invitation=invited.code)
    assert (await take_seat(desk, ana, game, a_key(), invitation=invited.code)).actor == "seat:1"
    with pytest.raises(Conflict) as refused:
        await take_seat(desk, bo, game, a_key(), invitation=invited.code)
    assert refused.value.code == "invitation_spent"
    assert (await read_game(desk, ana, game)).yours == (1,)
    kept = (await list_invitations(desk, host, game))[0]
    assert (kept.used_by, kept.seat) == (ana.account, 1)
    assert invited.code not in repr(kept)


async def test_a_revoked_invitation_opens_nothing(store: Store) -> None:
    desk, host, ana = a_desk(store), a_person(), a_person()
    game = await a_lobby(desk, host, PRIVATE)
    invited = await create_invitation(desk, host, game, a_key())
    with pytest.raises(NotFound):
        await revoke_invitation(desk, ana, game, invited.id)
    await revoke_invitation(desk, host, game, invited.id)
    with pytest.raises(NotFound):
        await take_seat(desk, ana, game, a_key(), invitation=invited.code)
    with pytest.raises(NotFound):
        await revoke_invitation(desk, host, game, a_key())


async def test_two_who_use_one_invitation_at_once(postgres_store: Store) -> None:
    desk, host = a_desk(postgres_store), a_person()
    game = await a_lobby(desk, host, PRIVATE)
    invited = await create_invitation(desk, host, game, a_key())
    outcomes = await asyncio.gather(
        *(take_seat(a_desk(postgres_store), a_person(), game, a_key(), invitation=invited.code) for _ in range(5)),
        return_exceptions=True,
    )
    assert sum(isinstance(outcome, Exception) for outcome in outcomes) == 4
    assert len(await postgres_store.players(game)) == 1


# ---- lists


async def test_lists_page_in_both_directions(store: Store) -> None:
    desk, host = a_desk(store), a_person()
    made = [await a_lobby(desk, host) for _ in range(5)][::-1]
    first = await list_games(desk, host, mine=True, limit=2)
    assert ([one.game for one in first.games], first.older, first.newer) == (made[:2], made[1], None)
    second = await list_games(desk, host, mine=True, limit=2, after=first.older)
    assert ([one.game for one in second.games], second.older, second.newer) == (made[2:4], made[3], made[2])
    last = await list_games(desk, host, mine=True, limit=2, after=second.older)
    assert ([one.game for one in last.games], last.older) == (made[4:], None)
    back = await list_games(desk, host, mine=True, limit=2, before=last.newer)
    assert [one.game for one in back.games] == made[2:4]
    with pytest.raises(Malformed):
        await list_games(desk, host, after="yesterday")


async def test_lists_tell_status_and_version_as_the_log_has_them(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await a_game(desk, ana, bo)
    listed = (await list_games(desk, ana, mine=True, status="running")).games
    assert [(one.game, one.version, one.taken, one.yours) for one in listed] == [(game, 4, 2, (0,))]
    assert not (await list_games(desk, ana, mine=True, status="lobby")).games
    anonymous = next(one for one in (await list_games(desk, ANYBODY)).games if one.game == game)
    assert anonymous.yours == ()
