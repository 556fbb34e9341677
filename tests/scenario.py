"""Given this table, when she does that, then this happens, and now he is asked: rulings as tests, for every game.

a_table("market", "T07", "O03").when(0, ProposeTrade(…)).then(TradeProposed(…)).waits_for(MarketActions, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from events.entry import Entry
from events.table import Awaiting, Expire, Resign
from events.words import Command, Event, Waits
from projections.chance import Chance, KeyedChance
from projections.fold import fold_entry
from projections.game import AnyGame
from rules.choices import Option
from rules.decide import decide
from rules.refusal import RuleViolation
from rules.ruleset import Ruleset, options_for
from rules.table import Secret
from tests.members import assert_of
from tests.seen import seen_by

SEED = "5e" * 32


class Script:
    """Chance as a test wants it: outcomes by label. Labels without a script fall as they happen to fall."""

    def __init__(self, key: bytes = b"scenario") -> None:
        self._words: dict[str, list[int]] = {}
        self._otherwise = KeyedChance(key)

    def below(self, label: str, *values: int) -> Script:
        """Whole numbers, as `below` and `weighted` read them."""
        self._words.setdefault(label, []).extend(values)
        return self

    def dice(self, **rolls: int) -> Script:
        """One roll for each label; `/` is written `__`."""
        for label, roll in rolls.items():
            self.below(label.replace("__", "/"), roll - 1)
        return self

    def die(self, label: str, *rolls: int) -> Script:
        """Rolls of a die under one label."""
        return self.below(label, *(roll - 1 for roll in rolls))

    def shuffle(self, label: str, order: Sequence[str]) -> Script:
        """A shuffle that ends in this order."""
        items = sorted(order)
        for i in range(len(items) - 1, 0, -1):
            self._swap(label, items, i, order[i])
        return self

    def pick(self, label: str, picked: Sequence[str], of: Sequence[str]) -> Script:
        """A choice of these, in the order picked."""
        items = sorted(of)
        for step, item in enumerate(picked):
            i = len(items) - 1 - step
            if i > 0:
                self._swap(label, items, i, item)
        return self

    def word(self, label: str, position: int) -> int:
        scripted = self._words.get(label)
        return self._otherwise.word(label, position) if scripted is None else scripted[position]

    def _swap(self, label: str, items: list[str], i: int, wanted: str) -> None:
        j = items.index(wanted, 0, i + 1)
        items[i], items[j] = items[j], items[i]
        self.below(label, j)


class Scenario:
    """A game under test. Whatever is accepted is also folded again from its entry and brought back from a snapshot."""

    def __init__(self, ruleset: Ruleset, game: AnyGame, chance: Chance | None = None) -> None:
        self.ruleset, self.game = ruleset, game
        self.book = ruleset.book_of(game)
        self.chance = chance or Script()
        self.entry: Entry[Any, Any] | None = None
        self.shown: dict[str, tuple[int, ...]] = {}

    @property
    def board(self) -> Any:
        """What only this ruleset knows."""
        return self.game.board

    @property
    def happened(self) -> tuple[Event, ...]:
        """The events of the last entry, the closing `awaiting` left out."""
        return () if self.entry is None else tuple(e for e in self.entry.events if not isinstance(e, Awaiting))

    def when(self, seat: int | str, command: Command) -> Scenario:
        """A seat (or another actor, by name) sends a command, and it is accepted."""
        actor = seat if isinstance(seat, str) else f"seat:{seat}"
        before, seq = self.game, self.game.version + 1
        command = replace(command, id=command.id or command_id(seq))
        decision = decide(before, command, actor, self.book, Secret(self.chance, SEED))
        self.entry = Entry(before.id, seq, seq, actor, command, decision.events)
        self.shown = decision.shown
        self.game = fold_entry(before, self.entry, self.ruleset.projection)
        assert self.game == replace(decision.game, version=seq, at=seq), "a replay gives another state"
        assert from_snapshot(self.game, self.ruleset) == self.game, "a snapshot gives another state"
        return self

    def expires(self, seat: int) -> Scenario:
        """The deadline passes for a seat."""
        assert self.game.waiting is not None
        return self.when("clock", Expire(seat, decision_id=self.game.waiting.decision))

    def resigns(self, seat: int) -> Scenario:
        """A seat leaves the game."""
        return self.when(seat, Resign())

    def then(self, *expected: Event) -> Scenario:
        """Exactly these events, in this order; `rng` is compared where the expected event has one."""
        assert _alike(self.happened, expected) == expected
        return self

    def then_among_others(self, *expected: Event) -> Scenario:
        """These events in this order, others before, between and after them."""
        rest = iter(self.happened)
        for event in expected:
            assert any(_alike((other,), (event,)) == (event,) for other in rest), f"{event} not in {self.happened}"
        return self

    def then_none(self, *kinds: type[Event]) -> Scenario:
        """No event of these types."""
        assert not [event for event in self.happened if isinstance(event, kinds)]
        return self

    def counts(self, kind: type[Event], n: int) -> Scenario:
        """So many events of this type."""
        assert sum(isinstance(event, kind) for event in self.happened) == n
        return self

    def waits_for(self, step: type[Waits], *seats: int) -> Scenario:
        """The open question, and whom it awaits."""
        assert isinstance(self.game.waiting, step), self.game.waiting
        assert self.game.awaited == seats
        return self

    def refuses(
        self, seat: int | str, command: Command, rule: str, reason: str, field: str | UnsetType | None = UNSET
    ) -> Scenario:
        """The command is refused with this rule and reason, naming this member of it (None: none, UNSET: any or none),
        and nothing has happened.
        """
        before = msgspec.json.encode(self.game)
        with pytest.raises(RuleViolation) as refusal:
            decide(
                self.game,
                command,
                seat if isinstance(seat, str) else f"seat:{seat}",
                self.book,
                Secret(self.chance, SEED),
            )
        assert (refusal.value.rule, refusal.value.reason) == (rule, reason)
        assert field in (UNSET, refusal.value.field)
        assert_of(command, refusal.value.field)
        assert msgspec.json.encode(self.game) == before
        return self

    def options(self, seat: int) -> list[Option]:
        """What the seat may answer."""
        return options_for(self.game, self.book, seat)

    def view(self, viewer: int | None) -> Any:
        """The board as a seat, or a spectator (None), sees it."""
        return self.ruleset.view(self.game, viewer, self._edition())

    def sees(self, viewer: int | None) -> list[dict[str, Any]]:
        """The last entry, command first, as a seat or a spectator reads it while the game runs."""
        assert self.entry is not None
        return seen_by(self.entry, self.shown, viewer, ended=self.game.ended)

    def hears(self, viewer: int | None) -> list[str]:
        """The last entry in a player's words."""
        told = (self.ruleset.tell(event, self._edition()) for event in self.sees(viewer)[1:])
        return [sentence for sentence in told if sentence]

    def ends(self, reason: str, *winners: int) -> Scenario:
        """The game is over."""
        assert self.game.result is not None, "the game goes on"
        assert (self.game.result.reason, self.game.result.winners) == (reason, winners)
        assert not self.game.steps, "the game is over, and something waits"
        return self

    def _edition(self) -> Any:
        return self.ruleset.edition(self.game.edition).edition


def command_id(seq: int) -> str:
    """The id of a command that a test did not give one, by the entry it makes."""
    return f"00000000-0000-4000-8000-{seq:012x}"


def from_snapshot(game: AnyGame, ruleset: Ruleset) -> AnyGame:
    """The game after it was kept as JSON and read again."""
    kept: AnyGame = msgspec.json.decode(msgspec.json.encode(game), type=ruleset.projection.game)
    return kept


def _alike(happened: tuple[Event, ...], expected: tuple[Event, ...]) -> tuple[Event, ...]:
    """What happened, without the word ranges that the expectation does not mention."""
    return tuple(
        replace(event, rng=UNSET) if hasattr(event, "rng") and getattr(other, "rng", UNSET) is UNSET else event
        for event, other in zip_longest(happened, expected[: len(happened)])
    )
