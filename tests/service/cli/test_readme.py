"""The README works as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.cli.child import serving

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(shutil.which("curl") is None, reason="the first game is played with curl")
def test_the_first_game_with_curl(tmp_path: Path) -> None:
    section = (ROOT / "README.md").read_text().partition("## A first game with curl")[2].partition("\n## ")[0]
    start, *blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert start == "make serve\n"
    with serving(tmp_path / "data") as served:
        script = "set -eu\n" + "\n".join(blocks)
        script = script.replace("http://127.0.0.1:8000", served.url).replace(".venv/bin/gusher", "gusher")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        played = subprocess.run(
            [shutil.which("bash") or "/bin/sh", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert played.returncode == 0, played.stdout + played.stderr
    # As long as the house bot thinks about its first phase, the second one has not begun.
    assert re.search(r'"code":"(wrong_phase|not_awaited)"', played.stdout)
    assert "GOOD. Everything was checked and nothing is wrong." in played.stdout


def test_the_table_of_commands_is_complete() -> None:
    from service.cli.main import COMMANDS

    readme = (ROOT / "README.md").read_text()
    told = set(re.findall(r"\| `gusher ([a-z]+)", readme)) | {"demo", "openapi"}
    assert told == {command.__name__.rpartition(".")[2] for command in COMMANDS}
