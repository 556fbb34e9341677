"""The client against the running service: whole games of every ruleset, and every operation that a client has."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from audit import audit_file
from gusher_client import (
    Asked,
    AsyncGusher,
    AsyncTable,
    Conflict,
    Done,
    Entry,
    Gusher,
    NotFound,
    Problem,
    Refused,
    Table,
    Unauthenticated,
    Unprocessable,
    VersionMismatch,
    View,
)
from rules.catalogue import rulesets
from service.cli.child import Served, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("service") / "data") as running:
        yield running


@pytest.fixture
def ada(served: Served) -> Iterator[Gusher]:
    with Gusher.sign_up(served.url, f"ada-{secrets.token_hex(4)}") as client:
        yield client


@pytest.fixture
async def eve(served: Served) -> AsyncIterator[AsyncGusher]:
    async with await AsyncGusher.sign_up(served.url, f"eve-{secrets.token_hex(4)}", kind="program") as client:
        yield client


def lobby(client: Gusher, ruleset: str = "oil-and-gas") -> Table:
    table = client.open_table(ruleset, seats=2)
    table.sit(seat=0, client_seed="c0ffee")
    table.add_bot("random")
    return table


@contextmanager
def quicker(asked: Asked) -> Iterator[None]:
    """What is offered is refused only where somebody else has moved since it was asked."""
    try:
        yield
    except Refused as refused:
        if (refused.game_version or 0) <= asked.version:
            raise


@pytest.mark.parametrize("ruleset", sorted(rulesets()))
def test_a_whole_game_is_played_told_and_proven(ada: Gusher, ruleset: str, tmp_path: Path) -> None:
    below = random.Random(ruleset).randrange
    table = lobby(ada, ruleset)
    table.start()
    for asked in table.turns():
        offered = asked.pick(below)
        assert any(option.admits({k: v for k, v in offered.items() if k != "decision_id"}) for option in asked.options)
        with quicker(asked):
            table.move(offered)
    header = table.header()
    assert header.ended
    assert header.result is not None
    told = [entry.seq for entry in table.log()]
    assert told == list(range(1, header.version + 1))
    log = tmp_path / "game.jsonl"
    log.write_bytes(table.export())
    assert audit_file(log).exit == 0


async def test_two_play_at_once_and_a_third_follows(served: Served, eve: AsyncGusher) -> None:
    table = await eve.open_table("oil-and-gas", seats=2)
    async with await AsyncGusher.sign_up(served.url, f"max-{secrets.token_hex(4)}") as friend:
        await table.sit()
        await friend.table(table.game).sit()
        await table.start()
        watching = asyncio.create_task(seen_by_nobody(served.url, table.game))
        await asyncio.gather(play(table), play(friend.table(table.game)))
        header = await table.header()
        assert await watching == list(range(1, header.version + 1))


async def play(table: AsyncTable) -> None:
    """The moves of one who is not alone: what is no longer asked, or already answered, is let go."""
    async for asked in table.turns():
        with quicker(asked):
            await table.move(asked.pick())


async def seen_by_nobody(url: str, game: str) -> list[int]:
    async with AsyncGusher(url) as nobody:
        return [entry.seq async for entry in nobody.table(game).follow()]


def test_the_same_key_is_the_same_answer(ada: Gusher) -> None:
    table, key = lobby(ada), uuid4()
    assert table.start(key=key) == table.start(key=key)
    with pytest.raises(Unprocessable) as raised:
        table.resign(key=key)
    assert raised.value.code == "idempotency_mismatch"


def test_a_move_is_held_to_a_version(served: Served, ada: Gusher) -> None:
    table = ada.open_table("oil-and-gas", seats=2)
    table.sit()
    with Gusher.sign_up(served.url, f"bob-{secrets.token_hex(4)}") as bob:
        bob.table(table.game).sit()
    begun = table.start()
    moved = table.move({"type": "buy_extra_card"}, if_match=begun.etag)
    with pytest.raises(VersionMismatch) as raised:
        table.move({"type": "buy_extra_card"}, if_match=begun.etag)
    assert moved.version in [entry.seq for entry in raised.value.missed]


def test_a_refusal_names_its_rule(ada: Gusher) -> None:
    table = lobby(ada)
    table.start()
    with pytest.raises(Refused) as raised:
        table.move({"type": "withdraw_trade", "offer": 99})
    register = {rule.id for rule in ada.ruleset("oil-and-gas").rules}
    assert raised.value.rule in register


def test_accounts_and_tokens(served: Served, ada: Gusher) -> None:
    me = ada.me()
    made = ada.create_token("watcher", ("play",), read_only=True)
    with Gusher(served.url, made.token) as watcher:
        assert watcher.me().account == me.account
        with pytest.raises(Problem):
            watcher.open_table("oil-and-gas", seats=2)
        assert len(ada.tokens()) == 2
        ada.revoke_token(made.details.token_id)
        with pytest.raises(Unauthenticated):
            watcher.me()
    with pytest.raises(Conflict):
        ada.create_account(me.account.name)


def test_private_games_have_invitations(served: Served, ada: Gusher) -> None:
    table = ada.open_table("oil-and-gas", seats=2, visibility="private")
    table.sit()
    taken_back = table.invite()
    table.revoke_invitation(taken_back.invitation)
    invited = table.invite(seat=1)
    assert [one.state for one in table.invitations()] == ["revoked", "open"]
    with Gusher.sign_up(served.url, f"bob-{secrets.token_hex(4)}") as bob:
        with pytest.raises(NotFound):
            bob.table(table.game).header()
        bob.table(table.game).sit(invitation=invited.code)
        assert bob.table(table.game).header().yours == (1,)
        bob.table(table.game).leave(1)
    assert table.abort().game == table.game


def test_what_there_is_to_play(ada: Gusher) -> None:
    for listed in ada.rulesets():
        details = ada.ruleset(listed.ruleset)
        assert details.commands
        for edition in listed.editions:
            assert ada.edition(listed.ruleset, edition.edition).data
    assert ada.keys()


def test_games_are_listed_and_read(ada: Gusher) -> None:
    tables = {lobby(ada).game for _ in range(3)}
    assert {game.game for game in ada.games(mine=True, status="lobby")} == tables
    table = ada.table(min(tables))
    known = table.header_since(None)
    assert table.header_since(known) is known
    begun: Done = table.start()
    assert table.head().version >= begun.version
    assert table.view(at=1).status == "lobby"
    seen = table.view_since(None)
    assert seen.value.status == "running"
    asked = table.options_since(None)
    command = asked.value.pick()
    assert table.check(command).decision_id == asked.value.decision_id
    assert table.log_page(limit=2).next is not None
    table.resign()
    assert table.header().ended


def test_news_of_all_games(ada: Gusher) -> None:
    games = {lobby(ada).game for _ in range(2)}
    heard = set()
    with closing(ada.news(after=0)) as news:
        for one in news:
            heard.add(one.game)
            if heard == games:
                break
    assert {one.game for one in ada.news_page().news} == games


def test_a_dispute_is_filed_and_found(ada: Gusher) -> None:
    table = lobby(ada)
    begun = table.start()
    table.dispute("wrong_score", 1, begun.version, statement="The wells were counted twice.")
    (dispute,) = table.disputes()
    assert (dispute.seat, dispute.state) == (0, "open")


def test_a_dispute_is_looked_into_and_settled(served: Served, ada: Gusher) -> None:
    table = lobby(ada)
    begun = table.start()
    table.dispute("wrong_score", 1, begun.version, statement="Look at entry 3.")
    with Gusher(served.url, served.admin) as admin:
        arbiter = admin.table(table.game)
        arbiter.suspend("under_review")
        assert table.header().status == "suspended"
        with Gusher(served.url, arbiter.allow_auditor(1, "eve", hours=1).token) as eve:
            assert eve.table(table.game).export(viewer="auditor")
        arbiter.settle(1, "dismissed", "as_it_should_be")
        arbiter.resume("reviewed")
    told = table.read_dispute(1)
    assert (told.state, told.verdict, told.statement) == ("settled", "dismissed", "Look at entry 3.")
    assert [read.by for read in told.reads] == ["eve"]
    assert table.header().status == "running"


def test_what_if_somebody_had_played_otherwise(ada: Gusher) -> None:
    table = lobby(ada)
    begun = table.start()
    copy = table.what_if()
    assert copy.header().from_version >= begun.version
    below = random.Random(1).randrange
    for _ in range(4):
        asked = copy.options()
        moved = copy.move(asked.pick(below))
        assert moved.seq > asked.version
    assert copy.view(viewer="seat:0").viewer == 0
    assert copy.export().count(b"\n") >= 4
    again = table.branch(copy.branch)
    again.drop()
    with pytest.raises(NotFound):
        copy.header()


def test_the_state_comes_first_and_then_what_follows(ada: Gusher) -> None:
    assert ada.alive()
    assert ada.ready()
    table = lobby(ada)
    table.start()
    with closing(table.watch()) as told:
        first = next(told)
        assert isinstance(first, View)
        table.resign()
        for entry in told:
            assert isinstance(entry, Entry)
            assert entry.seq > first.version
    assert table.header().ended


def test_who_waits_is_answered_when_something_happens(ada: Gusher) -> None:
    table = lobby(ada)
    known = table.view_since(None)
    assert table.view_since(known, wait=1) is known
    table.start()
    assert table.options_since(None, wait=60).value.options
