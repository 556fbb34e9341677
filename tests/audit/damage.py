"""Kinds of damage: each makes a broken export out of a good log. The names say what was done."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events import chain, codec, export
from events.seals import Sealed
from tests.audit.logs import SIGNER, STRANGER, Log
from tests.sealing import disclose

Edit = Callable[[dict[str, Any]], None]


def lines_of(file: bytes) -> list[bytes]:
    """The lines of a file, newlines included."""
    return file.splitlines(keepends=True)


def line_of(file: bytes, seq: int) -> int:
    """The index of the line that holds the body of this entry."""
    mark = b'"seq":%d,"v":1}\n' % seq
    return next(n for n, line in enumerate(lines_of(file)) if line.endswith(mark))


def edited(file: bytes, seq: int, edit: Edit) -> bytes:
    """One body edited in the file, nothing else touched."""
    lines = lines_of(file)
    at = line_of(file, seq)
    plain = msgspec.json.decode(lines[at])
    edit(plain)
    lines[at] = codec.encode(plain) + b"\n"
    return b"".join(lines)


def side_edited(file: bytes, kind: str, seq: int | None, edit: Edit) -> bytes:
    """One line beside the bodies edited."""
    return b"".join(_side_edited(file, kind, seq, edit))


def _side_edited(file: bytes, kind: str, seq: int | None, edit: Edit) -> Iterator[bytes]:
    for line in lines_of(file):
        plain = msgspec.json.decode(line)
        if plain.get("kind") == kind and seq in (None, plain.get("seq")):
            edit(plain)
            yield msgspec.json.encode(plain) + b"\n"
        else:
            yield line


def forged(log: Log, edits: dict[int, Edit]) -> Log:
    """A log rewritten by the server itself: bodies edited, every hash after them made anew. Its signature is good."""
    mark = b'"seq":%d,"v":1}' % min(edits)
    same = next(n for n, (body, _) in enumerate(log.rows) if body.endswith(mark))
    rows = list(log.rows[:same])
    prev = chain.entry_hash(rows[-1][0]) if rows else chain.GENESIS
    for body, sealed in log.rows[same:]:
        plain = msgspec.json.decode(body)
        if plain["seq"] in edits:
            edits[plain["seq"]](plain)
        plain["prev"] = prev
        written = codec.encode(plain)
        prev = chain.entry_hash(written)
        rows.append((written, sealed))
    return replace(log, rows=rows)


def resealed(log: Log, seq: int, index: int | None, name: str, value: Any) -> Log:
    """A log in which the server sealed another value in a field, digest and all."""
    target: dict[str, str] = {}
    sealed_rows: list[tuple[bytes, tuple[Sealed, ...]]] = []
    for body, sealed in log.rows:
        plain = msgspec.json.decode(body)
        if plain["seq"] == seq:
            word = plain["command"] if index is None else plain["events"][index]
            sealed_rows.append((body, tuple(_resealed(one, word, name, value, target) for one in sealed)))
        else:
            sealed_rows.append((body, sealed))

    def edit(plain: dict[str, Any]) -> None:
        word = plain["command"] if index is None else plain["events"][index]
        word["_sd"] = sorted(target.get(one, one) for one in word["_sd"])

    return forged(replace(log, rows=sealed_rows), {seq: edit})


def _resealed(one: Sealed, word: dict[str, Any], name: str, value: Any, target: dict[str, str]) -> Sealed:
    if one.disclosure is None or one.digest not in word.get("_sd", ()):
        return one
    field = chain.read_disclosure(one.disclosure)
    if field.name != name:
        return one
    text = disclose(chain.from_base64url(field.salt), name, value)
    target[one.digest] = chain.digest_of(text)
    return replace(one, digest=target[one.digest], disclosure=text)


class Found(Struct, frozen=True):
    """Where in a log an event or command of a type is: the entry, the index (None: the command)."""

    seq: int
    index: int | None
    plain: dict[str, Any]


def find(log: Log, kind: str, nth: int = 0) -> Found:
    """The n-th word of a type in a log."""
    found = []
    for body, _ in log.rows:
        plain = msgspec.json.decode(body)
        words = [(None, plain["command"]), *enumerate(plain["events"])]
        found += [Found(plain["seq"], index, word) for index, word in words if word["type"] == kind]
    return found[nth]


def setting(index: int | None, /, **values: Any) -> Edit:
    """An edit that sets members of an event, or of the command."""

    def edit(plain: dict[str, Any]) -> None:
        word = plain["command"] if index is None else plain["events"][index]
        word.update(values)

    return edit


def envelope(**values: Any) -> Edit:
    """An edit that sets members of the envelope."""
    return lambda plain: plain.update(values)


def other_hash() -> str:
    """A hash of nothing in particular."""
    return codec.sha256_hex(b"something else")


def with_note(log: Log, note: str, seq: int | None = None) -> bytes:
    """The export with another note."""
    lines = lines_of(log.export())
    return b"".join([*lines[:-1], export.line(export.Note(seq or len(log.rows), note))])


def without_spare_bits(note: str) -> str:
    """The note with a signature whose base64 has other bits where none count."""
    letter = note[-3]
    table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return note[:-3] + table[table.index(letter) ^ 1] + note[-2:]


def signed_by_stranger(log: Log) -> str:
    """A note with another key under the same name."""
    return log.note(STRANGER)


def with_key_id_of_ours(log: Log) -> str:
    """A note that the stranger signed under our key id."""
    head = chain.head_text(log.game, len(log.rows), chain.entry_hash(log.rows[-1][0]))
    signature = b"\0" * 64
    line = b64encode(SIGNER.key.key_id + signature).decode()
    return f"{head}\n— {SIGNER.key.name} {line}\n"
