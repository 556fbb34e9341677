"""Check 7: every command is decided again by the rules, with the true chance, and must cause the very same events.

Where the game is running its seed is unknown: what needs no chance is decided again all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.actors import may_send
from audit.differences import first_difference
from audit.entries import Kept
from audit.folding import FAULTS, Fold
from audit.report import Ledger
from audit.rulings import Rulings
from events.entry import Entry
from events.table import CreateGame, GameCreated, GameFinished
from events.words import Event
from projections.chance import Chance, KeyedChance, game_key, seed_commit
from projections.fold import created
from projections.game import AnyGame
from rules import lobby
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.table import Secret


class SeedUnknown(LookupError):
    """A rule draws chance, and the seed is not published yet."""


class UnlawfulActor(Exception):
    """The actor of an entry may not send its command."""


class NoChance:
    """The chance of a game that is still running: nobody outside knows it."""

    def word(self, label: str, position: int) -> int:
        raise SeedUnknown(f"{label}, word {position}")


class Verdict(Struct, frozen=True):
    """What is said of an entry that the rules decide otherwise (`differs`), or cannot decide yet."""

    check: int
    code: str
    words: str
    differs: bool = True
    event: int | None = None
    field: str | None = None
    rule: str | None = None


class Replay:
    """A game being folded and decided again, entry by entry.

    The rules decide on the state that the log's events make, and fold what they emit with the fold that a log is read
    with. So where the events that are due are those of the log, the game that was decided is the fold of the log; else
    the events of the log are folded by themselves. After a difference, moves are decided again where `every` is wanted.
    `rulings` None: the rules are unknown, and the events are folded only.
    """

    def __init__(
        self, fold: Fold, rulings: Rulings | None, seed: bytes | None, ledger: Ledger, *, every: bool = False
    ) -> None:
        self._fold, self._rulings, self._seed, self._ledger, self._every = fold, rulings, seed, ledger, every
        self._secret = Secret(NoChance(), "")
        self._differed = False

    @property
    def earned(self) -> bool:
        """Whether the rules are known and have decided no move otherwise."""
        return self._rulings is not None and not self._differed

    def run(self, log: Iterable[Kept]) -> Kept | None:
        """Fold and decide again; the first entry that cannot be folded, where there is one."""
        return next((kept for kept in log if not self._entry(kept)), None)

    def _entry(self, kept: Kept) -> bool:
        """Whether the entry could be folded."""
        entry, rulings, game = kept.entry, self._rulings, self._fold.game
        due_seq = 1 if game is None else game.version + 1
        if rulings is None or (self._differed and not self._every) or entry.seq != due_seq:
            return self._fold.fold(kept)
        try:
            due, after = self._decide(kept, rulings)
        except (UnlawfulActor, RuleViolation, *FAULTS) as error:
            return self._fold.fold(kept) and self._say(kept, _verdict_of(entry, error))
        if entry.events == due:
            self._fold.go_on(kept, replace(after, version=entry.seq, at=entry.at))
        elif not self._fold.fold(kept):
            return False
        else:
            self._say(kept, _difference(entry.events, due))
        self._ledger.counts.decided += 1
        return True

    def _say(self, kept: Kept, said: Verdict | None) -> bool:
        """Write down what is to be said of an entry that was folded; True."""
        if said is not None:
            write = self._ledger.find if said.differs else self._ledger.leave
            where = {"event": said.event, "field": said.field, "rule": said.rule, **kept.place}
            write(said.check, said.code, said.words, **where)
            if _is_result(kept.entry.events, said):
                self._ledger.find(8, "result_differs", said.words, **where)
            self._differed = self._differed or said.differs
        return True

    def _decide(self, kept: Kept, rulings: Rulings) -> tuple[tuple[Event, ...], AnyGame]:
        """The events that are due, and the game after them."""
        entry, game = kept.entry, self._fold.game
        if not may_send(entry.actor, entry.command):
            raise UnlawfulActor
        if game is None:
            due = self._create(kept, rulings)
            return (due,), created(entry.game, due, rulings.ruleset.projection)
        if game.status == "lobby":
            self._secret = self._true_chance(game)
        decision = decide(game, entry.command, entry.actor, rulings.book, self._secret)
        return decision.events, decision.game

    def _create(self, kept: Kept, rulings: Rulings) -> GameCreated:
        command, recorded = kept.entry.command, kept.entry.events[0]
        if not isinstance(command, CreateGame):
            raise RuleViolation("GU-01", "not_created")
        rulings.ruleset.read_options(command.options)
        return lobby.create_game(
            command,
            rules_version=rulings.ruleset.version,
            edition_digest=rulings.digest,
            seed_commit=recorded.seed_commit if self._seed is None else seed_commit(kept.entry.game, self._seed),
        )

    def _true_chance(self, game: AnyGame) -> Secret:
        """The game's key is made when it starts, of the seats as they are then."""
        if self._seed is None:
            return self._secret
        key = game_key(game.id, self._seed, [seat.client_seed for seat in game.seats])
        chance: Chance = KeyedChance(key)
        return Secret(chance, self._seed.hex())


def _verdict_of(entry: Entry[Any, Any], error: Exception) -> Verdict:
    """Why the rules have not decided a command."""
    if isinstance(error, UnlawfulActor):
        return Verdict(7, "unlawful_actor", f"{entry.actor} may not send this command", field="actor")
    if isinstance(error, RuleViolation):
        words = f"unlawful move: the rules refuse it, {error.rule} ({error.reason})"
        return Verdict(7, "unlawful_move", words, field="command", rule=error.rule)
    if isinstance(error, SeedUnknown):
        words = f"decided with chance that is not published yet ({error})"
        return Verdict(7, "chance_unknown", words, differs=False)
    words = f"the rules cannot decide this command: {type(error).__name__}: {error}"
    return Verdict(7, "undecidable", words, field="command")


def _difference(recorded: tuple[Event, ...], due: tuple[Event, ...]) -> Verdict | None:
    """The first difference between the events of the log and those that are due."""
    for index, (one, other) in enumerate(zip(recorded, due, strict=False)):
        found = first_difference(to_builtins(one), to_builtins(other))
        if found is not None:
            check, code = _name(other, found.path)
            words = f"the log says {found.recorded}, the rules say {found.due}"
            return Verdict(check, code, words, event=index, field=found.path)
    if len(recorded) == len(due):
        return None
    index = min(len(recorded), len(due))
    extra = len(recorded) > len(due)
    kind = str(to_builtins((recorded if extra else due)[index])["type"])
    code, words = ("event_too_many", "by the rules it did not happen") if extra else ("event_missing", "is missing")
    return Verdict(7, code, f"`{kind}`: {words}", event=index)


def _is_result(recorded: tuple[Event, ...], said: Verdict) -> bool:
    """Whether the difference is in the result that the log records."""
    index = said.event
    return (
        index is not None
        and index < len(recorded)
        and isinstance(recorded[index], GameFinished)
        and (said.field or "").partition("[")[0] in {"winners", "standings", "scores"}
    )


def _name(due: Event, path: str) -> tuple[int, str]:
    """A difference in an event that drew chance is the chance's: its range, or its outcome."""
    if path.partition(".")[0] == "rng":
        return 6, "draw_range_differs"
    if path not in {"type", "schema"} and hasattr(due, "rng"):
        return 6, "draw_outcome_differs"
    return 7, "event_differs"
