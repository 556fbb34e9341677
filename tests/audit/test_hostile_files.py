"""Nothing in a file makes the auditor fail: it says what is wrong, or that this is no log."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import Report, audit_file, audit_lines, tell
from audit.command import main
from audit.reading import MAX_LINE, lines_of
from events import export
from tests.audit import damage
from tests.audit.logs import finished
from tests.effort import examples
from tests.toy.book import WILDCAT

LOG = finished(WILDCAT, number=3, seats=3)
FILE = LOG.export()
HEADER = damage.lines_of(FILE)[0]


def audit(file: bytes) -> Report:
    return audit_lines(lines_of(io.BytesIO(file)), games={"wildcat": WILDCAT})


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"\n",
        b"\0" * 1000,
        b"\xff\xfe" + FILE,
        b"\xef\xbb\xbf" + FILE,
        b"not json\n" + FILE,
        FILE.partition(b"\n")[2],
        b"[" * 100_000,
        b'{"kind":"note","seq":1,"note":""}\n',
        HEADER.replace(b"gusher-log/1", b"gusher-log/2"),
        HEADER.replace(b"spectator", b"seat:100"),
        HEADER.replace(b'{"kind":"header"', b'{"kind":"header","more":1'),
        HEADER.replace(b'{"kind"', b'{ "kind"'),
        b"x" * (MAX_LINE + 10),
    ],
    ids=range(14),
)
def test_what_is_no_log_is_unusable(file: bytes) -> None:
    report = audit(file)
    assert (report.verdict, report.exit) == ("unusable", 64)
    assert report.findings[0].words


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"x" * (MAX_LINE + 10), "line_too_long"),
        (b"[" * 50_000 + b"]" * 50_000, "not_json"),
        (b'{"a":' * 30 + b"1" + b"}" * 30, "too_deep"),
        (b'{"actor":' + b'"x"' * 3, "not_json"),
        (b"null", "envelope"),
        (b"[]", "envelope"),
        (b"1e9999", "not_json"),
        (b"9" * 18, "integer_too_large"),
        (b'"\\ud800"', "not_json"),
        (b"\xff\xfe\x00", "not_json"),
        (b"{}", "envelope"),
        (b'{"kind":"disclosures","seq":"1","disclosures":[]}', "line_unknown"),
        (b'{"kind":"disclosures","seq":1,"disclosures":[1]}', "line_unknown"),
        (b'{"kind":"disclosures", "seq":1,"disclosures":[]}', "line_spelling"),
        (b'{"kind":' + b"[" * 5000, "line_unknown"),
        (b'{"kind":"note","seq":1,"note":"\\u0041"}', "line_spelling"),
    ],
    ids=range(16),
)
def test_a_hostile_line_is_named(line: bytes, code: str) -> None:
    lines = damage.lines_of(FILE)
    report = audit(b"".join([*lines[:5], line + b"\n", *lines[5:]]))
    assert report.exit == 1
    assert any(one.code == code and one.line == 6 for one in report.findings), report.findings


def test_a_header_alone_is_broken() -> None:
    codes = {one.code for one in audit(HEADER).findings}
    assert {"no_entries", "note_missing"} <= codes


def test_findings_are_counted_beyond_what_is_kept() -> None:
    report = audit(HEADER + b"{}\n" * 5000)
    assert report.findings_total >= 5000
    assert len(report.findings) <= 1000


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def _paths(plain: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    return [path, *(found for key, item in items for found in _paths(item, (*path, key)))]


@given(st.integers(1, len(LOG.rows)), st.data(), VALUES)
@examples(300)
def test_any_value_anywhere_in_a_rewritten_log_is_survived(seq: int, data: st.DataObject, value: object) -> None:
    """The server signs whatever it likes: the auditor answers, and never says `good` of another log."""

    def edit(plain: dict[str, object]) -> None:
        path = data.draw(st.sampled_from(_paths(plain)[1:]))
        target: object = plain
        for key in path[:-1]:
            target = target[key]  # type: ignore[index]
        target[path[-1]] = value  # type: ignore[index]

    log = damage.forged(LOG, {seq: edit})
    harmless = {"at", "prev", "id"}
    report = audit(log.export())
    changed = msgspec.json.decode(log.rows[seq - 1][0])
    same = {name: item for name, item in changed.items() if name not in harmless}
    assert report.exit in {0, 1, 2}
    if log.rows[seq - 1][0] != LOG.rows[seq - 1][0]:
        good = msgspec.json.decode(LOG.rows[seq - 1][0])
        assert report.exit != 0 or _without_ids(same) == _without_ids(good)


def _without_ids(plain: dict[str, object]) -> object:
    """What may differ in a good log: times and command ids."""
    command = plain["command"]
    assert isinstance(command, dict)
    rest = {name: item for name, item in plain.items() if name not in {"at", "prev"}}
    return {**rest, "command": {name: item for name, item in command.items() if name not in {"id", "decision_id"}}}


@given(st.binary(max_size=400))
@examples(200)
def test_any_bytes_after_a_header_are_survived(junk: bytes) -> None:
    assert audit(HEADER + junk).exit == 1


def test_a_missing_file_and_a_bad_edition_are_unusable(tmp_path: Path) -> None:
    assert audit_file(tmp_path / "none.jsonl").exit == 64
    assert audit_file(tmp_path).exit == 64
    good, bad = tmp_path / "game.jsonl", tmp_path / "edition.json"
    good.write_bytes(FILE)
    bad.write_bytes(b"\xff")
    lost = tmp_path / "lost"
    for what, brought in (("editions", bad), ("receipts", bad), ("receipts", lost), ("keys", "nonsense")):
        report = audit_file(good, **{what: [brought]})  # type: ignore[arg-type]
        assert report.exit == 64
        assert report.first is not None
        assert report.first.line is None, "nothing is said of the log"
        assert str(brought) in report.first.words


def test_a_file_cannot_write_on_the_terminal() -> None:
    """A name with a verdict of its own, a line break and an escape code in it stays one harmless line."""
    evil = "x\n\nGOOD. Everything was checked\x1b[2J\u202e"
    log = damage.forged(LOG, {1: damage.setting(0, ruleset=evil)})
    told = tell(audit(log.export()))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert not any(line.startswith("GOOD") for line in told.splitlines())


def test_a_file_name_may_be_any_bytes() -> None:
    report = audit_file("no\udcff.jsonl")
    assert report.exit == 64
    assert report.to_json()
    assert tell(report).encode()


def test_the_command_says_it_with_its_exit_code(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "demo.jsonl"
    file.write_bytes(Path("tests/vectors/demo-export.jsonl").read_bytes())
    assert main([str(file)]) == 2
    assert b"INCOMPLETE" in capfdbinary.readouterr().out
    assert main([str(file), "--json"]) == 2
    assert msgspec.json.decode(capfdbinary.readouterr().out)["verdict"] == "incomplete"
    file.write_bytes(b"")
    assert main([str(file)]) == 64
    assert b"UNUSABLE" in capfdbinary.readouterr().out
    with pytest.raises(SystemExit) as caught:
        main(["--no-such-option"])
    assert caught.value.code == 64


def test_export_lines_are_read_as_they_are_written() -> None:
    pieces = export.export_lines(LOG.header("spectator"), LOG.rows, LOG.note(), ended=True)
    assert audit_lines(pieces, games={"wildcat": WILDCAT}).verdict == "good"
