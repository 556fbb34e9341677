"""PR Crises of the base game: PO-120 … PO-131."""

from __future__ import annotations

from events.peak_oil.codes import Level, Place
from events.peak_oil.commands import ChooseOwnAgent
from events.peak_oil.facts import CrisisSuffered, HeldOnCard, PrCardDrawn, PrCardFlipped
from events.peak_oil.steps import CustodyAgent
from projections.peak_oil.state import Board, places
from rules.peak_oil import grey_ops, hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.effects import OnFlip
from rules.peak_oil.reassign import agents_at

LEVELS: tuple[Level, ...] = (1, 2, 3)


def suffer_crisis(table: PeakOilTable) -> None:
    """PO-092, PO-120, PO-121, PO-122, PO-123, PO-124: the first of a window costs half of HQ; then a card turns up or
    is drawn.
    """
    seat = mover(table)
    first = not table.board.window.first_crisis_used
    table.emit(CrisisSuffered(seat, hooks.crisis_loss(table, seat) if first else 0, first))
    if table.board.seats[seat].pr_down is not None:
        _flip(table, seat)
    else:
        draw_pr_card(table, seat, next_level(table, seat))


def next_level(at: At, seat: int) -> Level:
    """PO-124, PO-131: one more than the highest level held, 3 at most."""
    held = (at.book.edition.pr_card[card].level for card in at.board.seats[seat].pr_up)
    return LEVELS[min(2, max(held, default=0))]


def draw_pr_card(table: PeakOilTable, seat: int, level: Level) -> None:
    """PO-124, PO-125, PO-126: the top card of a level is kept face down; from an empty deck nothing is drawn."""
    deck = table.board.pr_decks[level - 1]
    if deck:
        table.emit(PrCardDrawn(seat, level, deck[0]))


def _flip(table: PeakOilTable, seat: int) -> None:
    """PO-123, PO-127: the face-down card turns up and is in force; what it does on flipping happens now."""
    card = table.board.seats[seat].pr_down
    assert card is not None
    table.emit(PrCardFlipped(seat, card))
    grey_ops.recount_entries(table)
    for effect in hooks.on_flip(table, card):
        if effect.hold == "agent":
            _hold_agent(table, seat, card)
        else:
            _hold_black(table, seat, card, effect)


def _hold_black(table: PeakOilTable, seat: int, card: str, effect: OnFlip) -> None:
    """PO-129: black from HQ lies on the card: a number (PR1-6), or half rounded up (PR3-4)."""
    black = table.board.seats[seat].black
    number = (black + 1) // 2 if effect.hold == "half_black" else min(effect.number, black)
    if number:
        table.emit(HeldOnCard(seat, card, number))


def _hold_agent(table: PeakOilTable, seat: int, card: str) -> None:
    """PO-129: an own agent from HQ or a spot lies on the card (PR2-2); asked only where there is a choice."""
    found = places_of(table.board, seat)
    if len(found) == 1:
        table.emit(HeldOnCard(seat, card, agent_from=found[0]))
    elif found:
        table.next(CustodyAgent(card, awaits=(seat,)))


def choose_custody_agent(table: PeakOilTable, step: CustodyAgent, command: ChooseOwnAgent) -> None:
    """PO-129: the owner says which agent goes on the card."""
    allow(table, own_agent_barred(table, mover(table), command.from_, "PO-129"))
    table.emit(HeldOnCard(mover(table), step.card, agent_from=command.from_))


def places_of(board: Board, seat: int) -> tuple[Place, ...]:
    """PO-129, PO-304: HQ and the spots where a seat has agents; reserve, cards and track do not count."""
    return tuple(place for place in places(board) if agents_at(board, seat, place))


def own_agent_barred(at: At, seat: int, place: Place, rule: str) -> Barred:
    """PO-129, PO-304: an agent can only be taken from where the seat has one; `rule` is the one that takes it."""
    return None if agents_at(at.board, seat, place) else (rule, "no_agent_there", "/from")
