"""A whole game in memory, move by move: for bots without a server, playouts and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.entry import Entry
from events.table import CreateGame, GameCreated, StartGame, TakeSeat
from events.words import Command, Event
from projections.chance import KeyedChance, game_key, seed_commit
from projections.fold import fold_entry
from projections.game import AnyGame
from rules.choices import Option
from rules.decide import decide
from rules.lobby import create_game
from rules.ruleset import Ruleset, options_for
from rules.table import Secret

Chooser = Callable[[AnyGame, int, Sequence[Option]], Mapping[str, Any]]
"""State, seat and the seat's options to the fields of a command."""

NextSeat = Callable[[Sequence[int]], int]
"""Which of several awaited seats answers first."""

Ids = Callable[[], str]


class Deal(Struct, frozen=True, kw_only=True):
    """What a game is played with. Seeds are hex; `server_seed` has 32 bytes."""

    game: str
    seats: int
    server_seed: str
    edition: str | None = None
    options: dict[str, Any] = {}
    client_seeds: tuple[str, ...] = ()


class Move(Struct, frozen=True):
    """One accepted move: the state it was decided on (None: entry 1), its entry (`at` = `seq`), the state after it,
    and who else may read the command's sealed fields.
    """

    before: AnyGame | None
    entry: Entry[Command, Event]
    after: AnyGame
    shown: dict[str, tuple[int, ...]]


def playout(ruleset: Ruleset, deal: Deal, choose: Chooser, ids: Ids, next_seat: NextSeat = min) -> Iterator[Move]:
    """The moves of a game from `create_game` to its end. Commands carry ids from `ids` (UUIDs in a log)."""
    first = _created(ruleset, deal, ids())
    yield first
    game = first.after
    book = ruleset.book_of(game)
    seeds = [deal.client_seeds[n] if n < len(deal.client_seeds) else "" for n in range(deal.seats)]
    chance = KeyedChance(game_key(deal.game, bytes.fromhex(deal.server_seed), seeds))
    secret = Secret(chance, deal.server_seed)

    def play(command: Command, actor: str) -> Move:
        decision = decide(game, command, actor, book, secret)
        seq = game.version + 1
        entry = Entry(game.id, seq, seq, actor, command, decision.events)
        return Move(game, entry, replace(decision.game, version=seq, at=seq), decision.shown)

    for seat, seed in enumerate(seeds):
        move = play(TakeSeat(seat, seed, id=ids()), f"seat:{seat}")
        game = move.after
        yield move
    move = play(StartGame(id=ids()), "host")
    game = move.after
    yield move
    while not game.ended:
        seat = next_seat(game.awaited)
        fields = choose(game, seat, options_for(game, book, seat))
        command = msgspec.convert({**fields, "id": ids()}, ruleset.projection.commands)
        move = play(command, f"seat:{seat}")
        game = move.after
        yield move


def _created(ruleset: Ruleset, deal: Deal, command_id: str) -> Move:
    asked = CreateGame(ruleset.name, deal.edition or ruleset.default_edition, deal.options, deal.seats, id=command_id)
    command = ruleset.check_creation(asked)
    event: GameCreated = create_game(
        command,
        rules_version=ruleset.version,
        edition_digest=ruleset.edition(command.edition).digest,
        seed_commit=seed_commit(deal.game, bytes.fromhex(deal.server_seed)),
    )
    entry: Entry[Command, Event] = Entry(deal.game, 1, 1, "host", command, (event,))
    return Move(None, entry, fold_entry(None, entry, ruleset.projection), {})
