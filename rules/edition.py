"""Edition files: a game's cards, tracks and maps as data, checked with errors that name file, line and value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from events import codec
from rules.lines import keys_of, line_of, line_of_error


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


class LoadedEdition(Struct, frozen=True):
    """An edition with the digest of its file that goes into entry 1."""

    edition: Edition
    digest: str


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


class Editions:
    """The editions of one game: those in `editions/` of its package, and the files that somebody brings.

    `kind` is the shape of a file, `check` raises `Rejected` for what the shape alone lets through.
    """

    def __init__(self, package: str, kind: type[Edition], check: Callable[[Any], None]) -> None:
        self._package, self._kind, self._check = package, kind, check

    @cached_property
    def built_in(self) -> Mapping[str, LoadedEdition]:
        """Those that come with the game, by name."""
        folder = files(self._package) / "editions"
        texts = ((file.name, file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".json"))
        loaded = (self.read(name, text) for name, text in texts)
        return {one.edition.edition: one for one in loaded}

    def read(self, file: str, text: str) -> LoadedEdition:
        """An edition file of this game, checked. Raises `InvalidEdition`."""
        return _read(file, text, self._kind, self._check)


def _read(file: str, text: str, kind: type[Edition], check: Callable[[Any], None]) -> LoadedEdition:
    """The edition and its digest (SHA-256 of the canonical bytes, hex). Raises `InvalidEdition`."""
    try:
        plain = msgspec.json.decode(text.encode())
    except msgspec.DecodeError as error:
        raise InvalidEdition(file, line_of_error(text, str(error)), "", str(error)) from error
    try:
        digest = codec.sha256_hex(codec.canonical(plain))
        edition = msgspec.convert(plain, kind)
        _check_provenance(edition)
        check(edition)
    except codec.OutsideProfile as error:
        raise _invalid(file, text, plain, error.where, error.reason) from error
    except Rejected as error:
        raise _invalid(file, text, plain, error.path, error.reason) from error
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        raise _invalid(file, text, plain, path.rstrip("`") or "$", reason) from error
    return LoadedEdition(edition, digest)


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
    keys = keys_of(path)
    value = plain
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            break
    return InvalidEdition(file, line_of(text, keys), value, reason)
