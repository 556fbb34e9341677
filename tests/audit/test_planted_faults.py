"""Every kind of damage is found and named: the entry, the event, the field, and a stable code."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import asdict

from audit import Finding, Report, audit_file
from tests.audit import damage
from tests.audit.corpus import BY_THE_SERVER, FORGED_WHOLE, IN_FILE, KINDS
from tests.audit.damage import edited, envelope
from tests.audit.edits import BODY
from tests.audit.kinds import FILE, LAST, LOG, Kind
from tests.audit.logs import SIGNER
from tests.toy.book import WILDCAT


def audit(folder: Path, file: bytes, receipts: tuple[str, ...] = (), **given: Any) -> Report:
    """The report, files and all."""
    (folder / "game.jsonl").write_bytes(file)
    for number, receipt in enumerate(receipts):
        (folder / f"receipt{number}").write_text(receipt)
    kept = sorted(folder.glob("receipt*"))
    return audit_file(folder / "game.jsonl", games={"wildcat": WILDCAT}, receipts=kept, **given)


def is_due(kind: Kind, one: Finding) -> bool:
    return all(getattr(one, name) == value for name, value in asdict(kind.due).items() if value is not None)


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_damage_is_named(kind: Kind, tmp_path: Path) -> None:
    report = audit(tmp_path, kind.file, kind.receipts, keys=kind.keys)
    assert kind.file != FILE
    assert (report.verdict, report.exit) == ("broken", 1)
    assert any(is_due(kind, one) for one in report.findings), report.findings


@pytest.mark.parametrize("kind", BY_THE_SERVER, ids=[kind.name for kind in BY_THE_SERVER])
def test_what_a_lying_server_signed_has_a_whole_chain_and_a_good_signature(kind: Kind, tmp_path: Path) -> None:
    report = audit(tmp_path, kind.file)
    assert not any(one.check in {1, 4} for one in report.findings)


def test_every_kind_has_a_name_of_its_own_and_every_check_is_broken_by_some() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 40
    assert {kind.due.check for kind in KINDS} == set(range(1, 9))
    assert Counter(kind.of for kind in KINDS)["format"] >= 40
    assert all(kind in KINDS for kind in IN_FILE)


def test_an_untouched_log_is_good_for_every_viewer(tmp_path: Path) -> None:
    for viewer in ("spectator", "seat:0", "seat:2", "auditor"):
        report = audit(tmp_path, LOG.export(viewer))
        assert (report.verdict, report.exit, report.unchecked) == ("good", 0, ())
        assert report.counts.decided == report.counts.entries == LAST


def test_a_missing_disclosure_is_incomplete_and_listed(tmp_path: Path) -> None:
    lines = damage.lines_of(FILE)
    del lines[BODY[6] + 1]
    report = audit(tmp_path, b"".join(lines))
    assert (report.verdict, report.exit) == ("incomplete", 2)
    listed = [(one.code, one.seq) for one in report.unchecked if one.code == "sealed"]
    assert listed == [("sealed", 6), ("sealed", 6)]
    assert report.counts.decided == 5


def test_what_only_receipts_and_keys_show_is_good_without_them(tmp_path: Path) -> None:
    replaced = next(kind for kind in KINDS if kind.name == "a move replaced and signed again")
    assert audit(tmp_path, replaced.file).verdict == "good"
    assert audit(tmp_path, FORGED_WHOLE).verdict == "good"
    assert audit(tmp_path, FILE, replaced.receipts, keys=[SIGNER.vkey]).verdict == "good"


def test_the_report_for_programs_is_one_json_object(tmp_path: Path) -> None:
    report = audit(tmp_path, edited(FILE, 7, envelope(at=1)))
    plain = msgspec.json.decode(report.to_json())
    assert plain["report"] == "gusher-audit/1"
    assert (plain["verdict"], plain["exit"], plain["first"]["seq"]) == ("broken", 1, 7)
    assert [check["name"] for check in plain["checks"]] == [
        "chain", "form", "disclosures", "note", "fold", "chance", "moves", "result",
    ]  # fmt: skip


def test_a_finding_names_the_rule_that_refuses(tmp_path: Path) -> None:
    refused = next(kind for kind in KINDS if kind.name == "a command that the rules refuse")
    (found,) = (one for one in audit(tmp_path, refused.file).findings if one.code == "unlawful_move")
    assert found.rule == "WC-03"


@pytest.mark.parametrize("name", ["another winner", "another score"])
def test_a_result_that_the_moves_have_not_earned_breaks_the_check_of_the_result_too(name: str, tmp_path: Path) -> None:
    report = audit(tmp_path, next(kind for kind in KINDS if kind.name == name).file)
    assert ("result_differs", LAST) in [(one.code, one.seq) for one in report.findings]
    assert [check.outcome for check in report.checks if check.number == 8] == ["broken"]
