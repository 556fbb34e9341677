"""What open games take: they share the words that are the same in all of them, and few are loaded at the same time."""

from __future__ import annotations

import asyncio
from itertools import islice

import msgspec
import pytest

from projections.game import AnyGame
from rules.catalogue import rulesets
from service.handling.hot_games import LOADS
from service.handling.sharing import SHORT, shared
from service.store.protocol import Since
from tests.desks import a_desk, a_game, a_person
from tests.memory_store import MemoryStore
from tests.playouts import a_game as a_played_game


def texts(value: object) -> list[str]:
    """Every text in a state, in its order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts(one)]
    if isinstance(value, tuple):
        return [text for one in value for text in texts(one)]
    if isinstance(value, msgspec.Struct):
        return [text for name in value.__struct_fields__ for text in texts(getattr(value, name))]
    return []


def same_objects(one: AnyGame, other: AnyGame) -> list[bool]:
    pairs = zip(texts(one), texts(other), strict=True)
    return [first is second for first, second in pairs if 1 < len(first) <= SHORT]


@pytest.mark.parametrize("name", list(rulesets()))
def test_a_game_read_twice_is_the_same_and_takes_its_words_once(name: str) -> None:
    *_, last = islice(a_played_game(name, 3), 150)
    written, kind = msgspec.json.encode(last.game), last.ruleset.projection.game
    one, other = (msgspec.json.decode(written, type=kind) for _ in range(2))
    assert same_objects(one, other).count(False) > 20
    assert shared(one) == one
    assert all(same_objects(shared(one), shared(other)))


class Counting(MemoryStore):
    """Says how many logs were being read at the same time."""

    reading = most = 0

    async def since(self, game: str, seq: int) -> Since:
        self.reading += 1
        self.most = max(self.most, self.reading)
        await asyncio.sleep(0)
        try:
            return await super().since(game, seq)
        finally:
            self.reading -= 1


async def test_games_are_loaded_a_few_at_a_time_and_share_their_words() -> None:
    store = Counting()
    desk = a_desk(store)
    games = [await a_game(desk, a_person(), a_person()) for _ in range(3 * LOADS)]
    fresh = a_desk(store)
    store.most = 0
    loaded = await asyncio.gather(*(fresh.games.get(game) for game in games))
    assert store.most == LOADS
    assert [hot.game for hot in loaded] == [(await desk.games.get(game)).game for game in games]
    decks = [set(map(id, hot.game.board.deck)) for hot in loaded]
    assert len(set.union(*decks)) < 2 * len(loaded[0].game.board.deck)
