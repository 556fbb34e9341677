"""The draw function, held against values of another implementation, and its bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from events.words import Rng
from projections.chance import Draw, KeyedChance, game_key, seed_commit
from tests.vectors.reading import vectors

VECTORS = vectors()["chance"]
SEED = bytes.fromhex(VECTORS["server_seed"])
KEY = game_key(VECTORS["game"], SEED, VECTORS["client_seeds_hex"])
CHANCE = KeyedChance(KEY)


class Words:
    """Scripted words of the label `x`."""

    def __init__(self, *words: int) -> None:
        self.words = {"x": words}

    def word(self, label: str, position: int) -> int:
        return self.words[label][position]


def test_the_vectors_commitment_and_key() -> None:
    assert seed_commit(VECTORS["game"], SEED) == VECTORS["seed_commit"]
    assert KEY.hex() == VECTORS["game_key"]


@pytest.mark.parametrize("block", VECTORS["blocks"])
def test_the_vectors_blocks(block: dict[str, Any]) -> None:
    assert CHANCE.block(block["label"], block["i"]).hex() == block["hex"]
    words = [CHANCE.word(block["label"], 8 * block["i"] + n) for n in range(8)]
    assert b"".join(word.to_bytes(4, "big") for word in words).hex() == block["hex"]


def drawn(vector: dict[str, Any], draw: Draw) -> Any:
    """What our draw function makes of a vector's call."""
    match vector["op"]:
        case "ten_d6":
            return [draw.die() for _ in range(10)]
        case "below":
            return [draw.below(vector["n"]) for _ in range(vector["times"])]
        case "shuffle":
            return list(draw.shuffle(vector["items"]))
        case "choose":
            return list(draw.choose(vector["k"], vector["items"]))
        case "weighted":
            return [draw.weighted(vector["weights"]) for _ in range(vector["times"])]
        case unknown:
            pytest.fail(f"a vector of an unknown kind: {unknown}")


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=[vector["label"] for vector in VECTORS["draws"]])
def test_the_vectors_draws(vector: dict[str, Any]) -> None:
    draw = Draw(CHANCE, vector["label"], 0)
    assert drawn(vector, draw) == vector["result"]
    assert draw.position == vector["words"]
    assert draw.rng == (Rng(vector["label"], 0, vector["words"]) if vector["words"] else UNSET)


def test_a_draw_goes_on_where_the_label_stands() -> None:
    whole = Draw(CHANCE, "dice", 0)
    rolls = [whole.die() for _ in range(10)]
    later = Draw(CHANCE, "dice", 6)
    assert [later.die() for _ in range(4)] == rolls[6:]
    assert later.rng == Rng("dice", 6, 10)


def test_a_word_beyond_the_limit_is_rejected_and_counted() -> None:
    """2^32 mod 3 = 1: the highest word would favour 0."""
    draw = Draw(Words(2**32 - 1, 5), "x", 0)
    assert draw.below(3) == 2
    assert draw.position == 2


def test_other_seeds_give_another_game() -> None:
    keys = {
        game_key(VECTORS["game"], SEED, seeds)
        for seeds in ([], [""], ["", ""], ["00"], ["00", ""], ["", "00"], ["0000"])
    }
    assert len(keys) == 7


@given(st.integers(1, 2**32), st.integers(0, 2**32 - 1))
def test_below_is_below(n: int, word: int) -> None:
    assert 0 <= Draw(Words(word, 0), "x", 0).below(n) < n


@given(st.text(max_size=10), st.integers(0, 30), st.data())
def test_a_choice_is_the_end_of_a_shuffle(label: str, n: int, data: st.DataObject) -> None:
    items = list(range(n))
    k = data.draw(st.integers(0, n))
    chosen = Draw(CHANCE, label, 0).choose(k, items)
    assert len(set(chosen)) == k
    assert sorted(Draw(CHANCE, label, 0).shuffle(items)) == items
    if k == n:
        assert chosen == Draw(CHANCE, label, 0).shuffle(items)[::-1]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any))
def test_a_weight_of_nothing_is_never_drawn(weights: list[int]) -> None:
    draw = Draw(CHANCE, "bag", 0)
    assert all(weights[draw.weighted(weights)] for _ in range(20))
