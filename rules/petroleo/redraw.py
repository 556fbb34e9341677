"""What is hidden, drawn anew for a what-if game: PT-309, PT-320 … PT-324."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from events.petroleo.steps import BidForCard, LendToBank
from projections.petroleo.state import Board, Laid, Petroleo, SealedAnswer
from rules.choices import Below
from rules.petroleo.auction import bid_limit
from rules.petroleo.edition import PetroleoEdition
from rules.petroleo.privileges import cheapest
from rules.redraw import remixed


def redraw(
    game: Petroleo, viewer: int | None, known: frozenset[str], edition: PetroleoEdition, below: Below
) -> Petroleo:
    """Other hands, another deck, other cards that nobody else has seen, other sealed answers; all numbers the same."""
    board = game.board
    others = [seat for seat in range(len(board.companies)) if seat != viewer]
    veiled = tuple(laid for laid in _pile(board) if laid.kind is None and laid.seat != viewer)
    hands = [board.companies[seat].hand for seat in others]
    under = tuple(laid.card for laid in veiled)
    mixed, deck, *hands = remixed([under, board.deck, *hands], known, below)
    seen, (deck, *hands) = _fitting(veiled, [mixed, deck, *hands], known, edition, below)
    companies = list(board.companies)
    for seat, hand in zip(others, hands, strict=True):
        companies[seat] = replace(companies[seat], hand=hand)
    changed = replace(
        board,
        companies=tuple(companies),
        deck=deck,
        laid=board.laid and replace(board.laid, card=seen.get(board.laid.card, board.laid.card)),
        played=tuple(replace(laid, card=seen.get(laid.card, laid.card)) for laid in board.played),
        answers=tuple(
            answer if answer.seat == viewer else _other_answer(game, answer, edition, below) for answer in board.answers
        ),
    )
    return replace(game, board=changed)


def _pile(board: Board) -> Iterator[Laid]:
    yield from board.played
    if board.laid is not None:
        yield board.laid


def _fitting(
    veiled: Sequence[Laid],
    piles: Sequence[tuple[str, ...]],
    known: frozenset[str],
    edition: PetroleoEdition,
    below: Below,
) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """PT-322: a veiled card keeps the advance that the marker showed: where the mixed one has another, it changes
    places with one that fits. There is one for each: the true cards are among the mixed.

    Any of those that fit, each as likely: always the first would leave more of them where they are looked for last.
    """
    cards = [list(pile) for pile in piles]
    places = [(pile, at) for pile, one in enumerate(cards) for at, card in enumerate(one) if card not in known]
    settled: set[tuple[int, int]] = set()
    for at, laid in enumerate(veiled):
        if laid.advance is None or laid.card in known:
            continue
        here = (0, at)
        settled.add(here)
        if edition.card[cards[0][at]].advance == laid.advance:
            continue
        fitting = [
            place
            for place in places
            if place not in settled and edition.card[cards[place[0]][place[1]]].advance == laid.advance
        ]
        there = fitting[below(len(fitting))]
        cards[0][at], cards[there[0]][there[1]] = cards[there[0]][there[1]], cards[0][at]
    seen = {laid.card: card for laid, card in zip(veiled, cards[0], strict=True)}
    return seen, [tuple(pile) for pile in cards[1:]]


def _other_answer(game: Petroleo, given: SealedAnswer, edition: PetroleoEdition, below: Below) -> SealedAnswer:
    """PT-105, PT-124, PT-281: a lawful answer, whichever was given."""
    question, company = game.waiting, game.board.companies[given.seat]
    if isinstance(question, BidForCard):
        most = bid_limit(company.cash, cheapest(game.board, edition, given.seat, question.kind))
        bids = max(most - question.min_bid + 1, 0)
        drawn = below(bids + 1)
        return replace(given, value=None if drawn == bids else question.min_bid + drawn)
    if isinstance(question, LendToBank):
        return replace(given, value=below(company.cash + 1))
    return replace(given, value=below(2) == 1)
