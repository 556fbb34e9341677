"""The page `tests/README.md` names tests that exist, and every test of a pitfall is on it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE / "README.md").read_text("utf-8")
LISTED = re.findall(r"`([a-z_/]+\.py)::(test_\w+)`", PAGE)


def test_every_test_on_the_page_exists() -> None:
    assert len(LISTED) > 30
    for file, name in LISTED:
        assert re.search(rf"^(?:async )?def {name}\(", (HERE / file).read_text("utf-8"), re.MULTILINE), (file, name)


def test_every_test_of_a_pitfall_is_on_the_page_beside_its_id() -> None:
    found = {
        name
        for file in HERE.rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_p\d\d_\w+)\(", file.read_text("utf-8"), re.MULTILINE)
    }
    assert len(found) > 15
    for name in sorted(found):
        row = next((line for line in PAGE.splitlines() if f"::{name}`" in line), "")
        assert row.startswith(f"| P{name[6:8]} "), name
