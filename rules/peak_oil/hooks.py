"""Where Consultants and PR Crisis cards alter the rules: register 6.9, one function per hook.

PO-127, PO-203: a card is in force while it lies face up before its owner.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from events.peak_oil.codes import Place, Reason, Spot, Standing, Technology
from rules.peak_oil import effects as hook
from rules.peak_oil.book import At

HookT = TypeVar("HookT", bound=hook.Hook)


def in_force(at: At, seat: int, kind: type[HookT]) -> Iterator[HookT]:
    """PO-127, PO-203: what the seat's Consultants and face-up PR Crisis cards say at one hook."""
    hq = at.board.seats[seat]
    if hq.consultants or hq.pr_up:
        known = at.book.edition.effects
        for card in (*hq.consultants, *hq.pr_up):
            for effect in known[card]:
                if isinstance(effect, kind):
                    yield effect


def forbidden(at: At, seat: int, what: hook.Forbidden) -> bool:
    """PO-127: whether a card takes this away: PR1-1, PR1-2, PR1-3, PR2-4, PR3-2, PR3-3."""
    return any(what in effect.what for effect in in_force(at, seat, hook.Forbids))


def forbidden_target(at: At, seat: int, place: Place) -> bool:
    """PO-063: whether a card keeps own agents from being reassigned there: PR1-4."""
    hq = at.board.seats[seat]
    if not (hq.consultants or hq.pr_up):
        return False
    return any(place in effect.forbidden for effect in in_force(at, seat, hook.ReassignTargets))


def step3_cost(at: At, seat: int) -> int:
    """PO-056: the price of the third step: CN1-1."""
    delta = sum(effect.delta for effect in in_force(at, seat, hook.Step3Cost))
    return max(0, at.book.edition.third_step_price + delta)


def count_for_standing(at: At, seat: int, spot: Spot, agents: int) -> int:
    """PO-081, PO-257: how many of a seat's agents on a spot count: CN3-4, PR3-5."""
    if not agents:
        return 0
    region = spot in at.board.regions
    effects = in_force(at, seat, hook.CountForStanding)
    return max(0, agents + sum(effect.delta for effect in effects if region or effect.on == "spots"))


def tie_pulls(at: At, seat: int) -> int:
    """PO-083: how many pulls break a tie: PR2-5."""
    return max(0, 1 + sum(effect.delta for effect in in_force(at, seat, hook.TiePullCount)))


def option_limit(at: At, seat: int, standing: Standing) -> int:
    """PO-082, PO-083, PO-095, PO-302, PO-303: how many options an action may use: CN3-2, PR2-1.

    PO-258: in the Peak Oil phase it is one, whatever cards say.
    """
    limit = at.book.variant.limits[standing]
    if standing == "peak":
        return limit
    effects = list(in_force(at, seat, hook.OptionLimit))
    if standing == "tied":
        limit = max([limit, *(effect.tied for effect in effects if effect.tied is not None)])
    return min([limit, *(effect.never_more_than for effect in effects if effect.never_more_than is not None)])


def harmless(at: At, seat: int, reason: Reason) -> bool:
    """PO-107, PO-108: whether a coloured barrel pulled for this reason causes nothing: CN2-3."""
    return any(effect.harmless == reason for effect in in_force(at, seat, hook.PullResult))


def crisis_loss(at: At, seat: int) -> int:
    """PO-121: half of the barrels in HQ, rounded down, as cards would have it: CN1-3, CN3-3."""
    black = at.board.seats[seat].black
    effects = list(in_force(at, seat, hook.CrisisLoss))
    loss = max(0, black // 2 + sum(effect.delta for effect in effects))
    return min([loss, black, *(effect.never_more_than for effect in effects if effect.never_more_than is not None)])


def on_flip(at: At, card: str) -> Iterator[hook.OnFlip]:
    """PO-127: what happens when this card turns face up: PR1-6, PR2-2, PR3-4."""
    return (effect for effect in at.book.edition.effects[card] if isinstance(effect, hook.OnFlip))


def drill_question_marks(at: At, seat: int, printed: int) -> int:
    """PO-169: the question marks of an Oil Field for this seat: CN2-2."""
    return max(0, printed + sum(effect.delta for effect in in_force(at, seat, hook.DrillQuestionMarks)))


def whitewash_cost(at: At, seat: int, card: str) -> int:
    """PO-173: the price of getting rid of a PR Crisis card: CN1-2."""
    edition = at.book.edition
    delta = sum(effect.delta for effect in in_force(at, seat, hook.WhitewashCost))
    return max(0, edition.whitewash_prices[edition.pr_card[card].level - 1] + delta)


def start_up_price(at: At, seat: int, technology: Technology) -> int:
    """PO-181: the price of a Start-Up: CN1-5, PR1-5."""
    delta = sum(effect.delta for effect in in_force(at, seat, hook.StartUpPrice))
    return max(0, at.board.technologies[technology] + delta)


def further_technologies(at: At, seat: int) -> int:
    """PO-186: how many barrels more may be placed with Technologies: CN2-4."""
    return sum(effect.more for effect in in_force(at, seat, hook.TechnologiesAfter))


def grey_entries(at: At, seat: int) -> int:
    """PO-195: how many entry barrels Grey Ops asks for: PR2-6; none in Crude (PO-315)."""
    if not at.book.variant.cards:
        return 0
    return max(0, 1 + sum(effect.delta for effect in in_force(at, seat, hook.GreyEntryCost)))


def entry_from_regions(at: At, seat: int) -> bool:
    """PO-195: whether entry barrels may come from Regions: CN2-5."""
    return any(effect.from_regions for effect in in_force(at, seat, hook.GreyEntryCost))


def may_redirect(at: At, seat: int) -> bool:
    """PO-199: whether one barrel of the Black Market may go elsewhere: CN3-5."""
    return any(True for _ in in_force(at, seat, hook.MarketToTechnology))


def ship_question_marks(at: At, seat: int, shown: int) -> int:
    """PO-213: the pulls of a shipping: CN1-4."""
    return max(0, shown + sum(effect.delta for effect in in_force(at, seat, hook.ShipQuestionMarks)))


def ship_demand(at: At, seat: int, shown: int) -> int:
    """PO-214: the Demand for this seat: CN3-1, PR2-3."""
    return max(0, shown + sum(effect.delta for effect in in_force(at, seat, hook.ShipDemand)))


def ship_skulls(at: At, seat: int, shown: int) -> int:
    """PO-215: the skulls of a shipping: CN2-1."""
    return max(0, shown + sum(effect.delta for effect in in_force(at, seat, hook.ShipSkulls)))


def seized_cargo(at: At, seat: int) -> int:
    """PO-216: how much of the remaining cargo goes to the box: PR3-1."""
    return sum(effect.boxed for effect in in_force(at, seat, hook.ShipAfterSkulls))


def action_end(at: At, seat: int) -> int:
    """PO-091: what every own action costs in the end: PR3-6."""
    return sum(effect.boxed for effect in in_force(at, seat, hook.ActionEnd))
