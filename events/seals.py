"""What is kept beside a body for its sealed fields (log format, section 2), in the form in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, overload

import msgspec
from msgspec import Raw, Struct

from events import chain

Kind = Literal["g", "p"]


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """What the store keeps beside a body for one digest. `audience` is sorted; empty means nobody yet.

    `disclosure` is None once a personal field (kind `p`) has been erased.
    """

    digest: str
    audience: tuple[int, ...]
    kind: Kind
    disclosure: str | None


_OPEN: Final = 5
_items = msgspec.json.Decoder(list[list[Raw]])
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()
_audiences = msgspec.json.Decoder(tuple[int, ...])


class Seals(Sequence[Sealed]):
    """The sealed fields of an entry in the order in which they were sealed: the command's first, then each event's.

    `kept` is JSON, `[[kind, audience, salt, name, value], …]`, and `[kind, audience, digest]` for what was erased: a
    digest follows from its disclosure, so it is made when it is asked for. Folding never asks.
    """

    __slots__ = ("kept",)

    def __init__(self, kept: bytes = b"") -> None:
        self.kept = kept

    @classmethod
    def of(cls, sealed: Iterable[Sealed]) -> Seals:
        """The same in the form in which it is kept."""
        if isinstance(sealed, Seals):
            return sealed
        items = [_kept(one) for one in sealed]
        return cls(b"[" + b",".join(items) + b"]" if items else b"")

    def fields(self) -> list[tuple[bytes, bytes] | None]:
        """Name and value of each field as JSON; None where it was erased."""
        if not self.kept:
            return []
        return [(bytes(item[3]), bytes(item[4])) if len(item) == _OPEN else None for item in _items.decode(self.kept)]

    def __iter__(self) -> Iterator[Sealed]:
        return map(_sealed, _items.decode(self.kept)) if self.kept else iter(())

    def __len__(self) -> int:
        return len(_items.decode(self.kept)) if self.kept else 0

    @overload
    def __getitem__(self, index: int) -> Sealed: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Sealed, ...]: ...
    def __getitem__(self, index: int | slice) -> Sealed | tuple[Sealed, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(self.kept)

    def __repr__(self) -> str:
        return f"Seals({self.kept!r})"


def item(kind: str, audience: Iterable[int], disclosed: bytes) -> bytes:
    """A field as it is kept; `disclosed` is the JSON that its disclosure encodes, `[salt, name, value]`."""
    return b'["%b",%b,%b' % (kind.encode(), _encoder.encode(audience), disclosed[1:])


def _kept(one: Sealed) -> bytes:
    if one.disclosure is None:
        return item(one.kind, one.audience, _encoder.encode([one.digest]))
    return item(one.kind, one.audience, chain.from_base64url(one.disclosure))


def _sealed(item: Sequence[Raw]) -> Sealed:
    kind: Any = _decoder.decode(item[0])
    audience = _audiences.decode(item[1])
    if len(item) < _OPEN:
        return Sealed(_decoder.decode(item[2]), audience, kind, None)
    disclosure = chain.base64url(b"[%b,%b,%b]" % (bytes(item[2]), bytes(item[3]), bytes(item[4])))
    return Sealed(chain.digest_of(disclosure), audience, kind, disclosure)
