"""What is hidden, drawn anew for a what-if game: PO-128, PO-350, PO-351, PO-354."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from projections.peak_oil.state import Board, PeakOil
from rules.choices import Below, draw_some
from rules.peak_oil.edition import PeakOilEdition
from rules.redraw import remixed


def redraw(game: PeakOil, viewer: int | None, known: frozenset[str], edition: PeakOilEdition, below: Below) -> PeakOil:
    """Other decks, other portfolios, other face-down cards and Start-Ups with the other seats; all numbers the same."""
    if game.status == "lobby":
        return game
    board = game.board
    others = [seat for seat in range(len(board.seats)) if seat != viewer]
    (field_deck,) = remixed([board.field_deck], known, below)
    board = _other_start_ups(replace(board, field_deck=field_deck), others, known, below)
    board = _other_portfolios(board, others, edition, below)
    return replace(game, board=_other_pr_cards(board, others, known, below))


def _other_start_ups(board: Board, others: Sequence[int], known: frozenset[str], below: Below) -> Board:
    """PO-351: which Start-Ups a seat has is its own knowledge, but for those that were seen to be bought."""
    piles = [board.start_up_deck, *(board.seats[seat].start_ups for seat in others)]
    deck, *bought = remixed(piles, known, below)
    hqs = list(board.seats)
    for seat, cards in zip(others, bought, strict=True):
        hqs[seat] = replace(hqs[seat], start_ups=cards)
    return replace(board, seats=tuple(hqs), start_up_deck=deck)


def _other_portfolios(board: Board, others: Sequence[int], edition: PeakOilEdition, below: Below) -> Board:
    """PO-027: a portfolio may be any that the viewer does not have itself."""
    seats = len(board.seats)
    own = {hq.portfolio for seat, hq in enumerate(board.seats) if seat not in others}
    pool = tuple(card.id for card in edition.portfolios if card.least_seats <= seats and card.id not in own)
    dealt = dict(zip(others, draw_some(pool, len(others), below), strict=True))
    hqs = tuple(replace(hq, portfolio=dealt.get(seat, hq.portfolio)) for seat, hq in enumerate(board.seats))
    return replace(board, seats=hqs)


def _other_pr_cards(board: Board, others: Sequence[int], known: frozenset[str], below: Below) -> Board:
    """PO-128, PO-354: of a face-down card the level is public."""
    hqs, decks = list(board.seats), []
    for level, deck in enumerate(board.pr_decks, 1):
        holders = [seat for seat in others if hqs[seat].pr_down_level == level]
        down = tuple(card for seat in holders if (card := hqs[seat].pr_down))
        left, under = remixed([deck, down], known, below)
        for seat, card in zip(holders, under, strict=True):
            hqs[seat] = replace(hqs[seat], pr_down=card)
        decks.append(left)
    return replace(board, seats=tuple(hqs), pr_decks=tuple(decks))
