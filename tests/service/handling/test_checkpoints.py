"""Looking back costs at most fifty entries' folding, once a game was looked back at; and never shows another log."""

from __future__ import annotations

import random
from collections.abc import Sequence

from projections.game import AnyGame
from projections.projection import Projection
from service.auth.caller import Caller
from service.handling.checkpoints import EVERY, Checkpoints
from service.handling.desk import Desk
from service.handling.folding import fold_rows
from service.store.protocol import Row
from tests.desks import a_desk, a_game, a_move, a_person
from tests.memory_store import MemoryStore


class Folds:
    """Folds, and counts the entries."""

    def __init__(self) -> None:
        self.entries = 0

    def __call__(self, rows: Sequence[Row], projection: Projection, game: AnyGame | None) -> AnyGame:
        self.entries += len(rows)
        return fold_rows(rows, projection, game)


async def a_long_game(desk: Desk, moves: int = 3 * EVERY) -> str:
    """A game that lasted so long: ids are part of a game's chance, so some end before."""
    while True:
        people = [a_person(), a_person()]
        game = await a_game(desk, *people)
        below = random.Random(4).randrange
        for _ in range(moves):
            await a_move(desk, game, people, below)
        if (await desk.games.get(game)).version >= moves:
            return game


async def test_a_look_back_folds_a_few_entries(memory_store: MemoryStore) -> None:
    desk = a_desk(memory_store)
    game = await a_long_game(desk)
    hot = await desk.games.get(game)
    projection, folds = hot.ruleset.projection, Folds()
    checkpoints = Checkpoints(memory_store, folds, most=100)
    assert await checkpoints.at(game, hot.version, projection) == hot.game
    assert folds.entries == hot.version
    for version in (1, EVERY - 1, EVERY, EVERY + 1, 3 * EVERY, hot.version):
        folds.entries = 0
        then = await checkpoints.at(game, version, projection)
        assert then == fold_rows(await memory_store.rows(game, 0, version), projection)
        assert folds.entries < EVERY
    checkpoints.forget(game)
    folds.entries = 0
    await checkpoints.at(game, 2 * EVERY, projection)
    assert folds.entries == 2 * EVERY


async def test_what_was_looked_back_at_long_ago_is_forgotten(memory_store: MemoryStore) -> None:
    desk = a_desk(memory_store)
    games = [await a_long_game(desk, EVERY) for _ in range(3)]
    projection = (await desk.games.get(games[0])).ruleset.projection
    folds = Folds()
    checkpoints = Checkpoints(memory_store, folds, most=2)
    for game in (*games[:2], games[0], games[2]):
        await checkpoints.at(game, EVERY, projection)
    folds.entries = 0
    await checkpoints.at(games[0], EVERY, projection)
    assert folds.entries == 0
    await checkpoints.at(games[1], EVERY, projection)
    assert folds.entries == EVERY


async def test_a_log_that_was_put_back_is_looked_at_anew(memory_store: MemoryStore) -> None:
    """After an older backup was restored and play went on, no state of the lost entries is shown."""
    desk = a_desk(memory_store)
    game = await a_long_game(desk, EVERY + 10)
    hot = await desk.games.get(game)
    lost = await desk.games.at(hot, EVERY + 5)
    memory_store._logs[game] = memory_store._logs[game][: EVERY - 10]
    other = a_desk(memory_store)
    people = [player.account for player in await memory_store.players(game)]
    seats = [Caller(account, frozenset({"play"})) for account in people]
    below = random.Random(6).randrange
    for _ in range(20):
        await a_move(other, game, seats, below)
    await desk.games.refresh(hot)
    now = await desk.games.at(hot, EVERY + 5)
    assert now != lost
    assert now == fold_rows(await memory_store.rows(game, 0, EVERY + 5), hot.ruleset.projection)
