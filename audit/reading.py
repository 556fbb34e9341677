"""The lines of an export file: whatever they hold, they come out as header, entries, disclosures and note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from audit.report import Ledger, Unusable
from events.codec import MAX_BYTES
from events.export import Disclosures, Header, Note, line

MAX_LINE: Final = 16 * MAX_BYTES
"""A line of disclosures may be longer than a body, which does not count sealed fields; no sane one is this long."""

_BESIDE: Final = b'{"kind":'
_decoder = msgspec.json.Decoder(Header | Disclosures | Note)
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class BodyLine(Struct, frozen=True):
    """A line that should be an entry's body."""

    number: int
    text: bytes


class SideLine(Struct, frozen=True):
    """Header, disclosures or note."""

    number: int
    said: Header | Disclosures | Note


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, newline included; of one that is too long, the beginning without a newline."""
    while piece := file.readline(MAX_LINE + 1):
        yield piece
        if len(piece) > MAX_LINE:
            _skip_line(file, piece)


def _skip_line(file: BinaryIO, piece: bytes) -> None:
    while piece and not piece.endswith(b"\n"):
        piece = file.readline(MAX_LINE)


def read(lines: Iterable[bytes], ledger: Ledger) -> Iterator[BodyLine | SideLine]:
    """Every line that can be understood, the header first. Raises `Unusable` where there is none."""
    for number, text in enumerate(lines, 1):
        ledger.counts.lines = number
        if number == 1:
            yield SideLine(1, header_of(text))
        elif len(text) > MAX_LINE:
            ledger.find(2, "line_too_long", f"the line is longer than {MAX_LINE} bytes", line=number)
            continue
        elif (understood := _line(number, text, ledger)) is not None:
            yield understood
        if not text.endswith(b"\n"):
            ledger.find(2, "newline_missing", "the last line does not end with a newline", line=number)
    if ledger.counts.lines == 0:
        raise Unusable("the file is empty")


def header_of(text: bytes) -> Header:
    """Line 1. Raises `Unusable` where it is no header of this format, spelled as it should be."""
    if text.startswith(b"\xef\xbb\xbf"):
        raise Unusable("the file begins with a byte order mark")
    try:
        said = _decoder.decode(text[:MAX_LINE])
    except _FAULTS as error:
        raise Unusable(f"line 1 is no header of gusher-log/1: {error}") from error
    if not isinstance(said, Header):
        raise Unusable("line 1 is no header of gusher-log/1")
    if line(said).rstrip(b"\n") != text.removesuffix(b"\n"):
        raise Unusable(
            "the header is not spelled as section 5 has it: members in order, no spaces, no escapes but JSON's"
        )
    return said


def _line(number: int, text: bytes, ledger: Ledger) -> BodyLine | SideLine | None:
    text = text.removesuffix(b"\n")
    if not text.startswith(_BESIDE):
        return BodyLine(number, text)
    try:
        said = _decoder.decode(text)
    except _FAULTS as error:
        ledger.find(2, "line_unknown", f"neither an entry nor disclosures nor a note: {error}", line=number)
        return None
    if isinstance(said, Header):
        ledger.find(2, "header_again", "a second header", line=number)
        return None
    if line(said).rstrip(b"\n") != text:
        words = "not spelled as section 5 has it: members in order, no spaces, no escapes but JSON's"
        ledger.find(2, "line_spelling", words, line=number, seq=said.seq)
    return SideLine(number, said)
