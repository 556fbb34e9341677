"""The board of Petróleo: what is true beside what all games share."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.petroleo.codes import Kind, Party
from events.petroleo.steps import StepWord
from projections.game import Game

Building = Literal["tower", "oil6", "oil4", "oil2", "gas"]
OIL: tuple[Building, ...] = ("oil2", "oil4", "oil6")
"""The three oil reservoirs, in the order of every list of them."""


class Plot(Struct, frozen=True):
    """PT-060, PT-069: a zone with a company's licence, idle without a building, in exploration with one."""

    zone: str
    building: Building | None = None


class Company(Struct, frozen=True):
    """What one seat runs and holds. PT-004: money is a whole number of M, here and everywhere.

    `plots` are sorted by zone; `hand` has no order; `tokens` is the number of licence tokens the company has, on the
    board and in stock; `left` says that it has gone bankrupt or resigned, its hand being set aside.
    """

    company: str | None = None
    cash: int = 0
    hand: tuple[str, ...] = ()
    drawn: int = 0
    laid: int = 0
    plots: tuple[Plot, ...] = ()
    trucks: tuple[str, ...] = ()
    tokens: int = 0
    nationalised: bool = False
    double_available: bool = False
    left: bool = False

    def count(self, building: Building | None) -> int:
        """How many of its plots carry this (None: nothing)."""
        return sum(plot.building == building for plot in self.plots)

    def with_building(self, building: Building | None) -> tuple[str, ...]:
        """The zones of its plots that carry this (None: nothing)."""
        return tuple(plot.zone for plot in self.plots if plot.building == building)


class Tanker(Struct, frozen=True):
    """A tanker in the port: who commands it, and who owns the other half (None: the commander)."""

    id: str
    commander: int
    partner: Party | None

    def owned_by(self, seat: int) -> bool:
        """Whether the seat has a share in it."""
        return seat in (self.commander, self.partner)


class Laid(Struct, frozen=True):
    """A card laid, and what everybody knows of it: its kind once it was exercised or offered, its advance once the
    marker moved by it or the kind is known.
    """

    seat: int
    card: str
    kind: Kind | None = None
    advance: int | None = None


class Loan(Struct, frozen=True):
    """What the bank owes a company."""

    seat: int
    amount: int


class SealedAnswer(Struct, frozen=True):
    """A seat's answer to the open sealed question: a bid (None: a pass), an acceptance, or a loan."""

    seat: int
    value: int | bool | None


class Board(Struct, frozen=True):
    """Everything on and around the board.

    The top of `deck` is its first card. `laid` is the card of the turn, `played` are those of earlier turns; `loans`
    run oldest first; `proposals` are the tankers for which a dissolution was proposed this turn; `departed` are the
    seats that left, in order.
    """

    companies: tuple[Company, ...]
    turn: int = 0
    on_turn: int = 0
    marker: int = 0
    year_ends: int = 0
    bank: int = 0
    emitted: int = 0
    towers: int = 0
    deck: tuple[str, ...] = ()
    laid: Laid | None = None
    played: tuple[Laid, ...] = ()
    tankers: tuple[Tanker, ...] = ()
    loans: tuple[Loan, ...] = ()
    answers: tuple[SealedAnswer, ...] = ()
    proposals: tuple[str, ...] = ()
    departed: tuple[int, ...] = ()

    def tokens_in_stock(self, seat: int) -> int:
        """PT-074: the licence tokens that lie neither on a plot nor under a vehicle."""
        company = self.companies[seat]
        return company.tokens - len(company.plots) - len(company.trucks) - len(self.tankers_of(seat))

    def tankers_of(self, seat: int) -> tuple[Tanker, ...]:
        """The tankers in which the seat has a share, by id."""
        return tuple(tanker for tanker in self.tankers if tanker.owned_by(seat))

    def tanker_halves(self, seat: int) -> int:
        """The seat's halves of tankers; a tanker without a partner is two."""
        return sum(2 if tanker.partner is None else 1 for tanker in self.tankers_of(seat))

    def claims_of(self, seat: int) -> int:
        """What the bank owes the seat from loans."""
        return sum(loan.amount for loan in self.loans if loan.seat == seat)


Petroleo = Game[Board, StepWord]
