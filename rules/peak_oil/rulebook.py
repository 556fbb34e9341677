"""The rules in force: which function answers what, the two variants, and the ruleset as it is on offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from events.peak_oil import commands, steps
from events.words import Answer, Waits
from projections.peak_oil.evolve import PROJECTION
from projections.peak_oil.picture import picture
from projections.peak_oil.story import tell
from projections.peak_oil.view import view
from rules.edition import Editions
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
from rules.peak_oil.book import PeakOilBook, PeakOilOptions, PeakOilTable, Variant
from rules.peak_oil.edition import PeakOilEdition, check_edition
from rules.peak_oil.redraw import redraw
from rules.rulebook import Citations
from rules.ruleset import Ruleset

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
    commands.Recruit: expand.recruit,
    commands.Dispatch: expand.dispatch,
    commands.StartDrill: develop.start_drill,
    commands.Whitewash: develop.whitewash,
    commands.Research: crude.research,
    commands.StartStartUps: invest.start_start_ups,
    commands.PlaceTechnology: invest.place_technology,
    commands.CrudeWhitewash: crude.crude_whitewash,
    commands.MoveBlackMarket: grey_ops.move_black_market,
    commands.HireConsultant: grey_ops.hire_consultant,
    commands.MarketPlace: crude.market_place,
    commands.MarketMove: crude.market_move,
    commands.Ship: shipping.ship,
}
"""The options of all spots: they answer `choose_option` in an action and `peak_option` in the Peak Oil phase."""


def _never(rule: str) -> Handler:
    """What a rule keeps out of a question by name: the refusal cites that rule, not the order of a turn."""

    def refuse(table: PeakOilTable, step: Waits, command: Answer) -> None:
        table.refuse(rule, "wrong_phase")

    return refuse


def _entry_again(table: PeakOilTable, step: Waits, command: Answer) -> None:
    """PO-197, PO-315: entry barrels are paid before the options and once; in Crude never."""
    table.refuse("PO-197" if table.book.variant.cards else "PO-315", "wrong_phase")


NEVER: Mapping[tuple[type, type], Handler] = {
    (steps.Step2Reassign, commands.TakeAction): _never("PO-057"),
    (steps.Step3Optional, commands.TakeAction): _never("PO-057"),
    (steps.ChooseOption, commands.TakeAction): _never("PO-058"),
    (steps.ChooseOption, commands.PlaceEntry): _entry_again,
    (steps.PeakReassign, commands.TakeAction): _never("PO-252"),
    (steps.PeakReassign, commands.PayReassign): _never("PO-252"),
    (steps.PeakReassign, commands.UseSecurity): _never("PO-236"),
}
"""PO-057, PO-058, PO-236, PO-252: what is asked for at the wrong moment often enough to be told why."""

ANSWERS: Mapping[tuple[type, type], Handler] = {
    **NEVER,
    (steps.Step1Choose, commands.Reassign): turn.reassign_in_step_one,
    (steps.Step1Choose, commands.TakeAction): action.take_action,
    (steps.Step2Reassign, commands.Reassign): turn.reassign_in_step_two,
    (steps.Step3Optional, commands.PayReassign): third_step.pay_reassign,
    (steps.Step3Optional, commands.EndTurn): third_step.end_turn,
    (steps.ChooseMarketSlot, commands.PlaceOnMarket): market.place_on_market,
    (steps.ExtraPull, commands.Pull): bag.take_extra_pull,
    (steps.ExtraPull, commands.StopPulling): bag.stop_pulling,
    (steps.GreyEntry, commands.PlaceEntry): grey_ops.place_entry,
    (steps.ChooseOption, commands.EndAction): action.end_action,
    (steps.DrillDisplay, commands.RefreshOilFields): develop.refresh_oil_fields,
    (steps.DrillDisplay, commands.TakeOilField): develop.take_oil_field,
    (steps.DrillDisplay, commands.SkipDrill): develop.skip_drill,
    (steps.DrillPull, commands.Pull): bag.take_drill_pull,
    (steps.DrillPull, commands.StopPulling): bag.stop_pulling,
    (steps.StartUpDisplay, commands.RefreshStartUps): invest.refresh_start_ups,
    (steps.StartUpDisplay, commands.BuyStartUp): invest.buy_start_up,
    (steps.StartUpDisplay, commands.SkipStartUps): invest.skip_start_ups,
    (steps.SecondTechnology, commands.PlaceTechnology): invest.place_second_technology,
    (steps.SecondTechnology, commands.Decline): invest.decline,
    (steps.ShipLoad, commands.LoadCargo): shipping.load_cargo,
    (steps.DispatchFollowUp, commands.ActHere): action.act_here,
    (steps.DispatchFollowUp, commands.HoldPosition): action.hold_position,
    (steps.CustodyAgent, commands.ChooseOwnAgent): crisis.choose_custody_agent,
    (steps.CrudeCrisisAgent, commands.ChooseOwnAgent): crude.choose_crisis_agent,
    (steps.PeakReassign, commands.Reassign): endgame.final_reassign,
    (steps.PeakReassign, commands.Pass): endgame.pass_final_reassign,
    (steps.PeakOption, commands.Pass): endgame.pass_opportunity,
    (steps.PeakEntry, commands.PlaceEntry): grey_ops.place_peak_entry,
    (steps.PeakEntry, commands.Pass): endgame.pass_opportunity,
    **{(step, kind): rule for step in (steps.ChooseOption, steps.PeakOption) for kind, rule in OPTION_COMMANDS.items()},
    **{(step, commands.UseSecurity): security.use_security for step in options.QUESTIONS_ON_TURN},
}

RUNS: Mapping[type, Callable[[Any, Any], None]] = {
    steps.OpenTurn: turn.open_turn,
    steps.StepOne: turn.step_one,
    steps.StepTwo: turn.step_two,
    steps.StepThree: third_step.step_three,
    steps.CloseTurn: turn.close_turn,
    steps.PullBarrels: bag.pull_barrels,
    steps.OfferExtraPull: bag.offer_extra_pull,
    steps.PlaceBarrels: market.place_barrels,
    steps.GreyEntries: grey_ops.grey_entries,
    steps.UseOptions: action.use_options,
    steps.LeaveSpot: action.leave_spot,
    steps.DrillPulls: bag.drill_pulls,
    steps.RefillDisplay: develop.refill_display,
    steps.LoadTanker: shipping.load_tanker,
    steps.UnloadTanker: shipping.unload_tanker,
    steps.FinalReassigns: endgame.final_reassigns,
    steps.CheckSpots: endgame.check_spots,
    steps.ResolveSpot: endgame.resolve_spot,
    steps.CloseOpportunity: endgame.close_opportunity,
}


def book(edition: PeakOilEdition, chosen: PeakOilOptions, seats: int) -> PeakOilBook:
    """PO-300, PO-371: the rules of one game, in one of two variants.

    Raises `RuleViolation` for options that do not go together.
    """
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


EDITIONS = Editions("rules.peak_oil", PeakOilEdition, check_edition)

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
    editions=EDITIONS,
    book=book,
    view=view,
    tell=tell,
    picture=picture,
    redraw=redraw,
)
