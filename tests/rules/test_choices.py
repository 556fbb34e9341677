"""Descriptions of legal answers: what they pick they admit, and what they describe they describe exactly."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from rules.choices import (
    Amount,
    Choice,
    Counts,
    Either,
    Fields,
    ListOf,
    OneFromEach,
    OneOf,
    Option,
    Parts,
    SomeOf,
    match_each,
    whole,
)

ABC = SomeOf(("a", "b", "c"), 1, 2)
DESCRIBED: list[tuple[Choice, list[Any], list[Any]]] = [
    (Amount(2, 4), [2, 3, 4], [1, 5, True, "2", None, 2.0]),
    (OneOf((None, "x", 1)), [None, "x", 1], ["y", True, 0]),
    (ABC, [["a"], ["c", "a"], ("b",)], [[], ["a", "a"], ["a", "b", "c"], ["d"], "a", None]),
    (
        Parts((ABC, SomeOf(("x", "y"), 0, 1))),
        [["a"], ["x", "a", "b"]],
        [["x"], ["a", "x", "y"], ["a", "z"], ["a", "a"], 3],
    ),
    (Either((Amount(0, 1), OneOf(("all",)))), [0, 1, "all"], [2, "none"]),
    (ListOf(Amount(0, 3), 1, 4), [[0], [3, 3, 3]], [[], [4], [0] * 5, 0]),
    (OneFromEach((("a", "b"), ("a",))), [["b", "a"]], [["a", "a"], ["a", "b"], ["b"], []]),
    (Counts({"oil": 2, "gas": 1}), [{}, {"oil": 2}, {"oil": 1, "gas": 1}], [{"oil": 3}, {"oil": 0}, {"coal": 1}, []]),
    (Counts({"oil": 2}, or_none=False), [{"oil": 1}], [{}]),
    (Counts({"oil": 2, "gas": 3}, least={"gas": 2}), [{"gas": 2}, {"gas": 3, "oil": 1}], [{}, {"gas": 1}, {"oil": 1}]),
    (Fields({"n": Amount(1, 2), "of": ABC}), [{"n": 1, "of": ["a"]}], [{"n": 1}, {"n": 3, "of": ["a"]}, [], {}]),
]


@pytest.mark.parametrize(("choice", "admitted", "refused"), DESCRIBED, ids=lambda value: type(value).__name__)
def test_a_description_admits_what_it_describes(choice: Choice, admitted: list[Any], refused: list[Any]) -> None:
    assert [value for value in admitted if not choice.admits(value)] == []
    assert [value for value in refused if choice.admits(value)] == []


@pytest.mark.parametrize("choice", [choice for choice, _, _ in DESCRIBED], ids=lambda choice: type(choice).__name__)
@for_all(seed=st.integers(0, 2**32))
def test_what_a_description_picks_it_admits(choice: Choice, seed: int) -> None:
    assert choice.admits(choice.pick(random.Random(seed).randrange))


@for_all(groups=st.lists(st.sets(st.sampled_from("abcdef")).map(sorted), max_size=6))
def test_a_match_is_found_where_there_is_one(groups: list[list[str]]) -> None:
    """Against a search through all assignments."""
    found = match_each(groups)
    assert (found is not None) == _exists(groups)
    if found is not None:
        assert len(set(found)) == len(groups)
        assert all(item in group for item, group in zip(found, groups, strict=True))


def _exists(groups: list[list[str]]) -> bool:
    if not groups:
        return True
    return any(_exists([[x for x in group if x != item] for group in groups[1:]]) for item in groups[0])


def test_wishes_that_only_just_fail_are_answered_at_once() -> None:
    any_card = [f"c{n}" for n in range(60)]
    assert match_each([any_card] * 60 + [["c0"]]) is None
    assert match_each([any_card] * 59 + [["c0"]]) is not None


def test_an_option_is_a_whole_command_or_a_family_of_them() -> None:
    passing = whole("pass")
    assert (passing.id, passing.admits({"type": "pass"}), passing.admits({"type": "pass", "n": 1})) == (
        "pass",
        True,
        False,
    )
    bid = Option("bid", {"type": "bid"}, Fields({"n": Amount(1, 9)}), {"cash": 1})
    assert bid.admits({"type": "bid", "n": 9})
    assert not bid.admits({"type": "bid"})
    assert not bid.admits({"type": "pass", "n": 9})
    assert bid.pick(lambda _n: 0) == {"type": "bid", "n": 1}


def test_the_id_of_a_whole_command_is_made_of_its_words() -> None:
    assert whole("play", card="c1", target=None, at=[1, 2]).id == "play:c1:1+2"
