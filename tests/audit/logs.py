"""Played games for the auditor's tests: played in memory with the rules, written and exported as the service does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from events import chain, export
from events.entry import Entry
from events.sealing import Written, write
from events.seals import Sealed
from events.table import CreateGame, GameCreated, StartGame, TakeSeat
from events.words import Command, Event
from projections.chance import KeyedChance, game_key, seed_commit
from projections.fold import fold_entry
from projections.game import AnyGame
from rules import lobby
from rules.decide import decide
from rules.edition import LoadedEdition
from rules.rulebook import Rulebook
from rules.ruleset import Ruleset, options_for
from rules.table import Secret

SIGNER = chain.HeadSigner("example.org/gusher/head", bytes(range(32)))
STRANGER = chain.HeadSigner("example.org/gusher/head", bytes(range(1, 33)))


class Player:
    """Plays one game in memory. Everything follows from the number it is made with."""

    def __init__(self, ruleset: Ruleset, number: int = 1, seats: int = 2, **given: Any) -> None:
        self.ruleset, self.seats = ruleset, seats
        self.dice = Random(number)
        self.game_id = str(UUID(bytes=b"\x01\x98\xc0\xde\x00\x00\x70\x00\x80" + sha256(b"%d" % number).digest()[:7]))
        self.server_seed = sha256(b"server seed %d" % number).digest()
        self.edition: LoadedEdition = given.get("edition") or ruleset.edition(ruleset.default_edition)
        self.options = to_builtins(ruleset.read_options(given.get("options", {})))
        self.book: Rulebook = ruleset.book(self.edition.edition, ruleset.read_options(self.options), seats)
        self.rows: list[Written] = []
        self.entries: list[Entry[Any, Any]] = []
        self.game: AnyGame | None = None
        self.at = 1_764_451_200_000

    def open_table(self) -> Player:
        """Entry 1, the seats, the start."""
        self.create()
        for seat in range(self.seats):
            client_seed = self.dice.randbytes(seat).hex()
            self.send(TakeSeat(seat, client_seed), f"seat:{seat}")
        self.send(StartGame(), "host")
        return self

    def create(self) -> None:
        """Entry 1."""
        name = self.edition.edition.edition
        command = CreateGame(self.ruleset.name, name, self.options, self.seats, id=self.new_id())
        created = lobby.create_game(
            command,
            rules_version=self.ruleset.version,
            edition_digest=self.edition.digest,
            seed_commit=seed_commit(self.game_id, self.server_seed),
        )
        self.append(command, "host", (created,), {})

    def send(self, command: Command, actor: str) -> None:
        """One command, accepted."""
        assert self.game is not None
        command = replace(command, id=command.id or self.new_id())
        decision = decide(self.game, command, actor, self.book, self.secret)
        self.append(command, actor, decision.events, decision.shown)

    def append(self, command: Command, actor: str, events: Sequence[Event], shown: dict[str, tuple[int, ...]]) -> None:
        """One entry, whether the rules would have it or not."""
        self.at += self.dice.randrange(0, 2000)
        entry = Entry(self.game_id, len(self.rows) + 1, self.at, actor, command, tuple(events))
        prev = self.rows[-1].hash if self.rows else chain.GENESIS
        self.rows.append(write(entry, prev, lambda: self.dice.randbytes(16), shown))
        self.entries.append(entry)
        self.game = fold_entry(self.game, entry, self.ruleset.projection)

    def play(self, moves: int = 100_000) -> Player:
        """Seats pick among their options until the game has ended, or that many moves were made."""
        for _ in range(moves):
            if self.game is None or self.game.ended:
                break
            self.move()
        return self

    def move(self) -> None:
        """One awaited seat answers."""
        assert self.game is not None
        assert self.game.waiting is not None
        seat = self.dice.choice(self.game.awaited)
        option = self.dice.choice(options_for(self.game, self.book, seat))
        plain = {**option.pick(self.dice.randrange), "decision_id": self.game.waiting.decision}
        self.send(msgspec.convert(plain, self.ruleset.projection.commands), f"seat:{seat}")

    @property
    def secret(self) -> Secret:
        """What the server holds."""
        assert self.game is not None
        key = game_key(self.game_id, self.server_seed, [seat.client_seed for seat in self.game.seats])
        return Secret(KeyedChance(key), self.server_seed.hex())

    def new_id(self) -> str:
        """A command's id."""
        return str(UUID(bytes=self.dice.randbytes(16), version=4))

    def log(self) -> Log:
        """The game as it is stored."""
        created = self.entries[0].events[0]
        assert isinstance(created, GameCreated)
        rows = [(row.body, tuple(row.sealed)) for row in self.rows]
        assert self.game is not None
        return Log(self.game_id, created.ruleset, created.edition, created.options, rows, ended=self.game.ended)


class Log(Struct, frozen=True):
    """A stored game."""

    game: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    rows: list[tuple[bytes, tuple[Sealed, ...]]]
    ended: bool

    def header(self, viewer: str) -> export.Header:
        """Line 1 of its export."""
        return export.Header(
            game=self.game,
            ruleset=self.ruleset,
            edition=self.edition,
            options=self.options,
            viewer=viewer,
            vkeys=[SIGNER.vkey],
        )

    def note(self, signer: chain.HeadSigner = SIGNER) -> str:
        """The signed head of its last entry."""
        return signer.sign(self.game, len(self.rows), chain.entry_hash(self.rows[-1][0]))

    def export(self, viewer: str = "spectator", signer: chain.HeadSigner = SIGNER) -> bytes:
        """Its export file for a viewer."""
        return b"".join(self._pieces(viewer, signer))

    def _pieces(self, viewer: str, signer: chain.HeadSigner) -> Iterator[bytes]:
        return export.export_lines(self.header(viewer), self.rows, self.note(signer), ended=self.ended)


def finished(ruleset: Ruleset, number: int = 1, seats: int = 2, **given: Any) -> Log:
    """A game played to its end."""
    return Player(ruleset, number, seats, **given).open_table().play().log()


def running(ruleset: Ruleset, number: int = 1, seats: int = 2, moves: int = 3, **given: Any) -> Log:
    """A game after a few moves."""
    return Player(ruleset, number, seats, **given).open_table().play(moves).log()
