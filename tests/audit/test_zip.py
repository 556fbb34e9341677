"""The single file for auditors runs on Python alone: no site-packages, no environment, a cache it does not trust."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from rules.catalogue import rulesets
from tests.audit import damage
from tests.audit.logs import STRANGER, finished, running

pytestmark = pytest.mark.slow

RULESET = next(iter(rulesets().values()))
LOG = finished(RULESET, 1, RULESET.least_seats)


class Said(Struct, frozen=True):
    code: int
    out: str
    err: str


class Auditor(Struct, frozen=True):
    """Somebody with the file, a home and nothing else."""

    program: Path
    home: Path

    def run(self, *arguments: object) -> Said:
        return self.python(self.program, *arguments)

    def python(self, *arguments: object) -> Said:
        """Python without site-packages (`-S`) and without its own environment variables (`-I`)."""
        command = [sys.executable, "-I", "-S", *map(str, arguments)]
        places = {"HOME": str(self.home), "LOCALAPPDATA": str(self.home), "PATH": os.environ["PATH"]}
        done = subprocess.run(command, capture_output=True, env=places, cwd=self.home, check=False, timeout=300)
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    @property
    def unpacked(self) -> list[Path]:
        return [file for file in self.home.rglob("*") if file.is_file() and "gusher-audit" in str(file)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("zip") / "gusher-audit.pyz"
    build = ["deploy/audit_zip/build.py", "--here", "--out", str(file)]
    subprocess.run([sys.executable, *build], check=True, timeout=300, capture_output=True)
    return file


@pytest.fixture
def auditor(program: Path, tmp_path: Path) -> Auditor:
    (tmp_path / "home").mkdir()
    return Auditor(program, tmp_path / "home")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good.jsonl"
    file.write_bytes(LOG.export())
    return file


def test_it_audits_without_any_of_the_services_dependencies(auditor: Auditor, good: Path) -> None:
    for module in ("msgspec", "nacl"):
        assert auditor.python("-c", f"import {module}").code == 1
    said = auditor.run(good)
    assert (said.code, said.err) == (0, "")
    assert "GOOD. Everything was checked and nothing is wrong." in said.out
    assert f"signed by {LOG.header('spectator').vkeys[0].split('+')[0]}" in said.out


def test_it_names_what_is_broken_and_what_is_forged(auditor: Auditor, tmp_path: Path) -> None:
    broken, forged = tmp_path / "broken.jsonl", tmp_path / "forged.jsonl"
    broken.write_bytes(damage.edited(LOG.export(), 3, damage.envelope(at=1)))
    forged.write_bytes(damage.with_note(LOG, LOG.note(STRANGER)))
    for file, code in ((broken, "entry_changed"), (forged, "note_forged")):
        said = auditor.run(file, "--json")
        report = msgspec.json.decode(said.out)
        assert (said.code, said.err, report["verdict"]) == (1, "", "broken")
        assert code in {one["code"] for one in report["findings"]}


def test_every_ruleset_is_in_it_with_its_editions(auditor: Auditor, tmp_path: Path) -> None:
    for name, ruleset in rulesets().items():
        (tmp_path / f"{name}.jsonl").write_bytes(running(ruleset, 1, ruleset.least_seats, 2).export("auditor"))
    said = auditor.run(*sorted(tmp_path.glob("*.jsonl")), "--json")
    assert (said.code, said.err) == (2, "")
    reports = [msgspec.json.decode(line) for line in said.out.splitlines()]
    assert [report["facts"]["ruleset"] for report in reports] == sorted(rulesets())
    assert all(report["counts"]["decided"] > 0 and not report["findings"] for report in reports)


def test_a_cache_that_somebody_changed_is_made_anew(auditor: Auditor, good: Path) -> None:
    assert auditor.run(good).code == 0
    module = next(file for file in auditor.unpacked if file.name == "__init__.py")
    before = module.read_bytes()
    module.write_text("raise SystemExit(0)")
    stranger = module.with_name("stranger.py")
    stranger.write_text("")
    said = auditor.run(good)
    assert said.code == 0
    assert "GOOD" in said.out
    assert module.read_bytes() == before
    assert not stranger.exists()


def test_no_cache_is_needed(auditor: Auditor, good: Path) -> None:
    (auditor.home / ".cache").write_text("a file where a folder should be")
    (auditor.home / "Library").write_text("")
    said = auditor.run(good)
    assert (said.code, said.err) == (0, "")
    assert "GOOD" in said.out


def test_the_same_source_makes_the_same_bytes(program: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pyz"
    build = ["deploy/audit_zip/build.py", "--here", "--out", str(again)]
    subprocess.run([sys.executable, *build], check=True, timeout=300, capture_output=True)
    assert again.read_bytes() == program.read_bytes()


def test_the_service_is_not_in_it(program: Path) -> None:
    with zipfile.ZipFile(program) as archive:
        folders = {name.partition("/")[0] for name in archive.namelist()}
    assert folders == {"__main__.py", "LICENSE", "audit", "events", "projections", "rules", "wheels"}


def test_a_python_it_carries_nothing_for_is_told_what_to_do(program: Path, auditor: Auditor, good: Path) -> None:
    bare = auditor.home / "bare.pyz"
    with zipfile.ZipFile(program) as full, zipfile.ZipFile(bare, "w") as archive:
        for name in full.namelist():
            if not name.startswith("wheels/"):
                archive.writestr(name, full.read(name))
    said = auditor.python(bare, good)
    assert said.code == 64
    assert "pip install msgspec" in said.err
