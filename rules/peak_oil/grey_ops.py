"""Grey Ops: the entry barrel, Black Market and Consultants. PO-195 … PO-204."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from events.peak_oil.codes import Source, Standing, Technology, TechnologyBarrels
from events.peak_oil.commands import HireConsultant, MoveBlackMarket, PlaceEntry
from events.peak_oil.facts import ConsultantHired, EntryPlaced, MarketMoved
from events.peak_oil.steps import ChooseOption, GreyEntries, GreyEntry, PeakEntry, PeakOption, UseOptions
from projections.peak_oil.state import HQ
from rules.peak_oil import hooks, market, security
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.spots import begin_option, can_pay_entries

# ---- the entry


def recount_entries(table: PeakOilTable) -> None:
    """PO-127, PO-195: a card that the tie turned up counts already: barrels are due only once the pulls are done."""
    due = hooks.grey_entries(table, mover(table))
    table.steps[:] = [replace(step, left=due) if isinstance(step, GreyEntries) else step for step in table.steps]


def grey_entries(table: PeakOilTable, step: GreyEntries) -> None:
    """PO-195, PO-197, PO-204, PO-315: entry barrels come first; who cannot pay any more gets no option."""
    seat = mover(table)
    if not step.left:
        table.next(UseOptions("GRY", step.standing))
    elif can_pay_entries(table, seat, step.left):
        _ask_or_place(table, step)


def _ask_or_place(table: PeakOilTable, step: GreyEntries) -> None:
    """PO-195: placed without asking where slot and source leave no choice."""
    seat = mover(table)
    ways = list(entries(table, seat))
    if len(ways) == 1 and not security.usable(table, seat):
        slot, source = ways[0]
        _place(table, step.left, step.standing, slot, source, auto=True)
    else:
        table.next(GreyEntry(step.left, step.standing, awaits=(seat,)))


def entries(at: At, seat: int) -> Iterator[tuple[Technology, Source]]:
    """PO-195: every way to place an entry barrel."""
    sources: tuple[Source, ...] = (HQ, *at.board.regions)
    for slot in market.empty_slots(at):
        for source in sources:
            if entry_barred(at, seat, slot, source) is None:
                yield slot, source


def entry_barred(at: At, seat: int, slot: Technology, source: Source) -> Barred:
    """PO-195: an entry barrel comes from HQ, or with CN2-5 from a Region, and goes on an empty slot."""
    barred = market.slot_barred(at, slot)
    if barred is not None:
        return barred
    if source == HQ:
        return None if at.board.seats[seat].black else ("PO-195", "cannot_pay_entry", "/source")
    if not at.board.regions.get(source, 0) or not hooks.entry_from_regions(at, seat):
        return "PO-195", "cannot_pay_entry", "/source"
    return None


def place_entry(table: PeakOilTable, step: GreyEntry, command: PlaceEntry) -> None:
    """PO-195, PO-146: an entry barrel on an empty slot of one's choice."""
    _check_and_place(table, step.left, step.standing, command)


def place_peak_entry(table: PeakOilTable, step: PeakEntry, command: PlaceEntry) -> None:
    """PO-258, PO-261: in the Peak Oil phase the entry is due as well; then one option is open."""
    table.require(can_pay_entries(table, mover(table), step.left), "PO-196", "cannot_pay_entry")
    _check_and_place(table, step.left, "peak", command)


def _check_and_place(table: PeakOilTable, left: int, standing: Standing, command: PlaceEntry) -> None:
    allow(table, entry_barred(table, mover(table), command.technology, command.source))
    _place(table, left, standing, command.technology, command.source, auto=False)


def _place(table: PeakOilTable, left: int, standing: Standing, slot: Technology, source: Source, *, auto: bool) -> None:
    """PO-195, PO-198: the barrel lies there; if that fills the market, it goes on to the Regions first."""
    table.emit(EntryPlaced(mover(table), slot, source, auto))
    market.distribute(table)
    table.next(GreyEntries(left - 1, standing))


# ---- Black Market


def black_market_barred(at: At, seat: int, origin: Technology | None, to: Technology | None) -> Barred:
    """PO-199: all or nothing, and not nothing; CN3-5 may redirect one barrel."""
    if not any(at.board.market.values()):
        return "PO-199", "insufficient_barrels"
    if origin is not None or to is not None:
        barred = _redirect_barred(at, seat, origin, to)
        if barred is not None:
            return barred
    if hooks.forbidden(at, seat, "black_market"):
        return "PO-127", "option_blocked"
    return None


def _redirect_barred(at: At, seat: int, origin: Technology | None, to: Technology | None) -> Barred:
    """PO-009, PO-199: with CN3-5 one barrel of the market may go to another open technology."""
    if not hooks.may_redirect(at, seat):
        return "PO-199", "bad_args", "/redirect_to" if origin is None else "/redirect_from"
    if origin is None:
        return "PO-199", "bad_args", "/redirect_from"
    if to is None or to == origin:
        return "PO-199", "bad_args", "/redirect_to"
    if to not in at.board.technologies:
        return "PO-009", "tech_closed", "/redirect_to"
    if not at.board.market.get(origin, 0):
        return "PO-199", "insufficient_barrels", "/redirect_from"
    return None


def move_black_market(table: PeakOilTable, step: ChooseOption | PeakOption, command: MoveBlackMarket) -> None:
    """PO-199, PO-318: every barrel of the market goes on its technology, one elsewhere where a card allows it."""
    begin_option(table, step, "black_market")
    seat = mover(table)
    origin = None if command.redirect_from is UNSET else command.redirect_from
    to = None if command.redirect_to is UNSET else command.redirect_to
    allow(table, black_market_barred(table, seat, origin, to))
    slots = tuple(slot for slot, barrels in table.board.market.items() if barrels)
    arriving = [to if slot == origin and to is not None else slot for slot in slots]
    moved = tuple(
        TechnologyBarrels(technology, arriving.count(technology))
        for technology in table.board.technologies
        if technology in arriving
    )
    table.emit(MarketMoved(seat, slots, moved))


# ---- Consultants


def consultant_barred(at: At, seat: int, card: str) -> Barred:
    """PO-200, PO-201, PO-202: the next level only, from what is on offer; no level is skipped."""
    known = at.book.edition.consultant
    level = len(at.board.seats[seat].consultants) + 1
    if level > 3:
        return "PO-201", "level_order"
    if all(known[other].level != level for other in at.board.consultants):
        return "PO-202", "level_sold_out"
    if card not in at.board.consultants:
        return "PO-200", "card_not_in_display", "/card"
    if known[card].level != level:
        return "PO-200", "level_order", "/card"
    if hooks.forbidden(at, seat, "consultants"):
        return "PO-127", "option_blocked"
    return None


def hire_consultant(table: PeakOilTable, step: ChooseOption | PeakOption, command: HireConsultant) -> None:
    """PO-200, PO-203: the card is the seat's for good, and in force at once."""
    begin_option(table, step, "consultants")
    allow(table, consultant_barred(table, mover(table), command.card))
    table.emit(ConsultantHired(mover(table), command.card))
