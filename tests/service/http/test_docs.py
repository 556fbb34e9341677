"""The shell blocks of docs/api.md, run from top to bottom as somebody would who reads it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.http.running import Server

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
BASH = shutil.which("bash") or ""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "jq"))), reason="the page needs bash, curl and jq"),
]


def test_the_first_game_of_the_page_is_played(server: Server, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    environment = {**os.environ, "GUSHER": server.url, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    script = "set -euo pipefail\n" + "\n".join(blocks)
    played = subprocess.run(
        [BASH, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert (tmp_path / "first-game.jsonl").exists()
