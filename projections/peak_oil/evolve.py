"""The fold of Peak Oil: one function per event, no opinion about legality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from events import peak_oil as words
from events.table import GameCreated, SeatResigned
from events.words import Event
from projections.game import Evolve, Projection
from projections.peak_oil.state import HQ, NO_WINDOW, Board, Chip, Held, Hq, PeakOil, Window, agents_by_place

PlaceT = TypeVar("PlaceT", bound=str)


def begin(event: GameCreated) -> Board:
    """An empty table."""
    return Board(seats=(Hq(),) * event.seats)


# ---- small changes that many events make


def _hq(board: Board, seat: int, **changes: Any) -> tuple[Hq, ...]:
    return (*board.seats[:seat], replace(board.seats[seat], **changes), *board.seats[seat + 1 :])


def _paid(board: Board, seat: int, black: int, **changes: Any) -> Board:
    """Black from HQ to the box, and further changes to the HQ."""
    seats = _hq(board, seat, black=board.seats[seat].black - black, **changes)
    return replace(board, seats=seats, box_black=board.box_black + black)


def _moved(board: Board, seat: int, place: words.Place, by: int) -> Board:
    """So many more (or fewer) agents of a seat at a place."""
    if place == HQ:
        return replace(board, seats=_hq(board, seat, agents=board.seats[seat].agents + by))
    here = board.spots[place]
    agents = (*here[:seat], here[seat] + by, *here[seat + 1 :])
    return replace(board, spots={**board.spots, place: agents})


def _vacated(window: Window, place: words.Place) -> tuple[words.Spot, ...]:
    return window.vacated if place == HQ or place in window.vacated else (*window.vacated, place)


def _more(barrels: dict[PlaceT, int], place: PlaceT, by: int = 1) -> dict[PlaceT, int]:
    return {**barrels, place: barrels[place] + by}


# ---- set-up


def _started(board: Board, event: words.GameStarted) -> Board:
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


def _first_player(board: Board, event: words.FirstPlayerChosen) -> Board:
    return replace(board, first_player=event.seat)


def _chips_placed(board: Board, event: words.ChipsPlaced) -> Board:
    chips = {placed.place: Chip(placed.chip) for placed in event.chips}
    return replace(board, refineries=chips) if event.kind == "refinery" else replace(board, risks=chips)


def _chips_turned(board: Board, event: words.ChipsTurned) -> Board:
    chips = board.refineries if event.kind == "refinery" else board.risks
    turned = {place: replace(chip, face=face) for (place, chip), face in zip(chips.items(), event.faces, strict=True)}
    return replace(board, refineries=turned) if event.kind == "refinery" else replace(board, risks=turned)


def _shuffled(board: Board, event: words.DeckShuffled) -> Board:
    if event.deck == "oil_fields":
        return replace(board, field_deck=event.order)
    if event.deck == "start_ups":
        return replace(board, start_up_deck=event.order)
    return _with_pr_deck(board, int(event.deck.removeprefix("pr_")), event.order)


def _with_pr_deck(board: Board, level: int, cards: tuple[str, ...]) -> Board:
    return replace(board, pr_decks=(*board.pr_decks[: level - 1], cards, *board.pr_decks[level:]))


def _stocked(board: Board, event: words.RegionsStocked) -> Board:
    regions = dict(board.regions)
    for barrels in event.barrels:
        regions[barrels.region] += barrels.black
    placed = sum(barrels.black for barrels in event.barrels)
    deck = (*board.field_deck[len(event.cards) :], *event.cards)
    return replace(board, regions=regions, box_black=board.box_black - placed, field_deck=deck)


def _portfolio(board: Board, event: words.PortfolioDealt) -> Board:
    return replace(board, seats=_hq(board, event.seat, portfolio=event.card))


def _offered(board: Board, event: words.ConsultantsOffered) -> Board:
    return replace(board, consultants=(*board.consultants, *event.cards))


# ---- turns and agents


def _turn_started(board: Board, event: words.TurnStarted) -> Board:
    window = Window(start=agents_by_place(board, event.seat))
    return replace(board, phase="turns", turn=event.turn, active=event.seat, window=window)


def _nothing(board: Board, event: Event) -> Board:
    return board


def _reassigned(board: Board, event: words.AgentReassigned) -> Board:
    board = _moved(_moved(board, event.seat, event.from_, -1), event.seat, event.to, 1)
    if event.paid:
        board = _paid(board, event.seat, event.paid)
    if board.phase != "turns":
        return board
    window = board.window
    locks = {**window.locks, event.to: window.locks.get(event.to, 0) + 1}
    return replace(board, window=replace(window, vacated=_vacated(window, event.from_), locks=locks))


def _returned(board: Board, event: words.AgentsReturned) -> Board:
    if event.agents:
        board = _moved(_moved(board, event.seat, event.spot, -event.agents), event.seat, HQ, event.agents)
    window = board.window
    locks = {place: n for place, n in window.locks.items() if place != event.spot}
    return replace(board, window=replace(window, vacated=_vacated(window, event.spot), locks=locks))


def _window_closed(board: Board, event: words.WindowClosed) -> Board:
    return replace(
        board,
        bag_black=board.bag_black + event.black,
        bag_red=board.bag_red + event.red,
        active=None,
        window=NO_WINDOW,
    )


def _taken_away(board: Board, seat: int, place: words.Place) -> Board:
    """An agent leaves a place through a crisis: a locked one first, and the place does not count as vacated."""
    board = _moved(board, seat, place, -1)
    locked = board.window.locks.get(place, 0)
    if not locked:
        return board
    return replace(board, window=replace(board.window, locks={**board.window.locks, place: locked - 1}))


# ---- bag, crises and market


def _pulled(board: Board, event: words.BarrelPulled) -> Board:
    window = board.window
    if event.colour == "yellow":
        return replace(board, bag_yellow=board.bag_yellow - 1, box_yellow=board.box_yellow + 1)
    if event.colour == "red":
        return replace(board, bag_red=board.bag_red - 1, window=replace(window, aside_red=window.aside_red + 1))
    if event.to == "region":
        assert event.region is not None
        return replace(board, bag_black=board.bag_black - 1, regions=_more(board.regions, event.region))
    if event.to == "market":
        window = replace(window, first_black_used=True)
        return replace(board, bag_black=board.bag_black - 1, pulled=board.pulled + 1, window=window)
    return replace(board, bag_black=board.bag_black - 1, window=replace(window, aside_black=window.aside_black + 1))


def _searched(board: Board, event: words.BagSearched) -> Board:
    regions = _more(board.regions, event.region, event.black)
    return replace(board, bag_black=board.bag_black - event.black, regions=regions)


def _market_filled(board: Board, event: words.MarketFilled) -> Board:
    market = _more(board.market, event.technology)
    if event.source == "pull":
        return replace(board, market=market, pulled=board.pulled - 1)
    return replace(board, market=market, cargo=board.cargo - 1)


def _entry_placed(board: Board, event: words.EntryPlaced) -> Board:
    market = _more(board.market, event.technology)
    if event.source == HQ:
        seats = _hq(board, event.seat, black=board.seats[event.seat].black - 1)
        return replace(board, market=market, seats=seats)
    return replace(board, market=market, regions=_more(board.regions, event.source, -1))


def _distributed(board: Board, event: words.MarketDistributed) -> Board:
    regions = dict(board.regions)
    for region in event.regions:
        regions[region] += 1
    return replace(board, regions=regions, market=dict.fromkeys(board.market, 0))


def _market_moved(board: Board, event: words.MarketMoved) -> Board:
    technologies, market = dict(board.technologies), dict(board.market)
    for slot in event.slots:
        market[slot] = 0
    for barrels in event.technologies:
        technologies[barrels.technology] += barrels.black
    return replace(board, technologies=technologies, market=market)


def _boxed(board: Board, event: words.BarrelsBoxed) -> Board:
    return _paid(board, event.seat, event.black)


def _crisis(board: Board, event: words.CrisisSuffered) -> Board:
    board = replace(board, window=replace(board.window, first_crisis_used=True))
    return _paid(board, event.seat, event.loss) if event.loss else board


def _pr_drawn(board: Board, event: words.PrCardDrawn) -> Board:
    board = _with_pr_deck(board, event.level, board.pr_decks[event.level - 1][1:])
    return replace(board, seats=_hq(board, event.seat, pr_down=event.card, pr_down_level=event.level))


def _pr_flipped(board: Board, event: words.PrCardFlipped) -> Board:
    up = (*board.seats[event.seat].pr_up, event.card)
    return replace(board, seats=_hq(board, event.seat, pr_up=up, pr_down=None, pr_down_level=0))


def _whitewashed(board: Board, event: words.PrCardWhitewashed) -> Board:
    left = tuple(card for card in board.seats[event.seat].pr_up if card != event.card)
    board = _paid(board, event.seat, event.paid, pr_up=left)
    return _with_pr_deck(board, event.level, (*board.pr_decks[event.level - 1], event.card))


def _held(board: Board, event: words.HeldOnCard) -> Board:
    if event.agent_from is not None:
        board = _taken_away(board, event.seat, event.agent_from)
    hq = board.seats[event.seat]
    held = (*hq.held, Held(event.card, event.black, 0 if event.agent_from is None else 1))
    return replace(board, seats=_hq(board, event.seat, held=held, black=hq.black - event.black))


def _released(board: Board, event: words.ReleasedFromCard) -> Board:
    hq = board.seats[event.seat]
    held = tuple(thing for thing in hq.held if thing.card != event.card)
    seats = _hq(board, event.seat, held=held, black=hq.black + event.black, agents=hq.agents + event.agents)
    return replace(board, seats=seats)


def _with_space(board: Board, space: int, seat: int | None) -> Board:
    at = board.track_spaces.index(space)
    return replace(board, track=(*board.track[:at], seat, *board.track[at + 1 :]))


def _to_track(board: Board, event: words.AgentToTrack) -> Board:
    return _with_space(_taken_away(board, event.seat, event.from_), event.space, event.seat)


def _bumped(board: Board, event: words.AgentBumped) -> Board:
    board = _with_space(board, event.from_, None)
    if event.to is None:
        return _moved(board, event.seat, HQ, 1)
    return _with_space(board, event.to, event.seat)


def _track_cleared(board: Board, event: words.TrackCleared) -> Board:
    track = tuple(None if owner == event.seat else owner for owner in board.track)
    board = _moved(replace(board, track=track), event.seat, HQ, event.agents)
    if event.cause != "stuck":
        return board
    return replace(board, window=replace(board.window, start=agents_by_place(board, event.seat)))


# ---- options


def _recruited(board: Board, event: words.AgentRecruited) -> Board:
    hq = board.seats[event.seat]
    return replace(board, seats=_hq(board, event.seat, agents=hq.agents + 1, reserve=hq.reserve - 1))


def _dispatched(board: Board, event: words.AgentsDispatched) -> Board:
    board = _moved(_moved(board, event.seat, "EXP", -event.agents), event.seat, event.to, event.agents)
    window = board.window
    locks = {**window.locks, event.to: window.locks.get(event.to, 0) + event.agents}
    return replace(board, window=replace(window, vacated=_vacated(window, "EXP"), locks=locks))


def _refilled(board: Board, event: words.DisplayRefilled) -> Board:
    n = len(event.cards)
    if event.display == "oil_fields":
        return replace(board, field_deck=board.field_deck[n:], field_display=(*board.field_display, *event.cards))
    return replace(
        board, start_up_deck=board.start_up_deck[n:], start_up_display=(*board.start_up_display, *event.cards)
    )


def _refreshed(board: Board, event: words.DisplayRefreshed) -> Board:
    n = len(event.revealed)
    if event.display == "oil_fields":
        deck = (*board.field_deck, *event.under)
        return replace(board, field_deck=deck[n:], field_display=event.revealed)
    deck = (*board.start_up_deck, *event.under)
    return replace(board, start_up_deck=deck[n:], start_up_display=event.revealed)


def _field_taken(board: Board, event: words.OilFieldTaken) -> Board:
    hq = board.seats[event.seat]
    seats = _hq(board, event.seat, fields=(*hq.fields, event.card), security=hq.security + event.security)
    display = tuple(card for card in board.field_display if card != event.card)
    return replace(board, seats=seats, field_display=display, security=board.security - event.security)


def _start_up_bought(board: Board, event: words.StartUpBought) -> Board:
    start_ups = (*board.seats[event.seat].start_ups, event.card)
    display = tuple(card for card in board.start_up_display if card != event.card)
    return replace(_paid(board, event.seat, event.price, start_ups=start_ups), start_up_display=display)


def _technology_placed(board: Board, event: words.TechnologyPlaced) -> Board:
    seats = _hq(board, event.seat, black=board.seats[event.seat].black - 1)
    return replace(board, seats=seats, technologies=_more(board.technologies, event.technology))


def _technology_moved(board: Board, event: words.TechnologyMoved) -> Board:
    technologies = _more(_more(board.technologies, event.from_, -1), event.to)
    return replace(_paid(board, event.seat, event.paid), technologies=technologies)


def _hired(board: Board, event: words.ConsultantHired) -> Board:
    consultants = (*board.seats[event.seat].consultants, event.card)
    left = tuple(card for card in board.consultants if card != event.card)
    return replace(board, seats=_hq(board, event.seat, consultants=consultants), consultants=left)


def _loaded(board: Board, event: words.CargoLoaded) -> Board:
    regions = _more(board.regions, event.region, -event.black)
    return replace(board, regions=regions, cargo=event.black, cargo_from=event.region)


def _shipped(board: Board, event: words.Shipped) -> Board:
    seats = _hq(board, event.seat, black=board.seats[event.seat].black + event.earned)
    return replace(board, seats=seats, box_black=board.box_black + event.boxed, cargo=0, cargo_from=None)


def _flip(chips: dict[str, Chip], *places: str) -> dict[str, Chip]:
    return {**chips, **{place: replace(chips[place], face=1 - chips[place].face) for place in places}}


def _flipped(board: Board, event: words.ChipsFlipped) -> Board:
    return replace(board, refineries=_flip(board.refineries, event.refinery), risks=_flip(board.risks, *event.risks))


def _security_used(board: Board, event: words.SecurityUsed) -> Board:
    on_refineries = event.kind in ("swap_refinery", "flip_refinery")
    chips = board.refineries if on_refineries else board.risks
    if event.kind in ("flip_refinery", "flip_risk"):
        chips = _flip(chips, *event.places)
    else:
        one, other = event.places
        chips = {**chips, one: chips[other], other: chips[one]}
    board = replace(board, refineries=chips) if on_refineries else replace(board, risks=chips)
    seats = _hq(board, event.seat, security=board.seats[event.seat].security - 1)
    return replace(board, seats=seats, security=board.security + 1)


# ---- the end


def _triggered(board: Board, event: words.PeakOilTriggered) -> Board:
    return replace(board, marker=event.seat, trigger=event.cause)


def _phase_opened(board: Board, event: words.PhaseOpened) -> Board:
    return replace(board, phase=event.phase, active=None, window=NO_WINDOW)


def _spot_checked(board: Board, event: words.SpotChecked) -> Board:
    return replace(board, checking=event.spot)


def _opportunity(board: Board, event: words.OpportunityOpened) -> Board:
    return replace(board, active=event.seat, window=Window(start=agents_by_place(board, event.seat)))


def _put_back(board: Board, event: words.BarrelsPutBack) -> Board:
    regions = board.regions if event.region is None else _more(board.regions, event.region, event.cargo)
    return replace(board, bag_black=board.bag_black + event.pulled, pulled=0, cargo=0, cargo_from=None, regions=regions)


def _resigned(board: Board, event: SeatResigned) -> Board:
    """A seat that left has all its agents in the reserve; its barrels and cards stay where they are."""
    seat, hq = event.seat, board.seats[event.seat]
    on_track = sum(owner == seat for owner in board.track)
    agents = hq.agents + hq.reserve + on_track + sum(thing.agents for thing in hq.held)
    agents += sum(here[seat] for here in board.spots.values())
    held = tuple(replace(thing, agents=0) for thing in hq.held)
    return replace(
        board,
        seats=_hq(board, seat, agents=0, reserve=agents, held=held),
        spots={spot: (*here[:seat], 0, *here[seat + 1 :]) for spot, here in board.spots.items()},
        track=tuple(None if owner == seat else owner for owner in board.track),
    )


def _scored(board: Board, event: words.Scored) -> Board:
    return replace(board, phase="finished", scores=event.scores, checking=None)


EVOLVE: Mapping[type[Event], Evolve] = {
    words.GameStarted: _started,
    words.FirstPlayerChosen: _first_player,
    words.ChipsPlaced: _chips_placed,
    words.ChipsTurned: _chips_turned,
    words.DeckShuffled: _shuffled,
    words.RegionsStocked: _stocked,
    words.PortfolioDealt: _portfolio,
    words.ConsultantsOffered: _offered,
    words.TurnStarted: _turn_started,
    words.StepSkipped: _nothing,
    words.AgentReassigned: _reassigned,
    words.ActionDeclared: _nothing,
    words.ChoiceDeclined: _nothing,
    words.AgentsReturned: _returned,
    words.WindowClosed: _window_closed,
    words.BarrelPulled: _pulled,
    words.BagSearched: _searched,
    words.MarketFilled: _market_filled,
    words.EntryPlaced: _entry_placed,
    words.MarketDistributed: _distributed,
    words.MarketMoved: _market_moved,
    words.BarrelsBoxed: _boxed,
    words.CrisisSuffered: _crisis,
    words.PrCardDrawn: _pr_drawn,
    words.PrCardFlipped: _pr_flipped,
    words.PrCardWhitewashed: _whitewashed,
    words.HeldOnCard: _held,
    words.ReleasedFromCard: _released,
    words.AgentToTrack: _to_track,
    words.AgentBumped: _bumped,
    words.TrackCleared: _track_cleared,
    words.AgentRecruited: _recruited,
    words.AgentsDispatched: _dispatched,
    words.DisplayRefilled: _refilled,
    words.DisplayRefreshed: _refreshed,
    words.OilFieldTaken: _field_taken,
    words.StartUpBought: _start_up_bought,
    words.TechnologyPlaced: _technology_placed,
    words.TechnologyMoved: _technology_moved,
    words.ConsultantHired: _hired,
    words.CargoLoaded: _loaded,
    words.Shipped: _shipped,
    words.ChipsFlipped: _flipped,
    words.SecurityUsed: _security_used,
    words.PeakOilTriggered: _triggered,
    words.PhaseOpened: _phase_opened,
    words.SpotChecked: _spot_checked,
    words.OpportunityOpened: _opportunity,
    words.BarrelsPutBack: _put_back,
    words.Scored: _scored,
    SeatResigned: _resigned,
}

PROJECTION = Projection(
    ruleset="peak-oil",
    game=PeakOil,
    commands=words.Command,
    events=words.EventWord,
    begin=begin,
    evolve=EVOLVE,
)
