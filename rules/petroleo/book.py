"""What a rule of Petróleo holds in its hands: the book with cards and options, and the table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from projections.petroleo.state import Board
from rules.petroleo.edition import PetroleoEdition
from rules.rulebook import Rulebook
from rules.table import Table


class PetroleoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """PT-016: what a host may choose at creation.

    `second_year_end` makes the opposite cell a year-end too, with four players or fewer; `hand_size` cards are dealt.
    """

    second_year_end: bool = False
    hand_size: Literal[5, 4] = 5


class PetroleoBook(Rulebook, frozen=True, kw_only=True):
    """The rules of one game: its edition and the options it was created with."""

    edition: PetroleoEdition
    options_chosen: PetroleoOptions


PetroleoTable = Table[Board, PetroleoBook]


def clockwise(table: PetroleoTable, seat: int) -> list[int]:
    """PT-014: the companies in the game, clockwise from this seat, which comes first if it is one of them."""
    n = len(table.board.companies)
    active = table.active
    return [other for step in range(n) if (other := (seat + step) % n) in active]


def rivals(table: PetroleoTable, seat: int) -> list[int]:
    """The other companies in the game, clockwise from this seat."""
    return [other for other in clockwise(table, seat) if other != seat]
