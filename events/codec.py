"""Canonical bytes: RFC 8785 (JCS) inside the profile of the log format, section 1. Strict in both directions.

Inside the profile (integers within 53 bits, plain member names, valid Unicode) msgspec's `order="sorted"` writes the
bytes that RFC 8785 asks for; a property test holds the one against the other.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, Final

import msgspec

MAX_BYTES: Final = 256 * 1024
MAX_DEPTH: Final = 16
MAX_INTEGER: Final = 2**53 - 1

_MEMBER = re.compile(r"[a-z_][a-z0-9_]*\Z")
_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder()


class OutsideProfile(ValueError):
    """A value or a text that the log format's profile does not admit; `where` is a path such as `$.events[0].n`."""

    def __init__(self, reason: str, where: str = "$") -> None:
        super().__init__(f"{reason} at {where}")
        self.reason, self.where = reason, where


def encode(value: Any) -> bytes:
    """The sorted JSON of plain data or structs. Call `check` first on data that did not come from our own structs."""
    return _encoder.encode(value)


def canonical(value: Any) -> bytes:
    """The canonical bytes of plain data. Raises `OutsideProfile`."""
    check(value)
    body = _encoder.encode(value)
    if len(body) > MAX_BYTES:
        raise OutsideProfile("too_large")
    return body


def decode(body: bytes) -> Any:
    """Plain data from canonical bytes. Raises `OutsideProfile` unless `canonical` gives back the very same bytes."""
    if len(body) > MAX_BYTES:
        raise OutsideProfile("too_large")
    try:
        value = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OutsideProfile("not_json") from error
    if canonical(value) != body:
        raise OutsideProfile("not_canonical")
    return value


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 hex digits."""
    return sha256(data).hexdigest()


def check(value: Any, where: str = "$", depth: int = 1) -> None:
    """Raise `OutsideProfile` unless the value is made of objects, arrays, texts, integers, booleans and null only."""
    kind = type(value)
    if kind is str:
        _check_text(value, where)
    elif kind is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise OutsideProfile("integer_too_large", where)
    elif kind is dict:
        _check_depth(depth, where)
        for name, item in value.items():
            if type(name) is not str or not _MEMBER.match(name):
                raise OutsideProfile("member_name", where)
            check(item, f"{where}.{name}", depth + 1)
    elif kind is list or kind is tuple:
        _check_depth(depth, where)
        for index, item in enumerate(value):
            check(item, f"{where}[{index}]", depth + 1)
    elif value is not None and kind is not bool:
        raise OutsideProfile("float" if kind is float else "type", where)


def _check_depth(depth: int, where: str) -> None:
    if depth > MAX_DEPTH:
        raise OutsideProfile("too_deep", where)


def _check_text(text: str, where: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise OutsideProfile("lone_surrogate", where) from None
