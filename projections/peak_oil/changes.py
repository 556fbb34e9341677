"""Small changes of the board that many events make."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from events.peak_oil.codes import Place, Spot
from projections.peak_oil.state import HQ, Board, Hq, Window

PlaceT = TypeVar("PlaceT", bound=str)


def with_hq(board: Board, seat: int, **changes: Any) -> tuple[Hq, ...]:
    """All HQs, one of them changed."""
    return (*board.seats[:seat], replace(board.seats[seat], **changes), *board.seats[seat + 1 :])


def paid(board: Board, seat: int, black: int, **changes: Any) -> Board:
    """PO-340, PO-343: black from HQ to the box, never back, and further changes to the HQ."""
    seats = with_hq(board, seat, black=board.seats[seat].black - black, **changes)
    return replace(board, seats=seats, box_black=board.box_black + black)


def moved(board: Board, seat: int, place: Place, by: int) -> Board:
    """So many more (or fewer) agents of a seat at a place."""
    if place == HQ:
        return replace(board, seats=with_hq(board, seat, agents=board.seats[seat].agents + by))
    here = board.spots[place]
    agents = (*here[:seat], here[seat] + by, *here[seat + 1 :])
    return replace(board, spots={**board.spots, place: agents})


def vacated_with(window: Window, place: Place) -> tuple[Spot, ...]:
    """The vacated spots, this one among them; HQ never is."""
    return window.vacated if place == HQ or place in window.vacated else (*window.vacated, place)


def more(barrels: dict[PlaceT, int], place: PlaceT, by: int = 1) -> dict[PlaceT, int]:
    """The barrels by place, so many more or fewer at one."""
    return {**barrels, place: barrels[place] + by}


def taken_away(board: Board, seat: int, place: Place) -> Board:
    """PO-067, PO-075: an agent leaves a place through a crisis: a locked one first, and the place is not vacated."""
    board = moved(board, seat, place, -1)
    locked = board.window.locks.get(place, 0)
    if not locked:
        return board
    return replace(board, window=replace(board.window, locks={**board.window.locks, place: locked - 1}))


def with_pr_deck(board: Board, level: int, cards: tuple[str, ...]) -> Board:
    """The board with another PR Crisis deck of this level."""
    return replace(board, pr_decks=(*board.pr_decks[: level - 1], cards, *board.pr_decks[level:]))
