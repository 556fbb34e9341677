"""Ed25519 signatures checked in plain Python (RFC 8032, section 5.1.7), for who has nothing but Python.

`events.chain` comes here only where PyNaCl is not installed. It checks; it never signs: what signs has to take
the same time whatever the key is, and arithmetic on Python's integers does not.
"""

from __future__ import annotations

from hashlib import sha512
from typing import Final

Point = tuple[int, int, int, int]
"""A point of the curve in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z."""

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ROOT: Final = pow(2, (_P - 1) // 4, _P)
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature of the message is this key's. Raises `ValueError` where the key is no point."""
    key = _point(public)
    if len(signature) != _SIGNATURE_BYTES:
        return False
    first, s = signature[:_KEY_BYTES], int.from_bytes(signature[_KEY_BYTES:], "little")
    if s >= _ORDER:
        return False
    challenge = int.from_bytes(sha512(first + public + message).digest(), "little") % _ORDER
    x, y, z, t = key
    minus_key = (-x % _P, y, z, -t % _P)
    return _bytes(_add(_times(s, _BASE), _times(challenge, minus_key))) == first


def _point(data: bytes) -> Point:
    """The point that these 32 bytes stand for. Raises `ValueError` where they stand for none."""
    number = int.from_bytes(data, "little")
    y, odd = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if len(data) != _KEY_BYTES or y >= _P or (x * x - square) % _P or (x == 0 and odd):
        raise ValueError("no point of the curve")
    x = x if x & 1 == odd else _P - x
    return x, y, 1, x * y % _P


def _bytes(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(_KEY_BYTES, "little")


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor: int, point: Point) -> Point:
    product: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            product = _add(product, point)
        point = _add(point, point)
        factor >>= 1
    return product


_BASE: Final = _point((4 * pow(5, -1, _P) % _P).to_bytes(_KEY_BYTES, "little"))
