"""The fold of Oil and Gas: one function per event, no opinion about legality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from events.oil_and_gas import codes, commands, facts
from events.table import GameCreated, SeatResigned
from events.words import Event
from projections.oil_and_gas.state import Board, Company, Offer, OilAndGas, counts_of
from projections.projection import Projection
from projections.table import Evolve


def begin(event: GameCreated) -> Board:
    """OG-06, OG-08, OG-09: an empty table, with no card in hand or on the piles, and no token."""
    return Board(companies=(Company(),) * event.seats)


def _seated(board: Board, seat: int, company: Company) -> tuple[Company, ...]:
    companies = list(board.companies)
    companies[seat] = company
    return tuple(companies)


def _with(board: Board, seat: int, **changes: Any) -> Board:
    return replace(board, companies=_seated(board, seat, replace(board.companies[seat], **changes)))


def _all(board: Board, **changes: Any) -> tuple[Company, ...]:
    return tuple(replace(company, **changes) for company in board.companies)


def _without(cards: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    leaving = set(gone)
    return tuple(card for card in cards if card not in leaving)


def _acted(board: Board, seat: int) -> Board:
    return _with(board, seat, acted_turn=board.turn)


def _started(board: Board, event: facts.GameStarted) -> Board:
    return replace(board, companies=_all(board, profit=event.profit))


def _shuffled(board: Board, event: facts.DeckShuffled) -> Board:
    return replace(board, deck=event.order, discard=(), shuffles=event.index + 1)


def _turn_opened(board: Board, event: facts.TurnOpened) -> Board:
    """OG-16, OG-17: what belongs to a turn begins anew; hands, PT and tokens stay."""
    return replace(
        board,
        turn=event.turn,
        deal_start=event.deal_start_seat,
        companies=_all(board, extra_cards=0, through=None),
        leader=None,
        order=(),
        modifier=0,
        economy_played=False,
        events_played=0,
    )


def _phase_opened(board: Board, event: facts.PhaseOpened) -> Board:
    companies = [replace(one, finished=one.resigned, conversions=0, proposals=0) for one in board.companies]
    return replace(board, phase=event.phase, companies=tuple(companies))


def _phase_closed(board: Board, event: facts.PhaseClosed) -> Board:
    return replace(board, phase=None)


def _drawn(board: Board, event: facts.CardsDrawn) -> Board:
    """OG-23, OG-45: from the top of the deck to a hand; only bought cards count as extra."""
    company = board.companies[event.seat]
    hand = (*company.hand, *event.cards)
    if event.reason == "extra":
        company = replace(company, hand=hand, extra_cards=company.extra_cards + event.n, acted_turn=board.turn)
    else:
        company = replace(company, hand=hand)
    return replace(board, companies=_seated(board, event.seat, company), deck=board.deck[event.n :])


def _lapsed(board: Board, event: facts.DrawLapsed) -> Board:
    return board


def _profit(board: Board, event: facts.ProfitChanged) -> Board:
    return _with(board, event.seat, profit=board.companies[event.seat].profit + event.delta)


def _tokens(board: Board, event: facts.TokensChanged) -> Board:
    """OG-10: plain numbers without a limit."""
    tokens = board.companies[event.seat].tokens
    return _with(board, event.seat, tokens={**tokens, event.kind: tokens[event.kind] + event.delta})


def _discarded(board: Board, event: facts.CardsDiscarded) -> Board:
    """OG-32: what is discarded may come back with the very next reshuffle."""
    hand = _without(board.companies[event.seat].hand, event.cards)
    return replace(_with(board, event.seat, hand=hand), discard=(*board.discard, *event.cards))


def _finished(board: Board, event: facts.SeatFinished) -> Board:
    company = board.companies[event.seat]
    acted = board.turn if event.cause == "command" else company.acted_turn
    through = company.through if event.through_phase is None else event.through_phase
    company = replace(company, finished=True, acted_turn=acted, through=through)
    return replace(board, companies=_seated(board, event.seat, company))


def _proposed(board: Board, event: facts.TradeProposed) -> Board:
    offer = Offer(event.offer, event.from_, event.to, event.give, event.want)
    made = board.companies[event.from_].proposals + 1
    board = replace(board, offers=(*board.offers, offer), offers_made=event.offer)
    return _with(board, event.from_, proposals=made, acted_turn=board.turn)


def _trade_closed(board: Board, event: facts.TradeClosed) -> Board:
    offer = next(offer for offer in board.offers if offer.number == event.offer)
    board = replace(board, offers=tuple(other for other in board.offers if other is not offer))
    actor = {"declined": offer.addressee, "withdrawn": offer.proposer}.get(event.how)
    return board if actor is None else _acted(board, actor)


def _traded(board: Board, event: facts.TradeCompleted) -> Board:
    board = replace(board, offers=tuple(offer for offer in board.offers if offer.number != event.offer))
    giver, taker = event.from_, event.to
    board = _hand_over(board, giver, taker, event.given_cards, event.given.tokens)
    board = _hand_over(board, taker, giver, event.received_cards, event.received.tokens)
    return _acted(board, taker)


def _hand_over(board: Board, giver: int, taker: int, cards: tuple[str, ...], purse: codes.Purse) -> Board:
    board = _with(board, giver, hand=_without(board.companies[giver].hand, cards))
    board = _with(board, taker, hand=(*board.companies[taker].hand, *cards))
    moved = counts_of(purse)
    for seat, sign in ((giver, -1), (taker, 1)):
        company = board.companies[seat]
        tokens = {kind: n + sign * moved.get(kind, 0) for kind, n in company.tokens.items()}
        board = _with(board, seat, tokens=tokens, profit=company.profit + sign * moved.get("profit", 0))
    return board


def _rolled(board: Board, event: facts.RollOff) -> Board:
    return board


def _leader_set(board: Board, event: facts.TurnLeaderSet) -> Board:
    n = len(board.companies)
    clockwise = ((event.seat + step) % n for step in range(n))
    order = tuple(seat for seat in clockwise if not board.companies[seat].resigned)
    return replace(board, leader=event.seat, order=order)


def _event_played(board: Board, event: facts.EventPlayed) -> Board:
    hand = _without(board.companies[event.seat].hand, (event.card,))
    return replace(
        _with(board, event.seat, hand=hand, acted_turn=board.turn),
        event_row=(*board.event_row, event.card),
        economy_played=board.economy_played or event.economy,
        events_played=board.events_played + 1,
    )


def _stolen(board: Board, event: facts.CardsStolen) -> Board:
    board = _with(board, event.from_, hand=_without(board.companies[event.from_].hand, event.cards))
    return _with(board, event.to, hand=(*board.companies[event.to].hand, *event.cards))


def _modifier(board: Board, event: facts.ModifierChanged) -> Board:
    return replace(board, modifier=event.total)


def _row_cleared(board: Board, event: facts.EventRowCleared) -> Board:
    return replace(board, event_row=(), discard=(*board.discard, *event.cards))


def _converted(board: Board, event: facts.ConversionMade) -> Board:
    made = board.companies[event.seat].conversions + 1
    return _with(board, event.seat, conversions=made, acted_turn=board.turn)


def _melded(board: Board, event: facts.MeldMade) -> Board:
    return _acted(board, event.seat)


def _resigned(board: Board, event: SeatResigned) -> Board:
    return _with(board, event.seat, resigned=True, finished=True)


EVOLVE: Mapping[type[Event], Evolve] = {
    facts.GameStarted: _started,
    facts.DeckShuffled: _shuffled,
    facts.TurnOpened: _turn_opened,
    facts.PhaseOpened: _phase_opened,
    facts.PhaseClosed: _phase_closed,
    facts.CardsDrawn: _drawn,
    facts.DrawLapsed: _lapsed,
    facts.ProfitChanged: _profit,
    facts.TokensChanged: _tokens,
    facts.CardsDiscarded: _discarded,
    facts.SeatFinished: _finished,
    facts.TradeProposed: _proposed,
    facts.TradeClosed: _trade_closed,
    facts.TradeCompleted: _traded,
    facts.RollOff: _rolled,
    facts.TurnLeaderSet: _leader_set,
    facts.EventPlayed: _event_played,
    facts.CardsStolen: _stolen,
    facts.ModifierChanged: _modifier,
    facts.EventRowCleared: _row_cleared,
    facts.ConversionMade: _converted,
    facts.MeldMade: _melded,
    SeatResigned: _resigned,
}

PROJECTION = Projection(
    ruleset="oil-and-gas",
    game=OilAndGas,
    commands=commands.Command,
    events=facts.EventWord,
    begin=begin,
    evolve=EVOLVE,
)
