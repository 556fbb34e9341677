"""The legal answers to each question: everything listed is accepted, nothing else is.

They depend on public facts and on the seat's own; nothing that a face-down card says has a part in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from events.peak_oil.codes import OptionName, Place, Spot, Technology
from events.peak_oil.steps import (
    ChooseMarketSlot,
    ChooseOption,
    CrudeCrisisAgent,
    CustodyAgent,
    DispatchFollowUp,
    DrillDisplay,
    DrillPull,
    ExtraPull,
    GreyEntry,
    PeakEntry,
    PeakOption,
    PeakReassign,
    SecondTechnology,
    ShipLoad,
    StartUpDisplay,
    Step1Choose,
    Step2Reassign,
    Step3Optional,
)
from events.words import Waits
from projections.game import AnyGame
from rules.choices import Fields, Option, SomeOf, whole
from rules.peak_oil import crude, develop, expand, grey_ops, hooks, invest, market, security, shipping, third_step
from rules.peak_oil.book import At, Barred, PeakOilBook, Sight
from rules.peak_oil.crisis import places_of
from rules.peak_oil.reassign import Kind, moves
from rules.peak_oil.spots import action_barred, can_pay_entries, options_on

Options = Iterator[Option]


def listed(game: AnyGame, book: PeakOilBook, seat: int) -> list[Option]:
    """PO-230, PO-355, PO-356, PO-370: every legal answer of the seat to the open question, and nothing else."""
    step = game.waiting
    assert step is not None
    return list(answers(Sight(game.board, book), step))


def answers(at: At, step: Waits) -> Options:
    """PO-230: the answers to the question itself, then what Security chips can do meanwhile."""
    yield from ANSWERS[type(step)](at, step)
    seat = step.awaits[0]
    if type(step) in QUESTIONS_ON_TURN and security.usable(at, seat):
        yield from _security(at)


def any_option(at: At, seat: int, spot: Spot, used: tuple[OptionName, ...]) -> bool:
    """PO-094: whether an option of the spot that was not used yet could be used now."""
    return any(
        next(OFFERS[name](at, seat, spot), None) is not None for name in options_on(at, spot) if name not in used
    )


# ---- turns


def _step1(at: At, step: Step1Choose) -> Options:
    seat = step.awaits[0]
    for spot in at.board.spots:
        if action_barred(at, seat, spot) is None:
            yield whole("take_action", spot=spot)
    yield from _reassigns(at, seat, "step1")


def _step2(at: At, step: Step2Reassign) -> Options:
    return _reassigns(at, step.awaits[0], "step2")


def _step3(at: At, step: Step3Optional) -> Options:
    seat = step.awaits[0]
    yield whole("end_turn")
    if third_step.barred(at, seat) is None:
        price = {"black": hooks.step3_cost(at, seat)}
        for origin, to in moves(at, seat, "step3"):
            yield _move("pay_reassign", origin, to, price)


def _reassigns(at: At, seat: int, kind: Kind) -> Options:
    return (_move("reassign", origin, to) for origin, to in moves(at, seat, kind))


def _move(kind: str, origin: Place, to: Place, price: dict[str, int] | None = None) -> Option:
    return Option(f"{kind}:{origin}:{to}", {"type": kind, "from": origin, "to": to}, None, price or {})


def _peak_reassign(at: At, step: PeakReassign) -> Options:
    yield whole("pass")
    yield from _reassigns(at, step.awaits[0], "final")


# ---- barrels, chips and agents on the way


def _security(at: At) -> Options:
    risks, refineries = tuple(at.board.risks), tuple(at.board.refineries)
    for kind, places, number in (
        ("swap_refinery", refineries, 2),
        ("swap_risk", risks, 2),
        ("flip_refinery", refineries, 1),
        ("flip_risk", risks, 1),
    ):
        choice = Fields({"places": SomeOf(places, number, number)})
        yield Option(f"use_security:{kind}", {"type": "use_security", "kind": kind}, choice, {"security": 1})


def _market_slots(at: At, step: ChooseMarketSlot) -> Options:
    return (whole("place_on_market", technology=slot) for slot in market.empty_slots(at))


def _pull_or_stop(at: At, step: ExtraPull | DrillPull) -> Options:
    yield whole("pull")
    yield whole("stop_pulling")


def _entries(at: At, step: GreyEntry) -> Options:
    return _place_entries(at, step.awaits[0])


def _peak_entry(at: At, step: PeakEntry) -> Options:
    yield whole("pass")
    if can_pay_entries(at, step.awaits[0], step.left):
        yield from _place_entries(at, step.awaits[0])


def _place_entries(at: At, seat: int) -> Options:
    for slot, source in grey_ops.entries(at, seat):
        yield whole("place_entry", costs={"black": 1} if source == "HQ" else None, technology=slot, source=source)


def _load(at: At, step: ShipLoad) -> Options:
    yield whole("load_cargo")


def _follow_up(at: At, step: DispatchFollowUp) -> Options:
    yield whole("act_here")
    yield whole("hold_position")


def _own_agent(at: At, step: CustodyAgent | CrudeCrisisAgent) -> Options:
    return (
        Option(f"choose_own_agent:{place}", {"type": "choose_own_agent", "from": place})
        for place in places_of(at.board, step.awaits[0])
    )


# ---- options of the spots


def _choose_option(at: At, step: ChooseOption) -> Options:
    yield whole("end_action")
    for name in options_on(at, step.spot):
        if name not in step.used:
            yield from OFFERS[name](at, step.awaits[0], step.spot)


def _peak_option(at: At, step: PeakOption) -> Options:
    yield whole("pass")
    for name in options_on(at, step.spot):
        yield from OFFERS[name](at, step.awaits[0], step.spot)


def _recruit(at: At, seat: int, spot: Spot) -> Options:
    if expand.recruit_barred(at, seat) is None:
        yield whole("recruit")


def _dispatch(at: At, seat: int, spot: Spot) -> Options:
    for target in at.board.spots:
        if expand.dispatch_barred(at, seat, target) is None:
            yield whole("dispatch", spot=target)


def _drill(at: At, seat: int, spot: Spot) -> Options:
    if develop.drill_barred(at, seat) is None:
        yield whole("start_drill")


def _drill_display(at: At, step: DrillDisplay) -> Options:
    yield whole("skip_drill")
    if develop.refresh_barred(at, "oil_fields", refreshed=step.refreshed) is None:
        yield whole("refresh_oil_fields")
    for card in at.board.field_display:
        yield whole("take_oil_field", card=card)


def _whitewash(at: At, seat: int, spot: Spot) -> Options:
    for card in at.board.seats[seat].pr_up:
        if develop.whitewash_barred(at, seat, card) is None:
            yield whole("whitewash", costs={"black": hooks.whitewash_cost(at, seat, card)}, card=card)


def _research(at: At, seat: int, spot: Spot) -> Options:
    if crude.research_barred(at) is None:
        yield whole("research")


def _start_ups(at: At, seat: int, spot: Spot) -> Options:
    if invest.start_ups_barred(at, seat) is None:
        yield whole("start_start_ups")


def _start_up_display(at: At, step: StartUpDisplay) -> Options:
    seat = step.awaits[0]
    yield whole("skip_start_ups")
    if develop.refresh_barred(at, "start_ups", refreshed=step.refreshed) is None:
        yield whole("refresh_start_ups")
    for card in at.board.start_up_display:
        if invest.purchase_barred(at, seat, card) is None:
            price = hooks.start_up_price(at, seat, at.book.edition.start_up[card].technology)
            yield whole("buy_start_up", costs={"black": price}, card=card)


def _technologies(at: At, seat: int, spot: Spot) -> Options:
    return _technology_commands(at, seat, "place_technology", invest.technology_barred)


def _technology_commands(at: At, seat: int, kind: str, barred: Callable[[At, int, Technology], Barred]) -> Options:
    for technology in at.board.technologies:
        if barred(at, seat, technology) is None:
            yield whole(kind, costs={"black": 1}, technology=technology)


def _second_technology(at: At, step: SecondTechnology) -> Options:
    yield whole("decline")
    yield from _technologies(at, step.awaits[0], "INV")


def _crude_whitewash(at: At, seat: int, spot: Spot) -> Options:
    if crude.crude_whitewash_barred(at, seat) is None:
        yield whole("crude_whitewash")


def _black_market(at: At, seat: int, spot: Spot) -> Options:
    if grey_ops.black_market_barred(at, seat, None, None) is not None:
        return
    yield whole("move_black_market")
    if hooks.may_redirect(at, seat):
        for origin in at.board.market:
            for to in at.board.technologies:
                if grey_ops.black_market_barred(at, seat, origin, to) is None:
                    yield whole("move_black_market", redirect_from=origin, redirect_to=to)


def _consultants(at: At, seat: int, spot: Spot) -> Options:
    for card in at.board.consultants:
        if grey_ops.consultant_barred(at, seat, card) is None:
            yield whole("hire_consultant", card=card)


def _marketing(at: At, seat: int, spot: Spot) -> Options:
    yield from _technology_commands(at, seat, "market_place", crude.market_place_barred)
    for origin in at.board.technologies:
        for to in at.board.technologies:
            if crude.market_move_barred(at, seat, origin, to) is None:
                price = {"black": at.board.technologies[to] + 1}
                yield whole("market_move", costs=price, from_technology=origin, to_technology=to)


def _ship(at: At, seat: int, spot: Spot) -> Options:
    return (whole("ship", route=route.id) for route in shipping.open_routes(at, seat, spot))


OFFERS: Mapping[OptionName, Callable[[At, int, Spot], Options]] = {
    "recruit": _recruit,
    "dispatch": _dispatch,
    "drill": _drill,
    "whitewash": _whitewash,
    "research": _research,
    "start_ups": _start_ups,
    "technologies": _technologies,
    "crude_whitewash": _crude_whitewash,
    "black_market": _black_market,
    "consultants": _consultants,
    "marketing": _marketing,
    "ship": _ship,
}
"""What each option has to offer a seat on a spot."""

ANSWERS: Mapping[type[Waits], Callable[[At, Any], Options]] = {
    Step1Choose: _step1,
    Step2Reassign: _step2,
    Step3Optional: _step3,
    ChooseMarketSlot: _market_slots,
    ExtraPull: _pull_or_stop,
    GreyEntry: _entries,
    ChooseOption: _choose_option,
    DrillDisplay: _drill_display,
    DrillPull: _pull_or_stop,
    StartUpDisplay: _start_up_display,
    SecondTechnology: _second_technology,
    ShipLoad: _load,
    DispatchFollowUp: _follow_up,
    CustodyAgent: _own_agent,
    CrudeCrisisAgent: _own_agent,
    PeakReassign: _peak_reassign,
    PeakOption: _peak_option,
    PeakEntry: _peak_entry,
}
"""The answers to each question, Security chips aside."""

QUESTIONS_ON_TURN = frozenset(ANSWERS) - {PeakReassign}
"""PO-230, PO-236: the questions during which the seat may use Security chips."""
