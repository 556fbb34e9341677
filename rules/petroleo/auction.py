"""Selling a privilege: PT-100 … PT-115."""

from __future__ import annotations

from msgspec.structs import replace

from events.petroleo.codes import ShownBid
from events.petroleo.commands import Bid, OfferCard
from events.petroleo.facts import AuctionClosed, AuctionOpened, BidPlaced, CardSold
from events.petroleo.steps import BidForCard, CloseAuction, UseBoughtCard, UseCard
from rules.petroleo.book import PetroleoTable, rivals
from rules.petroleo.privileges import cheapest, laid_card, reveal


def offer_card(table: PetroleoTable, step: UseCard, command: OfferCard) -> None:
    """PT-100, PT-101, PT-102, PT-103, PT-112, PT-113: any card may be offered, once, at 1 M or more; its kind is public
    from then on.

    Where nobody is eligible the auction closes at once, unasked.
    """
    seller, most = step.awaits[0], table.book.edition.all_cash
    table.require(not step.offered, "PT-102", "illegal_choice")
    table.require(1 <= command.min_bid <= most, "PT-102", "illegal_choice", field="/min_bid", least=1, most=most)
    reveal(table)
    _, card = laid_card(table)
    eligible = tuple(seat for seat in sorted(rivals(table, seller)) if limit(table, seat) >= command.min_bid)
    table.emit(AuctionOpened(seller, card.kind, command.min_bid, eligible))
    table.next(CloseAuction())
    if eligible:
        table.next(BidForCard(seller, card.kind, command.min_bid, eligible, awaits=eligible))


def limit(table: PetroleoTable, seat: int) -> int:
    """PT-103, PT-105: the highest bid after which the seat could still pay the cheapest exercise; below 0 for none."""
    _, card = laid_card(table)
    return bid_limit(table.board.companies[seat].cash, cheapest(table.board, table.book.edition, seat, card.kind))


def bid_limit(cash: int, price: int | None) -> int:
    """PT-105: what is left of the cash after the cheapest exercise."""
    return -1 if price is None else cash - price


def bid(table: PetroleoTable, step: BidForCard, command: Bid) -> None:
    """PT-104, PT-105: one final answer, sealed: a whole bid that leaves the price of an exercise, or a pass."""
    if command.amount is not None:
        least, most = step.min_bid, limit(table, table.seat)
        rule = "PT-104" if command.amount < least else "PT-105"
        table.require(least <= command.amount <= most, rule, "illegal_choice", field="/amount", least=least, most=most)
    place_bid(table, step, table.seat, command.amount)


def place_bid(table: PetroleoTable, step: BidForCard, seat: int, amount: int | None) -> None:
    """PT-104, PT-324: the bid is sealed until everybody has answered."""
    table.emit(BidPlaced(seat, amount))
    if left := tuple(other for other in step.awaits if other != seat):
        table.next(replace(step, awaits=left))


def close_auction(table: PetroleoTable, step: CloseAuction) -> None:
    """PT-106, PT-107, PT-113, PT-115: the highest bid wins, of equal ones the nearest clockwise from the seller.

    Without a bid the holder may still exercise or forgo.
    """
    seller = table.board.on_turn
    bids = tuple(ShownBid(answer.seat, answer.value) for answer in table.board.answers)
    amounts = {shown.seat: shown.amount for shown in bids if shown.amount is not None}
    order = [seat for seat in rivals(table, seller) if seat in amounts]
    if not order:
        table.emit(AuctionClosed(seller, None, 0, bids))
        table.next(UseCard(offered=True, awaits=(seller,)))
        return
    winner = max(order, key=lambda seat: amounts[seat])
    table.emit(AuctionClosed(seller, winner, amounts[winner], bids))
    _sell(table, seller, winner, amounts[winner])


def _sell(table: PetroleoTable, seller: int, winner: int, price: int) -> None:
    """PT-108, PT-110, PT-114, PT-254: the winner pays the seller at once and uses the card inside the seller's turn."""
    table.emit(CardSold(seller, winner, price))
    table.next(UseBoughtCard(seller, awaits=(winner,)))
