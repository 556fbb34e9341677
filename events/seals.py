"""What is kept beside a body for its sealed fields (log format, section 2), in the form in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, overload

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


ERASED: Final = Raw(b"")
"""The name of a field that was erased."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(str)


class Kept(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A sealed field as it is kept; `said` is the salt, or where the field was erased its digest. The rest is JSON."""

    kind: Kind
    audience: tuple[int, ...]
    said: Raw
    name: Raw = ERASED
    value: Raw = ERASED

    @property
    def disclosure(self) -> str | None:
        """The disclosure text."""
        return None if self.name is ERASED else chain.base64url(b"[%b,%b,%b]" % (self.said, self.name, self.value))

    @property
    def digest(self) -> str:
        """What stands in the body."""
        text = self.disclosure
        return _decoder.decode(self.said) if text is None else chain.digest_of(text)

    def sealed(self) -> Sealed:
        """The same, told in full."""
        return Sealed(self.digest, self.audience, self.kind, self.disclosure)


_items = msgspec.json.Decoder(list[Kept])


class Named(Struct, frozen=True, array_like=True, gc=False):
    """A sealed field as folding reads it, who looks at name and value only: the rest is passed over."""

    kind: Raw
    audience: Raw
    said: Raw
    name: Raw = ERASED
    value: Raw = ERASED


_named = msgspec.json.Decoder(list[Named])


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

    def items(self) -> list[Kept]:
        """The fields as they are kept."""
        return _items.decode(self.kept) if self.kept else []

    def named(self) -> list[Named]:
        """The fields as folding reads them."""
        return _named.decode(self.kept) if self.kept else []

    def __iter__(self) -> Iterator[Sealed]:
        return map(Kept.sealed, self.items())

    def __len__(self) -> int:
        return len(self.items())

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
