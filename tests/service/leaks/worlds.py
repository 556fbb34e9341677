"""A played game as the service keeps it, and its twin: the same log in everything that a viewer may know.

The twin's hidden cards have changed places, and its other sealed facts are others. Its chain is hashed anew.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events import chain, codec
from events.export import reader
from events.seals import Sealed
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.auth.accounts import sign_up
from service.auth.caller import Caller
from service.auth.scopes import Scope
from service.handling.create_game import Table, create_game
from service.handling.desk import Desk
from service.handling.start_game import start_game
from service.handling.take_seat import take_seat
from service.store.protocol import Row
from tests.course import on_course
from tests.desks import a_desk, a_key, a_move
from tests.memory_store import MemoryStore
from tests.sealing import disclose

NOW = 1_764_451_200_000
SEATS = 3

Opened = Mapping[str, Any]


class Viewer(Struct, frozen=True):
    """Somebody who asks: with which token (None: with none), and as whom the log is read for them."""

    name: str
    token: str | None
    eyes: str


class World(Struct, frozen=True):
    """One game in a store of its own, and the people who ask about it."""

    store: MemoryStore
    game: str
    viewers: Mapping[str, Viewer]

    @property
    def ruleset(self) -> Ruleset:
        """The game's."""
        return rulesets()[self.store._games[self.game].ruleset]

    @property
    def rows(self) -> list[Row]:
        """The log."""
        return self.store._logs[self.game]

    def desk(self) -> Desk:
        """A worker that has not read anything yet. Its clock stands and its entropy is always the same."""
        desk = a_desk(self.store)
        desk.clock, desk.entropy = lambda: NOW, random.Random(7).randbytes
        return desk


PEOPLE: Mapping[str, tuple[Scope, ...]] = {
    "host": ("play", "organize"),
    "seat:0": ("play",),
    "seat:1": ("play",),
    "seat:2": ("play",),
    "organizer": ("organize",),
    "auditor": ("play", "audit"),
}


async def a_world(ruleset: str, moves: int, seed: int) -> World:
    """A running game of three after at most so many moves; host, organizer and auditor sit elsewhere."""
    with on_course(f"a world of {ruleset} {seed}"):
        return await _played(ruleset, moves, seed)


async def _played(ruleset: str, moves: int, seed: int) -> World:
    store = MemoryStore()
    desk = a_desk(store)
    desk.clock = lambda: NOW
    viewers, callers = {"spectator": Viewer("spectator", None, "spectator")}, {}
    for name, scopes in PEOPLE.items():
        made = await sign_up(store, name.replace(":", "-"), "person", scopes)
        eyes = name if name.startswith("seat") else "spectator"
        viewers[name] = Viewer(name, made.first.secret, eyes)
        callers[name] = Caller(made.account.id, frozenset(scopes))
    host, seats = callers["host"], [callers[f"seat:{n}"] for n in range(SEATS)]
    game = (await create_game(desk, host, a_key(), Table(ruleset=ruleset, seats=SEATS))).game
    for caller in seats:
        await take_seat(desk, caller, game, a_key())
    await start_game(desk, host, game, a_key())
    below = random.Random(seed).randrange
    for _ in range(moves):
        dice = random.Random(seed + store._logs[game][-1].seq)
        order = dice.sample(seats, len(seats))
        if await a_move(desk, game, order, below) is None:
            break
    return World(store, game, viewers)


def last_running(world: World) -> int:
    """The last version at which the game runs."""
    return len(world.rows) - (world.store._games[world.game].status != "running")


def at_version(world: World, version: int, rows: Sequence[Row] | None = None) -> World:
    """The world as it was at a version: the game runs, and nothing has followed. `rows` may be a twin's."""
    store = MemoryStore()
    store._accounts, store._tokens = dict(world.store._accounts), dict(world.store._tokens)
    store._games = {world.game: replace(world.store._games[world.game], status="running")}
    store._seeds, store._players = dict(world.store._seeds), {world.game: dict(world.store._players[world.game])}
    kept = list(world.rows if rows is None else rows)[:version]
    store._logs[world.game] = kept
    store._by_command = {(world.game, row.command_id): row for row in kept}
    return World(store, world.game, world.viewers)


Change = Callable[[str, Any], Any]
"""From a sealed field's name and value to another value."""


def twin(world: World, version: int, eyes: str, dice: random.Random) -> World:
    """Another world at this version that this viewer cannot tell apart."""
    swap = _swapped(world.ruleset, world.rows[:version], eyes, dice, _heap_of)
    return _changed(world, version, eyes, lambda name, value: _other_value(name, value, swap))


def like_twin(world: World, version: int, eyes: str, dice: random.Random) -> World:
    """A twin that the rules cannot tell apart either: only cards with the same print have changed places, and none
    that the viewer meets in the rest of the world's log.
    """
    cards = getattr(world.ruleset.edition(world.ruleset.default_edition).edition, "card", {})
    swap = _swapped(world.ruleset, world.rows, eyes, dice, lambda card: _print_of(card, cards))
    return _changed(world, version, eyes, lambda name, value: _renamed(value, swap) if name in _OF_CARDS else value)


