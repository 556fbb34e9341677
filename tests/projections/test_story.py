"""The table's own words as sentences."""

from __future__ import annotations

import pytest

from projections.story import listed, number, tell_table


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"type": "seat_taken", "seat": 1}, "Seat 1 sits down."),
        ({"type": "seat_resigned", "seat": 0, "cause": "command"}, "Seat 0 resigns."),
        ({"type": "seat_resigned", "seat": 0, "cause": "bankrupt"}, "Seat 0 leaves: bankrupt."),
        ({"type": "decision_expired", "seat": 2, "phase": "market"}, "Time is up for seat 2."),
        ({"type": "game_finished", "winners": [1], "reason": "victory"}, "The game is over: seat 1 wins (victory)."),
        (
            {"type": "game_finished", "winners": [0, 2], "reason": "victory"},
            "The game is over: seat 0 and seat 2 win together (victory).",
        ),
        ({"type": "game_aborted", "reason": "absence"}, "The game ends without a result (absence)."),
        ({"type": "awaiting", "steps": []}, None),
    ],
)
def test_a_word_of_the_table_is_one_sentence(event: dict[str, object], sentence: str | None) -> None:
    assert tell_table(event) == sentence


def test_lists_and_numbers_read_well() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "nothing",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert [number(1, "card"), number(2, "card")] == ["1 card", "2 cards"]
