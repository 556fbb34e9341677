"""How games ended, in every store: as the log says it, verdicts included, in a list that pages both ways."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from events.table import Standing
from service.auth.caller import ANYBODY, Caller
from service.failures import Malformed
from service.handling.desk import Desk
from service.handling.disputes import Claim, Ruling, file_dispute, give_verdict
from service.handling.list_results import ResultsPage, Sought, list_results
from service.handling.submit_command import resign
from service.reactors.results import Results
from service.store.feed import Reader, Sequencer
from service.store.postgres import PostgresStore
from service.store.protocol import FoundResult, Store
from tests.desks import TABLE, a_desk, a_game, a_key, a_person

ADMIN = a_person("admin")


async def fed(store: Store) -> None:
    """What was appended is numbered and read: in memory, results are made of the logs as they are asked for."""
    if isinstance(store, PostgresStore):
        sequencer = Sequencer(store.pool)
        assert await sequencer.acquire()
        await sequencer.number()
        await sequencer.resign()
        reader = Reader(store.pool, Results())
        while await reader.read():
            pass


async def over(desk: Desk, *people: Caller, visibility: str = "public", ruleset: str = "oil-and-gas") -> str:
    """A game that seat 1 has won."""
    table = replace(TABLE, visibility=visibility, ruleset=ruleset)
    game = await a_game(desk, *people, table=table)
    await resign(desk, people[0], game, a_key(), seat=0)
    return game


async def of(desk: Desk, person: Caller, viewer: Caller = ANYBODY, **asked: object) -> ResultsPage:
    """The results of games at which this person sat. Other tests have filled the same database."""
    limit = asked.pop("limit", 50)
    cursors = {name: asked.pop(name) for name in ("after", "before") if name in asked}
    sought = replace(Sought(account=person.account), **asked)
    return await list_results(desk, viewer, sought, limit=limit, **cursors)  # type: ignore[arg-type]


def games(found: Sequence[FoundResult]) -> list[str]:
    return [one.result.game for one in found]


async def test_a_result_follows_the_log_and_its_verdicts(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game, later = await over(desk, ana, bo), await over(desk, ana, bo)
    await fed(store)
    (found, first) = (await of(desk, ana)).results
    assert games((found, first)) == [later, game]
    assert (first.ruleset, first.status, first.result.outcome) == ("oil-and-gas", "finished", "finished")
    assert (first.result.winners, first.result.standings, first.result.corrected) == ((1,), ((1,), (0,)), False)
    assert [(player.seat, player.account) for player in first.players] == [(0, ana.account), (1, bo.account)]
    await file_dispute(desk, ana, game, a_key(), Claim(reason="score", first=1, last=5))
    standing = Standing((0,), ((0,), (1,)), (7, 2))
    await give_verdict(desk, ADMIN, game, a_key(), Ruling(1, "corrected", "miscounted", standing))
    await fed(store)
    (found, _) = (await of(desk, ana)).results
    assert (found.result.game, found.result.corrected, found.result.seq) == (game, True, first.result.seq + 2)
    assert (found.result.winners, found.result.scores, found.result.outcome) == ((0,), (7, 2), "finished")
    await file_dispute(desk, bo, game, a_key(), Claim(reason="score", first=1, last=5))
    await give_verdict(desk, ADMIN, game, a_key(), Ruling(2, "annulled", "collusion"))
    await fed(store)
    (found, _) = (await of(desk, ana)).results
    assert (found.result.outcome, found.result.reason, found.result.winners) == ("annulled", "collusion", ())
    assert (found.status, found.result.standings, found.result.scores) == ("annulled", (), ())


async def test_results_are_filtered(store: Store) -> None:
    desk, ana, bo, cy = a_desk(store), a_person(), a_person(), a_person()
    first = await over(desk, ana, bo)
    second = await over(desk, ana, cy, ruleset="peak-oil")
    await fed(store)
    assert games((await of(desk, ana)).results) == [second, first]
    assert games((await of(desk, bo)).results) == [first]
    assert games((await of(desk, ana, ruleset="peak-oil")).results) == [second]
    at = (await of(desk, cy)).results[0].result.at
    assert games((await of(desk, cy, since=at)).results) == [second]
    assert (await of(desk, cy, since=at + 1)).results == ()
    assert (await of(desk, a_person())).results == ()


async def test_results_of_private_games_are_for_those_who_take_part(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    game = await over(desk, ana, ana, visibility="private")
    await fed(store)
    for viewer, known in ((ANYBODY, []), (bo, []), (ana, [game]), (ADMIN, [game])):
        assert games((await of(desk, ana, viewer)).results) == known


async def test_a_token_for_one_game_is_shown_the_results_of_that_one(store: Store) -> None:
    """It may be in other hands: an arbiter's, say, who was called by the host."""
    desk, ana = a_desk(store), a_person()
    first, second = await over(desk, ana, ana, visibility="private"), await over(desk, ana, a_person())
    await fed(store)
    for game in (first, second):
        assert games((await of(desk, ana, replace(ana, game=game))).results) == [game]
        assert games((await of(desk, ana, replace(ADMIN, game=game))).results) == [game]


async def test_results_are_paged_both_ways_and_stable(store: Store) -> None:
    desk, ana, bo = a_desk(store), a_person(), a_person()
    made = [await over(desk, ana, bo) for _ in range(5)]
    await fed(store)
    first = await of(desk, ana, limit=2)
    assert (games(first.results), first.newer) == ([made[4], made[3]], None)
    newest = await over(desk, ana, bo)
    await fed(store)
    second = await of(desk, ana, after=first.older, limit=2)
    assert games(second.results) == [made[2], made[1]]
    assert games((await of(desk, ana, before=second.newer, limit=2)).results) == [made[4], made[3]]
    last = await of(desk, ana, after=second.older, limit=2)
    assert (games(last.results), last.older) == ([made[0]], None)
    back = await of(desk, ana, before=f"{first.results[0].result.at}:{made[4]}", limit=2)
    assert (games(back.results), back.newer) == ([newest], None)


@pytest.mark.parametrize("cursor", ["", "x", "1:x", "x:0190a0a0-0000-7000-8000-000000000000", f"{2**60}:{a_key()}"])
async def test_a_cursor_of_another_list_is_refused(desk: Desk, cursor: str) -> None:
    with pytest.raises(Malformed):
        await list_results(desk, ANYBODY, Sought(), after=cursor)
