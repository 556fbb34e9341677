"""The envelope: what is written reads back, sealed fields leave the body, and only the right ones open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from audit.vocabulary import vocabulary_of
from events import chain, codec
from events.audience import Public
from events.entry import Entry, seat_of
from events.export import reader
from events.lifts import LIFTS, Lift, lift
from events.opening import (
    Envelope,
    UnreadableEntry,
    open_events,
    open_object,
    read,
    read_body,
    read_envelope,
    read_kept,
)
from events.sealing import Written, write
from events.seals import Seals
from events.table import TakeSeat
from events.words import Command, read_word
from projections.redact import events_seen, opening
from rules.catalogue import rulesets
from tests.audit.logs import Player
from tests.effort import examples
from tests.toy import words
from tests.toy.book import WILDCAT
from tests.vectors.reading import vectors


class Strange(Command, frozen=True):
    """A command that may hold anything."""

    options: Public[dict[str, Any]]


GAME = "0198c0de-0000-7000-8000-00000000abcd"


def salts() -> Iterator[bytes]:
    """One fresh salt after another."""
    return (n.to_bytes(16, "big") for n in range(10_000))


def written(
    command: Any, *events: Any, actor: str = "seat:1", shown: dict[str, tuple[int, ...]] | None = None
) -> Written:
    entry = Entry(GAME, 1, 5, actor, command, events)
    return write(entry, chain.GENESIS, salts().__next__, shown)


@pytest.mark.parametrize("ruleset", [WILDCAT, *rulesets().values()], ids=lambda ruleset: ruleset.name)
@given(number=st.integers(0, 10**6))
@examples(5)
def test_a_played_game_reads_back_as_it_was_written(ruleset: Any, number: int) -> None:
    player = Player(ruleset, number, ruleset.least_seats).open_table().play(25)
    prev = chain.GENESIS
    for row, entry in zip(player.rows, player.entries, strict=True):
        opened = {one.digest: str(one.disclosure) for one in row.sealed}
        unions = ruleset.projection.commands, ruleset.projection.events
        assert read(row.body, opened, *unions) == read_kept(row.body, row.sealed, *unions) == entry
        assert codec.canonical(codec.decode(row.body)) == row.body
        assert read_body(row.body).prev == prev
        assert row.hash == chain.entry_hash(row.body)
        prev = row.hash


@pytest.mark.parametrize("ruleset", [WILDCAT, *rulesets().values()], ids=lambda ruleset: ruleset.name)
def test_every_digest_of_a_game_is_fresh(ruleset: Any) -> None:
    player = Player(ruleset, 1, ruleset.least_seats).open_table().play(25)
    sealed = [one for row in player.rows for one in row.sealed]
    salts = [chain.read_disclosure(str(one.disclosure)).salt for one in sealed]
    assert len({one.digest for one in sealed}) == len(sealed) == len(set(salts))


def test_a_sealed_field_is_not_in_the_body() -> None:
    row = written(words.BidCard("c07"), words.BidSealed(1, "c07"), words.DeckShuffled(("c01", "c02")))
    assert b'"c0' not in row.body
    body = msgspec.json.decode(row.body)
    assert [len(word["_sd"]) for word in (body["command"], *body["events"])] == [1, 1, 1]
    assert [(one.audience, one.kind) for one in row.sealed] == [((1,), "g"), ((1,), "g"), ((), "g")]


def test_a_rule_may_show_a_commands_field_to_further_seats() -> None:
    row = written(words.BidCard("c07"), words.BidsRevealed(("c07",), 1), shown={"card": (3, 0)})
    assert row.sealed[0].audience == (0, 1, 3)


def test_the_clock_is_nobodys_seat() -> None:
    row = written(words.BidCard("c07"), words.BidsRevealed(("c07",), 1), actor="clock")
    assert row.sealed[0].audience == ()


def test_a_personal_field_is_of_kind_p_and_sealed_when_empty() -> None:
    """Whether there is a remark is nobody's business: null is sealed too."""
    row = written(words.DrillLoudly(2), words.BidsRevealed(("c07",), 1))
    assert [one.kind for one in row.sealed] == ["p"]
    assert chain.read_disclosure(str(row.sealed[0].disclosure)).value is None


