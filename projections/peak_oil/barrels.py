"""The fold of Peak Oil: bag, crises and market."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from events.peak_oil import facts
from events.words import Event
from projections.peak_oil.changes import more, moved, paid, taken_away, with_hq, with_pr_deck
from projections.peak_oil.state import HQ, Board, Held, agents_by_place
from projections.table import Evolve


def _pulled(board: Board, event: facts.BarrelPulled) -> Board:
    """PO-340, PO-341, PO-342: red is put aside, yellow leaves for good, black goes where the event says."""
    window = board.window
    if event.colour == "yellow":
        return replace(board, bag_yellow=board.bag_yellow - 1, box_yellow=board.box_yellow + 1)
    if event.colour == "red":
        return replace(board, bag_red=board.bag_red - 1, window=replace(window, aside_red=window.aside_red + 1))
    if event.to == "region":
        assert event.region is not None
        return replace(board, bag_black=board.bag_black - 1, regions=more(board.regions, event.region))
    if event.to == "market":
        window = replace(window, first_black_used=True)
        return replace(board, bag_black=board.bag_black - 1, pulled=board.pulled + 1, window=window)
    return replace(board, bag_black=board.bag_black - 1, window=replace(window, aside_black=window.aside_black + 1))


def _searched(board: Board, event: facts.BagSearched) -> Board:
    regions = more(board.regions, event.region, event.black)
    return replace(board, bag_black=board.bag_black - event.black, regions=regions)


def _market_filled(board: Board, event: facts.MarketFilled) -> Board:
    market = more(board.market, event.technology)
    if event.source == "pull":
        return replace(board, market=market, pulled=board.pulled - 1)
    return replace(board, market=market, cargo=board.cargo - 1)


def _entry_placed(board: Board, event: facts.EntryPlaced) -> Board:
    market = more(board.market, event.technology)
    if event.source == HQ:
        seats = with_hq(board, event.seat, black=board.seats[event.seat].black - 1)
        return replace(board, market=market, seats=seats)
    return replace(board, market=market, regions=more(board.regions, event.source, -1))


def _distributed(board: Board, event: facts.MarketDistributed) -> Board:
    regions = dict(board.regions)
    for region in event.regions:
        regions[region] += 1
    return replace(board, regions=regions, market=dict.fromkeys(board.market, 0))


def _market_moved(board: Board, event: facts.MarketMoved) -> Board:
    technologies, market = dict(board.technologies), dict(board.market)
    for slot in event.slots:
        market[slot] = 0
    for barrels in event.technologies:
        technologies[barrels.technology] += barrels.black
    return replace(board, technologies=technologies, market=market)


def _boxed(board: Board, event: facts.BarrelsBoxed) -> Board:
    return paid(board, event.seat, event.black)


def _crisis(board: Board, event: facts.CrisisSuffered) -> Board:
    board = replace(board, window=replace(board.window, first_crisis_used=True))
    return paid(board, event.seat, event.loss) if event.loss else board


def _pr_drawn(board: Board, event: facts.PrCardDrawn) -> Board:
    board = with_pr_deck(board, event.level, board.pr_decks[event.level - 1][1:])
    return replace(board, seats=with_hq(board, event.seat, pr_down=event.card, pr_down_level=event.level))


def _pr_flipped(board: Board, event: facts.PrCardFlipped) -> Board:
    up = (*board.seats[event.seat].pr_up, event.card)
    return replace(board, seats=with_hq(board, event.seat, pr_up=up, pr_down=None, pr_down_level=0))


def _whitewashed(board: Board, event: facts.PrCardWhitewashed) -> Board:
    left = tuple(card for card in board.seats[event.seat].pr_up if card != event.card)
    board = paid(board, event.seat, event.paid, pr_up=left)
    return with_pr_deck(board, event.level, (*board.pr_decks[event.level - 1], event.card))


def _held(board: Board, event: facts.HeldOnCard) -> Board:
    if event.agent_from is not None:
        board = taken_away(board, event.seat, event.agent_from)
    hq = board.seats[event.seat]
    held = (*hq.held, Held(event.card, event.black, 0 if event.agent_from is None else 1))
    return replace(board, seats=with_hq(board, event.seat, held=held, black=hq.black - event.black))


def _released(board: Board, event: facts.ReleasedFromCard) -> Board:
    hq = board.seats[event.seat]
    held = tuple(thing for thing in hq.held if thing.card != event.card)
    seats = with_hq(board, event.seat, held=held, black=hq.black + event.black, agents=hq.agents + event.agents)
    return replace(board, seats=seats)


def _with_space(board: Board, space: int, seat: int | None) -> Board:
    at = board.track_spaces.index(space)
    return replace(board, track=(*board.track[:at], seat, *board.track[at + 1 :]))


def _to_track(board: Board, event: facts.AgentToTrack) -> Board:
    return _with_space(taken_away(board, event.seat, event.from_), event.space, event.seat)


def _bumped(board: Board, event: facts.AgentBumped) -> Board:
    board = _with_space(board, event.from_, None)
    if event.to is None:
        return moved(board, event.seat, HQ, 1)
    return _with_space(board, event.to, event.seat)


def _track_cleared(board: Board, event: facts.TrackCleared) -> Board:
    track = tuple(None if owner == event.seat else owner for owner in board.track)
    board = moved(replace(board, track=track), event.seat, HQ, event.agents)
    if event.cause != "stuck":
        return board
    return replace(board, window=replace(board.window, start=agents_by_place(board, event.seat)))


BARRELS: Mapping[type[Event], Evolve] = {
    facts.BarrelPulled: _pulled,
    facts.BagSearched: _searched,
    facts.MarketFilled: _market_filled,
    facts.EntryPlaced: _entry_placed,
    facts.MarketDistributed: _distributed,
    facts.MarketMoved: _market_moved,
    facts.BarrelsBoxed: _boxed,
    facts.CrisisSuffered: _crisis,
    facts.PrCardDrawn: _pr_drawn,
    facts.PrCardFlipped: _pr_flipped,
    facts.PrCardWhitewashed: _whitewashed,
    facts.HeldOnCard: _held,
    facts.ReleasedFromCard: _released,
    facts.AgentToTrack: _to_track,
    facts.AgentBumped: _bumped,
    facts.TrackCleared: _track_cleared,
}
