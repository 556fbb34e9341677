"""Two games that differ only in what a viewer may not know give that viewer the same answers, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from rules.catalogue import rulesets
from rules.choices import Option
from service.http.routes import ROUTES
from tests.playouts import mutated
from tests.service.leaks.surface import Ask, OwnWords, Service, Told, attempts, readings, told, what_ifs
from tests.service.leaks.worlds import (
    SEATS,
    Viewer,
    World,
    a_world,
    at_version,
    hidden_cards,
    last_running,
    like_twin,
    twin,
)

GAMES = sorted(rulesets())
MOVES = 70
READERS = ("seat:0", "seat:1", "seat:2", "spectator", "host", "organizer", "auditor")

ABOUT_NO_GAME = frozenset(
    {
        "create_account",
        "create_game",
        "create_games",
        "create_token",
        "get_edition",
        "get_me",
        "get_metrics",
        "get_ruleset",
        "is_live",
        "is_ready",
        "list_keys",
        "list_rules",
        "list_rulesets",
        "list_tokens",
        "revoke_token",
    }
)
"""Operations whose answers depend on no game under way."""


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("share", [0.35, 1.0])
async def test_a_viewer_cannot_tell_two_worlds_apart(ruleset: str, share: float) -> None:
    """Whatever is asked of the service, by whom and how: view, options, log, export, refusals, headers, sizes."""
    world = await a_world(ruleset, MOVES, seed=11)
    version = int(last_running(world) * share)
    for name in READERS:
        viewer = world.viewers[name]
        dice = random.Random(version)
        one, other = at_version(world, version), twin(world, version, viewer.eyes, dice)
        assert _hidden(one) != _hidden(other), "the worlds are the same"
        asks = await _asks(one, viewer, version, dice)
        answers = [await _answers(side, viewer, asks) for side in (one, other)]
        for wanted, first, second in zip(asks, *answers, strict=True):
            assert first == second, (name, wanted)
            copied = wanted.operation in ("view_branch", "export_branch") and viewer.token is not None
            assert first.status == 200 or not copied, (name, wanted)


@pytest.mark.parametrize("ruleset", GAMES)
async def test_a_move_tells_whoever_makes_it_the_same_in_both_worlds(ruleset: str) -> None:
    """The cards that the move shows are the same in both; what it moves for others differs."""
    world = await a_world(ruleset, MOVES, seed=12)
    dice = random.Random(12)
    moved = 0
    for version in range(SEATS + 3, last_running(world), 9):
        actor = msgspec.json.decode(world.rows[version].body)["actor"]
        viewer, here = world.viewers[actor], at_version(world, version)
        (command, *_) = await _commands(here, viewer, dice)
        asks = [Ask("submit_command", "POST", f"/v1/games/{world.game}/commands", command)]
        asks += readings(world.game, version, "@1")
        answers = await _answers(here, viewer, asks)
        other = like_twin(here, version, viewer.eyes, dice)
        moved += answers[0].status == 200 and _hidden(here) != _hidden(other)
        for wanted, first, second in zip(asks, answers, await _answers(other, viewer, asks), strict=True):
            assert first == second, (viewer.name, wanted)
    assert moved


@pytest.mark.parametrize("ruleset", GAMES)
async def test_whose_facts_they_are_can_tell(ruleset: str) -> None:
    """The comparison notices a difference where there is one to see."""
    world = await a_world(ruleset, 20, seed=13)
    version = last_running(world)
    # One exchange of hidden cards may happen to give the seat its own back; twenty do not.
    twins = [twin(world, version, "seat:0", random.Random(number)) for number in range(20)]
    for part in ("view", "log", "export"):
        asks = [Ask(part, "GET", f"/v1/games/{world.game}/{part}")]
        here, *others = [
            await _answers(side, world.viewers["seat:1"], asks) for side in (at_version(world, version), *twins)
        ]
        assert any(other != here for other in others)


def test_every_operation_is_asked() -> None:
    """A new operation is driven through both worlds, or it says nothing about any game."""
    driven = {one.operation for one in (*readings("", 9, "@1"), *attempts("", "@1", [{}]), *what_ifs("", 9, [{}]))}
    assert driven | ABOUT_NO_GAME == {route.operation_id for route in ROUTES}


async def _asks(world: World, viewer: Viewer, version: int, dice: random.Random) -> Sequence[Ask]:
    stale, commands = f"@{version - 2}", await _commands(world, viewer, dice)
    asks = [*readings(world.game, version, stale), *attempts(world.game, stale, commands)]
    return [*asks, *what_ifs(world.game, version, commands)]


async def _commands(world: World, viewer: Viewer, dice: random.Random) -> list[Mapping[str, Any]]:
    """What the viewer may do now, and the same with hidden cards and other words in it."""
    hidden = sorted(hidden_cards(world, len(world.rows), viewer.eyes))
    found: list[Mapping[str, Any]] = []
    answer = await Service(world).ask(viewer, 0, Ask("get_options", "GET", f"/v1/games/{world.game}/options"))
    offered = msgspec.convert(msgspec.json.decode(answer.body).get("options", []), list[Option])
    for option in dice.sample(offered, min(3, len(offered))):
        plain = msgspec.json.decode(msgspec.json.encode(option.pick(dice.randrange)))
        found += [plain, *(mutated(plain, hidden, dice) for _ in range(3))]
    return found or [{"type": "finish_phase"}, {"type": "play_card", "card_id": hidden[0]}]


async def _answers(world: World, viewer: Viewer, asks: Sequence[Ask]) -> list[Told]:
    service = Service(world)
    answers = [await service.ask(viewer, number, one) for number, one in enumerate(asks)]
    taken_out = OwnWords(world)
    return [told(answer, taken_out) for answer in answers]


def _hidden(world: World) -> list[str | None]:
    return [one.disclosure for row in world.rows for one in row.sealed]
