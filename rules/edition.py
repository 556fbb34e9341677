"""Edition files: a game's cards, tracks and maps as data, checked with errors that name file, line and value."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from events import codec

EditionT = TypeVar("EditionT", bound="Edition")


class Edition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every edition file says about itself. `provenance` tells, by group of data, whether the rulebook gives it
    (`rulebook`), it follows from what the rulebook gives (`derived`), or it is ours (`house`).
    """

    ruleset: str
    edition: str
    title: str
    about: str
    provenance: dict[str, str]


PROVENANCE_WORDS = ("rulebook", "derived", "house")
"""Whether the rulebook gives a value, it follows from what the rulebook gives, or it is ours."""


class InvalidEdition(ValueError):
    """An edition file that cannot be played with: which file, which line, which value, and why."""

    def __init__(self, file: str, line: int, value: Any, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason} (found {value!r})")
        self.file, self.line, self.value, self.reason = file, line, value, reason


class Rejected(ValueError):
    """Raised by a game's own checks on a decoded edition; `path` is a JSONPath such as `$.cards[3].weight`."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{reason} at {path}")
        self.path, self.reason = path, reason


def read_edition(file: str, text: str, kind: type[EditionT], check: Any = None) -> tuple[EditionT, str]:
    """The edition and its digest (SHA-256 of the canonical bytes, hex). Raises `InvalidEdition`."""
    try:
        plain = msgspec.json.decode(text.encode())
    except msgspec.DecodeError as error:
        raise InvalidEdition(file, _line_of_error(text, str(error)), "", str(error)) from error
    try:
        digest = codec.sha256_hex(codec.canonical(plain))
        edition = msgspec.convert(plain, kind)
        _check_provenance(edition)
        if check is not None:
            check(edition)
    except codec.OutsideProfile as error:
        raise _invalid(file, text, plain, error.where, error.reason) from error
    except Rejected as error:
        raise _invalid(file, text, plain, error.path, error.reason) from error
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise _invalid(file, text, plain, path.rstrip("`") or "$", reason) from error
    return edition, digest


def _check_provenance(edition: Edition) -> None:
    """Of every group of values, all but what a file says about itself, it says where they come from."""
    groups = frozenset(edition.__struct_fields__) - frozenset(Edition.__struct_fields__)
    for name, word in edition.provenance.items():
        if name not in groups:
            raise Rejected(f"$.provenance.{name}", "no such group of values")
        if word not in PROVENANCE_WORDS:
            raise Rejected(f"$.provenance.{name}", f"one of {', '.join(PROVENANCE_WORDS)}")
    missing = sorted(groups - edition.provenance.keys())
    if missing:
        raise Rejected("$.provenance", f"where does {missing[0]} come from?")


def _invalid(file: str, text: str, plain: Any, path: str, reason: str) -> InvalidEdition:
    keys = _keys_of(path)
    value = plain
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            break
    return InvalidEdition(file, _line_of(text, keys), value, reason)


def _keys_of(path: str) -> list[str | int]:
    return [int(index) if index else name for name, index in re.findall(r"\.([A-Za-z_]\w*)|\[(\d+)\]", path)]


def _line_of_error(text: str, message: str) -> int:
    found = re.search(r"byte (\d+)", message)
    offset = int(found[1]) if found else len(text)
    return text.encode()[:offset].count(b"\n") + 1


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def _line_of(text: str, keys: list[str | int]) -> int:
    """The line on which the value at this path begins; where a key is missing, the line of the object it misses in."""
    scanner = _Scanner(text)
    return text.count("\n", 0, scanner.locate(keys)) + 1


class _Scanner:
    """Walks valid JSON text to the value at a path; msgspec tells paths, people need lines."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0

    def locate(self, keys: list[str | int]) -> int:
        start = self._tokens[self._at].start()
        for key in keys:
            if not self._enter(key):
                break
            start = self._tokens[self._at].start()
        return start

    def _enter(self, key: str | int) -> bool:
        opening = self._take()
        index = 0
        while self._peek() not in "]}":
            if opening == "{":
                name = msgspec.json.decode(self._take())
                self._take()
            else:
                name = index
            if name == key:
                return True
            self._skip()
            index += 1
            if self._peek() == ",":
                self._take()
        return False

    def _skip(self) -> None:
        depth = 0
        while True:
            text = self._take()
            depth += (text in "[{") - (text in "]}")
            if depth == 0:
                return

    def _peek(self) -> str:
        return self._tokens[self._at].group()

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1].group()
