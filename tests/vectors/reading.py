"""The vectors of the log format: values made by another implementation than ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent
DEMO_EXPORT = FOLDER / "demo-export.jsonl"


@cache
def vectors() -> dict[str, Any]:
    """The whole file."""
    plain: dict[str, Any] = msgspec.json.decode((FOLDER / "log-format.json").read_bytes())
    return plain
