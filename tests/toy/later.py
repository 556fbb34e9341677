"""Wildcat after a rules fix: WC-05, a gusher pays twice. A game made before the fix knows nothing of it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rules.ruleset import Ruleset
from tests.toy import words
from tests.toy.book import WILDCAT, WildcatBook, WildcatTable
from tests.toy.book import book as first_book


def drill_twice_as_well(table: WildcatTable, step: words.Drilling, command: words.DrillWell) -> None:
    """WC-05: as WC-03, and each die counts twice."""
    table.require(1 <= command.dice <= 3, "WC-03", "bad_dice")
    rolls, rng = table.choose("dice", command.dice, (1, 1, 2, 3, 4, 5, 6))
    table.emit(words.WellDrilled(table.seat, rolls, 0 if 1 in rolls else 2 * sum(rolls), rng))


def book(edition: Any, chosen: Any, seats: int) -> WildcatBook:
    """The first book but for the wells."""
    found = first_book(edition, chosen, seats)
    return replace(found, answers={**found.answers, (words.Drilling, words.DrillWell): drill_twice_as_well})


FIXED_IN_PLACE: Ruleset = replace(WILDCAT, book=book)
"""The fix as it must not be made: under the old version's number."""

SECOND: Ruleset = replace(WILDCAT, version=2, book=book, earlier=(WILDCAT,))
FORGETFUL: Ruleset = replace(SECOND, earlier=())
"""The second version by a program that has not kept the first."""
