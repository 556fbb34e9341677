"""What an export shows to whom."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import chain, export
from events.seals import Sealed
from rules.catalogue import rulesets
from tests.audit.logs import Log, finished, running
from tests.effort import examples
from tests.sealing import disclose
from tests.toy.book import WILDCAT

RUNNING = [running(ruleset, 5, 3, 7) for ruleset in (WILDCAT, *rulesets().values())]


def shown(log: Log, viewer: str) -> set[str]:
    """The disclosures in an export."""
    plain = (msgspec.json.decode(line) for line in log.export(viewer).splitlines())
    return {text for line in plain if line.get("kind") == "disclosures" for text in line["disclosures"]}


def sealed_of(log: Log) -> list[Sealed]:
    return [one for _, sealed in log.rows for one in sealed]


@pytest.mark.parametrize("log", RUNNING, ids=lambda log: log.ruleset)
def test_a_spectator_of_a_running_game_is_shown_nothing_sealed(log: Log) -> None:
    assert shown(log, "spectator") == set()


@pytest.mark.parametrize("log", RUNNING, ids=lambda log: log.ruleset)
def test_a_seat_is_shown_exactly_its_own(log: Log) -> None:
    for seat in range(3):
        assert shown(log, f"seat:{seat}") == {one.disclosure for one in sealed_of(log) if seat in one.audience}


@pytest.mark.parametrize("log", RUNNING, ids=lambda log: log.ruleset)
def test_every_viewer_has_the_same_bodies(log: Log) -> None:
    for viewer in ("spectator", "seat:0", "auditor"):
        lines = log.export(viewer).splitlines()
        assert [line for line in lines if line.startswith(b'{"actor"')] == [body for body, _ in log.rows]


def test_after_the_end_game_facts_are_public_and_personal_ones_are_not() -> None:
    log = finished(WILDCAT, 2, 3, options={"remarks": True, "rounds": 9})
    kinds = {"g": set[str](), "p": set[str]()}
    for one in sealed_of(log):
        kinds[one.kind].add(str(one.disclosure))
    assert kinds["p"]
    assert shown(log, "spectator") == kinds["g"]
    assert shown(log, "auditor") == kinds["g"] | kinds["p"]


def test_an_erased_field_is_shown_to_nobody() -> None:
    erased = Sealed("x", (0,), "p", None)
    assert export.disclosed([erased], "auditor", ended=True) == []


@pytest.mark.parametrize("log", RUNNING, ids=lambda log: log.ruleset)
def test_a_closed_card_is_not_found_by_guessing(log: Log) -> None:
    """Whoever tries every value without the salt finds no digest: plain hash, and hash of a disclosure with no salt."""
    values = [chain.read_disclosure(str(one.disclosure)) for one in sealed_of(log)]
    file = log.export("spectator").decode()
    for field in values:
        plain = msgspec.json.encode(field.value).decode()
        for guess in (plain, plain.strip('"'), disclose(bytes(16), field.name, field.value)):
            assert chain.digest_of(guess) not in file
        assert field.salt not in file


@given(st.integers(0, 10**6))
@examples(10)
def test_games_that_differ_in_hidden_facts_alone_give_a_spectator_files_of_one_shape(number: int) -> None:
    """Digests, ids and times aside."""

    def shape(plain: Any) -> Any:
        if isinstance(plain, dict):
            aside = {"_sd", "id", "at", "prev", "game", "seed_commit", "client_seed", "note"}
            return {
                key: len(value) if key == "_sd" else None if key in aside else shape(value)
                for key, value in plain.items()
            }
        return [shape(item) for item in plain] if isinstance(plain, list) else plain

    one, two = (running(WILDCAT, n, 3, 0).export() for n in (number, number + 1))
    lines = [[shape(msgspec.json.decode(line)) for line in file.splitlines()] for file in (one, two)]
    assert lines[0] == lines[1]


def test_lines_beside_the_bodies_have_one_spelling() -> None:
    header = export.Header(game="g", ruleset="r", edition="e", options={}, viewer="seat:1", vkeys=["k"])
    assert export.line(header) == (
        b'{"kind":"header","format":"gusher-log/1","game":"g","ruleset":"r","edition":"e","options":{},'
        b'"viewer":"seat:1","vkeys":["k"]}\n'
    )
    assert export.line(export.Disclosures(3, ["a"])) == b'{"kind":"disclosures","seq":3,"disclosures":["a"]}\n'
    assert export.line(export.Note(3, "n\n")) == b'{"kind":"note","seq":3,"note":"n\\n"}\n'