def _nested(levels: int) -> Any:
    return {"a": _nested(levels - 1)} if levels else 1


@pytest.mark.parametrize(
    ("command", "reason", "where"),
    [
        (TakeSeat(2**53), "integer_too_large", "$.command.seat"),
        (TakeSeat(1.0), "float", "$.command.seat"),  # type: ignore[arg-type]
        (words.BidCard("\ud800"), "lone_surrogate", "$.command.card"),
        (words.BidCard(2**60), "integer_too_large", "$.command.card"),  # type: ignore[arg-type]
        (Strange({"A": 1}), "member_name", "$.command.options"),
        (Strange({"a": float("nan")}), "float", "$.command.options.a"),
        (Strange(_nested(15)), "too_deep", "$.command.options" + 14 * ".a"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_outside_the_profile_is_named_by_its_place(command: Any, reason: str, where: str) -> None:
    with pytest.raises(codec.OutsideProfile) as caught:
        written(command, words.BidsRevealed(("c07",), 1))
    assert (caught.value.reason, caught.value.where) == (reason, where)


def test_what_is_deep_and_still_inside_is_written() -> None:
    body = written(Strange(_nested(14)), words.BidsRevealed(("c07",), 1)).body
    assert codec.decode(body)["command"]["options"] == _nested(14)


def test_an_object_without_sealed_fields_has_no_digests() -> None:
    assert b"_sd" not in written(TakeSeat(1), words.BidsRevealed(("c07",), 1)).body


def test_two_equal_cards_leave_different_bodies() -> None:
    """A body tells nothing of its sealed fields, not even that two of them are the same."""
    one, two = (
        msgspec.json.decode(written(words.BidCard("c07"), words.BidSealed(1, "c07")).body)["events"][0]["_sd"],
        msgspec.json.decode(written(words.BidCard("c08"), words.BidSealed(1, "c07")).body)["command"]["_sd"],
    )
    assert set(one).isdisjoint(two)


@pytest.mark.parametrize("ruleset", [WILDCAT, *rulesets().values()], ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize("viewer", ["spectator", "seat:0", "seat:1", "auditor"])
def test_events_are_opened_as_bytes_as_they_are_as_objects(ruleset: Any, viewer: str) -> None:
    player = Player(ruleset, 3, ruleset.least_seats).open_table().play(40)
    for row in player.rows:
        found = open_events(read_envelope(row.body), row.sealed, reader(viewer, ended=False))
        seen = events_seen(read_body(row.body), opening(row.sealed, viewer, ended=False))
        assert msgspec.json.decode(found) == list(seen)


def test_of_two_sealed_fields_the_readable_one_is_opened_and_the_other_stays_closed() -> None:
    row = written(words.DrillLoudly(2), words.BidsRevealed(("c07",), 1))
    one, other = (replace(row.sealed.items()[0], name=Raw(b'"%b"' % name)) for name in (b"left", b"right"))
    first = replace(one, audience=(0,))
    digests = sorted((first.digest, other.digest))
    event = msgspec.json.encode({"_sd": digests, "type": "toy"})
    entry = Envelope(GAME, 5, "seat:0", Raw(b'{"type":"x"}'), Raw(b"[%b]" % event))
    sealed = Seals(msgspec.json.encode([first, other]))
    (seen,) = msgspec.json.decode(open_events(entry, sealed, lambda field: 0 in field.audience))
    assert seen == {"left": None, "_sd": [other.digest], "type": "toy"}


def test_an_erased_field_has_its_default_and_stays_closed() -> None:
    row = written(words.DrillLoudly(dice=2, remark="hello"), words.BidsRevealed(("c07",), 1))
    gone = Seals.of([replace(one, disclosure=None) for one in row.sealed])
    assert [one.digest for one in gone] == [one.digest for one in row.sealed]
    assert read_kept(row.body, gone, words.Command, words.EventWord).command == words.DrillLoudly(2)
    assert read_kept(row.body, row.sealed, words.Command, words.EventWord).command.remark == "hello"


def test_an_old_shape_is_lifted_where_words_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    row = written(TakeSeat(1), words.BidsRevealed(("c07",), 1))
    monkeypatch.setitem(LIFTS, ("bids_revealed", 1), lambda event: {**event, "winner": 0})
    (event,) = read_kept(row.body, row.sealed, words.Command, words.EventWord).events
    assert (event.winner, event.schema) == (0, 2)


def test_a_closed_entry_is_not_read() -> None:
    row = written(words.BidCard("c07"), words.BidSealed(1, "c07"))
    with pytest.raises(UnreadableEntry, match="2 sealed fields are not disclosed"):
        read(row.body, {}, words.Command, words.EventWord)


def test_an_entry_of_unknown_words_is_not_read() -> None:
    row = written(TakeSeat(1), words.BidsRevealed(("c07",), 1))
    with pytest.raises(UnreadableEntry):
        read(row.body.replace(b"bids_revealed", b"bids_repealed"), {}, words.Command, words.EventWord)


def test_closed_digests_stay_where_they_are() -> None:
    row = written(words.BidCard("c07"), words.BidSealed(1, "c07"))
    word = msgspec.json.decode(row.body)["command"]
    plain, closed = open_object(word, {})
    assert (plain, closed) == (word, 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"v":1', b'"v":2'),
        (b'"seq":1', b'"seq":0'),
        (b'"seq":1', b'"seq":"1"'),
        (b'"at":5', b'"at":-5'),
        (b'"actor":"seat:1"', b'"actor":"seat:01"'),
        (b'"actor":"seat:1"', b'"actor":"seat:100"'),
        (b'"actor":"seat:1"', b'"actor":"seat:1\\n"'),
        (b'"actor":"seat:1"', b'"actor":"Ana"'),
        (b'"prev":"0', b'"prev":"A'),
        (b'"prev":"0', b'"prev":"'),
        (b'"game":', b'"more":1,"game":'),
        (b'"events":[{', b'"events":[],"x":[{'),
    ],
)
def test_another_envelope_is_refused(old: bytes, new: bytes) -> None:
    body = written(TakeSeat(1), words.BidsRevealed(("c07",), 1)).body
    assert old in body
    with pytest.raises(UnreadableEntry):
        read_body(body.replace(old, new, 1))


def test_the_vectors_envelopes_are_read() -> None:
    for n, entry in enumerate(vectors()["log"]["entries"], 1):
        body = read_body(entry["body"].encode())
        assert (body.seq, body.game) == (n, GAME)


def test_seats_are_told_from_other_actors() -> None:
    assert [seat_of(actor) for actor in ("seat:0", "seat:12", "host", "clock")] == [0, 12, None, None]


# ---- lifts


def test_lifts_bring_an_old_shape_up_step_by_step() -> None:
    lifts: dict[tuple[str, int], Lift] = {
        ("well", 1): lambda event: {**event, "depth": 1},
        ("well", 2): lambda event: {**event, "depth": event["depth"] * 100},
    }
    assert lift({"type": "well", "schema": 1}, lifts) == {"type": "well", "schema": 3, "depth": 100}
    assert lift({"type": "well", "schema": 2, "depth": 7}, lifts) == {"type": "well", "schema": 3, "depth": 700}


def test_a_shape_of_today_is_not_touched() -> None:
    event = {"type": "well", "schema": 1}
    assert lift(event, {}) is event


def test_no_lift_leads_beyond_the_version_of_today() -> None:
    for ruleset in (WILDCAT, *rulesets().values()):
        for word in vocabulary_of(ruleset.projection).events.values():
            assert all(version < (word.schema or 1) for name, version in LIFTS if name == word.name)


def test_a_word_is_read_as_a_conversion_to_its_union_reads_it() -> None:
    union = WILDCAT.projection.events
    plain = {"type": "seat_left", "schema": 1, "seat": 2}
    assert read_word(plain, union) == msgspec.convert(plain, union)
    wrongs: list[dict[str, Any]] = [{}, {"type": 3}, {"type": "no_such_word"}, {"type": "seat_left", "seat": "x"}]
    for wrong in wrongs:
        with pytest.raises(msgspec.ValidationError) as ours:
            read_word(wrong, union)
        with pytest.raises(msgspec.ValidationError) as theirs:
            msgspec.convert(wrong, union)
        assert str(ours.value) == str(theirs.value)
