"""What a rule of Oil and Gas holds in its hands: the book with cards and options, and the table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from projections.oil_and_gas.state import Board
from rules.oil_and_gas.edition import OilAndGasEdition
from rules.rulebook import Rulebook
from rules.table import Table


class OilAndGasOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a host may choose at creation.

    `victory`: `first_to_25` ends the game the moment a seat holds 25 PT (OG-188); `phase_end` looks once a turn, when
    the Profit Phase closes (OG-155). `absence_turns`: whole turns without an accepted command after which a seat is
    resigned, 0 for never (OG-182).
    """

    victory: Literal["first_to_25", "phase_end"] = "first_to_25"
    absence_turns: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] | None = None


class OilAndGasBook(Rulebook, frozen=True, kw_only=True):
    """The rules of one game: its edition, the options it was created with, and the ids of all its cards."""

    edition: OilAndGasEdition
    chosen: OilAndGasOptions
    cards: frozenset[str]
    bases: frozenset[str]

    @property
    def absence_turns(self) -> int:
        """OG-182: the host's number, else the edition's."""
        chosen = self.chosen.absence_turns
        return self.edition.absence_turns if chosen is None else chosen


OilAndGasTable = Table[Board, OilAndGasBook]
