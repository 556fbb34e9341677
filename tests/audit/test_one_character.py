"""Changing any one character of an export is noticed, and the entry or the line is named."""

from __future__ import annotations

import io

from hypothesis import example, given
from hypothesis import strategies as st

from audit import Report, audit_lines
from audit.reading import lines_of
from rules.catalogue import rulesets
from tests.audit import damage
from tests.audit.logs import finished, running
from tests.effort import examples
from tests.toy.book import WILDCAT

GAMES = {**rulesets(), "wildcat": WILDCAT}
FILES = [
    finished(WILDCAT, 3, 3).export(),
    running(WILDCAT, 3, 3).export("spectator"),
    running(WILDCAT, 3, 3).export("auditor"),
    running(rulesets()["oil-and-gas"], 1, 3, 20).export("seat:1"),
]


def audit(file: bytes) -> Report:
    return audit_lines(lines_of(io.BytesIO(file)), games=GAMES)


def named(report: Report, line: int, seq: int) -> bool:
    """Whether a finding names the line that was changed, or the entry that it belongs to, or the line after it.

    A changed line break joins two lines or parts one; a changed note is known by its line alone.
    """
    return any(one.line in {line, line + 1} or one.seq in {seq, seq + 1} for one in report.findings)


def place(file: bytes, position: int) -> tuple[int, int]:
    """The line of a position, and the number of the entry on it or before it."""
    before = file[:position]
    line = before.count(b"\n") + 1
    bodies = [text for text in damage.lines_of(file)[:line] if text.startswith(b'{"actor"')]
    return line, len(bodies)


@given(st.sampled_from(FILES), st.data())
@examples(400)
def test_any_changed_byte_is_noticed_and_its_line_named(file: bytes, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(file) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[position]))
    report = audit(file[:position] + bytes([byte]) + file[position + 1 :])
    assert report.exit in {1, 64}
    assert named(report, *place(file, position)), (position, byte, report.findings)


@given(st.sampled_from(FILES), st.data())
@examples(200)
def test_any_case_change_is_noticed(file: bytes, data: st.DataObject) -> None:
    """Hex and escapes have two cases; the file has one spelling."""
    letters = [n for n, byte in enumerate(file) if bytes([byte]).isalpha()]
    position = letters[data.draw(st.integers(0, len(letters) - 1))]
    report = audit(file[:position] + file[position : position + 1].swapcase() + file[position + 1 :])
    assert report.exit in {1, 64}
    assert named(report, *place(file, position))


@given(st.sampled_from(FILES), st.data())
@examples(200)
def test_any_byte_dropped_or_added_is_noticed(file: bytes, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(file) - 1))
    added = data.draw(st.binary(max_size=1))
    changed = file[:position] + added + file[position + (not added) :]
    assert changed == file or audit(changed).exit in {1, 64}


@given(st.sampled_from(FILES), st.integers(0, 10**6))
@example(FILES[0], 0)
@examples(100)
def test_any_truncation_is_noticed(file: bytes, length: int) -> None:
    cut = file[: length % len(file)]
    assert audit(cut).exit in {1, 64}
