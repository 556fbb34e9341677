"""Golden games: yesterday's logs are read by today's code, and today's rules still play them the same way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit import audit_file, tell
from events.chain import GENESIS, digest_of, entry_hash
from events.entry import Entry
from events.opening import read, read_body
from projections.fold import fold
from rules.catalogue import rulesets
from tests.golden.record import goldens, log_path, record_log, record_views, view_path
from tests.playouts import Golden

each_golden = pytest.mark.parametrize(
    ("name", "ending", "golden"), [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in goldens()]
)
LOGS = sorted((Path(__file__).parent / "logs").glob("*/*.jsonl"))


@each_golden
def test_todays_rules_play_a_golden_game_as_recorded(name: str, ending: str, golden: Golden) -> None:
    """`make golden` records it again; the diff says what a change of the rules means."""
    assert record_log(name, golden) == log_path(name, ending).read_bytes()


@each_golden
def test_everybody_sees_of_a_golden_game_what_was_recorded(name: str, ending: str, golden: Golden) -> None:
    assert record_views(name, golden) == view_path(name, ending).read_text("utf-8")


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_log_is_read_and_folded_to_its_end(path: Path) -> None:
    entries = list(entries_of(path))
    game = fold(entries, rulesets()[path.parent.name].projection)
    assert game.ended_because == path.stem.partition(".")[0]
    assert game.version == len(entries)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_auditor_finds_a_golden_log_good(path: Path) -> None:
    """Chain, disclosures, signature, chance, every command decided again."""
    report = audit_file(path)
    assert report.verdict == "good", tell(report)


def entries_of(path: Path) -> Iterator[Entry[Any, Any]]:
    """The entries of a log in which everything is open, their chain of hashes checked on the way."""
    projection = rulesets()[path.parent.name].projection
    lines = path.read_bytes().splitlines()[1:-1]
    prev = GENESIS
    for number, line in enumerate(lines):
        if line.startswith(b'{"kind"'):
            continue
        following = msgspec.json.decode(lines[number + 1]) if number + 1 < len(lines) else {}
        opened = {digest_of(text): text for text in following.get("disclosures", ())}
        assert read_body(line).prev == prev
        prev = entry_hash(line)
        yield read(line, opened, projection.commands, projection.events)
