"""Whatever field of whatever event a server lies about, and signs: the moves decided again say otherwise."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from audit import audit_lines
from audit.reading import lines_of
from rules.catalogue import rulesets
from tests.audit.damage import forged, setting
from tests.audit.logs import Log, finished

pytestmark = [pytest.mark.slow]

GAMES = {"oil-and-gas": 3, "petroleo": 1, "peak-oil": 1}
"""The number of a game that was played to its end, by ruleset; of others the first is taken."""

UNKNOWN_RULES = {("game_created", field) for field in ("edition", "edition_digest", "rules_version")}
"""Rules that we do not have: nothing can be decided again, and the report says so."""

NOT_TOLD = {"type", "schema", "_sd"}


class Lie(Struct, frozen=True):
    """Another value in a field of an event."""

    ruleset: str
    seq: int
    index: int
    kind: str
    field: str
    value: Any


@cache
def game(name: str) -> Log:
    return finished(rulesets()[name], GAMES.get(name, 1), max(3, rulesets()[name].least_seats))


def lies(name: str) -> Iterator[Lie]:
    """One for each public field of each kind of event that happens in the game: at its last occurrence."""
    found: dict[tuple[str, str], Lie] = {}
    for body, _ in game(name).rows:
        plain = msgspec.json.decode(body)
        for index, event in enumerate(plain["events"]):
            for field in event.keys() - NOT_TOLD:
                lie = Lie(name, plain["seq"], index, event["type"], field, _other(event[field]))
                found[event["type"], field] = lie
    yield from sorted(found.values(), key=lambda lie: (lie.seq, lie.index, lie.field))


def _other(value: Any) -> Any:
    """Something else of the same shape, as far as there is."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}" if value else "00"
    if isinstance(value, list):
        return [*value[:-1], _other(value[-1])] if value else [0]
    if isinstance(value, dict):
        name = max(value, default="n")
        return {**value, name: _other(value.get(name, 0))}
    return 1


@pytest.mark.parametrize("name", list(rulesets()))
def test_no_field_of_any_event_can_be_lied_about(name: str) -> None:
    told = list(lies(name))
    assert len({lie.kind for lie in told}) > 10
    for lie in told:
        log = forged(game(name), {lie.seq: setting(lie.index, **{lie.field: lie.value})})
        report = audit_lines(lines_of(io.BytesIO(log.export())))
        if (lie.kind, lie.field) in UNKNOWN_RULES and report.exit == 2:
            assert report.counts.decided == 0, lie
            continue
        assert report.exit == 1, lie
        # The seed at the end shows a false commitment.
        places = {lie.seq, lie.seq + 1, len(log.rows) if lie.field == "seed_commit" else 0}
        assert any(one.seq in places for one in report.findings), (lie, report.findings[:3])
