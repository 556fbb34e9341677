"""The page for auditors lists the codes that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from events import codec
from tests.audit.corpus import KINDS

PAGE = Path("docs/auditing.md").read_text()
ROWS = re.findall(r"^\| [1-8] \| (`.*) \|$", PAGE, flags=re.MULTILINE)
LISTED = {code for row in ROWS for code in re.findall(r"`([a-z_]+)`", row)}


def _texts_of(*files: Path) -> set[str]:
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_listed_code_is_in_the_program() -> None:
    assert len(ROWS) == 8
    assert _texts_of(*Path("audit").glob("*.py"), Path(codec.__file__)) >= LISTED


def test_every_code_that_damage_gives_is_listed() -> None:
    assert {kind.due.code for kind in KINDS} <= LISTED


def test_every_first_argument_of_a_finding_is_listed() -> None:
    """`find(check, "code", …)`, `leave(check, "code", …)` and the modules' own `_find(…, "code", …)`."""
    calls = [
        node
        for file in Path("audit").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"find", "leave", "_find", "stop", "_leave"}
    ]
    texts = {
        argument.value
        for call in calls
        for argument in call.args[:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    assert {text for text in texts if re.fullmatch(r"[a-z_]+", text)} <= LISTED
    assert len(texts) > 40
