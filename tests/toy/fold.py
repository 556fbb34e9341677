"""Wildcat: state and fold."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.table import GameCreated
from projections.game import Game
from projections.projection import Projection
from tests.toy import words


class Board(Struct, frozen=True):
    """Hands, bids (empty: none yet) and oil by seat; the deck's top card first."""

    hands: tuple[tuple[str, ...], ...]
    bids: tuple[str, ...]
    oil: tuple[int, ...]
    deck: tuple[str, ...] = ()
    rounds: int = 0


def begin(event: GameCreated) -> Board:
    """An empty table."""
    return Board(((),) * event.seats, ("",) * event.seats, (0,) * event.seats)


def _put(items: tuple[Any, ...], seat: int, item: Any) -> tuple[Any, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


def _shuffled(board: Board, event: words.DeckShuffled) -> Board:
    return replace(board, deck=event.order)


def _dealt(board: Board, event: words.CardsDealt) -> Board:
    hand = (*board.hands[event.seat], *event.cards)
    return replace(board, hands=_put(board.hands, event.seat, hand), deck=board.deck[event.n :])


def _bid(board: Board, event: words.BidSealed) -> Board:
    hand = list(board.hands[event.seat])
    hand.remove(event.card)
    hands = _put(board.hands, event.seat, tuple(hand))
    return replace(board, hands=hands, bids=_put(board.bids, event.seat, event.card))


def _revealed(board: Board, event: words.BidsRevealed) -> Board:
    return replace(board, bids=("",) * len(board.bids), rounds=board.rounds + 1)


def _drilled(board: Board, event: words.WellDrilled) -> Board:
    return replace(board, oil=_put(board.oil, event.seat, board.oil[event.seat] + event.oil))


PROJECTION = Projection(
    ruleset="wildcat",
    game=Game[Board, words.Step],
    commands=words.Command,
    events=words.EventWord,
    begin=begin,
    evolve={
        words.DeckShuffled: _shuffled,
        words.CardsDealt: _dealt,
        words.BidSealed: _bid,
        words.BidsRevealed: _revealed,
        words.WellDrilled: _drilled,
    },
)
