"""Peak Oil, played to win, simply: many Start-Ups of few technologies, and Oil Fields that match them.

Every option of every spot has a worth in points. Agents stand where an action would be worth most; the best action that
is open is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from statistics import mean
from typing import Any

from events.peak_oil.codes import OptionName, Place, Spot, Technology
from projections.peak_oil.view import BoardView
from projections.view import GameView
from rules.catalogue import rulesets
from rules.choices import Below, Option
from rules.peak_oil import effects as hook
from rules.peak_oil.edition import PeakOilEdition, Route
from rules.peak_oil.rulebook import BASE, CRUDE

FOLLOWING = (1.0, 0.6, 0.4, 0.3)
"""What places to act count for, the best first: that is next turn's, the others come later."""

LONG = 20
"""After so many turns for each seat, whatever brings the end nearer is welcome."""

OPTION_OF: dict[str, OptionName] = {
    "recruit": "recruit",
    "dispatch": "dispatch",
    "start_drill": "drill",
    "whitewash": "whitewash",
    "research": "research",
    "start_start_ups": "start_ups",
    "place_technology": "technologies",
    "crude_whitewash": "crude_whitewash",
    "move_black_market": "black_market",
    "hire_consultant": "consultants",
    "market_place": "marketing",
    "market_move": "marketing",
    "ship": "ship",
}


def play(view: GameView[BoardView], options: Sequence[Option], below: Below) -> dict[str, Any]:
    """The command of the awaited seat."""
    assert view.viewer is not None, "a bot has a seat"
    edition = rulesets()[view.ruleset].edition(view.edition).edition
    assert isinstance(edition, PeakOilEdition)
    position = _Position(view.board, view.viewer, edition, options)
    question = "" if view.question is None else view.question.name
    answer = _ANSWERS.get(question)
    return options[0].pick(below) if answer is None else answer(position)


class _Worth:
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

    def delta(self, kind: type[Any]) -> int:
        """What the cards before the seat add at one hook."""
        cards = (*self.own.consultants, *self.own.pr_face_up)
        found = (effect for card in cards for effect in self.edition.effects[card])
        return sum(effect.delta for effect in found if isinstance(effect, kind))

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
        return max((0.0, *_WORTHS[name](self, spot)))

    def recruit_worths(self, _spot: Spot) -> Iterator[float]:
        if self.own.reserve:
            yield 0.4 + 1.8 * self.left

    def dispatch_worths(self, _spot: Spot) -> Iterator[float]:
        agents = self.board.spots["EXP"][self.seat]
        for spot in self.board.spots:
            if agents and spot != "EXP":
                yield 0.9 * self.action(spot, self.board.spots[spot][self.seat] + agents)

    def drill_worths(self, _spot: Spot) -> Iterator[float]:
        yield from (self.field(card) for card in self.board.oil_fields.cards)

    def whitewash_worths(self, _spot: Spot) -> Iterator[float]:
        for card in self.own.pr_face_up:
            level = self.edition.pr_card[card].level
            price = max(0, self.edition.whitewash_prices[level - 1] + self.delta(hook.WhitewashCost))
            if price <= self.own.black:
                yield self.edition.pr_penalties[level - 1] + 0.5 * self.left - self.barrel * price

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
        worths = sorted((self.option(name, spot) for name in self._options(spot)), reverse=True)
        worth = sum(worths[:limit])
        if spot == "GRY":
            worth = max(0.0, worth - self.entry) if self.own.black or not self.entry else 0.0
        return worth if agents > others else max(0.0, 0.9 * worth - self.pull)

    def _options(self, spot: Spot) -> Sequence[OptionName]:
        return self.variant.options_on.get(spot, ("ship",))

    def standing(self, agents: Mapping[Place, int]) -> float:
        """So many agents at these places: what they can do next turn, and in those after it."""
        worths = {spot: self.action(spot, agents[spot]) for spot in self.board.spots if agents.get(spot)}
        ranked = sorted(worths.values(), reverse=True)
        hope = sum(0.05 for spot in worths if worths[spot] == 0)
        return sum(worth * share for worth, share in zip(ranked, FOLLOWING, strict=False)) + hope


_WORTHS: Mapping[OptionName, Callable[[_Worth, Spot], Iterator[float]]] = {
    "recruit": _Worth.recruit_worths,
    "dispatch": _Worth.dispatch_worths,
    "drill": _Worth.drill_worths,
    "whitewash": _Worth.whitewash_worths,
    "research": _Worth.research_worths,
    "start_ups": _Worth.start_ups_worths,
    "technologies": _Worth.technologies_worths,
    "crude_whitewash": _Worth.crude_whitewash_worths,
    "black_market": _Worth.black_market_worths,
    "consultants": _Worth.consultants_worths,
    "marketing": _Worth.marketing_worths,
    "ship": _Worth.ship_worths,
}


