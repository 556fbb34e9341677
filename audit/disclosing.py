"""Check 3: what is disclosed is what was sealed, to whom it may be, and nothing is opened twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from audit.entries import Envelope, OpenObject
from audit.form import digests_of
from audit.report import Ledger
from audit.vocabulary import Word
from events import chain
from events.entry import seat_of
from events.export import AUDITOR, Disclosures
from events.words import json_name


class Leak(Struct, frozen=True):
    """A field disclosed to a viewer who is not among its readers: in order only if the game has ended."""

    line: int
    seq: int
    event: int | None
    field: str | None
    personal: bool


class Opened(Struct, frozen=True):
    """A word, whole, that had sealed fields, and where it stands (`event` None: the command)."""

    event: int | None
    kind: Word
    word: Any


class Shown(Struct, frozen=True):
    """The words of one entry that had sealed fields."""

    line: int
    seq: int
    actor: str
    opened: list[Opened]


class Disclosing:
    """Opens the objects of one log, entry by entry."""

    def __init__(self, viewer: str, ledger: Ledger) -> None:
        self._ledger, self._viewer = ledger, viewer
        self._seat = seat_of(viewer)
        self._digests: set[str] = set()
        self._salts: set[str] = set()
        self._leaks: list[Leak] = []
        self._shown: list[Shown] = []

    def new(self, digests: Sequence[str], salts: Sequence[str]) -> bool:
        """Whether none of these stands twice among them, or in the log before."""
        return (
            len(set(digests)) == len(digests)
            and len(set(salts)) == len(salts)
            and self._digests.isdisjoint(digests)
            and self._salts.isdisjoint(salts)
        )

    def take(self, shown: Shown, digests: Sequence[str], salts: Sequence[str]) -> None:
        """Whole words, of which nothing is wrong but that this viewer, perhaps, may not read them."""
        self._digests.update(digests)
        self._salts.update(salts)
        if self._viewer != AUDITOR:
            self._shown.append(shown)

    def open(self, entry: Envelope, line: int, said: Disclosures | None) -> list[OpenObject]:
        """Command and events of an entry, opened as far as the file discloses them."""
        objects: list[tuple[int | None, dict[str, Any]]] = [(None, entry.body.command), *enumerate(entry.body.events)]
        if said is None and not any("_sd" in word for _, word in objects):
            return [OpenObject(event, word) for event, word in objects]
        listed = [(event, word, digests_of(word, event, entry, self._ledger)) for event, word in objects]
        digests = [digest for _, _, some in listed for digest in some]
        self._digests_are_new(entry, digests)
        opened = self._read(entry, line, said, set(digests)) if said is not None else {}
        return [self._open(entry, event, word, some, opened) for event, word, some in listed]

    def judge(self, word: OpenObject, known: Word | None, entry: Envelope) -> None:
        """Note the disclosed fields that this viewer may not read while the game runs."""
        if self._viewer == AUDITOR or known is None or not word.disclosed:
            return
        for name in word.disclosed:
            mark = known.sealed.get(name)
            if mark is not None and not self._reads(word.event, mark.readers, entry.body.actor, word.plain):
                self._leaks.append(Leak(entry.line, entry.seq, word.event, word.path(name), mark.kind == "p"))

    def close(self, *, ended: bool) -> None:
        """The end of the log: what the wrong viewer can read is a finding, game facts only in a running game."""
        for leak in (*self._leaks, *self._leaks_of_the_shown(ended=ended)):
            if leak.personal or not ended:
                place = {"line": leak.line, "seq": leak.seq, "event": leak.event, "field": leak.field}
                self._ledger.find(3, "disclosed_too_widely", f"{self._viewer} may not read this field", **place)

    def _leaks_of_the_shown(self, *, ended: bool) -> Iterator[Leak]:
        for shown in self._shown:
            for one in shown.opened:
                for name, mark in one.kind.sealed.items():
                    personal = mark.kind == "p"
                    if ended and not personal:
                        continue
                    readers = {json_name(reader): getattr(one.word, reader, None) for reader in mark.readers}
                    if not self._reads(one.event, mark.readers, shown.actor, readers):
                        field = f"command.{name}" if one.event is None else name
                        yield Leak(shown.line, shown.seq, one.event, field, personal)

    def _reads(self, event: int | None, readers: tuple[str, ...], actor: str, plain: Mapping[str, Any]) -> bool:
        if self._seat is None:
            return False
        seats = [seat_of(actor) if reader == "actor" else plain.get(json_name(reader)) for reader in readers]
        # Rules may show a sealed field of a command to further seats (`Table.show`); an event names its readers.
        return self._seat in seats or event is None

    def _digests_are_new(self, entry: Envelope, digests: list[str]) -> None:
        if len(set(digests)) < len(digests) or not self._digests.isdisjoint(digests):
            again = {digest for digest in digests if digest in self._digests or digests.count(digest) > 1}
            for digest in sorted(again):
                words = f"digest {digest} stands in the log twice"
                self._ledger.find(3, "digest_reused", words, line=entry.line, seq=entry.seq)
        self._digests.update(digests)

    def _read(self, entry: Envelope, line: int, said: Disclosures, known: set[str]) -> dict[str, chain.Disclosure]:
        found: dict[str, chain.Disclosure] = {}
        if not said.disclosures:
            self._find("disclosures_empty", "a line that discloses nothing", line, entry)
        for text in said.disclosures:
            try:
                digest, field = chain.digest_of(text), chain.read_disclosure(text)
            except (ValueError, RecursionError) as error:
                self._find("disclosure_malformed", f"no disclosure: {error}", line, entry)
                continue
            if digest not in known:
                self._find("disclosure_unknown", f"no digest of this entry seals `{field.name}`", line, entry)
                continue
            if digest in found:
                self._find("disclosure_repeated", f"`{field.name}` is disclosed twice", line, entry)
                continue
            if field.salt in self._salts:
                self._find("salt_reused", f"the salt of `{field.name}` has been used before", line, entry)
            found[digest] = field
            self._salts.add(field.salt)
        return found

    def _open(
        self,
        entry: Envelope,
        event: int | None,
        word: dict[str, Any],
        digests: tuple[str, ...],
        opened: Mapping[str, chain.Disclosure],
    ) -> OpenObject:
        if "_sd" not in word:
            return OpenObject(event, word)
        plain = dict(word)
        del plain["_sd"]
        names: list[str] = []
        closed, sound = 0, True
        for digest in digests:
            field = opened.get(digest)
            if field is None:
                closed += 1
            elif field.name in plain:
                sound = False
                place = {"line": entry.line, "seq": entry.seq, "event": event, "field": field.name}
                self._ledger.find(3, "disclosed_twice", "the object has this field already", **place)
            else:
                plain[field.name] = field.value
                names.append(field.name)
        counts = self._ledger.counts
        counts.opened, counts.closed = counts.opened + len(names), counts.closed + closed
        return OpenObject(event, plain, tuple(names), closed, sound, len(digests))

    def _find(self, code: str, words: str, line: int, entry: Envelope) -> None:
        self._ledger.find(3, code, words, line=line, seq=entry.seq)
