"""`gusher keys`, `feed` and `erase`: what an operator does beside a service that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gusher_client import Gusher
from service.cli.child import serving
from service.cli.main import main
from service.keys import FILE, KeyFile


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "GUSHER_DATA", "GUSHER_HEAD_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_who_looks_for_keys_in_another_folder_makes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rotate in ([], ["--rotate"]):
        assert main(["keys", "--data", str(tmp_path), *rotate]) == 1
        assert f"no keys are in {tmp_path}" in capsys.readouterr().err
    assert not (tmp_path / FILE).exists()


def test_keys_are_listed_newest_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    KeyFile(tmp_path).read()
    assert main(["keys", "--data", str(tmp_path), "--rotate"]) == 0
    new, old = capsys.readouterr().out.splitlines()
    assert old.startswith("from the beginning")
    assert new.startswith("2")
    assert len({line.split("+")[1] for line in (new, old)}) == 2


def test_keys_that_are_set_are_those_that_sign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    KeyFile(tmp_path).read()
    monkeypatch.setenv("GUSHER_HEAD_KEY", "ab" * 32)
    assert main(["keys", "--data", str(tmp_path)]) == 0
    first = capsys.readouterr().out
    assert main(["keys", "--data", str(tmp_path / "elsewhere")]) == 0
    assert capsys.readouterr().out == first
    assert main(["keys", "--data", str(tmp_path), "--rotate"]) == 1
    assert "GUSHER_HEAD_KEY" in capsys.readouterr().err


def test_without_a_database_it_is_said_which_was_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["feed"], ["erase", "01a22bf5-7a4b-702a-be43-f56716fc4c73"]):
        assert main([*command, "--data", str(tmp_path)]) == 1
        said = capsys.readouterr().err
        assert "DATABASE_URL" in said
        assert str(tmp_path) in said


@pytest.mark.parametrize("folder", ["data", "a-folder-whose-name-is-too-long-for-the-path-of-a-socket" * 2])
def test_the_database_of_a_service_that_runs_here_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    data = str(tmp_path / folder)
    with serving(Path(data)) as served, Gusher.sign_up(served.url, "ada") as ada:
        table = ada.open_table("oil-and-gas", seats=2)
        table.sit()
        table.add_bot("random")
        table.start()
        filed = table.dispute("wrong", first=1, last=1, statement="in my own words")
        assert main(["erase", table.game, "--data", data]) == 0
        assert f"erased in entries {filed.version}\n" in capsys.readouterr().out
        assert b"in my own words" not in table.export()
        assert main(["feed", "--data", data]) == 0
        assert "waiting for the sequencer" in capsys.readouterr().out