class _Position(_Worth):
    """What a seat knows while it answers one question."""

    def __init__(self, board: BoardView, seat: int, edition: PeakOilEdition, options: Sequence[Option]) -> None:
        super().__init__(board, seat, edition)
        self.options = [option for option in options if option.command["type"] != "use_security"]
        self.has_security = len(self.options) < len(options)

    # ---- turns

    def step_one(self) -> dict[str, Any]:
        """The best action there is, if it is worth a turn; else an agent goes where one will be."""
        actions = [option.command for option in self._named("take_action")]
        worths = {command["spot"]: self.action(command["spot"], self._agents(command["spot"])) for command in actions}
        best = max(actions, key=lambda command: worths[command["spot"]], default=None)
        moves = self._named("reassign")
        if best is not None and (worths[best["spot"]] > 0.3 or self.late or not moves):
            return best
        return max(moves, key=self._after).command

    def step_two(self) -> dict[str, Any]:
        return max(self.options, key=self._after).command

    def step_three(self) -> dict[str, Any]:
        """Paid for where the move is worth more than its barrels."""
        moves = self._named("pay_reassign")
        best = max(moves, key=self._after, default=None)
        if best is None or self._after(best) - self.standing(self._places) <= 1.5 * self.barrel * best.costs["black"]:
            return {"type": "end_turn"}
        return best.command

    def _agents(self, spot: Spot) -> int:
        return self.board.spots[spot][self.seat]

    @cached_property
    def _places(self) -> Counter[Place]:
        places: Counter[Place] = Counter({spot: agents[self.seat] for spot, agents in self.board.spots.items()})
        places["HQ"] = self.own.agents
        return places

    def _after(self, move: Option) -> float:
        """The standing after a reassign."""
        places = self._places.copy()
        places[move.command["from"]] -= 1
        places[move.command["to"]] += 1
        return self.standing(places)

    # ---- actions

    def choose_option(self) -> dict[str, Any]:
        return self._security() or self._best_option({"type": "end_action"})

    def peak_option(self) -> dict[str, Any]:
        return self._security() or self._best_option({"type": "pass"})

    def _best_option(self, otherwise: dict[str, Any]) -> dict[str, Any]:
        """The option worth most; a Start-Up is bought before its technology gets dearer."""
        offered = [option.command for option in self.options if option.command["type"] in OPTION_OF]
        best = max(offered, key=self._use, default=None)
        return otherwise if best is None or (self._use(best) <= 0 and not self.late) else best

    def _use(self, command: dict[str, Any]) -> float:
        """What one command that uses an option is worth."""
        match command["type"]:
            case "dispatch":
                spot = command["spot"]
                return 0.9 * self.action(spot, self._agents(spot) + self._agents("EXP"))
            case "whitewash":
                return float(self.edition.pr_penalties[self.edition.pr_card[command["card"]].level - 1])
            case "start_start_ups":
                return 10 * self.option("start_ups", "INV")
            case "place_technology" | "market_place":
                return self.on_technology(command["technology"]) - self.barrel
            case "market_move":
                return self.marketing(command["from_technology"], command["to_technology"])
            case "hire_consultant":
                return self.consultant(command["card"])
            case "move_black_market":
                return self.option("black_market", "GRY") + self._redirected(command)
            case "ship":
                return self.route(self.edition.route[command["route"]])
            case kind:
                return self.option(OPTION_OF[kind], "EXP")

    def _redirected(self, command: dict[str, Any]) -> float:
        if "redirect_to" not in command:
            return 0.0
        return self.on_technology(command["redirect_to"]) - self.on_technology(command["redirect_from"])

    def _security(self) -> dict[str, Any] | None:
        """A chip turned over, where the shipping at hand gains a barrel by it."""
        routes = [self.edition.route[option.command["route"]] for option in self._named("ship")]
        if not routes or not self.has_security:
            return None
        now = max(self.route(route) for route in routes)
        chips = [(place, "flip_refinery") for place in {route.refinery for route in routes}]
        chips += [(place, "flip_risk") for place in {risk for route in routes for risk in route.risks}]
        gains = {chip: max(self.route(route, flipped=chip[0]) for route in routes) - now for chip in sorted(chips)}
        place, kind = max(gains, key=lambda chip: gains[chip])
        if gains[place, kind] < 0.9 * self.barrel:
            return None
        return {"type": "use_security", "kind": kind, "places": [place]}

    def follow_up(self) -> dict[str, Any]:
        """The dispatched agents act, if there is anything to gain."""
        assert self.board.window is not None
        arrived = [spot for spot in self.board.spots if spot in self.board.window.locked]
        worth = max((self.action(spot, self._agents(spot)) for spot in arrived), default=0.0)
        return {"type": "act_here" if worth > 0.1 else "hold_position"}

    def drill_display(self) -> dict[str, Any]:
        best = max(self._named("take_oil_field"), key=lambda option: self.field(option.command["card"]), default=None)
        worth = 0.0 if best is None else self.field(best.command["card"])
        if self._named("refresh_oil_fields") and worth < max(self.holdings.values()):
            return {"type": "refresh_oil_fields"}
        return {"type": "skip_drill"} if best is None or (worth <= 0 and not self.late) else best.command

    def start_up_display(self) -> dict[str, Any]:
        best = max(self._named("buy_start_up"), key=lambda option: self.start_up(option.command["card"]), default=None)
        worth = 0.0 if best is None else self.start_up(best.command["card"])
        if self._named("refresh_start_ups") and worth < 1:
            return {"type": "refresh_start_ups"}
        return {"type": "skip_start_ups"} if best is None or worth <= 0 else best.command

    def second_technology(self) -> dict[str, Any]:
        return self._best_option({"type": "decline"})

    def slot(self) -> dict[str, Any]:
        """Where the Black Market would serve this seat best."""
        return max(self.options, key=lambda option: self.on_technology(option.command["technology"])).command

    def entry_barrel(self) -> dict[str, Any]:
        """On the best slot; from a Region rather than from HQ."""
        entries = self._named("place_entry")

        def merit(option: Option) -> tuple[float, bool]:
            return self.on_technology(option.command["technology"]), option.command["source"] != "HQ"

        return max(entries, key=merit).command

    def peak_entry(self) -> dict[str, Any]:
        worth = max(self.option(name, "GRY") for name in self._options("GRY"))
        return self.entry_barrel() if self._named("place_entry") and worth > self.entry else {"type": "pass"}

    def pulling(self) -> dict[str, Any]:
        """Nobody has to pull; in a game that drags on, it brings the end."""
        return {"type": "pull" if self.pull < 0.1 else "stop_pulling"}

    def load(self) -> dict[str, Any]:
        return {"type": "load_cargo"}

    def own_agent(self) -> dict[str, Any]:
        """An agent from HQ, or from where it would do least."""

        def loss(option: Option) -> float:
            place: Place = option.command["from"]
            return -1.0 if place == "HQ" else self.action(place, self._agents(place))

        return min(self.options, key=loss).command

    def final_reassign(self) -> dict[str, Any]:
        """Where one agent more, or the first one, has most to gain in the last check of the spots."""

        def gain(option: Option) -> float:
            places = self._places.copy()
            places[option.command["from"]] -= 1
            places[option.command["to"]] += 1
            return self._last(places) - self._last(self._places)

        best = max(self._named("reassign"), key=gain, default=None)
        return {"type": "pass"} if best is None or gain(best) <= 0 else best.command

    def _last(self, places: Mapping[Place, int]) -> float:
        """What the agents at these places can do when every spot is checked once."""
        worths = {spot: max(self.option(name, spot) for name in self._options(spot)) for spot in self.board.spots}
        return sum(worths[spot] for spot in worths if places[spot])

    def _named(self, kind: str) -> list[Option]:
        return [option for option in self.options if option.command["type"] == kind]


_ANSWERS: dict[str, Callable[[_Position], dict[str, Any]]] = {
    "step1_choose": _Position.step_one,
    "step2_reassign": _Position.step_two,
    "step3_optional": _Position.step_three,
    "choose_market_slot": _Position.slot,
    "extra_pull": _Position.pulling,
    "grey_entry": _Position.entry_barrel,
    "choose_option": _Position.choose_option,
    "drill_display": _Position.drill_display,
    "drill_pull": _Position.pulling,
    "start_up_display": _Position.start_up_display,
    "second_technology": _Position.second_technology,
    "ship_load": _Position.load,
    "dispatch_follow_up": _Position.follow_up,
    "custody_agent": _Position.own_agent,
    "crude_crisis_agent": _Position.own_agent,
    "peak_reassign": _Position.final_reassign,
    "peak_option": _Position.peak_option,
    "peak_entry": _Position.peak_entry,
}
