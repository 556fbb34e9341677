"""Random games of any ruleset, from nothing but what the seats are offered. One whole number makes one game.

A game says in `tests/rules/<game>/playing.py` what only it knows: `PLAYING`, of the class below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from events.entry import Entry
from events.table import CreateGame, Resign, StartGame, TakeSeat
from events.words import Command
from projections.chance import Chance, seed_commit
from projections.fold import fold_entry
from projections.game import AnyGame
from rules.catalogue import rulesets
from rules.choices import Below, Option
from rules.decide import decide
from rules.lobby import create_game
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset, options_for
from rules.table import Secret
from tests.members import assert_of
from tests.scenario import SEED, Scenario, Script, command_id

GAME = "0190f3c0-0000-7000-8000-000000000002"


Move = Callable[[Scenario, random.Random], None]
"""Makes one move on a table that waits."""


class Setup(Struct, frozen=True):
    """How a game is created: seats, options, edition (None: the ruleset's first choice)."""

    seats: int
    options: dict[str, Any] = {}
    edition: str | None = None


class Golden(Struct, frozen=True):
    """A game whose log and transcript are kept: how it is created, who moves how, which random moves.

    `stop` is the entry after which nobody moves any more, `after` what happens then: who sends which command.
    """

    setup: Setup
    move: Move
    seed: int = 0
    stop: int | None = None
    after: tuple[tuple[str, Command], ...] = ()


class Playing(Struct, frozen=True, kw_only=True):
    """What a game adds to the tests that all games share.

    - `setups`: the ways to create it that are worth playing;
    - `invariants(game)` asserts what holds after every entry, from the start of the game on;
    - `goldens` has one game for each way a game can end, by the ending's name; after a dot, what became of it.
    """

    setups: tuple[Setup, ...]
    goldens: Mapping[str, Golden]
    invariants: Callable[[AnyGame], None]


def reshuffle_hidden(game: AnyGame, viewer: int | None, below: Below) -> AnyGame:
    """Another state that this viewer (None: a spectator), who has not read the log, cannot tell apart."""
    ruleset = rulesets()[game.ruleset]
    return ruleset.redraw(game, viewer, frozenset(), ruleset.edition(game.edition).edition, below)


def playing(name: str) -> Playing:
    """What the tests know of a game."""
    found: Playing = import_module(f"tests.rules.{name.replace('-', '_')}.playing").PLAYING
    return found


def created(ruleset: Ruleset, setup: Setup, chance: Chance) -> Scenario:
    """A table just opened: entry 1."""
    asked = CreateGame(
        ruleset.name, setup.edition or ruleset.default_edition, setup.options, setup.seats, id=command_id(1)
    )
    command = ruleset.check_creation(asked)
    event = create_game(
        command,
        rules_version=ruleset.version,
        edition_digest=ruleset.edition(command.edition).digest,
        seed_commit=seed_commit(GAME, bytes.fromhex(SEED)),
    )
    entry: Entry[Any, Any] = Entry(GAME, 1, 1, "host", command, (event,))
    scenario = Scenario(ruleset, fold_entry(None, entry, ruleset.projection), chance)
    scenario.entry = entry
    return scenario


def played(scenario: Scenario, seed: int, move: Move) -> Iterator[Scenario]:
    """A table from its first seat to the end of its game, entry by entry, each move made by `move`."""
    dice = random.Random(seed)
    yield scenario
    for seat in range(len(scenario.game.seats)):
        yield scenario.when(seat, TakeSeat(seat, client_seed(seed, seat)))
    yield scenario.when("host", StartGame())
    while not scenario.game.ended:
        move(scenario, dice)
        yield scenario


def client_seed(seed: int, seat: int) -> str:
    """What a seat adds to the chance of a game; every other seat adds nothing."""
    return "" if seat % 2 else f"{seed:016x}{seat:02x}"


def answer(scenario: Scenario, dice: random.Random) -> None:
    """One of the seats awaited gives one of its answers."""
    seat = dice.choice(scenario.game.awaited)
    option = dice.choice(scenario.options(seat))
    scenario.when(seat, decoded(scenario, option.pick(dice.randrange)))


def sleep(scenario: Scenario, dice: random.Random) -> None:
    """A deadline passes."""
    scenario.expires(dice.choice(scenario.game.awaited))


def leave(scenario: Scenario, dice: random.Random) -> None:
    """One of the seats left resigns."""
    scenario.when(dice.choice(scenario.game.active), Resign())


def with_unrest(chance: float) -> Move:
    """Answers, and now and then a deadline that passes; a tenth of these moves are resignations."""

    def move(scenario: Scenario, dice: random.Random) -> None:
        disturbed = dice.random() < chance
        act = answer if not disturbed else leave if dice.random() < 0.1 else sleep
        act(scenario, dice)

    return move


def a_game(name: str, seed: int, *, unrest: float = 0.02, setup: Setup | None = None) -> Iterator[Scenario]:
    """A random game move by move, each already folded again and brought back from a snapshot by its `Scenario`."""
    chosen = setup or playing(name).setups[seed % len(playing(name).setups)]
    scenario = created(rulesets()[name], chosen, Script(seed.to_bytes(16, "big")))
    return played(scenario, seed, with_unrest(unrest))


def decoded(scenario: Scenario, fields: Mapping[str, Any]) -> Command:
    """A command as it would come over the wire. Raises `msgspec.ValidationError`."""
    wire = msgspec.json.encode(fields)
    command: Command = msgspec.json.decode(wire, type=scenario.ruleset.projection.commands)
    return command


def spelled_out(command: Command) -> dict[str, Any]:
    """All fields of a command as plain JSON, without what the envelope and the question add."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    return {name: value for name, value in plain.items() if name not in ("id", "decision_id")}


def is_listed(options: list[Option], command: Command) -> bool:
    """Whether some option covers the command."""
    fields = spelled_out(command)
    return any(option.admits(fields) for option in options)


def refusal(game: AnyGame, scenario: Scenario, seat: int, command: Command) -> tuple[Any, ...] | None:
    """How the command is refused on this state, None where it is accepted."""
    try:
        decide(game, command, f"seat:{seat}", scenario.book, Secret(scenario.chance, SEED))
    except RuleViolation as violation:
        assert_of(command, violation.field)
        return violation.rule, violation.reason, violation.field, sorted(violation.facts.items())
    return None


def mutated(fields: Any, words: list[str], dice: random.Random) -> Any:
    """The same JSON with one thing changed: a number, a word, an item more or less."""
    if isinstance(fields, dict) and fields:
        name = dice.choice(sorted(fields))
        return {**fields, name: mutated(fields[name], words, dice)}
    if isinstance(fields, list):
        return _mutated_list(fields, words, dice)
    if isinstance(fields, bool) or fields is None:
        return dice.choice([True, False, None, 1, 0])
    if isinstance(fields, int):
        return fields + dice.choice([-1, 1, 7])
    return dice.choice(words)


def _mutated_list(items: list[Any], words: list[str], dice: random.Random) -> list[Any]:
    at = dice.randrange(len(items) + 1)
    match dice.randrange(3 if items else 1):
        case 0:
            return [*items[:at], dice.choice(words), *items[at:]]
        case 1:
            return [*items[: at - 1], *items[at:]] if at else items[1:]
        case _:
            changed = mutated(items[at - 1], words, dice)
            return [*items[: at - 1], changed, *items[at:]] if at else [*items, items[0]]


def words_of(value: Any) -> list[str]:
    """Every text in a JSON value: what a mutation may put in a text's place."""
    found: set[str] = set()
    heap = [value]
    while heap:
        top = heap.pop()
        if isinstance(top, dict):
            heap += top.values()
        elif isinstance(top, list):
            heap += top
        elif isinstance(top, str):
            found.add(top)
    return sorted(found)


def offered(scenario: Scenario, game: AnyGame, seat: int) -> bytes:
    """A seat's options on this state, as it is sent."""
    return msgspec.json.encode(options_for(game, scenario.book, seat))
