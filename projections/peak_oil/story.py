"""Peak Oil in a player's sentences. What a reader may not know is missing from event and sentence alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from projections.peak_oil import names
from projections.peak_oil.names import Names
from projections.story import listed, number, tell_table

Fields = Mapping[str, Any]
Teller = Callable[[Fields, Names], str]

_STANDINGS = {"majority": "with the majority", "tied": "tied", "peak": "in the Peak Oil phase"}
_REASONS = {"tie": "to break a tie", "ship": "while shipping", "drill": "while drilling"}
_PULLED_TO = {"market": "for the Black Market", "aside": "put aside", "box": "out of the game"}
_DECLINED = {
    "choose_option": "uses no further option",
    "extra_pull": "pulls no more",
    "drill_pull": "pulls no more",
    "drill_display": "takes no Oil Field",
    "start_up_display": "buys no Start-Up",
    "second_technology": "places no second barrel",
    "ship_load": "loads",
    "dispatch_follow_up": "leaves the agents there",
    "step3_optional": "ends the turn",
    "peak_reassign": "passes",
    "peak_option": "passes",
    "peak_entry": "passes",
}
_BOXED = {"action_end": "after the action"}
_PHASES = {
    "final_reassign": "Everybody else may reassign once more.",
    "peak_oil": "The Peak Oil phase begins.",
}


def tell(event: Fields, edition: Names) -> str | None:
    """One sentence about an event, None where there is nothing to tell."""
    teller = _TELLERS.get(event["type"])
    return tell_table(event) if teller is None else teller(event, edition)


def _barrels(n: int) -> str:
    return number(n, "barrel")


def _shown(event: Fields, member: str, edition: Names) -> str:
    name = names.oil_field if event["display"] == "oil_fields" else names.start_up
    return listed(name(card, edition) for card in event[member])


# ---- set-up


def _started(event: Fields, edition: Names) -> str:
    bag = event["bag"]
    return (
        f"The game begins with {event['seats']} companies: "
        f"{bag['black']} black, {bag['red']} red and {bag['yellow']} yellow barrels in the bag."
    )


def _chips(event: Fields, edition: Names) -> str:
    lying = listed(f"{placed['chip']} in {names.place(placed['place'], edition)}" for placed in event["chips"])
    return f"{event['kind'].capitalize()} chips: {lying}."


def _chips_turned(event: Fields, edition: Names) -> str:
    places = edition.refineries if event["kind"] == "refinery" else edition.risk_spots
    shown = listed(f"{'AB'[face]} in {place.name}" for place, face in zip(places, event["faces"], strict=True))
    return f"The {event['kind']} chips show side {shown}."


def _stocked(event: Fields, edition: Names) -> str:
    stocked = (f"{names.place(one['region'], edition)} gets {_barrels(one['black'])}" for one in event["barrels"])
    return f"{listed(stocked)}."


def _portfolio(event: Fields, edition: Names) -> str:
    known = f": {names.portfolio(event['card'], edition)}" if "card" in event else ""
    return f"Seat {event['seat']} receives a Private Portfolio{known}."


def _offered(event: Fields, edition: Names) -> str:
    return f"Consultants of level {event['level']}: {listed(names.card(one, edition) for one in event['cards'])}."


# ---- turns and agents


def _reassigned(event: Fields, edition: Names) -> str:
    origin, to = names.place(event["from"], edition), names.place(event["to"], edition)
    price = f", for {_barrels(event['paid'])}" if event["paid"] else ""
    return f"Seat {event['seat']} moves an agent from {origin} to {to}{price}."


def _declared(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} acts on {names.place(event['spot'], edition)}, {_STANDINGS[event['standing']]}."


def _declined(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} {_DECLINED.get(event['decision'], 'declines')}."


def _returned(event: Fields, edition: Names) -> str:
    agents = number(event["agents"], "agent")
    return f"Seat {event['seat']} takes {agents} home from {names.place(event['spot'], edition)}."


def _closed(event: Fields, edition: Names) -> str:
    if not event["black"] and not event["red"]:
        return f"Seat {event['seat']} is done."
    return f"Seat {event['seat']} is done: {event['black']} black and {event['red']} red return to the bag."


# ---- bag, crises and market


def _pulled(event: Fields, edition: Names) -> str:
    to = f"for {names.place(event['region'], edition)}" if event["to"] == "region" else _PULLED_TO[event["to"]]
    once_more = " once more" if event["extra"] else ""
    return f"Seat {event['seat']} pulls{once_more} {_REASONS[event['reason']]}: {event['colour']}, {to}."


def _searched(event: Fields, edition: Names) -> str:
    return f"The bag is searched: {_barrels(event['black'])} for {names.place(event['region'], edition)}."


def _market_filled(event: Fields, edition: Names) -> str:
    whose = "The barrel pulled" if event["source"] == "pull" else "A barrel of the cargo"
    return f"{whose} goes on the Black Market, on {names.technology(event['technology'], edition)}."


def _entry(event: Fields, edition: Names) -> str:
    source = "HQ" if event["source"] == "HQ" else names.place(event["source"], edition)
    slot = names.technology(event["technology"], edition)
    return f"Seat {event['seat']} puts a barrel from {source} on the Black Market, on {slot}."


def _distributed(event: Fields, edition: Names) -> str:
    regions = listed(names.place(region, edition) for region in event["regions"])
    return f"The Black Market is full: a barrel each for {regions}."


def _market_moved(event: Fields, edition: Names) -> str:
    moved = listed(f"{one['black']} on {names.technology(one['technology'], edition)}" for one in event["technologies"])
    return f"Seat {event['seat']} moves the Black Market on: {moved}."


def _crisis(event: Fields, edition: Names) -> str:
    loss = f" and loses {_barrels(event['loss'])}" if event["loss"] else ""
    return f"Seat {event['seat']} suffers a PR Crisis{loss}."


def _pr_drawn(event: Fields, edition: Names) -> str:
    known = f": {names.card(event['card'], edition)}" if "card" in event else ""
    return f"Seat {event['seat']} receives a PR Crisis card of level {event['level']}, face down{known}."


def _pr_flipped(event: Fields, edition: Names) -> str:
    return f"The PR Crisis card of seat {event['seat']} turns up: {names.card(event['card'], edition)}."


def _whitewashed(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} gets rid of {names.card(event['card'], edition)} for {_barrels(event['paid'])}."


def _held(event: Fields, edition: Names) -> str:
    origin = event["agent_from"]
    what = _barrels(event["black"]) if origin is None else f"an agent from {names.place(origin, edition)}"
    return f"{names.card(event['card'], edition)} takes {what} of seat {event['seat']}."


def _released(event: Fields, edition: Names) -> str:
    what = listed(
        [
            *([_barrels(event["black"])] if event["black"] else []),
            *([number(event["agents"], "agent")] * bool(event["agents"])),
        ]
    )
    return f"Seat {event['seat']} has back what lay on {names.card(event['card'], edition)}: {what}."


def _to_track(event: Fields, edition: Names) -> str:
    return f"An agent of seat {event['seat']} from {names.place(event['from'], edition)} goes on the PR track."


def _bumped(event: Fields, edition: Names) -> str:
    to = "off the PR track and home" if event["to"] is None else f"to space {event['to']} of the PR track"
    return f"An agent of seat {event['seat']} is pushed {to}."


def _cleared(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} takes {number(event['agents'], 'agent')} home from the PR track."


# ---- options


def _dispatched(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} dispatches {number(event['agents'], 'agent')} to {names.place(event['to'], edition)}."


def _refilled(event: Fields, edition: Names) -> str:
    return f"Open {names.DISPLAYS[event['display']]}: {_shown(event, 'cards', edition)}."


def _refreshed(event: Fields, edition: Names) -> str:
    new = _shown(event, "revealed", edition)
    return f"Seat {event['seat']} has the {names.DISPLAYS[event['display']]} replaced: {new}."


def _field_taken(event: Fields, edition: Names) -> str:
    chip = " with a Security chip" if event["security"] else ""
    return f"Seat {event['seat']} drills: {names.oil_field(event['card'], edition)}{chip}."


def _bought(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} buys a {names.start_up(event['card'], edition)} for {_barrels(event['price'])}."


def _placed(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} puts a barrel on {names.technology(event['technology'], edition)}."


def _technology_moved(event: Fields, edition: Names) -> str:
    origin, to = (names.technology(event[end], edition) for end in ("from", "to"))
    return f"Seat {event['seat']} moves a barrel from {origin} to {to} for {_barrels(event['paid'])}."


def _hired(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} hires {names.card(event['card'], edition)}."


def _loaded(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} loads {_barrels(event['black'])} of {names.place(event['region'], edition)}."


def _shipped(event: Fields, edition: Names) -> str:
    boxed = f", {event['boxed']} seized" if event["boxed"] else ""
    lost = f", {event['skulls']} to the Black Market" if event["skulls"] else ""
    sailed = names.route(event["route"], edition)
    earned = f"{_barrels(event['earned'])} earned{lost}{boxed}"
    return f"Seat {event['seat']} ships {sailed}, where the Demand is {event['demand']}: {earned}."


def _flipped(event: Fields, edition: Names) -> str:
    turned = listed(names.place(place, edition) for place in (*event["risks"], event["refinery"]))
    return f"The chips of {turned} are turned."


def _security(event: Fields, edition: Names) -> str:
    places = listed(names.place(place, edition) for place in event["places"])
    what = "swaps the chips of" if event["kind"].startswith("swap") else "turns the chip of"
    return f"Seat {event['seat']} returns a Security chip and {what} {places}."


# ---- the end


def _triggered(event: Fields, edition: Names) -> str:
    why = "the bag holds no black any more" if event["cause"] == "bag_empty" else "the last turn was played"
    return f"Peak Oil: {why}. Seat {event['seat']} has the marker."


def _checked(event: Fields, edition: Names) -> str:
    order = listed(f"seat {seat}" for seat in event["seats"])
    return f"{names.place(event['spot'], edition)} is checked: {order}."


def _put_back(event: Fields, edition: Names) -> str:
    return f"Seat {event['seat']} puts {_barrels(event['pulled'] + event['cargo'])} back."


def _scored(event: Fields, edition: Names) -> str:
    totals = listed(
        f"seat {one['seat']} has {one['total']} ({one['start_up_score']} for Start-Ups, "
        f"{one['consultant_score']} for Consultants, {one['pr_score']} for PR)"
        for one in event["scores"]
    )
    return f"Scores: {totals}."


_TELLERS: Mapping[str, Teller] = {
    "game_started": _started,
    "first_player_chosen": lambda event, _: f"Seat {event['seat']} is the first player.",
    "chips_placed": _chips,
    "chips_turned": _chips_turned,
    "deck_shuffled": lambda event, _: f"A deck is shuffled: {event['deck']}, {number(event['size'], 'card')}.",
    "regions_stocked": _stocked,
    "portfolio_dealt": _portfolio,
    "consultants_offered": _offered,
    "turn_started": lambda event, _: f"Turn {event['turn']}: seat {event['seat']}.",
    "step_skipped": lambda event, _: f"Seat {event['seat']} cannot reassign in step {event['step']}.",
    "agent_reassigned": _reassigned,
    "action_declared": _declared,
    "choice_declined": _declined,
    "agents_returned": _returned,
    "window_closed": _closed,
    "barrel_pulled": _pulled,
    "bag_searched": _searched,
    "market_filled": _market_filled,
    "entry_placed": _entry,
    "market_distributed": _distributed,
    "market_moved": _market_moved,
    "barrels_boxed": lambda event, _: (
        f"Seat {event['seat']} loses {_barrels(event['black'])} {_BOXED.get(event['cause'], event['cause'])}."
    ),
    "crisis_suffered": _crisis,
    "pr_card_drawn": _pr_drawn,
    "pr_card_flipped": _pr_flipped,
    "pr_card_whitewashed": _whitewashed,
    "held_on_card": _held,
    "released_from_card": _released,
    "agent_to_track": _to_track,
    "agent_bumped": _bumped,
    "track_cleared": _cleared,
    "agent_recruited": lambda event, _: f"Seat {event['seat']} recruits an agent.",
    "agents_dispatched": _dispatched,
    "display_refilled": _refilled,
    "display_refreshed": _refreshed,
    "oil_field_taken": _field_taken,
    "start_up_bought": _bought,
    "technology_placed": _placed,
    "technology_moved": _technology_moved,
    "consultant_hired": _hired,
    "cargo_loaded": _loaded,
    "shipped": _shipped,
    "chips_flipped": _flipped,
    "security_used": _security,
    "peak_oil_triggered": _triggered,
    "phase_opened": lambda event, _: _PHASES[event["phase"]],
    "spot_checked": _checked,
    "opportunity_opened": lambda event, edition: (
        f"Seat {event['seat']} has its opportunity on {names.place(event['spot'], edition)}."
    ),
    "barrels_put_back": _put_back,
    "scored": _scored,
}
