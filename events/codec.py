"""Canonical bytes: RFC 8785 (JCS) inside the profile of the log format, section 1. Strict in both directions.

Inside the profile (integers within 53 bits, plain member names, valid Unicode) msgspec's `order="sorted"` writes the
bytes that RFC 8785 asks for; a property test holds the one against the other.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, inspect

MAX_BYTES: Final = 256 * 1024
MAX_DEPTH: Final = 16
MAX_INTEGER: Final = 2**53 - 1

_REMEMBERED: Final = 4096
_LONGEST: Final = 64
_plain: Final[set[type]] = {int, str, bool, type(None)}
"""Types that tell all, as far as they were met."""
_NESTED: Final = frozenset([dict, list])
_MEMBER = re.compile(r"[a-z_][a-z0-9_]*\Z")
_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder()
_good_names: set[str] = set()


def _fitting(depth: int) -> Any:
    """The type of what is inside the profile and no deeper; member names are not part of it."""
    scalar = None | bool | Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] | str
    fitting: Any = scalar
    for _ in range(depth):
        fitting = scalar | list[fitting] | dict[str, fitting]
    return fitting


# Numbers, texts and depth are held against the profile while decoding. A decoder's size doubles with each level.
_shallow_decoder = msgspec.json.Decoder(_fitting(8))


class OutsideProfile(ValueError):
    """A value or a text that the log format's profile does not admit; `where` is a path such as `$.events[0].n`."""

    def __init__(self, reason: str, where: str = "$") -> None:
        super().__init__(f"{reason} at {where}")
        self.reason, self.where = reason, where


encode: Final = _encoder.encode
"""The sorted JSON of plain data or structs, inside the profile or not: see `check` and `holds`.

Raises `UnicodeEncodeError` for a text that is no Unicode.
"""


def holds(body: bytes) -> bool:
    """Whether the numbers in what `encode` wrote of plain values are inside the profile, at no unusual depth.

    Reading it back takes less than looking at every value.
    """
    try:
        _shallow_decoder.decode(body)
    except msgspec.DecodeError:
        return False
    return True


def is_plain(value: Any) -> bool:
    """Whether the value is made of what the profile has, as far as its types tell, and of structs for objects.

    Of most structs their types tell all: `tells_all`. One that is made for other types with each use, such as an
    event that holds the steps of its game, is looked at.
    """
    kind = type(value)
    if kind in _plain:
        return True
    if kind is tuple:
        return _plain.issuperset(map(type, value)) or all(map(is_plain, value))
    if not isinstance(value, Struct):
        return False
    if tells_all(kind):  # type: ignore[arg-type]
        _plain.add(kind)
        return True
    return all(map(is_plain, [getattr(value, name) for name in value.__struct_fields__]))


@cache
def tells_all(kind: type[Struct]) -> bool:
    """Whether a value of this kind is inside the profile whatever is in it, but for numbers, texts and depth.

    The kind is believed: that its fields hold what they are declared to hold is a type checker's business.
    """
    return _tells_all(inspect.type_info(kind), ())


def _tells_all(info: inspect.Type, around: tuple[type, ...]) -> bool:
    match info:
        case inspect.Metadata():
            return _tells_all(info.type, around)
        case inspect.ListType() | inspect.VarTupleType():
            return _tells_all(info.item_type, around)
        case inspect.TupleType():
            return all(_tells_all(item, around) for item in info.item_types)
        case inspect.UnionType():
            return all(_tells_all(one, around) for one in info.types)
        case inspect.StructType():
            inside = (*around, info.cls)
            return info.cls in around or all(
                _is_member(field.encode_name) and _tells_all(field.type, inside) for field in info.fields
            )
        case _:
            pass
    plain = inspect.IntType | inspect.StrType | inspect.BoolType | inspect.NoneType | inspect.LiteralType
    return isinstance(info, plain)


