"""Peak Oil as the sensible bot plays it."""

from __future__ import annotations

from typing import Any

import pytest

from events.peak_oil.commands import StartDrill, StartStartUps, TakeAction
from rules.catalogue import rulesets
from tests.rules.peak_oil.tables import a_table, at_final_reassign, at_opportunity, at_step_three, at_step_two
from tests.service.bots.playing import play, sensible

RULESET = rulesets()["peak-oil"]
WAYS: list[dict[str, Any]] = [
    {"variant": "crude"},
    {"variant": "crude", "dual_fields": True, "extra_barrels": {"black": 8}},
    {"dual_fields": True, "closed_chips": "single_and_double", "challenge_start": True, "extra_barrels": {"red": 4}},
    {"max_turns": 20},
]


@pytest.mark.rule("PO-265")
@pytest.mark.parametrize("options", WAYS)
def test_it_wins_in_every_variant_and_games_end_soon(options: dict[str, Any]) -> None:
    won = 0
    for number in range(4):
        game, moves = play(RULESET, ["sensible", "random", "random"], number, **options)
        assert game.result is not None
        won += 0 in game.result.winners
        assert moves < 1500
    assert won >= 3


@pytest.mark.rule("PO-245")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["base", "crude"])
def test_among_sensible_bots_the_bag_runs_dry_in_good_time(seats: int, variant: str) -> None:
    for number in range(2):
        game, moves = play(RULESET, ["sensible"] * seats, number, variant=variant)
        assert game.board.trigger == "bag_empty"
        assert moves < 150 * seats


@pytest.mark.rule("PO-080")
def test_the_best_action_is_taken() -> None:
    scene = a_table(spots={"DEV": (1,), "EXP": (1,)}, field_display=("OF-LIB-ETH",), hq={0: {"reserve": 0}})
    assert sensible(scene) == {"type": "take_action", "spot": "DEV"}


@pytest.mark.rule("PO-052")
def test_without_an_action_worth_a_turn_an_agent_goes_where_one_will_be() -> None:
    scene = a_table(field_display=("OF-LIB-ETH",), regions={"LIB": 0}, hq={0: {"reserve": 0, "agents": 2}})
    assert sensible(scene) == {"type": "reassign", "from": "HQ", "to": "DEV"}


@pytest.mark.rule("PO-055")
def test_an_agent_goes_where_barrels_wait() -> None:
    scene = at_step_two(regions={"NIG": 6}, hq={0: {"reserve": 0}})
    assert sensible(scene) == {"type": "reassign", "from": "HQ", "to": "NIG"}


@pytest.mark.rule("PO-056")
def test_a_third_step_is_not_worth_the_last_barrels() -> None:
    scene = at_step_three(hq={0: {"black": 2}})
    assert sensible(scene) == {"type": "end_turn"}


@pytest.mark.rule("PO-166")
def test_an_oil_field_that_matches_own_start_ups_is_taken() -> None:
    """PP1 holds ETH, SPM and AGR."""
    shown = ("OF-GUL-TID", "OF-LIB-ETH", "OF-RUS-SPM")
    scene = a_table(spots={"DEV": (1,)}, field_display=shown, hq={0: {"start_ups": ("SU-SPM-1",)}})
    scene.when(0, TakeAction("DEV"))
    assert sensible(scene) == {"type": "start_drill"}
    scene.when(0, StartDrill())
    assert sensible(scene) == {"type": "take_oil_field", "card": "OF-RUS-SPM"}


@pytest.mark.rule("PO-165")
def test_fields_that_match_nothing_are_replaced_first() -> None:
    scene = a_table(spots={"DEV": (1,)}, field_display=("OF-GUL-TID",), field_deck=("OF-LIB-ETH",))
    scene.when(0, TakeAction("DEV")).when(0, StartDrill())
    assert sensible(scene) == {"type": "refresh_oil_fields"}


@pytest.mark.rule("PO-181")
def test_the_start_up_with_most_over_its_price_is_bought() -> None:
    scene = a_table(
        spots={"INV": (1,)},
        start_up_display=("SU-ETH-1", "SU-TID-1"),
        technologies={"ETH": 2, "TID": 0},
        hq={0: {"black": 4, "fields": ("OF-LIB-ETH", "OF-NIG-ETH", "OF-GUL-ETH")}},
    )
    scene.when(0, TakeAction("INV"))
    assert sensible(scene) == {"type": "start_start_ups"}
    scene.when(0, StartStartUps())
    assert sensible(scene) == {"type": "buy_start_up", "card": "SU-ETH-1"}


@pytest.mark.rule("PO-213", "PO-215")
def test_the_route_that_brings_most_home() -> None:
    """Rotterdam asks for 4, past a blank chip."""
    scene = a_table(spots={"NIG": (1,)}, regions={"NIG": 5}).when(0, TakeAction("NIG"))
    assert sensible(scene) == {"type": "ship", "route": "R08"}


@pytest.mark.rule("PO-231")
def test_a_security_chip_turns_up_a_higher_demand() -> None:
    low = {"ROT": ("RF1", 1), "PHI": ("RF3", 1), "SIN": ("RF2", 1)}
    table: dict[str, Any] = {"spots": {"NIG": (1,)}, "regions": {"NIG": 5}, "demand": low}
    scene = a_table(hq={0: {"security": 1}}, **table).when(0, TakeAction("NIG"))
    assert sensible(scene) == {"type": "use_security", "kind": "flip_refinery", "places": ["ROT"]}
    without = a_table(**table).when(0, TakeAction("NIG"))
    assert sensible(without)["type"] == "ship"


@pytest.mark.rule("PO-107")
def test_nobody_pulls_with_a_card_of_a_higher_level_to_fear() -> None:
    scene = a_table(
        bag=(15, 2, 2),
        pulled=("r",),
        spots={"NIG": (1, 1)},
        regions={"NIG": 5},
        hq={0: {"black": 5, "pr_down": "PR1-1", "pr_down_level": 1}},
    ).when(0, TakeAction("NIG"))
    assert sensible(scene) == {"type": "stop_pulling"}


@pytest.mark.rule("PO-127")
def test_what_a_card_forbids_is_not_sought() -> None:
    scene = at_step_two(field_display=("OF-LIB-ETH",), regions={"NIG": 3}, hq={0: {"pr_up": ("PR3-3",), "reserve": 0}})
    assert sensible(scene) == {"type": "reassign", "from": "HQ", "to": "NIG"}


@pytest.mark.rule("PO-250")
def test_the_last_reassign_goes_where_something_is_left_to_do() -> None:
    scene = at_final_reassign(1, field_display=("OF-LIB-ETH",))
    assert sensible(scene, 1) == {"type": "reassign", "from": "HQ", "to": "DEV"}
    nothing = at_final_reassign(1)
    assert sensible(nothing, 1) == {"type": "pass"}


@pytest.mark.rule("PO-258")
def test_an_opportunity_worth_nothing_is_passed() -> None:
    assert sensible(at_opportunity("EXP", 0, spots={"EXP": (1,)}, hq={0: {"reserve": 0}})) == {"type": "pass"}


@pytest.mark.rule("PO-314")
def test_agents_come_home_from_the_track() -> None:
    scene = a_table(spots={"INV": (1,)}, track=(0, None, None, None), options={"variant": "crude"})
    scene.when(0, TakeAction("INV"))
    assert sensible(scene) == {"type": "crude_whitewash"}
