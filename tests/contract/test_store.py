"""What every store promises: one suite, over memory and Postgres."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
from msgspec.structs import replace

from events import chain
from service.store.protocol import (
    Account,
    Appended,
    Changes,
    Duplicate,
    GameQuery,
    Head,
    Invitation,
    InvitationSpent,
    MovedOn,
    NameTaken,
    NewGame,
    Player,
    Row,
    Since,
    Store,
    Token,
)
from tests.contract.moves import FINGERPRINT, a_game, a_move, a_seal, create, erased, grow, new_id

# ---- appending


async def test_an_entry_that_follows_is_appended_and_read_back_as_it_was(store: Store) -> None:
    first = await create(store)
    sealed = (a_seal("g", (0, 2), "a card"), erased(a_seal("p", (), "a remark")), a_seal("g", (), "Ölfeld \0"))
    second = a_move(first.game, 2, first.hash, sealed=sealed)
    assert await store.append(second) == Appended()
    kept = Row(2, second.command_id, FINGERPRINT, second.hash, second.body, sealed)
    assert await store.rows(first.game, 1, 10) == [kept]
    assert await store.row_of(first.game, second.command_id) == kept
    assert await store.head(first.game) == Head(2, second.hash)


async def test_versions_of_many_logs_are_asked_for_at_once(store: Store) -> None:
    one, other = await create(store), await create(store)
    await grow(store, other, 4)
    assert await store.versions([one.game, new_id(), other.game]) == {one.game: 1, other.game: 5}
    assert await store.versions([]) == {}


async def test_the_same_command_again_gives_the_entry_of_then(store: Store) -> None:
    first = await create(store)
    second = a_move(first.game, 2, first.hash)
    await store.append(second)
    last = await grow(store, second, 3)
    again = a_move(first.game, last.seq + 1, last.hash, command_id=second.command_id)
    outcome = await store.append(again)
    assert isinstance(outcome, Duplicate)
    assert (outcome.row.seq, outcome.row.body) == (2, second.body)
    assert await store.head(first.game) == Head(last.seq, last.hash)


async def test_a_command_id_is_new_in_another_game(store: Store) -> None:
    one, other = await create(store), await create(store)
    second = a_move(one.game, 2, one.hash)
    assert await store.append(second) == Appended()
    assert await store.append(a_move(other.game, 2, other.hash, command_id=second.command_id)) == Appended()


async def test_neither_a_gap_nor_a_wrong_predecessor_nor_an_unknown_game_is_appended(store: Store) -> None:
    first = await create(store)
    last = await grow(store, first, 2)
    for move in (
        a_move(first.game, last.seq + 2, last.hash),
        a_move(first.game, last.seq + 1, first.hash),
        a_move(first.game, last.seq, first.hash),
        a_move(new_id(), 2, first.hash),
        a_move(new_id(), 1, chain.GENESIS),
    ):
        assert await store.append(move) == MovedOn()
    assert await store.head(first.game) == Head(last.seq, last.hash)


async def test_of_fifty_rivals_one_is_appended(store: Store) -> None:
    first = await create(store)
    outcomes = await asyncio.gather(*(store.append(a_move(first.game, 2, first.hash)) for _ in range(50)))
    assert sorted(type(one).__name__ for one in outcomes) == ["Appended"] + ["MovedOn"] * 49
    assert len(await store.rows(first.game, 0, 100)) == 2


async def test_the_same_command_fifty_times_at_once_is_one_entry(store: Store) -> None:
    first = await create(store)
    second = a_move(first.game, 2, first.hash)
    outcomes = await asyncio.gather(*(store.append(second) for _ in range(50)))
    assert sorted(type(one).__name__ for one in outcomes) == ["Appended"] + ["Duplicate"] * 49
    assert len(await store.rows(first.game, 0, 100)) == 2


async def test_games_do_not_wait_for_each_other_s_mistakes(store: Store) -> None:
    firsts = [await create(store) for _ in range(20)]
    good = [a_move(first.game, 2, first.hash) for first in firsts]
    bad = [a_move(first.game, 3, first.hash) for first in firsts]
    broken = replace(a_move(firsts[0].game, 2, firsts[0].hash), hash="0" * 64)
    outcomes = await asyncio.gather(
        store.append(broken), *(store.append(move) for move in good + bad), return_exceptions=True
    )
    assert isinstance(outcomes[0], Exception)
    assert outcomes[1:] == [Appended()] * 20 + [MovedOn()] * 20


async def test_a_hash_that_is_not_the_body_s_is_refused(store: Store) -> None:
    first = await create(store)
    for broken in (
        replace(a_move(first.game, 2, first.hash), hash="0" * 64),
        replace(a_move(first.game, 2, first.hash), body=b"{}"),
    ):
        with pytest.raises(Exception, match=r"hash_is_of_body|[0-9a-f]{64}"):
            await store.append(broken)
    assert await store.head(first.game) == Head(1, first.hash)


async def test_entries_that_a_log_does_not_have_are_found(store: Store) -> None:
    first = await create(store)
    last = await grow(store, first, 2)
    asked = [(first.game, Head(1, first.hash)), (first.game, Head(3, last.hash)), (first.game, Head(2, last.hash))]
    gone = new_id()
    assert await store.missing([*asked, (first.game, Head(4, last.hash)), (gone, Head(1, first.hash))]) == [
        first.game,
        first.game,
        gone,
    ]


# ---- reading


async def test_since_gives_the_hash_to_trust_and_what_came_after(store: Store) -> None:
    first = await create(store)
    last = await grow(store, first, 3)
    after_first = await store.since(first.game, 1)
    assert (after_first.anchor, [row.seq for row in after_first.rows]) == (first.hash, [2, 3, 4])
    assert await store.since(first.game, 4) == Since(last.hash, [])
    assert await store.since(first.game, 9) == Since(None, [])
    from_nothing = await store.since(first.game, 0)
    assert (from_nothing.anchor, [row.seq for row in from_nothing.rows]) == (None, [1, 2, 3, 4])


async def test_rows_come_in_pages(store: Store) -> None:
    first = await create(store)
    await grow(store, first, 5)
    assert [row.seq for row in await store.rows(first.game, 2, 3)] == [3, 4, 5]
    assert await store.rows(first.game, 6, 3) == []
    assert await store.head(new_id()) is None


# ---- games


async def test_a_game_is_created_once_per_account_and_key(store: Store) -> None:
    account, game = new_id(), new_id()
    row = a_game(game, account)
    first = a_move(game, 1, chain.GENESIS)
    assert await store.create_game(row, b"s" * 32, first) is None
    other = new_id()
    again = replace(row, id=other)
    assert await store.create_game(again, b"t" * 32, a_move(other, 1, chain.GENESIS)) == row
    assert await store.game(other) is None
    assert await store.head(other) is None
    assert await store.game(game) == row
    assert await store.server_seed(game) == b"s" * 32


async def test_many_games_are_created_once_all_or_none(store: Store) -> None:
    account = new_id()
    new = [NewGame(a_game(game := new_id(), account), b"s" * 32, a_move(game, 1, chain.GENESIS)) for _ in range(40)]
    assert await store.create_games(new) is None
    firsts = await store.first_rows([*(one.row.id for one in new), new_id()])
    assert {game: row.hash for game, row in firsts.items()} == {one.row.id: one.move.hash for one in new}
    assert [await store.game(one.row.id) for one in new] == [one.row for one in new]
    assert await store.server_seed(new[7].row.id) == b"s" * 32
    fresh = [NewGame(a_game(game := new_id(), account), b"t" * 32, a_move(game, 1, chain.GENESIS)) for _ in range(3)]
    known = NewGame(replace(new[5].row, id=(game := new_id())), b"t" * 32, a_move(game, 1, chain.GENESIS))
    before = await store.create_games([*fresh, known])
    assert before == [new[5].row]
    assert [await store.game(one.row.id) for one in [*fresh, known]] == [None] * 4
    assert await store.first_rows([one.row.id for one in fresh]) == {}


async def test_the_same_games_created_at_once_are_there_once(store: Store) -> None:
    account, keys = new_id(), [new_id() for _ in range(10)]

    def new() -> list[NewGame]:
        ids = [new_id() for _ in keys]
        rows = [replace(a_game(game, account), command_id=key) for game, key in zip(ids, keys, strict=True)]
        return [NewGame(row, b"s" * 32, a_move(row.id, 1, chain.GENESIS)) for row in rows]

    tries = [new() for _ in range(8)]
    outcomes = await asyncio.gather(*map(store.create_games, tries))
    (won,) = [one for one, outcome in zip(tries, outcomes, strict=True) if outcome is None]
    kept = {new.row.id for new in won}
    for outcome in outcomes:
        assert outcome is None or {row.id for row in outcome} == kept
    listed = await store.games(GameQuery(viewer=account, mine=True, limit=100))
    assert {one.game.id for one in listed} == kept


async def test_what_an_entry_changes_beside_the_log_changes_with_it_or_not_at_all(store: Store) -> None:
    first = await create(store)
    ana = Player(0, account=new_id())
    second = a_move(first.game, 2, first.hash)
    assert await store.append_with(second, Changes(seated=ana)) == Appended()
    assert isinstance(await store.append_with(second, Changes(vacated=0)), Duplicate)
    late = a_move(first.game, 2, first.hash)
    assert await store.append_with(late, Changes(seated=Player(1, bot="sensible"), status="running")) == MovedOn()
    assert await store.players(first.game) == (ana,)
    third = a_move(first.game, 3, second.hash)
    await store.append_with(third, Changes(seated=Player(1, bot="sensible"), status="running"))
    assert await store.players(first.game) == (ana, Player(1, bot="sensible"))
    game = await store.game(first.game)
    assert game is not None
    assert game.status == "running"
    assert first.game in await store.games_of_bots()
    await store.append_with(a_move(first.game, 4, third.hash), Changes(vacated=1, status="aborted"))
    assert await store.players(first.game) == (ana,)
    assert first.game not in await store.games_of_bots()


async def test_an_invitation_is_used_once(store: Store) -> None:
    first = await create(store)
    invitation = Invitation(new_id(), first.game, b"h" * 32, new_id(), 5, seat=1)
    assert await store.invite(invitation) == invitation
    assert await store.invite(replace(invitation, created_at=6)) == invitation
    ana, bo = new_id(), new_id()
    second = a_move(first.game, 2, first.hash)
    await store.append_with(second, Changes(seated=Player(1, account=ana), invitation=invitation.id))
    assert await store.invitation(first.game, b"h" * 32) == replace(invitation, used_by=ana)
    third = a_move(first.game, 3, second.hash)
    with pytest.raises(InvitationSpent):
        await store.append_with(third, Changes(seated=Player(0, account=bo), invitation=invitation.id))
    assert await store.head(first.game) == Head(2, second.hash)
    assert await store.players(first.game) == (Player(1, account=ana),)


async def test_a_revoked_invitation_is_no_use(store: Store) -> None:
    first = await create(store)
    invitation = Invitation(new_id(), first.game, b"i" * 32, new_id(), 5)
    await store.invite(invitation)
    assert await store.revoke_invitation(first.game, invitation.id)
    assert not await store.revoke_invitation(first.game, new_id())
    assert await store.invitations(first.game) == [replace(invitation, revoked=True)]
    with pytest.raises(InvitationSpent):
        await store.append_with(
            a_move(first.game, 2, first.hash),
            Changes(seated=Player(0, account=new_id()), invitation=invitation.id),
        )


async def test_lists_are_newest_first_and_page_both_ways(store: Store) -> None:
    ruleset = "paged"
    made = [(await create(store, ruleset=ruleset)).game for _ in range(7)]
    newest_first = made[::-1]

    async def page(**query: object) -> list[str]:
        return [one.game.id for one in await store.games(replace(GameQuery(ruleset=ruleset, limit=3), **query))]

    assert await page() == newest_first[:3]
    assert await page(after=newest_first[2]) == newest_first[3:6]
    assert await page(before=newest_first[4]) == newest_first[1:4]
    assert await page(before=newest_first[0]) == []
    assert await page(status="running") == []


async def test_lists_show_private_games_to_those_who_take_part(store: Store) -> None:
    ruleset, host, ana = "shown", new_id(), new_id()
    first = await create(store, ruleset=ruleset, created_by=host, visibility="private")
    await store.append_with(a_move(first.game, 2, first.hash), Changes(seated=Player(1, account=ana)))
    public = await create(store, ruleset=ruleset)

    async def seen(**query: object) -> list[str]:
        return [one.game.id for one in await store.games(replace(GameQuery(ruleset=ruleset), **query))]

    assert await seen() == [public.game]
    assert await seen(viewer=new_id()) == [public.game]
    assert await seen(viewer=host) == await seen(viewer=ana) == await seen(everything=True) == [public.game, first.game]
    assert await seen(viewer=ana, mine=True) == await seen(viewer=host, mine=True) == [first.game]
    assert await seen(mine=True) == []
    assert await seen(viewer=ana, game=first.game) == await seen(everything=True, game=first.game) == [first.game]
    assert await seen(viewer=new_id(), game=first.game) == await seen(viewer=ana, mine=True, game=public.game) == []
    listed = (await store.games(GameQuery(viewer=ana, mine=True)))[0]
    assert (listed.version, listed.players) == (2, (Player(1, account=ana),))


# ---- accounts


def _token(account: str, **changes: object) -> Token:
    token = Token(new_id(), account, UUID(new_id()).bytes * 2, ("play", "organize"), "laptop", 7)
    return replace(token, **changes)


async def test_accounts_have_names_of_their_own_and_tokens_by_hash(store: Store) -> None:
    account = Account(new_id(), "ana", "person", 7)
    token = _token(account.id, game=new_id(), seat=3, read_only=True, expires_at=99)
    await store.create_account(account, token)
    assert await store.token(token.secret_hash) == (token, account)
    assert await store.token(b"x" * 32) is None
    assert await store.account(account.id) == account
    assert await store.accounts([account.id, new_id()]) == {account.id: account}
    other = Account(new_id(), account.name, "person", 8)
    with pytest.raises(NameTaken):
        await store.create_account(other, _token(other.id))
    assert await store.account(other.id) is None
    assert await store.tokens(other.id) == []


async def test_a_revoked_token_stays_revoked_since_then(store: Store) -> None:
    account = Account(new_id(), "bo", "program", 7)
    token, second = _token(account.id), _token(account.id, created_at=8, scopes=("admin",))
    await store.create_account(account, token)
    await store.add_token(second)
    assert await store.has_admin()
    assert await store.revoke_token(account.id, second.id, 100)
    assert await store.revoke_token(account.id, second.id, 200)
    assert not await store.revoke_token(new_id(), token.id, 100)
    assert await store.tokens(account.id) == [token, replace(second, revoked_at=100)]


async def test_what_was_revoked_lately_is_told_by_its_hash(store: Store) -> None:
    account = Account(new_id(), "cy", "program", 7)
    early, late = _token(account.id), _token(account.id, created_at=8)
    await store.create_account(account, early)
    await store.add_token(late)
    since = 10**15
    assert not {early.secret_hash, late.secret_hash} & set(await store.revoked_since(0))
    await store.revoke_token(account.id, early.id, since - 1)
    await store.revoke_token(account.id, late.id, since)
    told = await store.revoked_since(since)
    assert late.secret_hash in told
    assert early.secret_hash not in told


async def test_what_follows_is_asked_of_many_logs_at_once(store: Store) -> None:
    """Each is told of its own log: the hash of the entry at the position, if there is one, and what comes after."""
    one, other = await create(store), await create(store)
    second = a_move(one.game, 2, one.hash)
    await store.append(second)
    asked = [(one.game, 1), (other.game, 1), (one.game, 2), (one.game, 3), (new_id(), 1), (one.game, 1), (one.game, 0)]
    told = await asyncio.gather(*(store.since(game, seq) for game, seq in asked))
    found = [(since.anchor, [(row.seq, row.hash, row.body) for row in since.rows]) for since in told]
    later, first = (2, second.hash, second.body), (1, one.hash, one.body)
    assert found[:5] == [(one.hash, [later]), (other.hash, []), (second.hash, []), (None, []), (None, [])]
    assert found[5:] == [(one.hash, [later]), (None, [first, later])]


async def test_a_store_that_runs_is_ready(store: Store) -> None:
    await store.ready()


# ---- two worker processes on one database


async def test_two_workers_groups_of_rivals_end_without_a_deadlock(stores: tuple[Store, Store]) -> None:
    one, other = stores
    last = {first.game: first for first in [await create(one) for _ in range(30)]}
    for _ in range(10):
        rivals = [(store, a_move(move.game, move.seq + 1, move.hash)) for move in last.values() for store in stores]
        outcomes = await asyncio.gather(*(store.append(move) for store, move in rivals))
        won = [move for (_, move), outcome in zip(rivals, outcomes, strict=True) if outcome == Appended()]
        assert sorted(move.game for move in won) == sorted(last)
        last = {move.game: move for move in won}
    for move in last.values():
        assert await other.head(move.game) == Head(11, move.hash)
