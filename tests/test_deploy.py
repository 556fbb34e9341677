"""What stands in `deploy/` speaks of settings that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_variable_named_is_a_setting() -> None:
    known = set(re.findall(r'"([A-Z]+_[A-Z_]+)"', (ROOT / "service" / "settings.py").read_text()))
    for file in filter(Path.is_file, (ROOT / "deploy").rglob("*")):
        named = set(re.findall(r"\b(?:GUSHER|DATABASE|OWNER|REDIS)_[A-Z_]+\b", file.read_text()))
        assert named <= known, file.name
