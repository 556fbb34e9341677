"""Scoring: PO-270 … PO-277, and in Crude PO-319, PO-320."""

from __future__ import annotations

from collections.abc import Sequence

from events.peak_oil.codes import SeatScore, Technology
from events.peak_oil.facts import Scored
from rules.peak_oil.book import At, PeakOilTable


def score(table: PeakOilTable) -> None:
    """PO-265, PO-275, PO-276, PO-277, PO-353: everything is turned up and counted; the game is over, its seed open."""
    scores = tuple(score_of(table, seat) for seat in range(len(table.board.seats)))
    table.emit(Scored(scores))
    standings = places(scores, table.active)
    reason = "peak_oil" if table.board.trigger == "bag_empty" else "max_turns"
    table.finish(standings[0], reason, standings, [one.total for one in scores])


def places(scores: Sequence[SeatScore], active: Sequence[int]) -> list[tuple[int, ...]]:
    """PO-276, PO-320, PO-364: by total, then less lost to PR, then Start-Up score; seats that left come last.

    Equal in all three is equal in Consultants: the fourth comparison of the rulebook cannot decide.
    """
    rank = {one.seat: (one.total, one.pr_score, one.start_up_score) for one in scores}
    groups = [tuple(seat for seat in active if rank[seat] == key) for key in sorted(set(rank.values()), reverse=True)]
    gone = tuple(seat for seat in rank if seat not in active)
    return [group for group in (*groups, gone) if group]


def score_of(at: At, seat: int) -> SeatScore:
    """PO-237, PO-271, PO-273, PO-274, PO-275, PO-319: Start-Ups, Consultants and PR of a seat; nothing else scores."""
    hq, edition = at.board.seats[seat], at.book.edition
    assert hq.portfolio is not None
    start_ups = sum(value_of(at, seat, technology) for technology in holdings(at, seat))
    consultants = sum(edition.consultant_points[edition.consultant[card].level - 1] for card in hq.consultants)
    lost = sum(edition.pr_penalties[edition.pr_card[card].level - 1] for card in hq.pr_up)
    lost += edition.track_penalty * sum(owner == seat for owner in at.board.track)
    total = start_ups + consultants - lost
    return SeatScore(seat, start_ups, consultants, -lost, total, hq.portfolio, hq.start_ups, hq.pr_down)


def holdings(at: At, seat: int) -> tuple[Technology, ...]:
    """PO-271: the technologies of all Start-Ups of a seat, the three of its portfolio among them."""
    hq, edition = at.board.seats[seat], at.book.edition
    assert hq.portfolio is not None
    bought = (edition.start_up[card].technology for card in hq.start_ups)
    return (*edition.portfolio[hq.portfolio].technologies, *bought)


def value_of(at: At, seat: int, technology: Technology) -> int:
    """PO-270, PO-272: what lies on the technology, and every matching symbol on the seat's Oil Fields."""
    fields = (at.book.edition.field[card] for card in at.board.seats[seat].fields)
    return at.board.technologies.get(technology, 0) + sum(card.technologies.count(technology) for card in fields)
