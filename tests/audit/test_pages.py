"""The pages for whoever writes a verifier say what the vectors say; the code in them runs (conftest.py)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

VECTORS: dict[str, Any] = msgspec.json.decode(Path("tests/vectors/log-format.json").read_bytes())


def merged(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{name: merged(one.get(name), value) for name, value in other.items()}}
    assert one is None, "the page says it twice"
    return other


def test_the_page_of_vectors_has_all_of_them() -> None:
    said: Any = {}
    for block in re.findall(
        r"^```json\n(.*?)^```$", Path("docs/vectors.md").read_text(), flags=re.MULTILINE | re.DOTALL
    ):
        said = merged(said, msgspec.json.decode(block))
    del VECTORS["about"]
    assert said == VECTORS


def test_links_from_the_pages_lead_somewhere() -> None:
    for page in (Path("docs/auditing.md"), Path("docs/vectors.md"), Path("docs/log-format.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"
