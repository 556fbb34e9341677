"""The Crude rules, as differences from the base game: PO-300 … PO-321."""

from __future__ import annotations

from events.peak_oil.codes import Place, Technology
from events.peak_oil.commands import ChooseOwnAgent, CrudeWhitewash, MarketMove, MarketPlace, Research
from events.peak_oil.facts import (
    AgentBumped,
    AgentToTrack,
    CrisisSuffered,
    TechnologyMoved,
    TechnologyPlaced,
    TrackCleared,
)
from events.peak_oil.steps import ChooseOption, CrudeCrisisAgent, PeakOption
from projections.peak_oil.state import Board
from rules.peak_oil import develop
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.crisis import own_agent_barred, places_of
from rules.peak_oil.spots import begin_option

# ---- the PR track


def suffer_crude_crisis(table: PeakOilTable) -> None:
    """PO-304, PO-306, PO-308: no loss and no card; an own agent goes on the track, chosen where there is a choice."""
    seat = mover(table)
    table.emit(CrisisSuffered(seat, 0, not table.board.window.first_crisis_used))
    places = places_of(table.board, seat)
    if len(places) == 1:
        _put_on_track(table, seat, places[0])
    elif places:
        table.next(CrudeCrisisAgent(awaits=(seat,)))


def choose_crisis_agent(table: PeakOilTable, step: CrudeCrisisAgent, command: ChooseOwnAgent) -> None:
    """PO-304: the owner says which agent goes on the track."""
    allow(table, own_agent_barred(table, mover(table), command.from_, "PO-304"))
    _put_on_track(table, mover(table), command.from_)


def _put_on_track(table: PeakOilTable, seat: int, origin: Place) -> None:
    """PO-305, PO-310: agents in the way move one space each, up to the first gap, or off the end and home."""
    spaces, track = table.board.track_spaces, table.board.track
    gap = track.index(None) if None in track else len(track)
    for at in range(gap - 1, -1, -1):
        owner = track[at]
        assert owner is not None
        table.emit(AgentBumped(owner, spaces[at], spaces[at + 1] if at + 1 < len(spaces) else None))
    table.emit(AgentToTrack(seat, origin, spaces[0]))


def on_track(board: Board, seat: int) -> int:
    """PO-307: how many agents of a seat are stuck on the track."""
    return sum(owner == seat for owner in board.track)


def release_stuck(table: PeakOilTable, seat: int) -> None:
    """PO-309: who begins a turn with all agents in play on the track gets them back."""
    agents = on_track(table.board, seat)
    if agents and not places_of(table.board, seat):
        table.emit(TrackCleared(seat, agents, "stuck"))


def crude_whitewash_barred(at: At, seat: int) -> Barred:
    """PO-314: there must be an own agent on the track."""
    return None if on_track(at.board, seat) else ("PO-314", "no_agent_there")


def crude_whitewash(table: PeakOilTable, step: ChooseOption | PeakOption, command: CrudeWhitewash) -> None:
    """PO-314: all own agents on the track come home, free of charge."""
    begin_option(table, step, "crude_whitewash")
    seat = mover(table)
    allow(table, crude_whitewash_barred(table, seat))
    table.emit(TrackCleared(seat, on_track(table.board, seat), "whitewash"))


# ---- Research


def research_barred(at: At) -> Barred:
    """PO-313, AMB-29: not in the Peak Oil phase, in which no card comes up."""
    return ("PO-260", "no_refresh") if at.board.phase == "peak_oil" else None


def research(table: PeakOilTable, step: ChooseOption | PeakOption, command: Research) -> None:
    """PO-313, AMB-50: both displays go under their decks and come anew."""
    begin_option(table, step, "research")
    allow(table, research_barred(table))
    develop.refresh(table, "oil_fields")
    develop.refresh(table, "start_ups")


# ---- Marketing


def market_place_barred(at: At, seat: int, technology: Technology) -> Barred:
    """PO-009, PO-316: 1 black from HQ on any open technology."""
    if technology not in at.board.technologies:
        return "PO-009", "tech_closed", "/technology"
    return None if at.board.seats[seat].black else ("PO-316", "insufficient_barrels")


def market_place(table: PeakOilTable, step: ChooseOption | PeakOption, command: MarketPlace) -> None:
    """PO-316: a barrel of one's own on a technology."""
    begin_option(table, step, "marketing")
    allow(table, market_place_barred(table, mover(table), command.technology))
    table.emit(TechnologyPlaced(mover(table), command.technology))


def market_move_barred(at: At, seat: int, origin: Technology, to: Technology) -> Barred:
    """PO-009, PO-316, PO-317: a barrel there, another open technology, and what the target will hold in HQ."""
    technologies = at.board.technologies
    for technology, field in ((origin, "/from_technology"), (to, "/to_technology")):
        if technology not in technologies:
            return "PO-009", "tech_closed", field
    if origin == to:
        return "PO-316", "same_position", "/to_technology"
    if not technologies[origin]:
        return "PO-316", "insufficient_barrels", "/from_technology"
    if at.board.seats[seat].black < technologies[to] + 1:
        return "PO-317", "insufficient_barrels", "/to_technology"
    return None


def market_move(table: PeakOilTable, step: ChooseOption | PeakOption, command: MarketMove) -> None:
    """PO-316, PO-317, AMB-51: a barrel moves; the price is what the target holds then, paid to the box."""
    begin_option(table, step, "marketing")
    seat, origin, to = mover(table), command.from_technology, command.to_technology
    allow(table, market_move_barred(table, seat, origin, to))
    table.emit(TechnologyMoved(seat, origin, to, table.board.technologies[to] + 1))
