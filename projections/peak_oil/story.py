"""Peak Oil in a player's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def tell(event: Mapping[str, Any], edition: Any) -> str | None:
    """One sentence for an event."""
    return None