def _changed(world: World, version: int, eyes: str, change: Change) -> World:
    changed: list[Row] = []
    prev = chain.GENESIS
    for row in world.rows[:version]:
        changed.append(_rewritten(row, prev, change, eyes))
        prev = changed[-1].hash
    return at_version(world, version, changed)


def _print_of(card: str, cards: Mapping[str, Any]) -> str:
    """What is printed on a card, its own number aside."""
    printed = cards.get(card)
    return re.sub(r"[.-]?[0-9]+$", "", card) if printed is None else str(replace(printed, id=""))


def hidden_cards(world: World, version: int, eyes: str) -> set[str]:
    """The cards that no line of the log shows this viewer up to the version, and that others have or nobody has."""
    rows = world.rows[:version]
    return _cards(world.ruleset, rows) - set(_known(rows, eyes))


def words_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value, member names aside."""
    if isinstance(value, dict):
        for item in value.values():
            yield from words_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from words_in(item)
    elif isinstance(value, str):
        yield value


def _known(rows: Sequence[Row], eyes: str) -> Iterator[str]:
    for row in rows:
        body = msgspec.json.decode(row.body)
        yield from words_in([body["command"], body["events"]])
        for one in row.sealed:
            if reader(eyes, ended=False)(one):
                yield from words_in(_field(one).value)


_OF_CARDS = ("order", "cards", "card", "card_id", "given_cards", "received_cards")


def _cards(ruleset: Ruleset, rows: Sequence[Row]) -> set[str]:
    found: set[str] = set()
    for row in rows:
        for one in row.sealed:
            field = _field(one)
            if field.name in _OF_CARDS:
                found.update(words_in(field.value))
    return found | _never_dealt(ruleset)


def _never_dealt(ruleset: Ruleset) -> set[str]:
    """Cards of which no line of any log speaks: portfolios are dealt from a heap that has no order."""
    loaded = ruleset.edition(ruleset.default_edition).edition
    return {card.id for card in getattr(loaded, "portfolios", ()) if card.least_seats <= SEATS}


def _heap_of(card: str) -> str:
    """Cards of one heap can change places: those with the same letters (and level) before their numbers, or none."""
    before = card.partition("-")[0]
    return before if before.startswith("PR") else re.sub(r"^.?[0-9.]+$|[0-9]+$", "", before)


def _swapped(
    ruleset: Ruleset, rows: Sequence[Row], eyes: str, dice: random.Random, heap_of: Callable[[str], str]
) -> Mapping[str, str]:
    """Which hidden card stands where which other one stood."""
    heaps: dict[str, list[str]] = {}
    for card in sorted(_cards(ruleset, rows) - set(_known(rows, eyes))):
        heaps.setdefault(heap_of(card), []).append(card)
    swap: dict[str, str] = {}
    for heap in heaps.values():
        swap.update(zip(heap, dice.sample(heap, len(heap)), strict=True))
    return swap


def _rewritten(row: Row, prev: str, change: Change, eyes: str) -> Row:
    body: dict[str, Any] = msgspec.json.decode(row.body)
    sealed = tuple(one if reader(eyes, ended=False)(one) else _other(one, change) for one in row.sealed)
    digests = {one.digest: other.digest for one, other in zip(row.sealed, sealed, strict=True)}
    for word in (body["command"], *body["events"]):
        if "_sd" in word:
            word["_sd"] = sorted(digests[digest] for digest in word["_sd"])
    written = codec.canonical({**body, "prev": prev})
    return replace(row, body=written, hash=chain.entry_hash(written), sealed=sealed)


def _other(one: Sealed, change: Change) -> Sealed:
    field = _field(one)
    salt = chain.from_base64url(field.salt)
    text = disclose(salt, field.name, change(field.name, field.value))
    return replace(one, digest=chain.digest_of(text), disclosure=text)


def _other_value(name: str, value: Any, swap: Mapping[str, str]) -> Any:
    if name in _OF_CARDS:
        return _renamed(value, swap)
    match name:
        case "through_phase":
            return "profit" if value is None else None
        case "give":
            return {"cards": [], "tokens": {"profit": 1}}
        case "want":
            return {"cards": [{"kind": "any"}, {"kind": "any"}], "tokens": {"oil": 3}}
        case "amount":
            return None if value else 7
        case "accept":
            return not value
        case _:
            raise AssertionError(f"a sealed field that the twin does not know how to change: {name}")


def _renamed(value: Any, swap: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(item, swap) for item in value]
    return swap.get(value, value)


def _field(one: Sealed) -> chain.Disclosure:
    assert one.disclosure is not None
    return chain.read_disclosure(one.disclosure)
