"""One game on offer: everything of it that is known outside its own folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.table import CreateGame
from projections.game import AnyGame
from projections.projection import Projection
from rules.choices import Below, Option
from rules.edition import Editions, LoadedEdition
from rules.refusal import RuleViolation
from rules.rulebook import Rulebook

MOST_SAID: Final = 200
"""So much is said of options that do not fit."""

_BOOKS: Final = 256
"""So many books of rules are remembered: there are as many as there are choices of options."""


class Ruleset(Struct, frozen=True, kw_only=True, eq=False):
    """One game on offer.

    - `version` is the rules version of entry 1: a rules fix that changes a decision raises it, and the rules as they
      were stay among `earlier`, with which games made under them are decided to their end;
    - `options` is the struct of what a host may choose; `default_edition` is the first choice of the `editions`;
    - `book(edition, options, seats)` makes the rules in force;
    - `view(game, seat, edition)` is the board as one seat (None: a spectator) may see it;
    - `tell(event, edition)` says an event in a player's words, None where there is nothing to tell; the event is a
      plain object in which fields hidden from the reader are missing;
    - `redraw(game, viewer, known, edition, below)` is a state that this seat (None: a spectator) cannot tell from the
      true one: what it may not know is drawn anew, but for the words whose whereabouts are `known` to it;
    - `picture(view)` draws the board in plain text, where the game has a picture;
    - `register` is the prefix of its rule ids;
    - `conflicts` are reasons of its own that say the game stands elsewhere than the sender thought.
    """

    name: str
    title: str
    version: int
    least_seats: int
    most_seats: int
    register: str
    projection: Projection
    options: type[Struct]
    default_edition: str
    editions: Editions
    book: Callable[[Any, Any, int], Rulebook]
    view: Callable[[AnyGame, int | None, Any], Struct]
    tell: Callable[[Mapping[str, Any], Any], str | None]
    picture: Callable[[Any], str] | None = None
    redraw: Callable[[AnyGame, int | None, frozenset[str], Any, Below], AnyGame]
    conflicts: frozenset[str] = frozenset()
    earlier: tuple[Ruleset, ...] = ()

    def of_version(self, version: int) -> Ruleset | None:
        """The rules as they were at a rules version; None for one that this program does not have."""
        return next((one for one in (self, *self.earlier) if one.version == version), None)

    def edition(self, name: str) -> LoadedEdition:
        """A built-in edition. Raises `RuleViolation` for an unknown name."""
        found = self.editions.built_in.get(name)
        if found is None:
            known = sorted(self.editions.built_in)
            raise RuleViolation("GU-01", "unknown_edition", field="/edition", edition=name, known=known)
        return found

    def check_creation(self, command: CreateGame) -> CreateGame:
        """GU-01: the command with its options complete. Raises `RuleViolation` for seats, edition or options."""
        edition = self.edition(command.edition).edition
        options = self.read_options(command.options)
        if not self.least_seats <= command.seats <= self.most_seats:
            cite = self.book(edition, options, self.least_seats).cites.seats
            raise RuleViolation(*cite, field="/seats", least=self.least_seats, most=self.most_seats)
        self.book(edition, options, command.seats)
        return msgspec.structs.replace(command, options=msgspec.to_builtins(options))

    def read_options(self, options: Mapping[str, Any]) -> Struct:
        """The options as the rules use them. Raises `RuleViolation` where they do not fit the ruleset's struct."""
        try:
            return msgspec.convert(dict(options), self.options)
        except msgspec.ValidationError as error:
            says = str(error)[:MOST_SAID]
            raise RuleViolation("GU-01", "malformed_options", field="/options", problem=says) from error

    def book_of(self, game: AnyGame) -> Rulebook:
        """The rules in force in a game on a built-in edition."""
        return _book(self, game.edition, msgspec.json.encode(game.options, order="sorted"), len(game.seats))


@lru_cache(_BOOKS)
def _book(ruleset: Ruleset, edition: str, options: bytes, seats: int) -> Rulebook:
    chosen = ruleset.read_options(msgspec.json.decode(options))
    return ruleset.book(ruleset.edition(edition).edition, chosen, seats)


def options_for(game: AnyGame, book: Rulebook, seat: int) -> list[Option]:
    """Every legal answer of this seat to the open question; empty where the seat is not awaited.

    Never depends on facts hidden from the seat.
    """
    step = game.waiting
    if step is None or seat not in step.awaits:
        return []
    return book.options[type(step)](game, book, seat)
