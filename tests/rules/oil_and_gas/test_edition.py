"""The cards and numbers of the built-in edition, and what an edition file may not say."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from rules.edition import InvalidEdition
from rules.oil_and_gas.edition import CONVERSION_PHASES
from rules.oil_and_gas.rulebook import EDITIONS
from tests.rules.oil_and_gas.tables import RULESET, edition

TEXT = files("rules.oil_and_gas").joinpath("editions", "standard.json").read_text("utf-8")


def test_ts04_the_counts_of_the_card_list() -> None:
    """TS-04, register 1.3."""
    cards = edition().cards
    assert Counter(card.type for card in cards) == dict.fromkeys("XOTRGP", 10)
    doubles = [card for card in cards if card.weight == 2]
    assert Counter(card.type for card in doubles) == {"X": 2, "O": 2, "T": 4, "R": 3, "G": 5, "P": 3}
    assert " ".join(sorted(card.id for card in doubles)) == (
        "G01 G02 G04 G05 G06 O04 O06 P05 P06 P07 R03 R04 R07 T02 T03 T04 T05 X05 X06"
    )
    weights = {type_: sum(card.weight for card in cards if card.type == type_) for type_ in "XOTRGP"}
    assert weights == {"X": 12, "O": 12, "T": 14, "R": 13, "G": 15, "P": 13}
    bonuses = {card.id: card.roll_bonus for card in cards if card.roll_bonus}
    assert bonuses == dict.fromkeys(("X01", "X10", "O02", "O09"), 1)
    assert not {card.id for card in doubles} & bonuses.keys()


def test_ts04_the_counts_of_the_events() -> None:
    """TS-04, register 1.3; OG-80: V17 and V19 are no Economy cards."""
    events = edition().events
    assert [card.id for card in events] == [f"V{n:02d}" for n in range(1, 21)]
    assert [card.id for card in events if card.economy] == ["V04", "V05", "V06", "V07", "V08", "V09"]
    assert [card.id for card in events if card.targeted] == ["V02"]


@pytest.mark.rule("OG-110")
def test_one_conversion_for_each_of_six_phases() -> None:
    """The cost table of register 2.H."""
    table = {one.phase: (one.type, one.need, one.token) for one in edition().conversions}
    assert table == {
        "explore": ("X", 3, "explore"),
        "drill": ("O", 4, "oil"),
        "transport": ("T", 4, "transport"),
        "refining": ("R", 3, "refinery"),
        "gasoline": ("G", 4, "gasoline"),
        "production": ("P", 3, "product"),
    }
    assert tuple(table) == CONVERSION_PHASES


def test_every_group_of_data_says_where_it_comes_from() -> None:
    known = edition()
    described = set(known.provenance)
    assert set(known.provenance.values()) <= {"rulebook", "derived", "house"}
    groups = set(type(known).__struct_fields__) - {"ruleset", "edition", "title", "about", "provenance"}
    assert described == groups


def test_the_digest_is_the_files() -> None:
    assert len(RULESET.edition("standard").digest) == 64


@pytest.mark.parametrize(
    ("old", "new", "value", "reason"),
    [
        ('"id": "X02"', '"id": "X01"', "X01", "used before"),
        ('"id": "X02", "name": "Fractures", "type": "X"', '"id": "X02", "name": "Fractures", "type": "O"', "O", "X02"),
        ('"name": "Fractures", "type": "X", "weight": 1', '"name": "Fractures", "type": "X", "weight": 3', 3, "<= 2"),
        (
            '"phase": "drill", "type": "O", "need": 4',
            '"phase": "explore", "type": "O", "need": 4',
            None,
            "one conversion",
        ),
        ('{"seats": 4, "copies": 1}', '{"seats": 5, "copies": 1}', None, "one row for each"),
        ('"copies": 2', '"copies": 3', 3, "at most 200 cards"),
        ('"victory_profit": 25', '"victory_profit": 10', 10, "more than each seat begins with"),
        ('"extra_card_price": 1', '"extra_card_price": 0', 0, ">= 1"),
        ('"hand_limit": 10', '"hand_limit": 0', 0, ">= 1"),
        ('"op": "steal_random"', '"op": "steal_all"', None, "steal_all"),
        ('"turn_limit": 60', '"turn_limit": 60.5', 60.5, "float"),
        ('"turn_limit": 60,', '"turn_limits": 60,', None, "turn_limit"),
    ],
)
def test_a_file_that_cannot_be_played_with_is_refused_with_line_and_value(
    old: str, new: str, value: object, reason: str
) -> None:
    assert TEXT.count(old) >= 1
    with pytest.raises(InvalidEdition) as refusal:
        EDITIONS.read("mine.json", TEXT.replace(old, new, 1))
    line = TEXT.count("\n", 0, TEXT.index(old)) + 1
    assert refusal.value.file == "mine.json"
    assert reason in refusal.value.reason
    if value is not None:
        assert (refusal.value.value, refusal.value.line) == (value, line)
        assert f"line {line}" in str(refusal.value)


def test_broken_json_is_refused_with_the_line() -> None:
    with pytest.raises(InvalidEdition) as refusal:
        EDITIONS.read("mine.json", '{\n"ruleset": "oil-and-gas",\n,')
    assert refusal.value.line == 3
