"""Peak Oil, played to win, simply: many Start-Ups of few technologies, and Oil Fields that match them.

Every option of every spot has a worth in points. Agents stand where an action would be worth most; the best action that
is open is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from events.peak_oil.codes import OptionName, Place, Spot
from projections.peak_oil.view import BoardView
from projections.view import GameView
from rules.catalogue import rulesets
from rules.choices import Below, Option
from rules.peak_oil.edition import PeakOilEdition
from service.bots.peak_oil_worth import Worth

FIRST = 10
"""How much more urgent Start-Ups are than Technologies, which make them dearer."""

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


class _Position(Worth):
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
        """The option worth most, if it is worth anything."""
        offered = [option.command for option in self.options if option.command["type"] in OPTION_OF]
        best = max(offered, key=self._use, default=None)
        return otherwise if best is None or (self._use(best) <= 0 and not self.late) else best

    def _use(self, command: dict[str, Any]) -> float:
        """What one command that uses an option is worth."""
        match command["type"]:
            case "dispatch":
                worth = self.dispatched(command["spot"])
            case "whitewash":
                worth = self.whitewashed(command["card"])
            case "start_start_ups":
                worth = FIRST * self.option("start_ups", "INV")
            case "place_technology" | "market_place":
                worth = self.on_technology(command["technology"]) - self.barrel
            case "market_move":
                worth = self.marketing(command["from_technology"], command["to_technology"])
            case "hire_consultant":
                worth = self.consultant(command["card"])
            case "move_black_market":
                worth = self.option("black_market", "GRY") + self._redirected(command)
            case "ship":
                worth = self.route(self.edition.route[command["route"]])
            case kind:
                worth = self.option(OPTION_OF[kind], "EXP")
        return worth

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
        chips: list[tuple[str, str]] = [(place, "flip_refinery") for place in {route.refinery for route in routes}]
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
        worth = max(self.option(name, "GRY") for name in self.options_on("GRY"))
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
        worths = {spot: max(self.option(name, spot) for name in self.options_on(spot)) for spot in self.board.spots}
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
