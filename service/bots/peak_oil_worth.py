"""What the things of Peak Oil are worth to a house bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import mean
from typing import TypeVar

from events.peak_oil.codes import OptionName, Place, Spot, Technology
from projections.peak_oil.view import BoardView
from rules.peak_oil import effects as hook
from rules.peak_oil.edition import PeakOilEdition, Route
from rules.peak_oil.rulebook import BASE, CRUDE

FOLLOWING = (1.0, 0.6, 0.4, 0.3)
"""What places to act count for, the best first: that is next turn's, the others come later."""

HookT = TypeVar("HookT", bound=hook.Hook)
Adds = (
    hook.StartUpPrice
    | hook.WhitewashCost
    | hook.GreyEntryCost
    | hook.ShipQuestionMarks
    | hook.ShipDemand
    | hook.ShipSkulls
)

LONG = 20
"""After so many turns for each seat, whatever brings the end nearer is welcome."""


class Worth:
    """What things are worth to a seat, in points."""

    def __init__(self, board: BoardView, seat: int, edition: PeakOilEdition) -> None:
        self.board, self.seat, self.edition = board, seat, edition
        self.own = board.seats[seat]
        self.variant = CRUDE if board.track else BASE

    # ---- the course of the game

    @cached_property
    def left(self) -> float:
        """How much of the game is left, from 1 to 0: the black in the bag."""
        if self.board.phase != "turns":
            return 0.0
        return min(1.0, self.board.bag.black / self.edition.row(len(self.board.seats)).bag.black)

    @cached_property
    def late(self) -> bool:
        return self.board.phase == "turns" and self.board.turn > LONG * len(self.board.seats)

    @cached_property
    def barrel(self) -> float:
        """A black barrel in HQ: the more there are, the less another one can do."""
        if self.board.phase == "peak_oil":
            spends = [spot for spot in ("INV", "GRY") if self.board.spots[spot][self.seat]]
            return 0.6 if spends and self.board.checking not in ("INV", "GRY") else 0.1
        return 0.7 if self.own.black < 4 else 0.45 if self.own.black < 8 else 0.2

    # ---- technologies and cards

    @cached_property
    def holdings(self) -> Counter[Technology]:
        """Own Start-Ups by technology, the portfolio's among them."""
        assert self.own.portfolio is not None
        bought = (self.edition.start_up[card].technology for card in self.own.start_ups or ())
        return Counter([*self.edition.portfolio[self.own.portfolio].technologies, *bought])

    @cached_property
    def symbols(self) -> Counter[Technology]:
        """The technologies on own Oil Fields."""
        return Counter(one for card in self.own.oil_fields for one in self.edition.field[card].technologies)

    @cached_property
    def rivals_hold(self) -> float:
        """How many Start-Ups of a technology a rival may have."""
        others = [hq for hq in self.board.seats if hq.seat != self.seat]
        return mean(3 + hq.start_up_count for hq in others) / len(self.board.technologies)

    def on_technology(self, technology: Technology) -> float:
        """One more barrel there, over what it does for a rival."""
        return self.holdings[technology] - self.rivals_hold

    def field(self, card: str) -> float:
        """An Oil Field: its symbols for the Start-Ups there are, and for those that may come."""
        found = self.edition.field[card]
        symbols = sum(self.holdings[one] + 0.3 * self.left for one in found.technologies)
        return symbols + (0.3 if found.security else 0.0) + (0.5 * found.full if self.late else 0.0)

    def start_up(self, card: str) -> float:
        """A Start-Up over its price: what its technology counts now, and what it may grow to."""
        technology = self.edition.start_up[card].technology
        now = self.board.technologies[technology] + self.symbols[technology]
        growth = (1.5 + 0.5 * self.holdings[technology]) * self.left
        return now + growth - self.barrel * self.price(technology)

    def price(self, technology: Technology) -> int:
        return max(0, self.board.technologies[technology] + self.delta(hook.StartUpPrice))

    def delta(self, kind: type[Adds]) -> int:
        """What the cards before the seat add at one hook."""
        return sum(effect.delta for effect in self._in_force(kind))

    def _in_force(self, kind: type[HookT]) -> Iterator[HookT]:
        cards = (*self.own.consultants, *self.own.pr_face_up)
        found = (effect for card in cards for effect in self.edition.effects[card])
        return (effect for effect in found if isinstance(effect, kind))

    def consultant(self, card: str) -> float:
        level = self.edition.consultant[card].level
        return self.edition.consultant_points[level - 1] + self.left

    # ---- trouble

    @cached_property
    def crisis(self) -> float:
        """What a coloured barrel costs: barrels, and a card that turns up or may do so later; or an agent."""
        if self.board.track:
            return 1.5
        first = self.board.window is None or not self.board.window.first_crisis_used
        loss = self.barrel * (self.own.black // 2) if first else 0.0
        if self.own.pr_face_down_level is not None:
            return loss + 0.8 * self.edition.pr_penalties[self.own.pr_face_down_level - 1]
        held = max((self.edition.pr_card[card].level for card in self.own.pr_face_up), default=0)
        return loss + 0.3 * self.edition.pr_penalties[min(2, held)]

    @cached_property
    def pull(self) -> float:
        """What a pull costs on average; below 0 once the game drags on."""
        if self.late:
            return -0.5
        bag = self.board.bag
        total = bag.black + bag.red + bag.yellow
        return self.crisis * (bag.red + bag.yellow) / total if total else 0.0

    # ---- shipping

    def route(self, route: Route, *, flipped: str | None = None) -> float:
        """A shipping: the cargo that comes home, less the pulls. `flipped` is a chip thought of the other way up."""
        marks = skulls = 0
        for risk in self.board.risks:
            if risk.place in route.risks:
                back = risk.place == flipped
                if risk.back_closed if back else risk.closed:
                    return 0.0
                marks += risk.back_question_marks if back else risk.question_marks
                skulls += risk.back_skulls if back else risk.skulls
        chip = next(one for one in self.board.refineries if one.place == route.refinery)
        shown = chip.back_demand if route.refinery == flipped else chip.demand
        cargo = min(max(0, shown + self.delta(hook.ShipDemand)), self.board.regions[route.from_region])
        home = max(0.2 if self.late else 0.0, cargo - max(0, skulls + self.delta(hook.ShipSkulls)))
        return self.barrel * home - self.pull * max(0, marks + self.delta(hook.ShipQuestionMarks))

    # ---- the options of the spots

    def option(self, name: OptionName, spot: Spot) -> float:
        """The best that an option could bring on a spot now; 0 where it is not to be had."""
        return 0.0 if name in self.forbidden else max((0.0, *_WORTHS[name](self, spot)))

    @cached_property
    def forbidden(self) -> set[str]:
        """What the cards before the seat take away."""
        return {what for effect in self._in_force(hook.Forbids) for what in effect.what}

    def recruit_worths(self, _spot: Spot) -> Iterator[float]:
        if self.own.reserve and self.board.phase == "turns":
            yield 0.4 + 1.8 * self.left

    def dispatch_worths(self, _spot: Spot) -> Iterator[float]:
        if self.board.spots["EXP"][self.seat]:
            yield from (self.dispatched(spot) for spot in self.board.spots if spot != "EXP")

    def dispatched(self, spot: Spot) -> float:
        """All agents on Expand sent to a spot, to act there."""
        return 0.9 * self.action(spot, self.board.spots[spot][self.seat] + self.board.spots["EXP"][self.seat])

    def drill_worths(self, _spot: Spot) -> Iterator[float]:
        yield from (self.field(card) for card in self.board.oil_fields.cards)

    def whitewash_worths(self, _spot: Spot) -> Iterator[float]:
        yield from map(self.whitewashed, self.own.pr_face_up)

    def whitewashed(self, card: str) -> float:
        """A PR Crisis card got rid of, less its price; 0 where that cannot be paid."""
        level = self.edition.pr_card[card].level - 1
        price = max(0, self.edition.whitewash_prices[level] + self.delta(hook.WhitewashCost))
        if price > self.own.black:
            return 0.0
        return self.edition.pr_penalties[level] + 0.5 * self.left - self.barrel * price

    def research_worths(self, _spot: Spot) -> Iterator[float]:
        yield 0.1 * self.left

    def start_ups_worths(self, _spot: Spot) -> Iterator[float]:
        for card in self.board.start_ups.cards:
            if self.price(self.edition.start_up[card].technology) <= self.own.black:
                yield self.start_up(card)

    def technologies_worths(self, _spot: Spot) -> Iterator[float]:
        if self.own.black:
            yield from (self.on_technology(one) - self.barrel for one in self.board.technologies)

    def crude_whitewash_worths(self, _spot: Spot) -> Iterator[float]:
        on_track = sum(space.seat == self.seat for space in self.board.track)
        yield (self.edition.track_penalty + 0.5 * self.left) * on_track

    def black_market_worths(self, _spot: Spot) -> Iterator[float]:
        yield sum(barrels * self.on_technology(slot) for slot, barrels in self.board.market.items())

    def consultants_worths(self, _spot: Spot) -> Iterator[float]:
        for card in self.board.consultants:
            if self.edition.consultant[card].level == len(self.own.consultants) + 1:
                yield self.consultant(card)

    def marketing_worths(self, _spot: Spot) -> Iterator[float]:
        yield from self.technologies_worths(_spot)
        for origin in self.board.technologies:
            yield from (self.marketing(origin, to) for to in self.board.technologies)

    def marketing(self, origin: Technology, to: Technology) -> float:
        """A barrel moved from one technology to another, less its price."""
        price = self.board.technologies[to] + 1
        if origin == to or not self.board.technologies[origin] or price > self.own.black:
            return 0.0
        return self.on_technology(to) - self.on_technology(origin) - self.barrel * price

    def ship_worths(self, spot: Spot) -> Iterator[float]:
        yield from (self.route(route) for route in self.edition.routes_from.get(spot, ()))

    # ---- actions

    @cached_property
    def entry(self) -> float:
        """What Grey Ops asks for before anything else; its barrel is not lost, if it lies on the right slot."""
        if self.board.track:
            return 0.0
        return max(0, 1 + self.delta(hook.GreyEntryCost)) * self.barrel

    def action(self, spot: Spot, agents: int) -> float:
        """The action of a spot with so many own agents there."""
        others = max((n for seat, n in enumerate(self.board.spots[spot]) if seat != self.seat), default=0)
        if not agents or agents < others:
            return 0.0
        limit = self.variant.limits["majority" if agents > others else "tied"]
        worths = sorted((self.option(name, spot) for name in self.options_on(spot)), reverse=True)
        worth = sum(worths[:limit])
        if spot == "GRY":
            worth = max(0.0, worth - self.entry) if self.own.black or not self.entry else 0.0
        return worth if agents > others else max(0.0, 0.9 * worth - self.pull)

    def options_on(self, spot: Spot) -> Sequence[OptionName]:
        return self.variant.options_on.get(spot, ("ship",))

    def standing(self, agents: Mapping[Place, int]) -> float:
        """So many agents at these places: what they can do next turn, and in those after it."""
        worths = {spot: self.action(spot, agents[spot]) for spot in self.board.spots if agents.get(spot)}
        ranked = sorted(worths.values(), reverse=True)
        hope = sum(0.05 for spot in worths if worths[spot] == 0)
        return sum(worth * share for worth, share in zip(ranked, FOLLOWING, strict=False)) + hope


_WORTHS: Mapping[OptionName, Callable[[Worth, Spot], Iterator[float]]] = {
    "recruit": Worth.recruit_worths,
    "dispatch": Worth.dispatch_worths,
    "drill": Worth.drill_worths,
    "whitewash": Worth.whitewash_worths,
    "research": Worth.research_worths,
    "start_ups": Worth.start_ups_worths,
    "technologies": Worth.technologies_worths,
    "crude_whitewash": Worth.crude_whitewash_worths,
    "black_market": Worth.black_market_worths,
    "consultants": Worth.consultants_worths,
    "marketing": Worth.marketing_worths,
    "ship": Worth.ship_worths,
}
