"""The short way of an audit finds a log as the long way does, and takes all that nothing is wrong with."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit import Report
from audit.progress import unheard
from audit.reading import lines_of
from audit.report import Ledger, Unusable
from audit.run import Brought, run
from audit.typed import ShortWay
from events import export
from rules.catalogue import rulesets
from tests.audit import damage
from tests.audit.corpus import KINDS
from tests.audit.kinds import Kind
from tests.audit.logs import finished, running
from tests.toy.book import WILDCAT

GAMES = {**rulesets(), "wildcat": WILDCAT}
GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "logs").rglob("*.jsonl"))
VIEWERS = ("spectator", "seat:0", "auditor")


def audit(file: bytes, *, short: bool) -> Report:
    ledger = Ledger("log")
    try:
        run(lines_of(io.BytesIO(file)), Brought(GAMES, heard=unheard, short=short), ledger)
    except Unusable as error:
        return ledger.unusable(error)
    return ledger.report()


def agree(file: bytes) -> Report:
    report = audit(file, short=True)
    assert report == audit(file, short=False)
    return report


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_both_ways_say_the_same_of_a_planted_fault(kind: Kind) -> None:
    agree(kind.file)


@pytest.mark.parametrize("file", GOLDEN, ids=[f"{file.parent.name}-{file.stem}" for file in GOLDEN])
def test_both_ways_say_the_same_of_whole_games(file: Path) -> None:
    agree(file.read_bytes())


@pytest.mark.parametrize("name", list(rulesets()))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_both_ways_say_the_same_of_a_running_game_to_every_viewer(name: str, viewer: str) -> None:
    ruleset = rulesets()[name]
    agree(running(ruleset, 3, ruleset.least_seats, 30).export(viewer))


@pytest.mark.parametrize("name", list(rulesets()))
def test_both_ways_say_the_same_of_random_damage(name: str) -> None:
    ruleset = rulesets()[name]
    files = [finished(ruleset, 1, ruleset.least_seats).export(), running(ruleset, 3, 3, 12).export("auditor")]
    for file in files:
        for damaged in _damaged(file, 10):
            agree(damaged)


@pytest.mark.parametrize("name", list(rulesets()))
def test_both_ways_say_the_same_of_random_forgeries(name: str) -> None:
    """Anything in the place of a member, and the chain made anew: the short way goes on to whatever is wrong."""
    ruleset, dice = rulesets()[name], random.Random(9)
    for log in (running(ruleset, 3, ruleset.least_seats, 30), running(ruleset, 4, ruleset.least_seats, 30)):
        for _ in range(40):
            forgery = damage.forged(log, {dice.randrange(2, len(log.rows) + 1): partial(_something_else, dice=dice)})
            agree(forgery.export(dice.choice(VIEWERS)))


def _something_else(body: dict[str, Any], dice: random.Random) -> None:
    """One member of the command or of an event, or of something in it, is anything at all."""
    inside: Any = dice.choice([body["command"], *body["events"]])
    while True:
        places = sorted(inside) if isinstance(inside, dict) else list(range(len(inside)))
        place = dice.choice(places)
        if not isinstance(inside[place], dict | list) or not inside[place] or dice.randrange(2):
            break
        inside = inside[place]
    inside[place] = dice.choice([None, True, -1, 0, 7, 2**53 - 1, "", "a", "x" * 300, [], {}, [1], {"a": 1}])


def test_both_ways_say_the_same_of_a_line_that_discloses_nothing() -> None:
    lines = finished(WILDCAT, 1, 3).export().splitlines(keepends=True)
    at = next(at for at in range(3, len(lines)) if all(one.startswith(b'{"actor"') for one in lines[at - 1 : at + 1]))
    said = export.line(export.Disclosures(msgspec.json.decode(lines[at - 1])["seq"], []))
    report = agree(b"".join([*lines[:at], said, *lines[at:]]))
    assert [found.code for found in report.findings] == ["disclosures_empty"]


@pytest.mark.parametrize("place", [b'"command":{', b'"events":[{'])
def test_both_ways_say_the_same_of_a_word_with_a_member_nested_without_end(place: bytes) -> None:
    """A type is looked for past such a member: whoever looks gives up at some depth."""
    lines = finished(WILDCAT, 1, 3).export().splitlines(keepends=True)
    at = [at for at, one in enumerate(lines) if one.startswith(b'{"actor"')][3]
    lines[at] = lines[at].replace(place, place + b'"a":' + b"[" * 50_000 + b"]" * 50_000 + b",", 1)
    report = agree(b"".join(lines))
    assert "not_json" in [found.code for found in report.findings]


def test_both_ways_say_the_same_of_a_reader_that_is_no_seat() -> None:
    """Whoever may read a sealed field is named beside it: in a file by anything at all."""
    lines = running(rulesets()["oil-and-gas"], 3, 3, 30).export("seat:0").splitlines(keepends=True)
    at = next(
        at
        for at, one in enumerate(lines)
        if one.startswith(b'{"actor"') and b'"seat":0' in one and lines[at + 1].startswith(b'{"kind":"disclosures"')
    )
    lines[at] = lines[at].replace(b'"seat":0', b'"seat":{}')
    report = agree(b"".join(lines))
    assert "word_shape" in [found.code for found in report.findings]


def _damaged(file: bytes, times: int) -> Iterator[bytes]:
    """Something changed, dropped or doubled: a byte, or a line."""
    dice = random.Random(8)
    for _ in range(times):
        place = dice.randrange(len(file))
        lines = file.splitlines(keepends=True)
        line = dice.randrange(1, len(lines))
        yield file[:place] + bytes([dice.randrange(32, 127)]) + file[place + 1 :]
        yield b"".join(lines[:line] + lines[line + 1 :])
        yield b"".join([*lines[:line], lines[line], *lines[line:]])


@pytest.mark.parametrize("name", list(rulesets()))
def test_the_short_way_takes_all_entries_but_the_first_and_the_last(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score may be any number: an entry that tells one goes the long way, which knows the profile."""
    taken: list[int] = []
    take = ShortWay.take

    def told(self: ShortWay, line: int, *rest: object) -> object:
        kept = take(self, line, *rest)  # type: ignore[arg-type]
        taken.extend([line] if kept is not None else [])
        return kept

    monkeypatch.setattr(ShortWay, "take", told)
    ruleset = rulesets()[name]
    report = audit(finished(ruleset, 1, ruleset.least_seats).export(), short=True)
    assert report.verdict == "good"
    assert len(taken) > 0.9 * report.counts.entries