def canonical(value: Any) -> bytes:
    """The canonical bytes of plain data. Raises `OutsideProfile`."""
    check(value)
    body = _encoder.encode(value)
    if len(body) > MAX_BYTES:
        raise OutsideProfile("too_large")
    return body


def read_simple(body: bytes) -> Any:
    """Plain data from JSON in any spelling, where it is plainly inside the profile and has no member twice.

    None where that takes a closer look: it is deep, a text holds a colon, something is wrong.
    """
    try:
        value = _shallow_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    # Of members of one name the last was taken; but each has its colon.
    return value if _members_named_well(value) == body.count(b":") else None


def decode(body: bytes) -> Any:
    """Plain data from canonical bytes. Raises `OutsideProfile` unless `canonical` gives back the very same bytes."""
    try:
        value = _shallow_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode(body)
    if len(body) <= MAX_BYTES and _members_named_well(value) is not None and _encoder.encode(value) == body:
        return value
    return _decode(body)


def _decode(body: bytes) -> Any:
    """As `decode`, for what is deep, and for what is wrong: the first fault is named."""
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


def check(value: Any, depth: int = 1) -> None:
    """Raise `OutsideProfile` unless the value is made of objects, arrays, texts, integers, booleans and null only."""
    if not _fits(value, depth):
        _blame(value, "$", depth)


def _members_named_well(value: Any) -> int | None:
    """How many members there are, if all their names are inside the profile; the rest of the value is known to be."""
    members = 0
    inside = [value] if type(value) in _NESTED else []
    while inside:
        value = inside.pop()
        if type(value) is dict:
            if not (_good_names.issuperset(value) or all(map(_is_good, value))):
                return None
            members += len(value)
            value = value.values()
        for item in value:
            if type(item) in _NESTED:
                inside.append(item)  # noqa: PERF401 - a comprehension for each of many short lists takes longer
    return members


def _is_good(name: str) -> bool:
    """Whether a member name is inside the profile; if so it is remembered, within reason: files hold any name. One
    that is longer than any word of ours takes a closer look.
    """
    good = len(name) <= _LONGEST and _is_member(name)
    if good and len(_good_names) < _REMEMBERED:
        _good_names.add(name)
    return good


def _fits(value: Any, depth: int) -> bool:
    """Whether the value is inside the profile; `_blame` looks for the place."""
    kind = type(value)
    if kind is dict:
        if not all(map(_is_member, value)):
            return False
        items = value.values()
    elif kind is list or kind is tuple:
        items = value
    else:
        return _is_leaf(value)
    return depth <= MAX_DEPTH and all(_fits(item, depth + 1) for item in items)


def _is_leaf(value: Any) -> bool:
    kind = type(value)
    if kind is int:
        return bool(-MAX_INTEGER <= value <= MAX_INTEGER)
    if kind is str:
        return _is_unicode(value)
    return value is None or kind is bool


@lru_cache(maxsize=_REMEMBERED)
def _is_member(name: Any) -> bool:
    return type(name) is str and _MEMBER.match(name) is not None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _blame(value: Any, where: str, depth: int) -> None:
    """Raise for the first thing in the value that is outside the profile."""
    kind = type(value)
    if kind is dict or kind is list or kind is tuple:
        if depth > MAX_DEPTH:
            raise OutsideProfile("too_deep", where)
        _blame_inside(value, where, depth + 1)
    elif not _fits(value, depth):
        reasons = {str: "lone_surrogate", int: "integer_too_large", float: "float"}
        raise OutsideProfile(reasons.get(kind, "type"), where)


def _blame_inside(value: Any, where: str, depth: int) -> None:
    if type(value) is dict:
        for name, item in value.items():
            if not _is_member(name):
                raise OutsideProfile("member_name", where)
            _blame(item, f"{where}.{name}", depth)
    else:
        for index, item in enumerate(value):
            _blame(item, f"{where}[{index}]", depth)
