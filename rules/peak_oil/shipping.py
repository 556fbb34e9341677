"""Shipping from a Region: PO-210 … PO-223."""

from __future__ import annotations

from collections.abc import Iterator

from events.peak_oil.codes import Spot
from events.peak_oil.commands import LoadCargo, Ship
from events.peak_oil.facts import CargoLoaded, ChipsFlipped, ChoiceDeclined, Shipped
from events.peak_oil.steps import (
    ChooseOption,
    LoadTanker,
    PeakOption,
    PlaceBarrels,
    PullBarrels,
    ShipLoad,
    UnloadTanker,
)
from rules.peak_oil import hooks, security
from rules.peak_oil.book import At, Barred, PeakOilTable, allow, mover
from rules.peak_oil.edition import RiskFace, Route
from rules.peak_oil.spots import begin_option


def faces_on(at: At, route: Route) -> Iterator[RiskFace]:
    """PO-211, PO-221: the visible faces along a route."""
    known, risks = at.book.edition.risk_chip, at.board.risks
    for place in route.risks:
        chip = risks[place]
        yield known[chip.chip].faces[chip.face]


def route_barred(at: At, seat: int, spot: Spot, route: str) -> Barred:
    """PO-210, PO-211, PO-212, PO-219, PO-223: a route of this Region with no closed face; barrels are not needed."""
    found = at.book.edition.route.get(route)
    if found is None or found.from_region != spot:
        return "PO-210", "route_not_here", "/route"
    if any(face.closed for face in faces_on(at, found)):
        return "PO-211", "route_closed", "/route"
    if hooks.forbidden(at, seat, "ship"):
        return "PO-127", "option_blocked"
    return None


def open_routes(at: At, seat: int, spot: Spot) -> Iterator[Route]:
    """PO-210, PO-211: the routes that can be shipped along now."""
    routes = at.book.edition.routes_from.get(spot, ())
    return (route for route in routes if route_barred(at, seat, spot, route.id) is None)


def question_marks(at: At, seat: int, route: Route) -> int:
    """PO-213: the pulls that this route asks for."""
    return hooks.ship_question_marks(at, seat, sum(face.question_marks for face in faces_on(at, route)))


def ship(table: PeakOilTable, step: ChooseOption | PeakOption, command: Ship) -> None:
    """PO-213, PO-214, PO-234: the pulls are settled with the route; loading comes after them."""
    begin_option(table, step, "ship")
    seat = mover(table)
    allow(table, route_barred(table, seat, step.spot, command.route))
    route = table.book.edition.route[command.route]
    table.next(PullBarrels("ship", question_marks(table, seat, route)), LoadTanker(route.id))


def load_tanker(table: PeakOilTable, step: LoadTanker) -> None:
    """PO-235: somebody with a usable Security chip is asked before loading."""
    seat = mover(table)
    if security.usable(table, seat):
        table.next(ShipLoad(step.route, awaits=(seat,)))
    else:
        _load(table, step.route)


def load_cargo(table: PeakOilTable, step: ShipLoad, command: LoadCargo) -> None:
    """PO-235: the seat is done with its Security chips."""
    table.emit(ChoiceDeclined(mover(table), "ship_load"))
    _load(table, step.route)


def _load(table: PeakOilTable, name: str) -> None:
    """PO-214, PO-215, PO-222: Demand and skulls as they lie now; the pirates' share goes to the market first."""
    seat, route = mover(table), table.book.edition.route[name]
    chip = table.board.refineries[route.refinery]
    demand = hooks.ship_demand(table, seat, table.book.edition.refinery_chip[chip.chip].demand[chip.face])
    cargo = min(demand, table.board.regions[route.from_region])
    skulls = hooks.ship_skulls(table, seat, sum(face.skulls for face in faces_on(table, route)))
    taken = min(skulls, cargo)
    table.emit(CargoLoaded(seat, route.from_region, cargo))
    table.next(PlaceBarrels("cargo", taken), UnloadTanker(name, demand, cargo, taken))


def unload_tanker(table: PeakOilTable, step: UnloadTanker) -> None:
    """PO-216, PO-217, PO-218, PO-220: what is left comes to HQ; the chips of the route and the Refinery are turned."""
    seat, route = mover(table), table.book.edition.route[step.route]
    left = step.cargo - step.skulls
    boxed = min(hooks.seized_cargo(table, seat), left)
    table.emit(Shipped(seat, route.id, step.demand, step.cargo, step.skulls, boxed, left - boxed))
    table.emit(ChipsFlipped(route.refinery, route.risks))
