"""`gusher play`, `audit`, `replay`: a game from nothing to a verdict, without a server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.catalogue import rulesets
from service.cli.main import main


@pytest.fixture(scope="module", params=sorted(rulesets()))
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("play") / "game.jsonl"
    assert main(["play", request.param, "--seats", "3", "--level", "random", "--out", str(out)]) == 0
    return out


def test_a_played_game_is_good(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(log)]) == 0
    assert "GOOD" in capsys.readouterr().out


def test_a_changed_character_is_named(log: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    entry_7 = next(line for line in lines if b'"seq":7,' in line)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join(lines).replace(entry_7, entry_7.replace(b'"actor":"', b'"actor":"x', 1)))
    assert main(["audit", str(damaged)]) == 1
    assert b"entry 7" in capsysbinary.readouterr().out


@pytest.mark.parametrize("viewer", ["spectator", "seat:1", "auditor"])
def test_a_game_is_told_to_its_end(log: Path, viewer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log), "--as", viewer]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith(f"told to {viewer}")
    abouts = {ruleset.edition(ruleset.default_edition).edition.about for ruleset in rulesets().values()}
    assert told[1].partition(": ")[2] in abouts
    story = [line for line in told if not line.startswith("       | ")]
    assert "The game is over" in story[-1]
    if "Peak Oil" in told[0]:
        assert any(line.startswith("       | finished") for line in told)


@pytest.mark.parametrize(
    ("truth", "forgery", "code"),
    [
        (b'"edition":', b'"edition":"gold","_":', 64),
        (b'"type":"take_seat"', b'"type":"\\u001b[2J"', 0),
        (b'"seat":1,"type":"seat_taken"', b'"seat":"\\u009b2J","type":"seat_taken"', 0),
        (b'"type":"seat_taken"', b'"type":[]', 64),
    ],
)
def test_a_forged_file_neither_breaks_the_story_off_nor_drives_the_terminal(
    *, log: Path, tmp_path: Path, truth: bytes, forgery: bytes, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = tmp_path / "forged.jsonl"
    told = log.read_bytes()
    assert truth in told
    forged.write_bytes(told.replace(truth, forgery, 1))
    assert main(["replay", str(forged)]) == code
    said = capsys.readouterr()
    assert all(letter.isprintable() for line in [*said.out.split("\n"), *said.err.split("\n")] for letter in line)


@pytest.mark.parametrize(("name", "other"), [("ruleset", "chess"), ("edition", "my-own")])
def test_a_game_without_words_is_named(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, other: str
) -> None:
    strange, member = tmp_path / "strange.jsonl", name.encode()
    said = b'"%b":"%b"' % (member, other.encode())
    strange.write_bytes(re.sub(rb'"%b":"[^"]*"' % member, said, log.read_bytes(), count=1))
    assert main(["replay", str(strange)]) == 64
    assert capsys.readouterr().err.startswith(f"cannot tell {strange}: ")


def test_what_cannot_be_used_exits_with_64(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = tmp_path / "nothing.jsonl"
    assert main(["audit", str(nothing)]) == 64
    assert main(["replay", str(nothing)]) == 64
    assert main(["play", "oil-and-gas", "--seats", "99"]) == 64
    assert "OG-01 refuses this: seats out of range, least 2, most 6\n" in capsys.readouterr().err
    assert main(["play", "oil-and-gas", "--seats", "2", "--option", "victory=never"]) == 64
    with pytest.raises(SystemExit) as refused:
        main(["dance"])
    assert refused.value.code == 64
