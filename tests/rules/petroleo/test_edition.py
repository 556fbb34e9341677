"""The edition files: PT-005, PT-006, sections 1 and 6 of the register; and what a file of one's own must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from rules.edition import InvalidEdition
from rules.petroleo.rulebook import EDITIONS
from tests.rules.petroleo.tables import edition

NAMES = ("compact-20", "house-48")
MEANS_OF_NINE = {
    2: (5.00, 5.00, 5.00, 5.00, 5.00, 4.50, 4.00, 7.00),
    3: (5.00, 5.00, 5.00, 5.00, 5.00, 4.75, 5.50, 5.00),
    4: (5.00, 5.00, 5.00, 5.00, 5.00, 5.17, 4.67, 5.00),
    5: (5.00, 5.00, 4.75, 5.25, 5.00, 5.00, 5.00, 5.00),
    6: (5.00, 5.00, 5.00, 5.00, 4.89, 5.00, 5.00, 5.20),
}
MEANS_OF_SIX = {
    2: (3.50, 3.50, 3.33, 3.67, 3.50, 3.00, 3.00, 5.00),
    3: (3.50, 3.50, 3.40, 3.60, 3.50, 3.25, 4.00, 3.50),
    4: (3.50, 3.50, 3.43, 3.57, 3.50, 3.50, 3.33, 3.67),
    5: (3.50, 3.50, 3.25, 3.75, 3.50, 3.50, 3.50, 3.50),
    6: (3.50, 3.50, 3.44, 3.56, 3.44, 3.56, 3.40, 3.60),
}
KINDS = ("tower_or_licence", "gas", "oil6", "oil4", "oil2", "tanker", "truck")


def text_of(name: str) -> str:
    return files("rules.petroleo").joinpath("editions", f"{name}.json").read_text("utf-8")


def test_two_editions_are_built_in() -> None:
    assert set(EDITIONS.built_in) == set(NAMES)


@pytest.mark.rule("PT-055", "PT-056")
@pytest.mark.parametrize(("name", "means"), [("house-48", MEANS_OF_NINE), ("compact-20", MEANS_OF_SIX)])
def test_the_advances_have_the_same_distribution_for_every_player_count(
    name: str, means: dict[int, tuple[float, ...]]
) -> None:
    """The check values of section 6.2."""
    data = edition(name)
    for seats, expected in means.items():
        cards = [data.card[card] for card in data.deck_for(seats)]
        by_kind = [[card.advance for card in cards if card.kind == kind] for kind in KINDS]
        found = [[card.advance for card in cards], *by_kind]
        assert tuple(round(sum(one) / len(one) + 1e-9, 2) for one in found) == expected
        per_tier = Counter(card.advance for card in cards)
        assert all(n % seats == 0 for n in per_tier.values())


def test_the_compact_track_has_each_square_once_in_the_order_of_the_list() -> None:
    assert edition("compact-20").track == tuple(range(1, 21))
    assert edition("compact-20").opposite_cell == 10


def test_the_long_track_has_the_frequencies_of_section_6_3() -> None:
    track = edition("house-48").track
    twice = dict.fromkeys((9, 10, 11, 12, 14, 17, 20), 2)
    once = dict.fromkeys((1, 2, 4, 6, 8, 13, 15, 16, 18, 19), 1)
    assert Counter(track) == {3: 8, 5: 8, 7: 8, **twice, **once}
    assert (len(track), track[edition("house-48").opposite_cell]) == (48, 20)


@pytest.mark.rule("PT-044", "PT-063", "PT-065", "PT-068", "PT-120")
@pytest.mark.parametrize("name", NAMES)
def test_prices_and_profits(name: str) -> None:
    """Table 1.3."""
    data = edition(name)
    assert data.price == {
        "licence_land": 7,
        "licence_sea": 5,
        "tower_land": 5,
        "tower_sea": 12,
        "oil6": 10,
        "oil4": 7,
        "oil2": 5,
        "gas": 6,
        "truck": 5,
        "tanker": 300,
    }
    assert data.profit == {"oil6": 20, "oil4": 14, "oil2": 10, "gas": 12, "truck": 5, "tanker": 100}


@pytest.mark.rule("PT-010", "PT-061", "PT-072")
@pytest.mark.parametrize("name", NAMES)
def test_pieces_money_and_zones(name: str) -> None:
    """Tables 1.1 and 6.4."""
    data = edition(name)
    pieces = data.pieces
    assert (pieces.tower, pieces.oil6, pieces.oil4, pieces.oil2, pieces.gas) == (28, 9, 9, 9, 9)
    assert (pieces.tanker, pieces.truck, pieces.licences, pieces.red_markers, pieces.green_markers) == (5, 5, 30, 20, 5)
    assert data.all_cash == 40 * 1 + 20 * 5 + 20 * 10 + 60 * 20 + 60 * 50
    assert [len(data.zone_ids[terrain]) for terrain in ("land", "sea")] == [47, 38]
    assert data.truck_ids == ("TR1", "TR2", "TR3", "TR4", "TR5")


@pytest.mark.parametrize("name", NAMES)
def test_every_group_of_values_says_where_it_comes_from(name: str) -> None:
    provenance = edition(name).provenance
    assert provenance["advances"] == provenance["zones"] == "house"
    assert provenance["prices"] == "rulebook"
    assert set(provenance.values()) == {"rulebook", "derived", "house"}


def broken(change: Callable[[dict[str, Any]], object]) -> InvalidEdition:
    """What is said about the compact edition with one thing changed."""
    plain = msgspec.json.decode(text_of("compact-20"))
    change(plain)
    text = msgspec.json.format(msgspec.json.encode(plain), indent=1).decode()
    with pytest.raises(InvalidEdition) as said:
        EDITIONS.read("mine.json", text)
    return said.value


@pytest.mark.parametrize(
    ("change", "value", "reason"),
    [
        (lambda plain: plain["advances"].update(c04=0), 0, "from 1 to 99"),
        (lambda plain: plain["cards"][3].update(kind="diamonds"), "diamonds", "Invalid enum value"),
        (lambda plain: plain["cards"][3].update(id="c01"), "c01", "used before"),
        (lambda plain: plain["cards"][3].update(kind="gas"), 8, "the cards for 2 hold 7"),
        (lambda plain: plain["companies"][2].update(id="co1"), "co1", "used before"),
        (lambda plain: plain["decks_given"][0].update(players=3), 3, "the row for 2 players"),
        (lambda plain: plain["decks_restored"].pop(), None, "one row for each"),
        (lambda plain: plain["pieces"].update(truck=4), 4, "no fewer pieces than cards"),
        (lambda plain: plain["track"].append(7), 7, "an even number of cells"),
        (lambda plain: plain["track"].__setitem__(0, 2), 2, "the first cell is the year-end"),
        (lambda plain: plain["track"].__setitem__(5, 1), 1, "only the first cell"),
        (lambda plain: plain["track"].__setitem__(5, 21), 21, "Expected `int` <= 20"),
        (lambda plain: plain.update(all_cash=1000), 1000, "six companies must be able to start"),
        (lambda plain: plain.update(loan_interest_percent=100), 100, "Expected `int` <= 99"),
        (lambda plain: plain["pieces"].update(licences=101), 101, "Expected `int` <= 100"),
        (lambda plain: plain.update(plays=9), None, "9 cards for each player"),
        (lambda plain: plain["provenance"].update(zones="gossip"), "gossip", "one of rulebook, derived, house"),
        (lambda plain: plain["provenance"].update(weather="house"), "house", "no such group of values"),
        (lambda plain: plain["provenance"].pop("prices"), None, "where does prices come from?"),
        (lambda plain: plain["advances"].pop("c07"), "c07", "no advance is given"),
        (lambda plain: plain["advances"].update(c61=3), 3, "no such card"),
        (lambda plain: plain["prices"].update(tanker=301), 301, "multiple of 2"),
    ],
)
def test_an_edition_file_that_cannot_be_played_is_told_where_and_why(
    change: Callable[[dict[str, Any]], object], value: object, reason: str
) -> None:
    said = broken(change)
    assert reason in said.reason
    assert said.file == "mine.json"
    assert said.line > 1
    if isinstance(value, str | int) and said.value != value:
        assert value in said.value


def test_an_unknown_field_is_named() -> None:
    assert "colour_of_the_sea" in broken(lambda plain: plain.update(colour_of_the_sea="blue")).reason
