"""Beside every field of every command and event of every game stands who may see it."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin

import pytest
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from events.audience import Actor, Hidden, OwnSeat, Public, UnmarkedField, sealed_fields, seen_by
from events.words import Command, Event
from projections.projection import Projection
from rules.catalogue import rulesets
from tests.toy.book import WILDCAT

PROJECTIONS = [ruleset.projection for ruleset in (*rulesets().values(), WILDCAT)]


def kinds_of(union: Any) -> list[type[Struct]]:
    """The classes of a union; of a generic, the class without its argument."""
    return [get_origin(member) or member for member in get_args(union)]


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.ruleset)
def test_every_field_of_every_word_has_a_mark(projection: Projection) -> None:
    for kind in kinds_of(projection.commands) + kinds_of(projection.events):
        sealed_fields(kind)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.ruleset)
def test_readers_are_public_seats_of_the_same_object(projection: Projection) -> None:
    """Whoever holds a body alone can tell for whom each sealed field is, but for what a rule shows further."""
    for kind in kinds_of(projection.commands) + kinds_of(projection.events):
        sealed = sealed_fields(kind)
        public = set(kind.__struct_fields__) - {mark.name for mark in sealed}
        for mark in sealed:
            actors = {"actor"} if issubclass(kind, Command) else set()
            assert set(mark.readers) <= public | actors, (kind, mark)


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.ruleset)
def test_a_personal_field_has_a_default(projection: Projection) -> None:
    """It may be erased: a log without it must still fold, and be decided again."""
    for kind in kinds_of(projection.commands) + kinds_of(projection.events):
        personal = {mark.name for mark in sealed_fields(kind) if mark.kind == "p"}
        for field in fields(kind):
            assert field.name not in personal or field.default is not NODEFAULT


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.ruleset)
def test_words_have_distinct_types_in_the_profile(projection: Projection) -> None:
    for union in (projection.commands, projection.events):
        names = [str(kind.__struct_config__.tag) for kind in kinds_of(union)]
        assert len(set(names)) == len(names)
        for kind in kinds_of(union):
            encoded = [field.encode_name for field in fields(kind)]
            assert all(name.isidentifier() and name.islower() and name != "_sd" for name in encoded), kind


def test_an_unmarked_field_fails() -> None:
    class Careless(Event, frozen=True):
        seat: Public[int]
        cards: tuple[str, ...]

    with pytest.raises(UnmarkedField, match=r"Careless\.cards"):
        sealed_fields(Careless)


class Marked(Event, frozen=True):
    seat: Public[int]
    from_: Public[int]
    own: OwnSeat[str]
    mine: Actor[str]
    none: Hidden[str]
    pair: Annotated[str, seen_by("from_", "seat")]
    remark: Annotated[str, seen_by("seat", personal=True)] = ""


def test_marks_say_who_reads_and_of_which_kind() -> None:
    found = {mark.name: (mark.encoded, mark.readers, mark.kind) for mark in sealed_fields(Marked)}
    assert found == {
        "own": ("own", ("seat",), "g"),
        "mine": ("mine", ("actor",), "g"),
        "none": ("none", (), "g"),
        "pair": ("pair", ("from_", "seat"), "g"),
        "remark": ("remark", ("seat",), "p"),
    }
