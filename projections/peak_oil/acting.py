"""The fold of Peak Oil: options and chips."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from events.peak_oil import facts
from events.words import Event
from projections.peak_oil.changes import more, moved, paid, vacated_with, with_hq
from projections.peak_oil.state import Board, Chip
from projections.table import Evolve


def _recruited(board: Board, event: facts.AgentRecruited) -> Board:
    hq = board.seats[event.seat]
    return replace(board, seats=with_hq(board, event.seat, agents=hq.agents + 1, reserve=hq.reserve - 1))


def _dispatched(board: Board, event: facts.AgentsDispatched) -> Board:
    board = moved(moved(board, event.seat, "EXP", -event.agents), event.seat, event.to, event.agents)
    window = board.window
    locks = {**window.locks, event.to: window.locks.get(event.to, 0) + event.agents}
    return replace(board, window=replace(window, vacated=vacated_with(window, "EXP"), locks=locks))


def _refilled(board: Board, event: facts.DisplayRefilled) -> Board:
    n = len(event.cards)
    if event.display == "oil_fields":
        return replace(board, field_deck=board.field_deck[n:], field_display=(*board.field_display, *event.cards))
    return replace(
        board, start_up_deck=board.start_up_deck[n:], start_up_display=(*board.start_up_display, *event.cards)
    )


def _refreshed(board: Board, event: facts.DisplayRefreshed) -> Board:
    n = len(event.revealed)
    if event.display == "oil_fields":
        deck = (*board.field_deck, *event.under)
        return replace(board, field_deck=deck[n:], field_display=event.revealed)
    deck = (*board.start_up_deck, *event.under)
    return replace(board, start_up_deck=deck[n:], start_up_display=event.revealed)


def _field_taken(board: Board, event: facts.OilFieldTaken) -> Board:
    hq = board.seats[event.seat]
    seats = with_hq(board, event.seat, fields=(*hq.fields, event.card), security=hq.security + event.security)
    display = tuple(card for card in board.field_display if card != event.card)
    return replace(board, seats=seats, field_display=display, security=board.security - event.security)


def _start_up_bought(board: Board, event: facts.StartUpBought) -> Board:
    start_ups = (*board.seats[event.seat].start_ups, event.card)
    display = tuple(card for card in board.start_up_display if card != event.card)
    return replace(paid(board, event.seat, event.price, start_ups=start_ups), start_up_display=display)


def _technology_placed(board: Board, event: facts.TechnologyPlaced) -> Board:
    seats = with_hq(board, event.seat, black=board.seats[event.seat].black - 1)
    return replace(board, seats=seats, technologies=more(board.technologies, event.technology))


def _technology_moved(board: Board, event: facts.TechnologyMoved) -> Board:
    technologies = more(more(board.technologies, event.from_, -1), event.to)
    return replace(paid(board, event.seat, event.paid), technologies=technologies)


def _hired(board: Board, event: facts.ConsultantHired) -> Board:
    consultants = (*board.seats[event.seat].consultants, event.card)
    left = tuple(card for card in board.consultants if card != event.card)
    return replace(board, seats=with_hq(board, event.seat, consultants=consultants), consultants=left)


def _loaded(board: Board, event: facts.CargoLoaded) -> Board:
    regions = more(board.regions, event.region, -event.black)
    return replace(board, regions=regions, cargo=event.black, cargo_from=event.region)


def _shipped(board: Board, event: facts.Shipped) -> Board:
    seats = with_hq(board, event.seat, black=board.seats[event.seat].black + event.earned)
    return replace(board, seats=seats, box_black=board.box_black + event.boxed, cargo=0, cargo_from=None)


def _flip(chips: dict[str, Chip], *places: str) -> dict[str, Chip]:
    return {**chips, **{place: replace(chips[place], face=1 - chips[place].face) for place in places}}


def _flipped(board: Board, event: facts.ChipsFlipped) -> Board:
    return replace(board, refineries=_flip(board.refineries, event.refinery), risks=_flip(board.risks, *event.risks))


def _security_used(board: Board, event: facts.SecurityUsed) -> Board:
    on_refineries = event.kind in ("swap_refinery", "flip_refinery")
    chips = board.refineries if on_refineries else board.risks
    if event.kind in ("flip_refinery", "flip_risk"):
        chips = _flip(chips, *event.places)
    else:
        one, other = event.places
        chips = {**chips, one: chips[other], other: chips[one]}
    board = replace(board, refineries=chips) if on_refineries else replace(board, risks=chips)
    seats = with_hq(board, event.seat, security=board.seats[event.seat].security - 1)
    return replace(board, seats=seats, security=board.security + 1)


ACTING: Mapping[type[Event], Evolve] = {
    facts.AgentRecruited: _recruited,
    facts.AgentsDispatched: _dispatched,
    facts.DisplayRefilled: _refilled,
    facts.DisplayRefreshed: _refreshed,
    facts.OilFieldTaken: _field_taken,
    facts.StartUpBought: _start_up_bought,
    facts.TechnologyPlaced: _technology_placed,
    facts.TechnologyMoved: _technology_moved,
    facts.ConsultantHired: _hired,
    facts.CargoLoaded: _loaded,
    facts.Shipped: _shipped,
    facts.ChipsFlipped: _flipped,
    facts.SecurityUsed: _security_used,
}
