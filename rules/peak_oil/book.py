"""What a rule of Peak Oil holds in its hands: the book with cards, options and variant, and the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

from events.peak_oil.codes import OptionName, Standing
from projections.peak_oil.state import Board
from rules.peak_oil.edition import PeakOilEdition
from rules.rulebook import Cite, Rulebook
from rules.table import Table

Barred = Cite | tuple[str, str, str] | None
"""Why something may not be done: the rule, the reason and, where one is at fault, the member of the command; None where
it may be done.
"""


class ExtraBarrels(Struct, frozen=True, forbid_unknown_fields=True):
    """Barrels on top of the table of the rulebook, at most 8 in all (PO-012)."""

    black: Annotated[int, Meta(ge=0, le=8)] = 0
    red: Annotated[int, Meta(ge=0, le=4)] = 0
    yellow: Annotated[int, Meta(ge=0, le=4)] = 0


class PeakOilOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a host may choose at creation.

    `variant`: the base game or the Crude rules. `dual_fields`: the Oil Fields with two symbols are in (PO-005).
    `closed_chips`: which chips with a closed face are in the pool (PO-011). `challenge_start`: everybody starts with a
    PR Crisis card face down (PO-034). `max_turns`: after so many turns of all seats together Peak Oil is triggered
    (PO-365). `first_player`: a seat, or `random` (PO-037).
    """

    variant: Literal["base", "crude"] = "base"
    dual_fields: bool = False
    closed_chips: Literal["none", "single", "single_and_double"] = "single"
    challenge_start: bool = False
    extra_barrels: ExtraBarrels = ExtraBarrels()
    max_turns: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    first_player: Annotated[int, Meta(ge=0, le=4)] | Literal["random"] = "random"


class Variant(Struct, frozen=True):
    """What the Crude rules do differently: other numbers and other functions in the same slots.

    - `options_on` lists the options of each office spot; every Region has shipping alone;
    - `limits` is how many of them an action may use, by standing;
    - `crisis(table)` is what a coloured barrel does to the active seat;
    - `cards`: PR Crisis cards, Consultants and entry barrels of Grey Ops are in use;
    - `refreshes`: Drill and Start-Ups may begin with new cards; `track`: there is a PR track.
    """

    options_on: Mapping[str, tuple[OptionName, ...]]
    limits: Mapping[Standing, int]
    crisis: Callable[[Table[Board, PeakOilBook]], None]
    cards: bool
    refreshes: bool
    track: bool


class PeakOilBook(Rulebook, frozen=True, kw_only=True):
    """The rules of one game: its edition, the options it was created with, its variant."""

    edition: PeakOilEdition
    options_chosen: PeakOilOptions
    variant: Variant


PeakOilTable = Table[Board, PeakOilBook]


class At(Protocol):
    """Where a question of legality is asked: at a table in play, or at a state that is only looked at."""

    @property
    def board(self) -> Board:
        """The board as it stands."""
        ...

    @property
    def book(self) -> PeakOilBook:
        """The rules in force."""
        ...


class Sight(Struct, frozen=True):
    """A state that is only looked at."""

    board: Board
    book: PeakOilBook


def allow(table: PeakOilTable, barred: Barred) -> None:
    """Refuse the command if something bars it."""
    match barred:
        case (rule, reason):
            table.refuse(rule, reason)
        case (rule, reason, field):
            table.refuse(rule, reason, field=field)
        case None:
            pass


def mover(at: At) -> int:
    """PO-050, PO-262: the seat whose turn or opportunity it is."""
    seat = at.board.active
    assert seat is not None, "somebody is on turn"
    return seat
