"""`gusher serve` as a person runs it: it says where it is, keeps what it has said, and leaves nothing behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from gusher_client import Done, Gusher
from service.cli.child import Served, serving


def family(served: Served) -> list[psutil.Process]:
    return psutil.Process(served.process.pid).children(recursive=True)


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        others = family(served)
        assert others
        os.kill(served.process.pid, signal.SIGINT)
        assert served.process.wait(timeout=300) == 0
    _, alive = psutil.wait_procs(others, timeout=300)
    assert not alive


def test_a_data_folder_serves_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        command = [sys.executable, "-m", "service.cli.main", "serve", "--data", str(tmp_path / "data"), "--port", "0"]
        second = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert second.returncode == 1
        assert f"in use by process {served.process.pid}" in second.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as served:
        port = served.url.rpartition(":")[2]
        command = [sys.executable, "-m", "service.cli.main", "serve", "--data", str(tmp_path / "other"), "--port", port]
        second = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert second.returncode == 1
        assert f"port {port}" in second.stderr


def test_after_sigkill_in_mid_game_it_goes_on_where_it_stood(tmp_path: Path) -> None:
    """Nothing acknowledged is lost: head and version are those of the last answer, and the next move is taken."""
    with serving(tmp_path / "data") as served:
        token, game, answer = _a_game_in_progress(served.url)
        others = family(served)
        os.kill(served.process.pid, signal.SIGKILL)
        served.process.wait(timeout=300)
    _, alive = psutil.wait_procs(others, timeout=300)
    assert not alive
    with serving(tmp_path / "data") as again:
        assert again.admin == served.admin
        with Gusher(again.url, token) as ada:
            table = ada.table(game)
            head = table.head()
            assert (head.version, head.head) == (answer.version, answer.head)
            assert table.move({"type": "buy_extra_card"}).version == answer.version + 1


def _a_game_in_progress(url: str) -> tuple[str | None, str, Done]:
    ada = Gusher.sign_up(url, f"ada-{secrets.token_hex(4)}")
    with ada, Gusher.sign_up(url, f"bob-{secrets.token_hex(4)}") as bob:
        table = ada.open_table("oil-and-gas", seats=2)
        table.sit(seat=0)
        bob.table(table.game).sit(seat=1)
        table.start()
        return ada.token, table.game, table.move({"type": "buy_extra_card"})
