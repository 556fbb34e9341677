"""Check 7: every command is decided again by the rules, with the true chance, and must cause the very same events.

Where the game is running its seed is unknown: what needs no chance is decided again all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import to_builtins
from msgspec.structs import replace

from audit.actors import may_send
from audit.differences import first_difference
from audit.entries import Kept
from audit.folding import FAULTS
from audit.report import Ledger
from audit.rulings import Rulings
from events.table import CreateGame, GameCreated
from events.words import Event
from projections.chance import Chance, KeyedChance, game_key, seed_commit
from projections.fold import fold_entry
from projections.game import AnyGame, created
from rules import lobby
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.table import Secret


class SeedUnknown(LookupError):
    """A rule draws chance, and the seed is not published yet."""


class NoChance:
    """The chance of a game that is still running: nobody outside knows it."""

    def word(self, label: str, position: int) -> int:
        raise SeedUnknown(f"{label}, word {position}")


class Replay:
    """A game being decided again, entry by entry, on its own states. `every`: go on after a difference, from the state
    that the log says, and so find all of them.
    """

    def __init__(self, rulings: Rulings, seed: bytes | None, ledger: Ledger, *, every: bool = False) -> None:
        self._rulings, self._seed, self._ledger, self._every = rulings, seed, ledger, every
        self._secret = Secret(NoChance(), "")
        self.game: AnyGame | None = None

    def run(self, log: Iterable[Kept]) -> bool:
        """Decide every command again; False after a difference, which is written down."""
        same = True
        for kept in log:
            if not self._entry(kept):
                same = False
                if not self._every:
                    break
                self.game = fold_entry(self.game, kept.entry, self._rulings.ruleset.projection)
        return same

    def _entry(self, kept: Kept) -> bool:
        entry = kept.entry
        if not may_send(entry.actor, entry.command):
            words = f"{entry.actor} may not send this command"
            self._ledger.find(7, "unlawful_actor", words, field="actor", **kept.place)
            return False
        try:
            due, after = self._decide(kept)
        except RuleViolation as refusal:
            words = f"unlawful move: the rules refuse it, {refusal.rule} ({refusal.reason})"
            self._ledger.find(7, "unlawful_move", words, field="command", rule=refusal.rule, **kept.place)
            return False
        except SeedUnknown as label:
            words = f"decided with chance that is not published yet ({label})"
            self._ledger.leave(7, "chance_unknown", words, **kept.place)
            self.game = fold_entry(self.game, entry, self._rulings.ruleset.projection)
            return True
        except FAULTS as error:
            words = f"the rules cannot decide this command: {type(error).__name__}: {error}"
            self._ledger.find(7, "undecidable", words, field="command", **kept.place)
            return False
        self._ledger.counts.decided += 1
        if entry.events != due and self._differs(kept, due):
            return False
        self.game = replace(after, version=entry.seq, at=entry.at)
        return True

    def _decide(self, kept: Kept) -> tuple[tuple[Event, ...], AnyGame]:
        """The events that are due, and the game after them."""
        entry, game = kept.entry, self.game
        if game is None:
            due = self._create(kept)
            return (due,), created(entry.game, due, self._rulings.ruleset.projection)
        if game.status == "lobby":
            self._secret = self._true_chance(game)
        decision = decide(game, entry.command, entry.actor, self._rulings.book, self._secret)
        return decision.events, decision.game

    def _create(self, kept: Kept) -> GameCreated:
        command, recorded = kept.entry.command, kept.entry.events[0]
        if not isinstance(command, CreateGame):
            raise RuleViolation("GU-01", "not_created")
        self._rulings.ruleset.read_options(command.options)
        return lobby.create_game(
            command,
            rules_version=self._rulings.ruleset.version,
            edition_digest=self._rulings.digest,
            seed_commit=recorded.seed_commit if self._seed is None else seed_commit(kept.entry.game, self._seed),
        )

    def _true_chance(self, game: AnyGame) -> Secret:
        """The game's key is made when it starts, of the seats as they are then."""
        if self._seed is None:
            return self._secret
        key = game_key(game.id, self._seed, [seat.client_seed for seat in game.seats])
        chance: Chance = KeyedChance(key)
        return Secret(chance, self._seed.hex())

    def _differs(self, kept: Kept, due: tuple[Event, ...]) -> bool:
        recorded = kept.entry.events
        for index, (one, other) in enumerate(zip(recorded, due, strict=False)):
            found = first_difference(to_builtins(one), to_builtins(other))
            if found is None:
                continue
            words = f"the log says {found.recorded}, the rules say {found.due}"
            check, code = _name(other, found.path)
            self._ledger.find(check, code, words, event=index, field=found.path, **kept.place)
            return True
        if len(recorded) == len(due):
            return False
        index = min(len(recorded), len(due))
        extra = len(recorded) > len(due)
        kind = str(to_builtins((recorded if extra else due)[index])["type"])
        code, words = ("event_too_many", "by the rules it did not happen") if extra else ("event_missing", "is missing")
        self._ledger.find(7, code, f"`{kind}`: {words}", event=index, **kept.place)
        return True


def _name(due: Event, path: str) -> tuple[int, str]:
    """A difference in an event that drew chance is the chance's: its range, or its outcome."""
    if path.partition(".")[0] == "rng":
        return 6, "draw_range_differs"
    if path not in {"type", "schema"} and hasattr(due, "rng"):
        return 6, "draw_outcome_differs"
    return 7, "event_differs"
