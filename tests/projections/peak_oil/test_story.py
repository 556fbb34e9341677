"""What is told of a game, and the picture of its board."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from events.peak_oil.commands import Reassign, Ship, StartStartUps, TakeAction
from events.peak_oil.facts import EventWord
from events.table import TableEvent
from projections.peak_oil import names
from projections.peak_oil.evolve import EVOLVE
from projections.peak_oil.picture import picture
from projections.peak_oil.story import tell
from tests.playouts import Setup, created, played
from tests.rules.peak_oil.playing import play
from tests.rules.peak_oil.tables import RULESET, a_start, a_table, edition
from tests.scenario import Script

OF_THE_TABLE = set(get_args(TableEvent))


def own_events() -> list[type]:
    """The event types of this game."""
    return [kind for kind in get_args(EventWord) if isinstance(kind, type) and kind not in OF_THE_TABLE]


def test_every_event_is_folded() -> None:
    assert not [kind for kind in own_events() if kind not in EVOLVE]


@pytest.mark.parametrize("options", [{}, {"variant": "crude"}, {"challenge_start": True, "dual_fields": True}])
def test_every_event_of_a_game_is_told_to_everybody_in_a_sentence(options: dict[str, object]) -> None:
    """Fields that a reader may not see are missing, and the sentence still stands."""
    for seed in range(3):
        scenario = created(RULESET, Setup(2 + seed, options), Script(seed.to_bytes(4, "big")))
        for moment in played(scenario, seed, play):
            for viewer in (0, None):
                for event in moment.sees(viewer)[1:]:
                    sentence = tell(event, edition())
                    assert (sentence is None) == (event["type"] == "awaiting"), event
                    assert sentence is None or (sentence.endswith(".") and sentence[0].isupper()), sentence


def test_hidden_cards_are_told_to_their_owner_alone() -> None:
    table = a_start(3, challenge_start=True, first_player=0)
    own = [sentence for sentence in table.hears(0) if sentence.startswith("Seat 0 receives")]
    others = [sentence for sentence in table.hears(1) if sentence.startswith("Seat 0 receives")]
    assert len(own) == len(others) == 2
    assert all(": " in sentence for sentence in own)
    assert others == [
        "Seat 0 receives a Private Portfolio.",
        "Seat 0 receives a PR Crisis card of level 1, face down.",
    ]


@pytest.mark.rule("PO-020", "PO-021")
def test_chips_are_told_with_the_side_that_is_up() -> None:
    """Sides are called as in register 6.2: whoever reads along knows every Demand and risk from the beginning."""
    table = a_start(3, Script().below("refinery_sides", 0, 1, 1))
    (told,) = [sentence for sentence in table.hears(None) if sentence.startswith("The refinery chips")]
    assert told == "The refinery chips show side A in Singapore, B in Rotterdam and B in Philadelphia."


def test_a_shipping_in_words() -> None:
    table = a_table(spots={"GUL": [1]}, regions={"GUL": 5}).when(0, TakeAction("GUL"))
    assert table.hears(None) == ["Seat 0 acts on Gulf Region, with the majority."]
    table.when(0, Ship("R11"))
    assert table.hears(None) == [
        "Seat 0 loads 4 barrels of Gulf Region.",
        "Seat 0 ships Gulf Region to Rotterdam by Gulf of Aden, Suez Canal, where the Demand is 4: 4 barrels earned.",
        "The chips of Gulf of Aden, Suez Canal and Rotterdam are turned.",
        "Seat 0 takes 1 agent home from Gulf Region.",
    ]


def test_cards_are_named_by_what_they_show() -> None:
    assert names.oil_field("OF-GUL-ETH+AGR", edition()) == "Gulf Region field (Ethanol and Agropolymers)"
    assert names.start_up("SU-SPM-2", edition()) == "SPMR Start-Up"
    assert names.portfolio("PP6", edition()) == "SPMR, Agropolymers, Hydrogen Cells"
    assert names.card("PR2-1", edition()) == "Strained Resources"
    assert [names.oil_field("?", edition()), names.route("?", edition()), names.card("?", edition())] == ["?"] * 3


def test_the_picture_shows_the_table_as_the_viewer_sees_it() -> None:
    table = a_table(
        seats=3,
        bag=(4, 2, 1),
        spots={"DEV": [1, 2]},
        regions={"GUL": 3},
        market="ETH",
        technologies={"TID": 2},
        hq={0: {"black": 2, "start_ups": ("SU-ETH-1",)}, 1: {"pr_down": "PR2-1", "pr_down_level": 2}},
        field_display=("OF-RUS-AGR",),
    )
    lines = picture(table.view(0)).splitlines()
    assert lines[0] == "turns (turn 9, seat 0)   bag ●●●● 4b 2r 1y"
    assert "  DEV            0:i 1:ii" in lines
    assert "  GUL  ●●●" in lines
    assert "  market      ETH ●  SPM ○  AGR ○  TID ○" in lines
    assert "  technology  ETH 0  SPM 0  AGR 0  TID 2" in lines
    assert "  demand      SIN 4(3)  ROT 4(2)  PHI 3(2)" in lines
    assert "  seat 0: ●● 2b  i--  SU-ETH-1 PP1" in lines
    assert "  seat 1:  0b  --  PR2 face down" in lines
    assert "SU-ETH-1" not in picture(table.view(None))
    assert "seat 0: ●● 2b  i--  1 start-ups" in picture(table.view(1))


def test_the_picture_of_a_crude_game_shows_the_track() -> None:
    table = a_table(options={"variant": "crude"}, track=[1, None, 0, None])
    assert picture(table.view(None)).count("track [1][.][0][.]") == 1


def test_the_picture_marks_the_peak_oil_phase() -> None:
    scenario = created(RULESET, Setup(3, {"max_turns": 4}), Script(b"end"))
    pictures = [picture(moment.view(None)) for moment in played(scenario, 3, play) if moment.board.phase == "peak_oil"]
    assert pictures
    assert all("Peak Oil: seat" in one for one in pictures)
    assert random.Random(0).choice(pictures).count("<- checked") == 1


def test_a_view_of_a_table_before_the_start_is_empty() -> None:
    scenario = created(RULESET, Setup(2), Script(b"lobby"))
    view = scenario.view(None)
    assert (view.phase, view.spots, view.risks) == ("setup", {}, ())
    assert picture(view)


def test_an_option_costs_what_it_says() -> None:
    table = a_table(
        spots={"INV": [1]}, technologies={"ETH": 2}, hq={0: {"black": 3}}, start_up_display=("SU-ETH-1",)
    ).when(0, TakeAction("INV"))
    costs = {option.id: option.costs for option in table.options(0)}
    assert costs["place_technology:AGR"] == {"black": 1}
    table.when(0, StartStartUps())
    assert {option.id: option.costs for option in table.options(0)}["buy_start_up:SU-ETH-1"] == {"black": 2}
    assert a_table().when(0, Reassign("HQ", "DEV")).options(0)[0].costs == {}
