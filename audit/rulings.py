"""Which rules a log is held against: those that its first entry names, if we have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from audit.report import Ledger, Unusable
from events.table import GameCreated
from rules.edition import InvalidEdition, LoadedEdition
from rules.refusal import RuleViolation
from rules.rulebook import Rulebook
from rules.ruleset import Ruleset


class EditionFile(Struct, frozen=True):
    """An edition that somebody brought: its file name and text."""

    name: str
    text: str


class Rulings(Struct, frozen=True):
    """The rules in force in one game."""

    ruleset: Ruleset
    digest: str
    book: Rulebook


def rulings_of(
    created: GameCreated, ruleset: Ruleset, files: tuple[EditionFile, ...], ledger: Ledger, place: Mapping[str, Any]
) -> Rulings | None:
    """The rules that entry 1 names; None, and said so, where we do not have them. Raises `Unusable` for a bad file."""
    pinned = ruleset.of_version(created.rules_version)
    if pinned is None:
        had = ", ".join(str(one.version) for one in (ruleset, *ruleset.earlier))
        words = f"decided by rules version {created.rules_version}, and we have {had}"
        _leave(ledger, "rules_version_unknown", words, place)
        return None
    ruleset = pinned
    loaded = _edition(created, ruleset, files)
    if loaded is None:
        words = f"edition {created.edition} of digest {created.edition_digest} is not at hand"
        _leave(ledger, "edition_unknown", words, place)
        return None
    try:
        options = ruleset.read_options(created.options)
        book = ruleset.book(loaded.edition, options, created.seats)
    except RuleViolation as refusal:
        words = f"no such game may be created: {refusal.rule} ({refusal.reason})"
        ledger.find(7, "unlawful_move", words, event=0, field="options", rule=refusal.rule, **place)
        return None
    return Rulings(ruleset, loaded.digest, book)


def _leave(ledger: Ledger, code: str, words: str, place: Mapping[str, Any]) -> None:
    for check in (6, 7, 8):
        ledger.leave(check, code, words, **place)


def _edition(created: GameCreated, ruleset: Ruleset, files: tuple[EditionFile, ...]) -> LoadedEdition | None:
    built_in = ruleset.editions.built_in.get(created.edition)
    if built_in is not None and built_in.digest == created.edition_digest:
        return built_in
    for file in files:
        try:
            loaded = ruleset.editions.read(file.name, file.text)
        except InvalidEdition as error:
            raise Unusable(str(error), None) from error
        if loaded.digest == created.edition_digest and loaded.edition.edition == created.edition:
            return loaded
    return None
