"""A hidden card is a canary: its id stands in nothing that somebody who may not know it can fetch, in no spelling."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from functools import cache, partial

import pytest

from rules.catalogue import rulesets
from tests.service.leaks.surface import Service, attempts, readings
from tests.service.leaks.worlds import a_world, at_version, hidden_cards, last_running

READERS = ("seat:0", "seat:1", "spectator", "host", "organizer", "auditor")
_CODED = re.compile(r"[A-Za-z0-9_+/-]{4,}={0,2}")


@pytest.mark.parametrize("ruleset", sorted(rulesets()))
async def test_no_hidden_card_is_in_any_answer(ruleset: str) -> None:
    world = await a_world(ruleset, 60, seed=21)
    for version in range(5, last_running(world), 11):
        here = at_version(world, version)
        service = Service(here)
        for name in READERS:
            viewer = world.viewers[name]
            hidden = hidden_cards(here, version, viewer.eyes)
            assert hidden
            stale = f"@{version - 1}"
            wanted = [*readings(world.game, version, stale), *attempts(world.game, stale, [{"type": "pass"}])]
            for number, one in enumerate(wanted):
                answer = await service.ask(viewer, number, one)
                said = "\n".join([answer.text, *(value for _, value in answer.headers)])
                assert not found(hidden, said), (name, one)


def test_a_canary_is_found_in_every_spelling() -> None:
    cards = {"c15", "OF-VEN-ETH"}
    for said in ('{"card":"c15"}', "WyJzYWx0IiwiY2FyZCIsImMxNSJd", '"22633135222c"', r'"\u0063\u0031\u0035"'):
        assert found(cards, said) == {"c15"}
    assert found(cards, "/view/OF-VEN-ETH?x") == {"OF-VEN-ETH"}
    assert not found(cards, '"3ac15f00", "ac15", "c151"')


def found(cards: set[str], text: str) -> set[str]:
    """The cards that stand in the text, as they are or written in base64, in hex or with escapes."""
    canaries = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, sorted(cards)))})(?![A-Za-z0-9])")
    return {canary for spelling in _spellings(text, 3) for canary in canaries.findall(spelling)}


def _spellings(text: str, depth: int) -> Iterator[str]:
    yield text
    unescaped = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text).replace("\\", "")
    if unescaped != text:
        yield unescaped
    if depth:
        for coded in set(_CODED.findall(text)):
            for plain in _decoded(coded):
                yield from _spellings(plain, depth - 1)


@cache
def _decoded(coded: str) -> tuple[str, ...]:
    """What the text says where it is base64 or hex of something that can be read."""
    readable: list[str] = []
    bare = coded.rstrip("=").translate(str.maketrans("-_", "+/"))
    padded = bare + "=" * (-len(bare) % 4)
    for read in (partial(b64decode, padded, validate=True), partial(bytes.fromhex, coded)):
        try:
            plain = read().decode()
        except (ValueError, Error):
            continue
        if plain.isprintable():
            readable.append(plain)
    return tuple(readable)
