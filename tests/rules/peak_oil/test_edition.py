"""The house cards, and editions of one's own: register section 6, PO-005 … PO-007."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from rules.edition import InvalidEdition
from rules.peak_oil.effects import Effect
from rules.peak_oil.rulebook import EDITIONS
from tests.rules.peak_oil.tables import RULESET, edition

TEXT = files("rules.peak_oil").joinpath("editions", "house.json").read_text("utf-8")


PROVENANCE = msgspec.json.decode(TEXT)["provenance"]


def changed(**changes: Any) -> str:
    """The house file with other members, each on a line of its own."""
    plain = msgspec.json.decode(TEXT)
    lines = (f'"{name}": {msgspec.json.encode(value).decode()}' for name, value in (plain | changes).items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.mark.rule("PO-005", "PO-007")
def test_the_oil_fields_are_a_latin_square_and_ten_pairs() -> None:
    single = [card for card in edition().oil_fields if len(card.technologies) == 1]
    dual = [card for card in edition().oil_fields if len(card.technologies) == 2]
    assert (len(single), len(dual), len({frozenset(card.technologies) for card in dual})) == (25, 10, 10)
    assert (sum(card.full for card in single), sum(card.question_marks for card in single)) == (45, 20)
    assert sum(card.security for card in single) == 10
    for region in edition().regions:
        profiles = {(card.full, card.question_marks, card.security) for card in single if card.region == region.id}
        assert len(profiles) == 5
    assert set(Counter(one for card in edition().oil_fields for one in card.technologies).values()) == {9}


@pytest.mark.rule("PO-006")
def test_everything_that_shows_hydrogen_or_venezuela_is_out_with_two_and_three() -> None:
    removed = [card.id for card in edition().oil_fields if card.least_seats > 3]
    assert len(removed) == 13
    assert all("VEN" in card or "HYD" in card for card in removed)
    assert sum(card.least_seats > 3 for card in edition().start_ups) == 5
    assert [card.id for card in edition().portfolios if card.least_seats > 3] == ["PP6", "PP7"]


@pytest.mark.rule("PO-031", "PO-032")
def test_the_table_of_the_rulebook() -> None:
    rows = [(row.seats, row.bag.red, row.bag.yellow, row.bag.black, row.consultants) for row in edition().by_seats]
    assert rows == [
        (2, 2, 2, 18, (2, 2, 1)),
        (3, 3, 3, 20, (3, 2, 2)),
        (4, 4, 4, 22, (4, 3, 2)),
        (5, 5, 5, 25, (5, 4, 3)),
    ]


@pytest.mark.rule("PO-210")
def test_the_routes_of_the_map() -> None:
    """Register 6.4: R11 is the one the rulebook's example gives."""
    assert len(edition().routes) == 16
    used = Counter(risk for route in edition().routes for risk in route.risks)
    assert used == {"NAT": 5, "MAL": 5, "CGH": 4, "CAR": 3, "SUE": 3, "ADE": 3, "GIB": 2, "BEL": 2}
    route = edition().route["R11"]
    assert (route.from_region, route.refinery, set(route.risks)) == ("GUL", "ROT", {"ADE", "SUE"})


@pytest.mark.rule("PO-213", "PO-215")
def test_the_mean_risk_of_the_chips() -> None:
    pool = [chip for chip in edition().risk_chips if chip.closed_faces < 2]
    faces = [face for chip in pool for face in (chip.faces if not chip.closed_faces else chip.faces[:1] * 2)]
    assert sum(face.question_marks for face in faces) / len(faces) == 0.5
    assert sum(face.skulls for face in faces) / len(faces) == 0.25


@pytest.mark.rule("PO-033", "PO-173", "PO-274")
def test_levels_and_prices() -> None:
    assert Counter(card.level for card in edition().pr_cards) == {1: 6, 2: 6, 3: 6}
    assert Counter(card.level for card in edition().consultants) == {1: 5, 2: 5, 3: 5}
    assert (edition().whitewash_prices, edition().pr_penalties) == ((0, 1, 2), (1, 3, 5))
    assert edition().consultant_points == (1, 1, 2)


