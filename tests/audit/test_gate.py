"""The release gate: old games are decided as they were, by the rules they were made under, or what differs is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import Report, audit_file
from audit.gate import gate, tell_gate
from rules.ruleset import Ruleset
from service.cli.main import main
from tests.audit.logs import finished
from tests.toy.book import WILDCAT
from tests.toy.later import FIXED_IN_PLACE, FORGETFUL, SECOND

GOLDEN = Path(__file__).parent.parent / "golden" / "logs"


def held_against(path: Path, ruleset: Ruleset) -> Report:
    return audit_file(path, games={"wildcat": ruleset}, every=True)


def kept(path: Path, ruleset: Ruleset, number: int = 3) -> Path:
    path.write_bytes(finished(ruleset, number, 3).export())
    return path


def test_the_present_code_plays_every_golden_game_as_it_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    """Golden logs of all released versions: none differs, none is left unchecked."""
    assert main(["gate", str(GOLDEN)]) == 0
    told = capsys.readouterr().out
    assert told.count("GOOD") == len(list(GOLDEN.rglob("*.jsonl")))


def test_a_fix_under_the_old_number_is_named_wherever_it_changes_something(tmp_path: Path) -> None:
    path = kept(tmp_path / "old.jsonl", WILDCAT)
    assert held_against(path, WILDCAT).verdict == "good"
    report = held_against(path, FIXED_IN_PLACE)
    assert report.verdict == "broken"
    assert [(one.seq, one.field) for one in report.findings] == [(one, "oil") for one in wells_of(path)]
    assert len(report.findings) > 1
    assert len(audit_file(path, games={"wildcat": FIXED_IN_PLACE}).findings) == 1, "an audit stops at the first"


def wells_of(path: Path) -> list[int]:
    """The entries in which somebody found oil."""
    import msgspec

    entries = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    return [
        entry["seq"]
        for entry in entries
        if any(event["type"] == "well_drilled" and event["oil"] for event in entry.get("events", ()))
    ]


def test_a_game_is_held_against_the_rules_it_was_made_under(tmp_path: Path) -> None:
    old, new = kept(tmp_path / "old.jsonl", WILDCAT), kept(tmp_path / "new.jsonl", SECOND)
    assert held_against(old, SECOND).verdict == "good"
    assert held_against(new, SECOND).verdict == "good"
    forgotten = held_against(old, FORGETFUL)
    assert forgotten.verdict == "incomplete"
    assert "rules_version_unknown" in {one.code for one in forgotten.unchecked}


def test_the_gate_lists_every_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = (GOLDEN / "oil-and-gas" / "last_active.jsonl").read_bytes()
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(good.replace(b'"at":5,', b'"at":6,', 1))
    (tmp_path / "good.jsonl").write_bytes(good)
    assert main(["gate", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    (report,) = gate([str(damaged)])
    assert told.count("  differs      ") == report.findings_total >= 1
    assert "1 good, 1 broken" in told
    assert tell_gate([report]).startswith("BROKEN")
    assert main(["gate", "--json", str(damaged)]) == 1
    (tmp_path / "none.jsonl").write_bytes(b"nothing\n")
    assert main(["gate", str(tmp_path / "none.jsonl")]) == 64
