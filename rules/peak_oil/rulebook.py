"""The rules in force: which function answers what, the two variants, and the ruleset as it is on offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from events import peak_oil as words
from events.words import Answer
from projections.peak_oil.evolve import PROJECTION
from projections.peak_oil.story import tell
from projections.peak_oil.view import view
from rules.catalogue import LoadedEdition, Ruleset
from rules.edition import read_edition
from rules.peak_oil import (
    action,
    bag,
    crisis,
    crude,
    develop,
    endgame,
    expand,
    grey_ops,
    invest,
    leaving,
    market,
    options,
    security,
    setup,
    shipping,
    third_step,
    turn,
)
from rules.peak_oil.book import PeakOilBook, PeakOilOptions, Variant
from rules.peak_oil.edition import PeakOilEdition, check_edition
from rules.rulebook import Citations

CITES = Citations(
    wrong_phase=("PO-051", "wrong_phase"),
    stale_decision=("PO-371", "stale_decision"),
    not_awaited=("PO-370", "not_awaited"),
    game_over=("PO-265", "game_over"),
    not_a_player=("PO-360", "not_a_player"),
    seats=("PO-001", "seats_out_of_range"),
)

BASE = Variant(
    options_on={
        "EXP": ("recruit", "dispatch"),
        "DEV": ("drill", "whitewash"),
        "INV": ("start_ups", "technologies"),
        "GRY": ("black_market", "consultants"),
    },
    limits={"majority": 2, "tied": 1, "peak": 1},
    crisis=crisis.suffer_crisis,
    cards=True,
    refreshes=True,
    track=False,
)
"""PO-082, PO-083, PO-258: the game as the rulebook teaches it."""

CRUDE = replace(
    BASE,
    options_on={
        **BASE.options_on,
        "DEV": ("drill", "research"),
        "INV": ("start_ups", "crude_whitewash"),
        "GRY": ("black_market", "marketing"),
    },
    limits={"majority": 1, "tied": 1, "peak": 1},
    crisis=crude.suffer_crude_crisis,
    cards=False,
    refreshes=False,
    track=True,
)
"""PO-300, PO-302, PO-303, PO-312 … PO-318: what the Crude rules change."""

Handler = Callable[[Any, Any, Any], None]

OPTION_COMMANDS: Mapping[type[Answer], Handler] = {
    words.Recruit: expand.recruit,
    words.Dispatch: expand.dispatch,
    words.StartDrill: develop.start_drill,
    words.Whitewash: develop.whitewash,
    words.Research: crude.research,
    words.StartStartUps: invest.start_start_ups,
    words.PlaceTechnology: invest.place_technology,
    words.CrudeWhitewash: crude.crude_whitewash,
    words.MoveBlackMarket: grey_ops.move_black_market,
    words.HireConsultant: grey_ops.hire_consultant,
    words.MarketPlace: crude.market_place,
    words.MarketMove: crude.market_move,
    words.Ship: shipping.ship,
}
"""The options of all spots: they answer `choose_option` in an action and `peak_option` in the Peak Oil phase."""

ANSWERS: Mapping[tuple[type, type], Handler] = {
    (words.Step1Choose, words.Reassign): turn.reassign_in_step_one,
    (words.Step1Choose, words.TakeAction): action.take_action,
    (words.Step2Reassign, words.Reassign): turn.reassign_in_step_two,
    (words.Step3Optional, words.PayReassign): third_step.pay_reassign,
    (words.Step3Optional, words.EndTurn): third_step.end_turn,
    (words.ChooseMarketSlot, words.PlaceOnMarket): market.place_on_market,
    (words.ExtraPull, words.Pull): bag.take_extra_pull,
    (words.ExtraPull, words.StopPulling): bag.stop_pulling,
    (words.GreyEntry, words.PlaceEntry): grey_ops.place_entry,
    (words.ChooseOption, words.EndAction): action.end_action,
    (words.DrillDisplay, words.RefreshOilFields): develop.refresh_oil_fields,
    (words.DrillDisplay, words.TakeOilField): develop.take_oil_field,
    (words.DrillDisplay, words.SkipDrill): develop.skip_drill,
    (words.DrillPull, words.Pull): bag.take_drill_pull,
    (words.DrillPull, words.StopPulling): bag.stop_pulling,
    (words.StartUpDisplay, words.RefreshStartUps): invest.refresh_start_ups,
    (words.StartUpDisplay, words.BuyStartUp): invest.buy_start_up,
    (words.StartUpDisplay, words.SkipStartUps): invest.skip_start_ups,
    (words.SecondTechnology, words.PlaceTechnology): invest.place_second_technology,
    (words.SecondTechnology, words.Decline): invest.decline,
    (words.ShipLoad, words.LoadCargo): shipping.load_cargo,
    (words.DispatchFollowUp, words.ActHere): action.act_here,
    (words.DispatchFollowUp, words.HoldPosition): action.hold_position,
    (words.CustodyAgent, words.ChooseOwnAgent): crisis.choose_custody_agent,
    (words.CrudeCrisisAgent, words.ChooseOwnAgent): crude.choose_crisis_agent,
    (words.PeakReassign, words.Reassign): endgame.final_reassign,
    (words.PeakReassign, words.Pass): endgame.pass_final_reassign,
    (words.PeakOption, words.Pass): endgame.pass_opportunity,
    (words.PeakEntry, words.PlaceEntry): grey_ops.place_peak_entry,
    (words.PeakEntry, words.Pass): endgame.pass_opportunity,
    **{(step, kind): rule for step in (words.ChooseOption, words.PeakOption) for kind, rule in OPTION_COMMANDS.items()},
    **{(step, words.UseSecurity): security.use_security for step in options.ANSWERS if step is not words.PeakReassign},
}

RUNS: Mapping[type, Callable[[Any, Any], None]] = {
    words.OpenTurn: turn.open_turn,
    words.StepOne: turn.step_one,
    words.StepTwo: turn.step_two,
    words.StepThree: third_step.step_three,
    words.CloseTurn: turn.close_turn,
    words.PullBarrels: bag.pull_barrels,
    words.OfferExtraPull: bag.offer_extra_pull,
    words.PlaceBarrels: market.place_barrels,
    words.GreyEntries: grey_ops.grey_entries,
    words.UseOptions: action.use_options,
    words.LeaveSpot: action.leave_spot,
    words.DrillPulls: bag.drill_pulls,
    words.RefillDisplay: develop.refill_display,
    words.LoadTanker: shipping.load_tanker,
    words.UnloadTanker: shipping.unload_tanker,
    words.FinalReassigns: endgame.final_reassigns,
    words.CheckSpots: endgame.check_spots,
    words.ResolveSpot: endgame.resolve_spot,
    words.CloseOpportunity: endgame.close_opportunity,
}


def book(edition: PeakOilEdition, chosen: PeakOilOptions, seats: int) -> PeakOilBook:
    """The rules of one game. Raises `RuleViolation` for options that do not go together."""
    setup.check_options(chosen, seats)
    return PeakOilBook(
        projection=PROJECTION,
        cites=CITES,
        edition=edition,
        options_chosen=chosen,
        variant=CRUDE if chosen.variant == "crude" else BASE,
        start=setup.start,
        runs=RUNS,
        answers=ANSWERS,
        defaults=dict.fromkeys(options.ANSWERS, leaving.expire),
        resign=leaving.resign,
        options=dict.fromkeys(options.ANSWERS, options.listed),
    )


def load_edition(file: str, text: str) -> LoadedEdition:
    """An edition file of this game, checked. Raises `InvalidEdition`."""
    edition, digest = read_edition(file, text, PeakOilEdition, check_edition)
    return LoadedEdition(edition, digest)


@cache
def built_in() -> Mapping[str, LoadedEdition]:
    """The editions that come with the game."""
    found = (file for file in files("rules.peak_oil").joinpath("editions").iterdir() if file.name.endswith(".json"))
    loaded = (load_edition(file.name, file.read_text("utf-8")) for file in found)
    return {one.edition.edition: one for one in loaded}


RULESET = Ruleset(
    name="peak-oil",
    title="Peak Oil",
    version=1,
    least_seats=2,
    most_seats=5,
    register="PO",
    projection=PROJECTION,
    options=PeakOilOptions,
    default_edition="house",
    editions=built_in,
    read_edition=load_edition,
    book=book,
    view=view,
    tell=tell,
)
