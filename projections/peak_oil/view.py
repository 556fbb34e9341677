"""Peak Oil as one viewer may see it: built up from what is public and what is the viewer's own (register section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct

from events.peak_oil.codes import Barrels, Phase, Place, Region, SeatScore, Spot, Technology
from projections.game import AnyGame
from projections.peak_oil.state import Board, Chip, Held, Hq


class EditionData(Protocol):
    """What a view takes from an edition: what the chips on the board show."""

    @property
    def risk_chip(self) -> Mapping[str, Any]: ...
    @property
    def refinery_chip(self) -> Mapping[str, Any]: ...


class RiskView(Struct, frozen=True):
    """A Risk chip: what is up, and what is on its back."""

    place: str
    chip: str
    question_marks: int
    skulls: int
    closed: bool
    back_question_marks: int
    back_skulls: int
    back_closed: bool


class RefineryView(Struct, frozen=True):
    """A Refinery chip: the Demand that is up, and the one on its back."""

    place: str
    chip: str
    demand: int
    back_demand: int


class DisplayView(Struct, frozen=True):
    """The open cards of a display, and how many lie in its deck."""

    cards: tuple[str, ...]
    deck: int


class WindowView(Struct, frozen=True):
    """What counts in the turn or opportunity under way."""

    first_black_used: bool
    first_crisis_used: bool
    aside: Barrels
    vacated: tuple[Spot, ...]
    locked: dict[Place, int]


class TrackSpace(Struct, frozen=True):
    """A usable space of the PR track, and whose agent is on it."""

    space: int
    seat: int | None


class HqView(Struct, frozen=True):
    """A seat's HQ. What is null is hidden from the viewer, or not there: the numbers beside it tell."""

    seat: int
    black: int
    agents: int
    reserve: int
    security: int
    oil_fields: tuple[str, ...]
    consultants: tuple[str, ...]
    pr_face_up: tuple[str, ...]
    pr_face_down_level: int | None
    pr_face_down: str | None
    held: tuple[Held, ...]
    start_up_count: int
    start_ups: tuple[str, ...] | None
    portfolio: str | None


class BoardView(Struct, frozen=True):
    """The table. What is closed at this number of seats is not there at all."""

    phase: Phase
    turn: int
    first_player: int
    active: int | None
    marker: int | None
    trigger: str | None
    checking: Spot | None
    bag: Barrels
    box: Barrels
    pulled: int
    cargo: int
    cargo_from: Region | None
    window: WindowView | None
    spots: dict[Spot, tuple[int, ...]]
    regions: dict[Region, int]
    market: dict[Technology, int]
    technologies: dict[Technology, int]
    risks: tuple[RiskView, ...]
    refineries: tuple[RefineryView, ...]
    security_reserve: int
    oil_fields: DisplayView
    start_ups: DisplayView
    consultants: tuple[str, ...]
    pr_decks: tuple[int, ...]
    track: tuple[TrackSpace, ...]
    seats: tuple[HqView, ...]
    scores: tuple[SeatScore, ...] | None


def view(game: AnyGame, viewer: int | None, edition: EditionData) -> BoardView:
    """PO-350, PO-351, PO-354: public facts, the viewer's own cards; after the end, everything."""
    board: Board = game.board
    ended, risk_chip, refinery_chip = game.ended, edition.risk_chip, edition.refinery_chip
    return BoardView(
        phase=board.phase,
        turn=board.turn,
        first_player=board.first_player,
        active=board.active,
        marker=board.marker,
        trigger=board.trigger,
        checking=board.checking,
        bag=Barrels(board.bag_black, board.bag_red, board.bag_yellow),
        box=Barrels(board.box_black, board.box_red, board.box_yellow),
        pulled=board.pulled,
        cargo=board.cargo,
        cargo_from=board.cargo_from,
        window=None if board.active is None else _window(board),
        spots=board.spots,
        regions=board.regions,
        market=board.market,
        technologies=board.technologies,
        risks=tuple([_risk(place, chip, risk_chip[chip.chip].faces) for place, chip in board.risks.items()]),
        refineries=tuple(
            [_refinery(place, chip, refinery_chip[chip.chip].demand) for place, chip in board.refineries.items()]
        ),
        security_reserve=board.security,
        oil_fields=DisplayView(board.field_display, len(board.field_deck)),
        start_ups=DisplayView(board.start_up_display, len(board.start_up_deck)),
        consultants=board.consultants,
        pr_decks=tuple(map(len, board.pr_decks)),
        track=tuple(map(TrackSpace, board.track_spaces, board.track)),
        seats=tuple([_hq(seat, hq, opened=ended or seat == viewer) for seat, hq in enumerate(board.seats)]),
        scores=board.scores or None,
    )


def _hq(seat: int, hq: Hq, *, opened: bool) -> HqView:
    """PO-128, PO-351, PO-354: a portfolio, a face-down card and the list of Start-Ups are their owner's to see."""
    return HqView(
        seat=seat,
        black=hq.black,
        agents=hq.agents,
        reserve=hq.reserve,
        security=hq.security,
        oil_fields=hq.fields,
        consultants=hq.consultants,
        pr_face_up=hq.pr_up,
        pr_face_down_level=hq.pr_down_level or None,
        pr_face_down=hq.pr_down if opened else None,
        held=hq.held,
        start_up_count=len(hq.start_ups),
        start_ups=hq.start_ups if opened else None,
        portfolio=hq.portfolio if opened else None,
    )


def _window(board: Board) -> WindowView:
    window = board.window
    return WindowView(
        window.first_black_used,
        window.first_crisis_used,
        Barrels(window.aside_black, window.aside_red),
        window.vacated,
        {place: number for place, number in window.locks.items() if number},
    )


# There are few chips, each with two sides; most of a view's time went to telling of them anew.
@lru_cache(maxsize=1024)
def _risk(place: str, chip: Chip, faces: tuple[Any, Any]) -> RiskView:
    up, back = faces[chip.face], faces[1 - chip.face]
    return RiskView(
        place, chip.chip, up.question_marks, up.skulls, up.closed, back.question_marks, back.skulls, back.closed
    )


@lru_cache(maxsize=1024)
def _refinery(place: str, chip: Chip, demand: tuple[int, int]) -> RefineryView:
    return RefineryView(place, chip.chip, demand[chip.face], demand[1 - chip.face])
