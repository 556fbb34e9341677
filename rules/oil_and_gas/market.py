"""Market Phase: OG-47 … OG-64."""

from __future__ import annotations

from events.oil_and_gas.codes import AnyCard, CardNamed, CardOfType, Moved, Request
from events.oil_and_gas.commands import AcceptTrade, DeclineTrade, ProposeTrade, WithdrawTrade
from events.oil_and_gas.facts import TradeClosed, TradeCompleted, TradeProposed
from events.oil_and_gas.steps import MarketActions
from projections.oil_and_gas.state import Board, Offer, counts_of
from rules.oil_and_gas.book import OilAndGasBook, OilAndGasTable
from rules.oil_and_gas.edition import base_of, type_of
from rules.oil_and_gas.ending import claim_victory
from rules.oil_and_gas.hands import holds_tokens, require_own_cards, require_own_tokens


def propose_trade(table: OilAndGasTable, step: MarketActions, command: ProposeTrade) -> None:
    """OG-47, OG-48, OG-49, OG-50, OG-51, OG-52, OG-53, OG-57, OG-61, OG-184, OG-187: what the seat holds, for what it
    asks of one other who still trades.

    Nothing is reserved; the goods are shown to the addressee alone.
    """
    give, want = command.give, command.want
    require_own_cards(table, give.cards, "OG-52", "/give/cards")
    require_own_tokens(table, counts_of(give.tokens), "OG-52", "/give/tokens")
    table.require(may_propose(table.board, table.seat, table.book), "OG-61", "trade_limit_reached")
    for side, field in ((give, "/give"), (want, "/want")):
        table.require(side.cards or counts_of(side.tokens), "OG-51", "trade_empty_side", field=field)
    partner = command.to_seat in step.awaits and command.to_seat != table.seat
    table.require(partner, "OG-48", "invalid_partner", field="/to_seat")
    table.emit(TradeProposed(table.board.offers_made + 1, table.seat, command.to_seat, give, want))
    table.next(step)


def accept_trade(table: OilAndGasTable, step: MarketActions, command: AcceptTrade) -> None:
    """OG-54, OG-55, OG-56, OG-58, OG-64: one own card for each request, and everything moves both ways at once.

    Hands may grow beyond the limit; victory is looked at.
    """
    offer = _open_offer(table, command.offer, "OG-58")
    table.require(offer.addressee == table.seat, "OG-54", "not_addressee", field="/offer")
    require_own_cards(table, command.cards, "OG-54")
    require_own_tokens(table, counts_of(offer.want.tokens), "OG-55", "/offer")
    table.require(_meets(command.cards, offer.want.cards), "OG-54", "trade_requirement_unmet", field="/cards")
    table.show("cards", offer.proposer)
    given, received = offer.give, offer.want
    table.emit(
        TradeCompleted(
            offer.number,
            offer.proposer,
            offer.addressee,
            given=Moved(len(given.cards), given.tokens),
            received=Moved(len(command.cards), received.tokens),
            given_cards=given.cards,
            received_cards=command.cards,
        )
    )
    _void_unbacked(table)
    if not claim_victory(table):
        table.next(step)


def decline_trade(table: OilAndGasTable, step: MarketActions, command: DeclineTrade) -> None:
    """OG-60: the addressee ends an offer, without a reason being told."""
    offer = _open_offer(table, command.offer, "OG-60")
    table.require(offer.addressee == table.seat, "OG-60", "not_addressee", field="/offer")
    table.emit(TradeClosed(offer.number, "declined"))
    table.next(step)


def withdraw_trade(table: OilAndGasTable, step: MarketActions, command: WithdrawTrade) -> None:
    """OG-60: the proposer ends an offer, without a reason being told."""
    offer = _open_offer(table, command.offer, "OG-60")
    table.require(offer.proposer == table.seat, "OG-60", "not_proposer", field="/offer")
    table.emit(TradeClosed(offer.number, "withdrawn"))
    table.next(step)


def void_offers_of(table: OilAndGasTable, seat: int) -> None:
    """OG-62, OG-181: who is done with the market, or leaves the game, has no open offer, neither made nor received."""
    for offer in table.board.offers:
        if seat in (offer.proposer, offer.addressee):
            table.emit(TradeClosed(offer.number, "voided"))


def may_propose(board: Board, seat: int, book: OilAndGasBook) -> bool:
    """OG-61: not too many offers open, nor too many made in this phase."""
    open_offers = sum(offer.proposer == seat for offer in board.offers)
    edition = book.edition
    return open_offers < edition.max_open_offers and board.companies[seat].proposals < edition.max_proposals


def matches(card: str, request: Request) -> bool:
    """OG-53: whether a card is what a request asks for."""
    match request:
        case AnyCard():
            return True
        case CardOfType(type=kind):
            return type_of(card) == kind
        case CardNamed(base_id=base):
            return base_of(card) == base


def _meets(cards: tuple[str, ...], requests: tuple[Request, ...]) -> bool:
    """OG-54: one card for each request, in the same order; no more, no fewer."""
    return len(cards) == len(requests) and all(map(matches, cards, requests))


def _void_unbacked(table: OilAndGasTable) -> None:
    """OG-58, OG-59: offers whose proposer holds the goods no longer; what the addressee lacks voids nothing."""
    for offer in table.board.offers:
        company = table.board.companies[offer.proposer]
        backed = set(offer.give.cards) <= set(company.hand) and holds_tokens(company, counts_of(offer.give.tokens))
        if not backed:
            table.emit(TradeClosed(offer.number, "voided"))


def _open_offer(table: OilAndGasTable, number: int, rule: str) -> Offer:
    """OG-184: the offer of this number, as long as it is open."""
    found = next((offer for offer in table.board.offers if offer.number == number), None)
    if found is None:
        table.refuse(rule, "trade_not_open", field="/offer")
    return found
