"""Spots, who stands there how, and which options they have: PO-080 … PO-095."""

from __future__ import annotations

from events.peak_oil.codes import OptionName, Spot, Standing
from events.peak_oil.steps import ChooseOption, PeakOption, UseOptions
from projections.peak_oil.state import bag_total
from rules.peak_oil import hooks
from rules.peak_oil.book import At, Barred, PeakOilTable, allow

SHIPPING: tuple[OptionName, ...] = ("ship",)


def options_on(at: At, spot: Spot) -> tuple[OptionName, ...]:
    """PO-082, PO-088: the two options of an office spot, the one of a Region."""
    return at.book.variant.options_on.get(spot, SHIPPING)


def standing_on(at: At, seat: int, spot: Spot) -> Standing | None:
    """PO-081: majority, tied, or None; being alone is majority, a count of 0 is none."""
    counts = [hooks.count_for_standing(at, other, spot, agents) for other, agents in enumerate(at.board.spots[spot])]
    mine = counts.pop(seat)
    most = max(counts, default=0)
    if not mine or mine < most:
        return None
    return "majority" if mine > most else "tied"


def action_barred(at: At, seat: int, spot: Spot) -> Barred:
    """PO-080, PO-084, PO-087, PO-093: why a seat may not take the action of a spot."""
    if spot not in at.board.spots:
        return "PO-009", "spot_closed", "/spot"
    if not at.board.spots[spot][seat]:
        return "PO-080", "no_agents_before_turn", "/spot"
    standing = standing_on(at, seat, spot)
    if standing is None:
        return "PO-084", "no_standing", "/spot"
    if standing == "tied" and not bag_total(at.board):
        return "PO-087", "bag_empty_no_tiebreak", "/spot"
    if spot == "GRY" and not can_pay_entries(at, seat, hooks.grey_entries(at, seat)):
        return "PO-196", "cannot_pay_entry", "/spot"
    return None


def can_pay_entries(at: At, seat: int, entries: int) -> bool:
    """PO-093, PO-196, PO-204: whether so many entry barrels can be paid from what they may come from."""
    purse = at.board.seats[seat].black
    if purse < entries and hooks.entry_from_regions(at, seat):
        purse += sum(at.board.regions.values())
    return purse >= entries


def option_barred(at: At, step: ChooseOption | PeakOption, name: OptionName) -> Barred:
    """PO-082: an option is to be had on its own spot, once in an action."""
    if name not in options_on(at, step.spot):
        return "PO-082", "not_on_this_spot"
    if isinstance(step, ChooseOption) and name in step.used:
        return "PO-082", "option_used"
    return None


def begin_option(table: PeakOilTable, step: ChooseOption | PeakOption, name: OptionName) -> None:
    """PO-082, PO-258: the option is being used; in a turn, the others remain for afterwards."""
    allow(table, option_barred(table, step, name))
    if isinstance(step, ChooseOption):
        table.next(UseOptions(step.spot, step.standing, (*step.used, name)))
