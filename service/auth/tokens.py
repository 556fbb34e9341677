"""Bearer tokens: `gsh_` and 40 random letters and digits, then 6 that check them.

The prefix lets scanners find a leaked token, the check lets everybody see a mistyped one without asking the database.
Only the SHA-256 is kept; with 238 random bits behind it, it needs no salt and no slow hash.
"""

from __future__ import annotations

import re
import secrets
import string
from hashlib import sha256
from typing import Final
from zlib import crc32

PREFIX: Final = "gsh_"
_DIGITS: Final = string.digits + string.ascii_letters
_SHAPE: Final = re.compile(rf"{PREFIX}([0-9A-Za-z]{{40}})([0-9A-Za-z]{{6}})\Z")


def make_token() -> str:
    """A fresh token, to be shown once."""
    secret = "".join(secrets.choice(_DIGITS) for _ in range(40))
    return f"{PREFIX}{secret}{_check(secret)}"


def is_token(text: str) -> bool:
    """Whether this has the shape of a token and its check is right."""
    found = _SHAPE.match(text)
    return found is not None and _check(found[1]) == found[2]


def hash_of(token: str) -> bytes:
    """What the store keeps of a token."""
    return sha256(token.encode()).digest()


def _check(secret: str) -> str:
    number = crc32(secret.encode())
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
