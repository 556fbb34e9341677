"""What a refusal says: the rule, the reason, and the member of the command that is at fault, if it is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import rules.peak_oil
from events.peak_oil import commands as c
from events.peak_oil.codes import Spot
from events.peak_oil.steps import CrudeCrisisAgent, CustodyAgent
from projections.peak_oil.state import Window
from rules.peak_oil import rulebook
from tests.rules.peak_oil.tables import (
    DECISION,
    a_start,
    a_table,
    at_final_reassign,
    at_opportunity,
    at_step_three,
    at_step_two,
    refused,
)
from tests.scenario import Scenario

FIELDS = ("OF-RUS-AGR", "OF-RUS-SPM")
START_UPS = ("SU-ETH-1", "SU-SPM-1")
CRUDE = {"variant": "crude"}


def acting(spot: Spot, **table: Any) -> Scenario:
    """Seat 0 has taken the action of a spot, alone there."""
    return a_table(**{"spots": {spot: [1]}, **table}).when(0, c.TakeAction(spot))


def drilling(**table: Any) -> Scenario:
    """Seat 0 looks at the Oil Fields."""
    return acting("DEV", **{"field_display": FIELDS, "field_deck": ("OF-LIB-ETH",), **table}).when(0, c.StartDrill())


def investing(**table: Any) -> Scenario:
    """Seat 0 may use the options of Invest."""
    return acting("INV", **{"start_up_display": START_UPS, "start_up_deck": ("SU-AGR-1",), **table})


def in_grey_ops(*consultants: str, **table: Any) -> Scenario:
    """Seat 0 may use the options of Grey Ops: its entry barrel lies on ETH."""
    hq = {0: {"black": 1, "consultants": consultants, "security": 1}}
    return acting("GRY", **{"hq": hq, **table}).when(0, c.PlaceEntry("ETH", "HQ"))


def placing(**table: Any) -> Scenario:
    """Seat 0 has a barrel for the market."""
    return acting("DEV", **{"spots": {"DEV": [1, 1]}, "pulled": "b", "field_display": FIELDS, **table})


def owning(*cards: str, **more: Any) -> dict[str, Any]:
    """Seat 0 has these PR Crisis cards face up."""
    return {"hq": {0: {"pr_up": cards, **more}}}


RICH = {"hq": {0: {"black": 5}}}
TRADER = ("CN1-1", "CN2-1", "CN3-5")
STUCK = {"seats": 3, "options": CRUDE}

CASES: tuple[tuple[Scenario, c.Command, str, str, str | None], ...] = (
    # reassigns
    (a_table(seats=3), c.Reassign("VEN", "DEV"), "PO-009", "spot_closed", "/from"),
    (a_table(seats=3), c.Reassign("HQ", "VEN"), "PO-009", "spot_closed", "/to"),
    (a_table(), c.Reassign("DEV", "HQ"), "PO-063", "no_agent_there", "/from"),
    (a_table(), c.Reassign("DEV", "DEV"), "PO-063", "no_agent_there", "/from"),
    (a_table(), c.Reassign("HQ", "HQ"), "PO-064", "same_place", "/to"),
    (a_table(spots={"DEV": [0, 2, 2, 1]}), c.Reassign("HQ", "DEV"), "PO-065", "spot_full", "/to"),
    (
        a_table(spots={"DEV": [1]}).when(0, c.Reassign("DEV", "INV")),
        c.Reassign("HQ", "DEV"),
        "PO-066",
        "spot_vacated",
        "/to",
    ),
    (
        a_table(spots={"INV": [1]}).when(0, c.Reassign("HQ", "DEV")),
        c.Reassign("DEV", "GRY"),
        "PO-069",
        "agent_locked",
        "/from",
    ),
    (
        a_table(spots={"DEV": [1]}, hq={0: {"agents": 1}}).when(0, c.Reassign("HQ", "DEV")),
        c.Reassign("DEV", "HQ"),
        "PO-073",
        "null_turn",
        "/to",
    ),
    (a_table(spots={"DEV": [1]}, **owning("PR1-4")), c.Reassign("DEV", "HQ"), "PO-127", "option_blocked", "/to"),
    (at_step_three(**owning(security=1)), c.PayReassign("HQ", "DEV"), "PO-056", "step3_too_poor", None),
    (
        at_step_three(**owning("PR1-2", black=2, security=1)),
        c.PayReassign("HQ", "DEV"),
        "PO-127",
        "option_blocked",
        None,
    ),
    # actions
    (a_table(seats=3), c.TakeAction("VEN"), "PO-009", "spot_closed", "/spot"),
    (a_table(), c.TakeAction("DEV"), "PO-080", "no_agents_before_turn", "/spot"),
    (a_table(spots={"DEV": [1, 2]}), c.TakeAction("DEV"), "PO-084", "no_standing", "/spot"),
    (
        a_table(bag=(0, 0, 0), spots={"DEV": [1, 1]}, marker=0, trigger="bag_empty"),
        c.TakeAction("DEV"),
        "PO-087",
        "bag_empty_no_tiebreak",
        "/spot",
    ),
    (a_table(spots={"GRY": [1]}), c.TakeAction("GRY"), "PO-196", "cannot_pay_entry", "/spot"),
    (at_step_two(), c.TakeAction("DEV"), "PO-057", "wrong_phase", None),
    (acting("EXP"), c.TakeAction("DEV"), "PO-058", "wrong_phase", None),
    (acting("EXP"), c.StartDrill(), "PO-082", "not_on_this_spot", None),
    (acting("EXP").when(0, c.Recruit()), c.Recruit(), "PO-082", "option_used", None),
    (acting("EXP"), c.EndTurn(), "PO-051", "wrong_phase", None),
    # barrels and agents on the way
    (placing(seats=3), c.PlaceOnMarket("HYD"), "PO-008", "tech_closed", "/technology"),
    (placing(market="ETH AGR"), c.PlaceOnMarket("ETH"), "PO-141", "slot_occupied", "/technology"),
    (
        a_table(steps=(CustodyAgent("PR2-2", awaits=(0,), decision=DECISION),)),
        c.ChooseOwnAgent("INV"),
        "PO-129",
        "no_agent_there",
        "/from",
    ),
    (
        a_table(steps=(CrudeCrisisAgent(awaits=(0,), decision=DECISION),), options=CRUDE),
        c.ChooseOwnAgent("INV"),
        "PO-304",
        "no_agent_there",
        "/from",
    ),
    # Expand
    (
        acting("EXP", spots={"EXP": [2]}, hq={0: {"agents": 2}}),
        c.Recruit(),
        "PO-150",
        "reserve_empty",
        None,
    ),
    (acting("EXP", **owning("PR1-3")), c.Recruit(), "PO-127", "option_blocked", None),
    (acting("EXP", seats=3), c.Dispatch("VEN"), "PO-009", "spot_closed", "/spot"),
    (acting("EXP"), c.Dispatch("EXP"), "PO-160", "same_place", "/spot"),
    (
        acting("EXP", spots={"EXP": [2], "DEV": [0, 2, 2]}),
        c.Dispatch("DEV"),
        "PO-153",
        "no_room_for_all",
        "/spot",
    ),
    (
        acting("EXP", window=Window(vacated=("DEV",), start=(1, 1, *[0] * 8))),
        c.Dispatch("DEV"),
        "PO-154",
        "spot_vacated",
        "/spot",
    ),
    (acting("EXP", **owning("PR3-2", security=1)), c.Dispatch("DEV"), "PO-127", "option_blocked", None),
    # Develop
    (acting("DEV", **owning("PR1-1")), c.StartDrill(), "PO-166", "card_not_in_display", None),
    (drilling(), c.TakeOilField("OF-LIB-ETH"), "PO-166", "card_not_in_display", "/card"),
    (drilling().when(0, c.RefreshOilFields()), c.RefreshOilFields(), "PO-165", "refresh_used", None),
    (drilling(field_deck=()), c.RefreshOilFields(), "PO-165", "deck_empty", None),
    (drilling(options=CRUDE), c.RefreshOilFields(), "PO-312", "no_refresh", None),
    (
        at_opportunity("DEV", 0, spots={"DEV": [1]}, field_display=FIELDS).when(0, c.StartDrill()),
        c.RefreshOilFields(),
        "PO-260",
        "no_refresh",
        None,
    ),
    (
        acting("DEV", **owning("PR3-1", black=1, security=1)),
        c.Whitewash("PR3-1"),
        "PO-173",
        "insufficient_barrels",
        "/card",
    ),
    (acting("DEV", **owning("PR3-1", security=1)), c.Whitewash("PR3-2"), "PO-174", "card_not_face_up", "/card"),
    # Invest
    (
        investing(technologies={"ETH": 1, "SPM": 1}, start_up_deck=(), **owning(security=1)),
        c.StartStartUps(),
        "PO-181",
        "insufficient_barrels",
        None,
    ),
    (
        investing(technologies={"SPM": 1}).when(0, c.StartStartUps()),
        c.BuyStartUp("SU-SPM-1"),
        "PO-181",
        "insufficient_barrels",
        "/card",
    ),
    (investing().when(0, c.StartStartUps()), c.BuyStartUp("SU-AGR-1"), "PO-181", "card_not_in_display", "/card"),
    (
        investing().when(0, c.StartStartUps()).when(0, c.RefreshStartUps()),
        c.RefreshStartUps(),
        "PO-180",
        "refresh_used",
        None,
    ),
    (investing(seats=3, **RICH), c.PlaceTechnology("HYD"), "PO-009", "tech_closed", "/technology"),
    (investing(), c.PlaceTechnology("ETH"), "PO-186", "insufficient_barrels", None),
    # Grey Ops
    (acting("GRY", **RICH), c.PlaceEntry("ETH", "LIB"), "PO-195", "cannot_pay_entry", "/source"),
    (
        acting("GRY", regions={"LIB": 2}, hq={0: {"consultants": ("CN1-1", "CN2-5")}}),
        c.PlaceEntry("ETH", "HQ"),
        "PO-195",
        "cannot_pay_entry",
        "/source",
    ),
    (acting("GRY", market="ETH", **RICH), c.PlaceEntry("ETH", "HQ"), "PO-141", "slot_occupied", "/technology"),
    (in_grey_ops(), c.PlaceEntry("SPM", "HQ"), "PO-197", "wrong_phase", None),
    (acting("GRY", market="ETH", options=CRUDE), c.PlaceEntry("SPM", "HQ"), "PO-315", "wrong_phase", None),
    (
        at_opportunity("GRY", 0, spots={"GRY": [1]}),
        c.PlaceEntry("ETH", "HQ"),
        "PO-196",
        "cannot_pay_entry",
        None,
    ),
    (in_grey_ops(market="SPM AGR TID HYD"), c.MoveBlackMarket(), "PO-199", "insufficient_barrels", None),
    (in_grey_ops(), c.MoveBlackMarket("ETH", "SPM"), "PO-199", "bad_args", "/redirect_from"),
    (in_grey_ops(), c.MoveBlackMarket(redirect_to="SPM"), "PO-199", "bad_args", "/redirect_to"),
    (in_grey_ops(*TRADER), c.MoveBlackMarket(redirect_to="SPM"), "PO-199", "bad_args", "/redirect_from"),
    (in_grey_ops(*TRADER), c.MoveBlackMarket("ETH"), "PO-199", "bad_args", "/redirect_to"),
    (in_grey_ops(*TRADER), c.MoveBlackMarket("ETH", "ETH"), "PO-199", "bad_args", "/redirect_to"),
    (in_grey_ops(*TRADER), c.MoveBlackMarket("SPM", "AGR"), "PO-199", "insufficient_barrels", "/redirect_from"),
    (in_grey_ops(*TRADER, seats=3), c.MoveBlackMarket("ETH", "HYD"), "PO-009", "tech_closed", "/redirect_to"),
    (in_grey_ops(*TRADER, consultants=("CN3-2",)), c.HireConsultant("CN3-2"), "PO-201", "level_order", None),
    (in_grey_ops("CN1-1", consultants=("CN3-2",)), c.HireConsultant("CN3-2"), "PO-202", "level_sold_out", None),
    (in_grey_ops(consultants=("CN1-1",)), c.HireConsultant("CN1-2"), "PO-200", "card_not_in_display", "/card"),
    (in_grey_ops(consultants=("CN1-1", "CN2-1")), c.HireConsultant("CN2-1"), "PO-200", "level_order", "/card"),
    # Regions and chips
    (acting("GUL"), c.Ship("R14"), "PO-210", "route_not_here", "/route"),
    (
        acting("GUL", risks={"MAL": ("RC10", 1), "NAT": ("RC05", 1)}),
        c.Ship("R10"),
        "PO-211",
        "route_closed",
        "/route",
    ),
    (a_table(**owning(security=1)), c.UseSecurity("flip_risk", ("MAL", "SUE")), "PO-231", "bad_args", "/places"),
    (a_table(**owning(security=1)), c.UseSecurity("swap_risk", ("MAL", "MAL")), "PO-232", "same_position", "/places"),
    (a_table(), c.UseSecurity("flip_risk", ("MAL",)), "PO-230", "no_security_chip", None),
    (at_final_reassign(1), c.UseSecurity("flip_risk", ("MAL",)), "PO-236", "wrong_phase", None),
    (at_final_reassign(1), c.TakeAction("INV"), "PO-252", "wrong_phase", None),
    # Crude
    (
        at_opportunity("DEV", 0, spots={"DEV": [1]}, options=CRUDE),
        c.Research(),
        "PO-260",
        "no_refresh",
        None,
    ),
    (investing(options=CRUDE), c.CrudeWhitewash(), "PO-314", "no_agent_there", None),
    (
        acting("GRY", seats=3, market="ETH", options=CRUDE, **RICH),
        c.MarketPlace("HYD"),
        "PO-009",
        "tech_closed",
        "/technology",
    ),
    (acting("GRY", market="ETH", options=CRUDE), c.MarketPlace("ETH"), "PO-316", "insufficient_barrels", None),
    (
        acting("GRY", options=CRUDE, **RICH),
        c.MarketMove("ETH", "AGR"),
        "PO-316",
        "insufficient_barrels",
        "/from_technology",
    ),
    (acting("GRY", options=CRUDE, **RICH), c.MarketMove("ETH", "ETH"), "PO-316", "same_position", "/to_technology"),
    (
        acting("GRY", seats=3, options=CRUDE, **RICH),
        c.MarketMove("HYD", "ETH"),
        "PO-009",
        "tech_closed",
        "/from_technology",
    ),
    (
        acting("GRY", seats=3, options=CRUDE, **RICH),
        c.MarketMove("ETH", "HYD"),
        "PO-009",
        "tech_closed",
        "/to_technology",
    ),
    (
        acting("GRY", technologies={"ETH": 2, "AGR": 1}, hq={0: {"black": 1}}, options=CRUDE),
        c.MarketMove("ETH", "AGR"),
        "PO-317",
        "insufficient_barrels",
        "/to_technology",
    ),
    # whatever the question
    (a_table(), c.EndTurn(decision_id=DECISION - 1), "PO-371", "stale_decision", "/decision_id"),
)

CREATIONS: tuple[tuple[int, dict[str, Any], str, str, str], ...] = (
    (6, {}, "PO-001", "seats_out_of_range", "/seats"),
    (3, {"extra_barrels": {"black": 8, "yellow": 1}}, "PO-012", "too_many_extra_barrels", "/options/extra_barrels"),
    (
        3,
        {"variant": "crude", "extra_barrels": {"red": 1}},
        "PO-301",
        "extra_red_with_crude",
        "/options/extra_barrels/red",
    ),
    (
        3,
        {"variant": "crude", "challenge_start": True},
        "PO-034",
        "challenge_start_with_crude",
        "/options/challenge_start",
    ),
    (3, {"first_player": 3}, "PO-037", "no_such_seat", "/options/first_player"),
)


@pytest.mark.rule("PO-009", "PO-063", "PO-064", "PO-065", "PO-069", "PO-084", "PO-141", "PO-160", "PO-199", "PO-232")
@pytest.mark.parametrize("case", CASES, ids=[f"{rule} {command}" for _, command, rule, _, _ in CASES])
def test_the_member_at_fault_is_named(case: tuple[Scenario, c.Command, str, str, str | None]) -> None:
    scene, command, rule, reason, field = case
    (seat,) = scene.game.awaited
    scene.refuses(seat, command, rule, reason, field)


@pytest.mark.rule("PO-012", "PO-034", "PO-037", "PO-301")
@pytest.mark.parametrize("case", CREATIONS, ids=[rule for _, _, rule, _, _ in CREATIONS])
def test_the_option_at_fault_is_named(case: tuple[int, dict[str, Any], str, str, str]) -> None:
    seats, options, rule, reason, field = case
    assert refused(seats, **options) == (rule, reason, field)


@pytest.mark.rule("PO-360", "PO-370", "PO-265")
def test_where_no_member_is_at_fault_none_is_named() -> None:
    left = a_start(3, first_player=0).resigns(1)
    left.refuses(1, c.Reassign("HQ", "DEV"), "PO-360", "not_a_player", None)
    left.refuses(2, c.Reassign("HQ", "DEV"), "PO-370", "not_awaited", None)
    over = at_opportunity("GRY", 0, spots={"GRY": [1]}).when(0, c.Pass())
    over.refuses(0, c.Pass(), "PO-265", "game_over", None)


def test_every_refusal_that_is_written_down_is_driven() -> None:
    """Rule and reason stand side by side wherever a rule refuses."""
    source = "".join(path.read_text() for path in Path(rules.peak_oil.__file__).parent.glob("*.py"))
    written = set(re.findall(r'"(PO-\d+)", "([a-z][a-z0-9_]+)"', source)) - {("PO-165", "start_ups")}
    driven = {(rule, reason) for _, _, rule, reason, _ in CASES} | {(rule, why) for _, _, rule, why, _ in CREATIONS}
    elsewhere = {rulebook.CITES.not_a_player, rulebook.CITES.not_awaited, rulebook.CITES.game_over}
    assert written - driven == elsewhere | {("PO-152", "no_agent_there")}