def test_every_group_of_data_says_where_it_comes_from() -> None:
    plain = msgspec.json.decode(TEXT)
    data = plain.keys() - {"ruleset", "edition", "title", "about", "provenance"}
    assert edition().provenance.keys() == data
    assert set(edition().provenance.values()) == {"rulebook", "derived", "house"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"agents_at_start": 5}, "more than there are agents"),
        ({"track_skips": 4}, "no space of the PR track would be left"),
        ({"agents_per_spot": 0}, "Expected `int` >= 1"),
        ({"refinery_chips": [{"id": "RF1", "demand": [4, 2]}]}, "one for each Refinery"),
        ({"portfolios": []}, "too few cards for 2 seats"),
        ({"provenance": {}}, "where does agents come from?"),
        ({"provenance": {**PROVENANCE, "prices": "house"}}, "no such group of values"),
        ({"provenance": {**PROVENANCE, "routes": "mine"}}, "one of rulebook, derived, house"),
        ({"barrels": {"black": 30, "red": 5, "yellow": 5}}, "no more than there are"),
    ],
)
def test_a_file_that_cannot_be_played_is_refused_with_line_and_reason(changes: dict[str, Any], says: str) -> None:
    text = changed(**changes)
    with pytest.raises(InvalidEdition) as refusal:
        EDITIONS.read("mine.json", text)
    assert says in str(refusal.value)
    assert refusal.value.file == "mine.json"


def test_an_unknown_hook_is_named_with_its_line() -> None:
    text = TEXT.replace('{"hook": "step3_cost", "delta": -1}', '{"hook": "step3_gift", "delta": -1}')
    with pytest.raises(InvalidEdition) as refusal:
        EDITIONS.read("mine.json", text)
    assert refusal.value.line == TEXT[: TEXT.index("step3_cost")].count("\n") + 1
    assert "step3_gift" in str(refusal.value)


@pytest.mark.rule("PO-129")
def test_cards_that_could_take_the_last_agent_are_refused() -> None:
    text = TEXT.replace('{"hook": "on_flip", "hold": "half_black"}', '{"hook": "on_flip", "hold": "agent"}')
    with pytest.raises(InvalidEdition, match="could lose its last agent"):
        EDITIONS.read("mine.json", text)
    text = TEXT.replace('"hold": "half_black"', '"hold": "half_black", "number": 2')
    with pytest.raises(InvalidEdition, match="hold: black only"):
        EDITIONS.read("mine.json", text)


def test_a_route_over_an_unknown_spot_is_named() -> None:
    with pytest.raises(InvalidEdition, match="no such Risk spot"):
        EDITIONS.read(
            "mine.json", TEXT.replace('"refinery": "ROT", "risks": ["GIB"]', '"refinery": "ROT", "risks": ["SEA"]')
        )


@pytest.mark.rule("PO-006")
def test_a_card_that_shows_what_is_closed_cannot_stay_in() -> None:
    text = TEXT.replace(
        '{"id": "SU-HYD-1", "technology": "HYD", "least_seats": 4}', '{"id": "SU-HYD-1", "technology": "HYD"}'
    )
    with pytest.raises(InvalidEdition, match="closed with fewer seats") as refusal:
        EDITIONS.read("mine.json", text)
    assert refusal.value.line == text[: text.index("SU-HYD-1")].count("\n") + 1


def test_an_owner_can_write_other_cards_in_a_file_of_their_own() -> None:
    """Another Consultant, of other hooks, by data alone."""
    effects = '[{"hook": "ship_demand", "delta": 2}, {"hook": "forbids", "what": ["recruit"]}]'
    text = TEXT.replace('[{"hook": "step3_cost", "delta": -1}]', effects).replace(
        '"edition": "house"', '"edition": "own"'
    )
    loaded = EDITIONS.read("own.json", text)
    found: Any = loaded.edition
    kinds: list[Effect] = list(found.effects["CN1-1"])
    assert [kind.__struct_config__.tag for kind in kinds] == ["ship_demand", "forbids"]
    assert loaded.digest != RULESET.edition("house").digest
