"""Sealed fields made by hand, for files that no game has written."""

from __future__ import annotations

from typing import Any

from events import chain


def disclose(salt: bytes, name: str, value: Any) -> str:
    """The disclosure text of one sealed field."""
    return chain.base64url(chain.disclosed(salt, name, value))
