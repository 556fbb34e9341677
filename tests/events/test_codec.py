"""Canonical bytes: the same as RFC 8785 inside the profile, refused outside of it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events import codec
from tests.effort import examples
from tests.vectors.reading import vectors

NAMES = st.from_regex(r"\A[a-z_][a-z0-9_]{0,8}\Z")
INTEGERS = st.integers(-codec.MAX_INTEGER, codec.MAX_INTEGER)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=25,
)


@given(VALUES)
@examples(500)
def test_inside_the_profile_sorted_msgspec_is_rfc_8785(value: Any) -> None:
    assert codec.canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_canonical_bytes_come_back_as_they_were(value: Any) -> None:
    assert codec.decode(codec.canonical(value)) == value


@given(st.dictionaries(NAMES, VALUES, min_size=2, max_size=5))
def test_the_order_of_members_does_not_matter_to_the_writer(plain: dict[str, Any]) -> None:
    backwards = dict(reversed(plain.items()))
    assert codec.canonical(backwards) == codec.canonical(plain)


def test_the_bodies_of_the_vectors_are_canonical() -> None:
    for entry in vectors()["log"]["entries"]:
        body = entry["body"].encode()
        assert codec.canonical(codec.decode(body)) == body == rfc8785.dumps(codec.decode(body))


def deep(levels: int) -> Any:
    """An array in an array in an array."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1.0, "float"),
        (float("nan"), "float"),
        (float("inf"), "float"),
        (-0.0, "float"),
        (2**53, "integer_too_large"),
        (-(2**53), "integer_too_large"),
        ("\ud800", "lone_surrogate"),
        ("a\udfffb", "lone_surrogate"),
        ({"A": 1}, "member_name"),
        ({"": 1}, "member_name"),
        ({"1a": 1}, "member_name"),
        ({"a-b": 1}, "member_name"),
        ({"é": 1}, "member_name"),
        ({"a\n": 1}, "member_name"),
        ({1: 1}, "member_name"),
        (deep(codec.MAX_DEPTH + 1), "too_deep"),
        ({1, 2}, "type"),
        (b"bytes", "type"),
        ("x" * codec.MAX_BYTES, "too_large"),
    ],
)
def test_what_is_outside_the_profile_is_not_written(value: Any, reason: str) -> None:
    with pytest.raises(codec.OutsideProfile) as caught:
        codec.canonical(value)
    assert caught.value.reason == reason


@given(VALUES, st.integers(-1, 2))
@examples(500)
def test_what_reads_simply_reads_as_otherwise(value: Any, indent: int) -> None:
    text = msgspec.json.format(msgspec.json.encode(value), indent=indent)
    assert codec.read_simple(text) in (None, value)


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_bytes_read_simply_are_json(text: bytes) -> None:
    found = codec.read_simple(text)
    assert found is None or found == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1,"a":2}',
        b'[{"a":{"b":1,"b":1}}]',
        b'{"a":1,"\\u0061":2}',
        b'{"A":1}',
        b'{"a":1.0}',
        b'{"a":9007199254740992}',
        b'{"a":"\\ud800"}',
        b"[" * 20 + b"]" * 20,
        b"",
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b"NaN",
    ],
)
def test_what_is_not_simple_takes_a_closer_look(text: bytes) -> None:
    assert codec.read_simple(text) is None


def test_a_plain_object_reads_simply() -> None:
    assert codec.read_simple(b' {"type": "bid", "cards": ["c1", {"n": -3}]} ') == {
        "type": "bid",
        "cards": ["c1", {"n": -3}],
    }


def test_the_refusal_says_where() -> None:
    with pytest.raises(codec.OutsideProfile) as caught:
        codec.canonical({"events": [{"n": 1}, {"n": 0.5}]})
    assert caught.value.where == "$.events[1].n"


def test_the_profile_ends_where_it_says() -> None:
    for value in (codec.MAX_INTEGER, -codec.MAX_INTEGER, deep(codec.MAX_DEPTH), "x" * (codec.MAX_BYTES - 2)):
        assert codec.decode(codec.canonical(value)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"NaN", "not_json"),
        (b"Infinity", "not_json"),
        (b'"\\ud800"', "not_json"),
        (b'"\xff"', "not_json"),
        (b'"\xed\xa0\x80"', "not_json"),
        (b"01", "not_json"),
        (b"1.0", "float"),
        (b"1e2", "float"),
        (b"-0.0", "float"),
        (b"9007199254740992", "integer_too_large"),
        (b"[" * 17 + b"]" * 17, "too_deep"),
        (b"-0", "not_canonical"),
        (b" 1", "not_canonical"),
        (b"1\n", "not_canonical"),
        (b"1\r", "not_canonical"),
        (b'{"a":1,"a":1}', "not_canonical"),
        (b'{"b":1,"a":1}', "not_canonical"),
        (b'{"a": 1}', "not_canonical"),
        (b'"\\u0041"', "not_canonical"),
        (b'"\\/"', "not_canonical"),
        (b'"\\u000A"', "not_canonical"),
        (b'"\\u00e9"', "not_canonical"),
        (b'"\\u001F"', "not_canonical"),
        (b'"' + b"x" * codec.MAX_BYTES + b'"', "too_large"),
    ],
)
def test_every_other_spelling_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(codec.OutsideProfile) as caught:
        codec.decode(text)
    assert caught.value.reason == reason


@pytest.mark.parametrize("text", [b"[" * 10_000, b"[" * 2_000 + b"]" * 2_000])
def test_what_is_far_too_deep_is_refused(text: bytes) -> None:
    """How deep its own reader of JSON goes differs from Python to Python."""
    with pytest.raises(codec.OutsideProfile) as caught:
        codec.decode(text)
    assert caught.value.reason in ("not_json", "too_deep")


@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_canonical(text: bytes) -> None:
    try:
        value = codec.decode(text)
    except codec.OutsideProfile:
        return
    assert rfc8785.dumps(value) == text


@given(VALUES, st.integers(0, 10**6), st.integers(0, 255))
def test_a_changed_byte_never_reads_as_the_same_value(value: Any, position: int, byte: int) -> None:
    body = codec.canonical(value)
    position %= len(body)
    changed = body[:position] + bytes([byte]) + body[position + 1 :]
    with suppress(codec.OutsideProfile):
        assert changed == body or codec.decode(changed) != value


def test_deterministic_msgspec_would_not_do() -> None:
    """Why `sorted`: `deterministic` leaves the fields of structs in the order of definition."""

    class Backwards(msgspec.Struct):
        b: int
        a: int

    assert msgspec.json.encode(Backwards(1, 2), order="deterministic") == b'{"b":1,"a":2}'
    assert codec.encode(Backwards(1, 2)) == b'{"a":2,"b":1}'
