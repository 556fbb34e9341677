"""The board of Peak Oil: what is true beside what all games share."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.peak_oil.codes import Phase, Place, Region, SeatScore, Spot, Technology
from events.peak_oil.steps import StepWord
from projections.game import Game

HQ: Final = "HQ"


class Held(Struct, frozen=True):
    """What lies on a PR Crisis card, out of the game until the card goes."""

    card: str
    black: int
    agents: int


class Hq(Struct, frozen=True):
    """What one seat has.

    `agents` stand in HQ, `reserve` are not recruited. `pr_up` are the PR Crisis cards that lie face up, `pr_down` is
    the one face down, whose level is public. `start_ups` and `portfolio` are the seat's own knowledge.
    """

    black: int = 0
    agents: int = 0
    reserve: int = 0
    security: int = 0
    fields: tuple[str, ...] = ()
    start_ups: tuple[str, ...] = ()
    portfolio: str | None = None
    consultants: tuple[str, ...] = ()
    pr_up: tuple[str, ...] = ()
    pr_down: str | None = None
    pr_down_level: int = 0
    held: tuple[Held, ...] = ()


class Chip(Struct, frozen=True):
    """A chip on its place; `face` is the side that is up."""

    chip: str
    face: int = 0


class Window(Struct, frozen=True):
    """What counts for the length of one turn, or of one opportunity in the Peak Oil phase.

    `vacated` are the spots that the active seat may not enter any more, `locks` its agents by place that may not move
    any more, `start` where its agents were: HQ first, then the spots in order.
    """

    first_black_used: bool = False
    first_crisis_used: bool = False
    aside_black: int = 0
    aside_red: int = 0
    vacated: tuple[Spot, ...] = ()
    locks: dict[Place, int] = {}
    start: tuple[int, ...] = ()


NO_WINDOW = Window()


class Board(Struct, frozen=True):
    """Everything on and around the table.

    What is closed at this number of seats has no key anywhere. `spots` holds agents by seat; `regions`, `market` and
    `technologies` hold black barrels; the top of a deck is its first card. `pulled` waits for a market slot, `cargo`
    is on a tanker that sails from `cargo_from`. `track` has the seat of the agent on each usable space, first to last.
    """

    seats: tuple[Hq, ...]
    phase: Phase = "setup"
    turn: int = 0
    first_player: int = 0
    active: int | None = None
    window: Window = NO_WINDOW
    marker: int | None = None
    trigger: str | None = None
    bag_black: int = 0
    bag_red: int = 0
    bag_yellow: int = 0
    box_black: int = 0
    box_red: int = 0
    box_yellow: int = 0
    pulled: int = 0
    cargo: int = 0
    cargo_from: Region | None = None
    spots: dict[Spot, tuple[int, ...]] = {}
    regions: dict[Region, int] = {}
    market: dict[Technology, int] = {}
    technologies: dict[Technology, int] = {}
    risks: dict[str, Chip] = {}
    refineries: dict[str, Chip] = {}
    security: int = 0
    field_deck: tuple[str, ...] = ()
    field_display: tuple[str, ...] = ()
    start_up_deck: tuple[str, ...] = ()
    start_up_display: tuple[str, ...] = ()
    consultants: tuple[str, ...] = ()
    pr_decks: tuple[tuple[str, ...], ...] = ((), (), ())
    track_spaces: tuple[int, ...] = ()
    track: tuple[int | None, ...] = ()
    checking: Spot | None = None
    scores: tuple[SeatScore, ...] = ()


PeakOil = Game[Board, StepWord]


def agents_by_place(board: Board, seat: int) -> tuple[int, ...]:
    """Where a seat's agents are: HQ first, then the spots in order."""
    return (board.seats[seat].agents, *[agents[seat] for agents in board.spots.values()])


def places(board: Board) -> tuple[Place, ...]:
    """Where agents can be in play: HQ first, then the spots in order."""
    return (HQ, *board.spots)


def bag_total(board: Board) -> int:
    """PO-100, PO-114: all barrels in the bag; those put aside are not."""
    return board.bag_black + board.bag_red + board.bag_yellow
