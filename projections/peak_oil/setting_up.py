"""The fold of Peak Oil: the set-up."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from events.peak_oil import facts
from events.words import Event
from projections.peak_oil.changes import with_hq, with_pr_deck
from projections.peak_oil.state import Board, Chip, Hq
from projections.table import Evolve


def _started(board: Board, event: facts.GameStarted) -> Board:
    hq = Hq(black=event.hq_black, agents=event.hq_agents, reserve=event.reserve_agents)
    return replace(
        board,
        seats=(hq,) * event.seats,
        bag_black=event.bag.black,
        bag_red=event.bag.red,
        bag_yellow=event.bag.yellow,
        box_black=event.box.black,
        box_red=event.box.red,
        box_yellow=event.box.yellow,
        spots=dict.fromkeys(event.spots, (0,) * event.seats),
        regions=dict.fromkeys(event.regions, 0),
        market=dict.fromkeys(event.technologies, 0),
        technologies=dict.fromkeys(event.technologies, 0),
        security=event.security,
        track_spaces=event.track,
        track=(None,) * len(event.track),
    )


def _first_player(board: Board, event: facts.FirstPlayerChosen) -> Board:
    return replace(board, first_player=event.seat)


def _chips_placed(board: Board, event: facts.ChipsPlaced) -> Board:
    chips = {placed.place: Chip(placed.chip) for placed in event.chips}
    return replace(board, refineries=chips) if event.kind == "refinery" else replace(board, risks=chips)


def _chips_turned(board: Board, event: facts.ChipsTurned) -> Board:
    chips = board.refineries if event.kind == "refinery" else board.risks
    turned = {place: replace(chip, face=face) for (place, chip), face in zip(chips.items(), event.faces, strict=True)}
    return replace(board, refineries=turned) if event.kind == "refinery" else replace(board, risks=turned)


def _shuffled(board: Board, event: facts.DeckShuffled) -> Board:
    if event.deck == "oil_fields":
        return replace(board, field_deck=event.order)
    if event.deck == "start_ups":
        return replace(board, start_up_deck=event.order)
    return with_pr_deck(board, int(event.deck.removeprefix("pr_")), event.order)


def _stocked(board: Board, event: facts.RegionsStocked) -> Board:
    regions = dict(board.regions)
    for barrels in event.barrels:
        regions[barrels.region] += barrels.black
    placed = sum(barrels.black for barrels in event.barrels)
    deck = (*board.field_deck[len(event.cards) :], *event.cards)
    return replace(board, regions=regions, box_black=board.box_black - placed, field_deck=deck)


def _portfolio(board: Board, event: facts.PortfolioDealt) -> Board:
    return replace(board, seats=with_hq(board, event.seat, portfolio=event.card))


def _offered(board: Board, event: facts.ConsultantsOffered) -> Board:
    return replace(board, consultants=(*board.consultants, *event.cards))


SETTING_UP: Mapping[type[Event], Evolve] = {
    facts.GameStarted: _started,
    facts.FirstPlayerChosen: _first_player,
    facts.ChipsPlaced: _chips_placed,
    facts.ChipsTurned: _chips_turned,
    facts.DeckShuffled: _shuffled,
    facts.RegionsStocked: _stocked,
    facts.PortfolioDealt: _portfolio,
    facts.ConsultantsOffered: _offered,
}
