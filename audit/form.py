"""Check 2: every body is in canonical form, has the shape of an entry and says words that its ruleset knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from audit.entries import Envelope, OpenObject
from audit.report import Ledger
from audit.vocabulary import Word, path_of
from events import chain, codec
from events.entry import Body
from events.lifts import lift

_TYPE = re.compile(r"[a-z][a-z0-9_]*\Z")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
# 32 bytes in unpadded base64url; the last character has two spare bits, which are 0.
_DIGEST = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]\Z")
_WORDS = {
    "not_json": "the line is not JSON",
    "not_canonical": "not the one canonical spelling of what it says (order, spaces, escapes or a member twice)",
    "too_large": f"larger than {codec.MAX_BYTES} bytes",
    "too_deep": f"nested deeper than {codec.MAX_DEPTH}",
    "float": "a number that is no integer",
    "integer_too_large": "an integer beyond 53 bits",
    "lone_surrogate": "a text with half a character in it",
    "member_name": "a member name outside the profile",
}


def is_uuid(text: str) -> bool:
    """Whether it is a UUID in lower case."""
    return _UUID.match(text) is not None


def is_game_id(text: str) -> bool:
    """Whether it is a UUIDv7 in lower case."""
    return _UUID7.match(text) is not None


def read_envelope(line: int, text: bytes, expected: int, ledger: Ledger) -> Envelope | None:
    """The envelope of a body line; None, with a finding, where it has none."""
    try:
        plain = codec.decode(text)
    except codec.OutsideProfile as error:
        words = _WORDS.get(error.reason, error.reason)
        ledger.find(2, error.reason, words, line=line, seq=expected, field=_where(error.where))
        return None
    try:
        body = msgspec.convert(plain, Body)
    except msgspec.ValidationError as error:
        reason, field = path_of(error)
        ledger.find(2, "envelope", f"not the envelope of an entry: {reason}", line=line, seq=expected, field=field)
        return None
    envelope = Envelope(line, chain.entry_hash(text), body)
    _check_ids(envelope, ledger)
    return envelope


def _where(path: str) -> str | None:
    return path.removeprefix("$").removeprefix(".") or None


def _check_ids(envelope: Envelope, ledger: Ledger) -> None:
    place = {"line": envelope.line, "seq": envelope.seq}
    if not is_game_id(envelope.body.game):
        ledger.find(2, "game_id", "the game's id is no UUIDv7 in lower case", field="game", **place)
    command_id = envelope.body.command.get("id")
    if not isinstance(command_id, str) or not is_uuid(command_id):
        ledger.find(2, "command_id", "the command's id is no UUID in lower case", field="command.id", **place)


def digests_of(word: Mapping[str, Any], event: int | None, envelope: Envelope, ledger: Ledger) -> tuple[str, ...]:
    """The digests of an object's sealed fields; none, with a finding, where `_sd` is malformed."""
    if "_sd" not in word:
        return ()
    digests = word["_sd"]
    if isinstance(digests, list) and digests and all(map(_is_digest, digests)):
        if len(digests) == 1 or digests == sorted(set(digests)):
            return tuple(digests)
        words = "the digests are not sorted, or one stands there twice"
    else:
        words = "`_sd` is a list of at least one digest of 32 bytes in base64url"
    field = "command._sd" if event is None else "_sd"
    ledger.find(2, "sd_shape", words, line=envelope.line, seq=envelope.seq, event=event, field=field)
    return ()


def _is_digest(one: Any) -> bool:
    return isinstance(one, str) and _DIGEST.match(one) is not None


class WordCheck(Struct, frozen=True):
    """Holds one command or event against its type. `lenient`: words of rules we do not have are left, not blamed."""

    envelope: Envelope
    ledger: Ledger
    words: Mapping[str, Word] | None
    lenient: bool

    def read(self, word: OpenObject) -> Struct | None:
        """The typed command or event; None where a field is closed, the type is unknown or something is wrong."""
        if not self._names_itself(word) or self.words is None:
            return None
        known = self.words.get(word.plain["type"])
        if known is None:
            self._unknown(word)
            return None
        plain = word.plain if word.event is None else lift(word.plain)
        lifted = plain is not word.plain
        if not lifted and not self._seals_what_it_should(word, known):
            return None
        if word.closed and not self._only_personal_closed(word, known):
            self._convert(word, _without_sealed(plain, known), known.public)
            return None
        return self._convert(word, plain, known.shape) if word.sound else None

    def _names_itself(self, word: OpenObject) -> bool:
        name, schema = word.plain.get("type"), word.plain.get("schema")
        if not isinstance(name, str) or not ((self.words is not None and name in self.words) or _TYPE.match(name)):
            self._find(word, "word_type", "no type of the form [a-z][a-z0-9_]*", "type")
            return False
        if word.event is not None and (type(schema) is not int or schema < 1):
            self._find(word, "word_schema", "no schema number of at least 1", "schema")
            return False
        return True

    def _unknown(self, word: OpenObject) -> None:
        words = f"`{word.plain['type']}` is no word of this game"
        if self.lenient:
            place = {"line": self.envelope.line, "seq": self.envelope.seq, "event": word.event}
            self.ledger.leave(2, "word_unknown", f"{words} as we know its rules", **place)
        else:
            self._find(word, "word_unknown", words, "type")

    def _seals_what_it_should(self, word: OpenObject, known: Word) -> bool:
        if not known.sealed and not word.digests:
            return True
        clear = [name for name in known.sealed if name in word.plain and name not in word.disclosed]
        strange = [name for name in word.disclosed if name not in known.sealed]
        if clear:
            self._find(word, "sealed_in_clear", "stands in the open and should be sealed", clear[0])
        elif strange:
            self._find(word, "disclosed_name", f"`{known.name}` has no sealed field of this name", strange[0])
        elif word.digests != len(known.sealed):
            words = f"{word.digests} sealed fields where `{known.name}` has {len(known.sealed)}"
            self._find(word, "sealed_count", words, "_sd")
        return not clear and not strange and word.digests == len(known.sealed)

    def _only_personal_closed(self, word: OpenObject, known: Word) -> bool:
        closed = [mark for name, mark in known.sealed.items() if name not in word.plain]
        return all(mark.kind == "p" for mark in closed)

    def _convert(self, word: OpenObject, plain: dict[str, Any], shape: Any) -> Struct | None:
        try:
            typed: Struct = msgspec.convert(plain, shape)
        except msgspec.ValidationError as error:
            reason, field = path_of(error)
            self._find(word, "word_shape", f"no `{plain['type']}`: {reason}", field)
            return None
        return typed

    def _find(self, word: OpenObject, code: str, words: str, field: str | None) -> None:
        place = {"line": self.envelope.line, "seq": self.envelope.seq, "event": word.event}
        self.ledger.find(2, code, words, field=word.path(field), **place)


def _without_sealed(plain: dict[str, Any], known: Word) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name not in known.sealed}
