"""Several files and folders at once: a line each, the totals, and the worst exit code."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from audit import audit_file, many
from audit.command import main
from audit.damage import one_digit_changed
from audit.many import Means, audit_files, files_in, worst
from audit.progress import OnTerminal, unheard
from events import chain
from rules.catalogue import rulesets
from tests.audit.logs import SIGNER, STRANGER, Log, finished, running

RULESET = next(iter(rulesets().values()))
GOOD = finished(RULESET, 1, RULESET.least_seats)
RUNNING = running(RULESET, 2, RULESET.least_seats, 4)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games" / "old").mkdir(parents=True)
    (tmp_path / "games" / "a.jsonl").write_bytes(GOOD.export())
    (tmp_path / "games" / "old" / "b.jsonl").write_bytes(RUNNING.export())
    (tmp_path / "games" / "readme.txt").write_text("no log")
    return tmp_path / "games"


def said(capfdbinary: pytest.CaptureFixture[bytes]) -> list[str]:
    return capfdbinary.readouterr().out.decode().splitlines()


def test_a_folder_is_its_exports_in_order_and_an_empty_one_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    names = [str(folder / "a.jsonl"), str(folder / "old" / "b.jsonl")]
    assert files_in([str(folder)]) == names
    assert files_in([str(tmp_path / "empty"), names[1]]) == [str(tmp_path / "empty"), names[1]]


def test_the_worst_verdict_is_the_exit_code(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([str(folder)]) == 2
    good, left, _, total = said(capfdbinary)
    assert good == f"GOOD        {folder}/a.jsonl  {RULESET.name}, {len(GOOD.rows)} entries"
    assert left.startswith(f"INCOMPLETE  {folder}/old/b.jsonl  {RULESET.name}, ")
    assert total.startswith("2 files: 1 good, 1 incomplete; ")
    (folder / "c.jsonl").write_bytes(b"")
    assert main([str(folder)]) == 64
    (folder / "d.jsonl").write_bytes(GOOD.export().replace(b'"seq":3,"v":1}', b'"seq":3, "v":1}'))
    assert main([str(folder)]) == 1
    assert (
        "BROKEN      " + str(folder / "d.jsonl") + "  [not_canonical] entry 3" in capfdbinary.readouterr().out.decode()
    )


def test_as_json_every_line_is_a_report(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([str(folder), "--json"]) == 2
    reports = [msgspec.json.decode(line) for line in said(capfdbinary)]
    assert [(report["report"], report["verdict"]) for report in reports] == [
        ("gusher-audit/1", "good"),
        ("gusher-audit/1", "incomplete"),
    ]


def test_several_processes_say_what_one_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = list(audit_files(files_in([str(folder)]), Means(), unheard))
    monkeypatch.setattr(many, "WORTH_PROCESSES", 0)
    assert list(audit_files(files_in([str(folder)]), Means(), unheard)) == alone
    assert worst(alone).verdict == "incomplete"


def _receipt(file: Path, log: Log, signer: chain.HeadSigner = SIGNER) -> str:
    file.write_text(signer.sign(log.game, 3, chain.entry_hash(log.rows[2][0])))
    return str(file)


def test_a_receipt_is_held_against_its_own_game(
    folder: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (folder / "old" / "b.jsonl").write_bytes(finished(RULESET, 3, RULESET.least_seats).export())
    assert main([str(folder), "--receipt", _receipt(tmp_path / "mine", GOOD)]) == 0
    other = finished(RULESET, 4, RULESET.least_seats)
    assert main([str(folder), "--receipt", _receipt(tmp_path / "stray", other)]) == 2
    assert b"stray: a receipt for none of these games" in capfdbinary.readouterr().err
    assert main([str(folder), "--receipt", _receipt(tmp_path / "forged", GOOD, STRANGER)]) == 2
    (tmp_path / "nothing").write_text("hello")
    assert main([str(folder), "--receipt", str(tmp_path / "nothing")]) == 2


def test_progress_is_one_line_that_ends_empty() -> None:
    out = io.StringIO()
    line = OnTerminal(out)
    for done in range(0, 1001, 5):
        line("reading", done, 1000)
    assert out.getvalue().count("reading  50 %") == 2
    line.close()
    assert out.getvalue().endswith(f"\r{'':60}\r")
    assert OnTerminal(io.StringIO()).close() is None  # type: ignore[func-returns-value]


def test_nothing_is_said_of_progress_where_no_terminal_is(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    main([str(folder / "a.jsonl")])
    assert capfdbinary.readouterr().err == b""


@pytest.mark.parametrize("path", sorted(Path("tests/golden/logs").rglob("*.jsonl")), ids=str)
def test_one_digit_changed_is_found_where_it_is(path: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(one_digit_changed(path.read_bytes()))
    report = audit_file(damaged)
    assert report.exit == 1
    assert report.first is not None
    middle = report.counts.entries // 2 + 1
    assert {one.seq for one in report.findings if one.check == 1} == {middle}
