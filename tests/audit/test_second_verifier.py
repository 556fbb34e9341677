"""A verifier in another language, written from the log format alone, names every fault of format as ours does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, get_args, get_origin

import msgspec
import pytest
from msgspec.structs import asdict

from events.words import json_name
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from tests.audit import damage
from tests.audit.corpus import KINDS
from tests.audit.kinds import FILE, LOG, RUNNING, Kind
from tests.audit.logs import Player, finished, running
from tests.audit.second_verifier import FOLDER, Told, node, verify
from tests.toy.book import WILDCAT

OUR_DRAWS = ("--draws", "tests/audit/wildcat-draws.json")
DRAWS: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads((FOLDER / "draws.json").read_text())


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What it says of every planted fault that needs no receipt and no key, in one run."""
    folder = tmp_path_factory.mktemp("corpus")
    alone = [kind for kind in KINDS if not kind.receipts and not kind.keys]
    files = [folder / f"{number}.jsonl" for number, _ in enumerate(alone)]
    for file, kind in zip(files, alone, strict=True):
        file.write_bytes(kind.file)
    run = verify(files, *OUR_DRAWS)
    assert run.exit == 1
    return dict(zip((kind.name for kind in alone), run.reports, strict=True))


def names(report: Told, kind: Kind) -> bool:
    due = {name: value for name, value in asdict(kind.due).items() if value is not None}
    return any(due.items() <= one.items() for one in report.findings)


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_it_names_faults_of_format_and_calls_no_other_file_good(
    kind: Kind, told: dict[str, Told], tmp_path: Path
) -> None:
    report = told[kind.name] if kind.name in told else _with_what_is_brought(kind, tmp_path)
    if kind.of == "format":
        assert (report.verdict, report.exit) == ("broken", 1)
        assert names(report, kind), report.findings
    else:
        assert report.verdict in {"broken", "incomplete"}
        assert {7, 8} <= {one["check"] for one in report.unchecked}


def _with_what_is_brought(kind: Kind, folder: Path) -> Told:
    file, receipt = folder / "game.jsonl", folder / "receipt"
    file.write_bytes(kind.file)
    options = [f"--key={key}" for key in kind.keys]
    for text in kind.receipts:
        receipt.write_text(text)
        options.append(f"--receipt={receipt}")
    (report,) = verify([file], *OUR_DRAWS, *options).reports
    return report


@pytest.mark.parametrize("viewer", ["spectator", "seat:0", "seat:2", "auditor"])
def test_an_untouched_log_lacks_nothing_but_the_rules(viewer: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(LOG.export(viewer))
    (whole,) = verify([file], *OUR_DRAWS).reports
    assert (whole.verdict, whole.exit, whole.findings) == ("incomplete", 2, [])
    assert [one["check"] for one in whole.unchecked] == [5, 7, 8]
    run = verify([file], *OUR_DRAWS, "--format-only")
    assert (run.exit, run.reports[0].verdict, run.reports[0].unchecked) == (0, "good", [])


def test_a_running_game_is_incomplete_even_as_to_its_format(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    for viewer in ("spectator", "seat:1", "auditor"):
        file.write_bytes(RUNNING.export(viewer))
        (report,) = verify([file], "--format-only").reports
        assert (report.verdict, report.findings) == ("incomplete", [])
        assert "seed_unknown" in {one["code"] for one in report.unchecked}


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=list(rulesets()))
def test_whole_games_of_every_ruleset_are_good_as_to_their_format(ruleset: Ruleset, tmp_path: Path) -> None:
    seats = ruleset.least_seats
    for number in range(3):
        log = Player(ruleset, number, seats).open_table().play(2000).log()
        (tmp_path / f"{number}.jsonl").write_bytes(log.export("auditor"))
    run = verify(sorted(tmp_path.iterdir()), "--format-only")
    assert [report.findings for report in run.reports] == [[], [], []]
    assert {report.verdict for report in run.reports} <= {"good", "incomplete"}


def test_golden_logs_are_good_as_to_their_format() -> None:
    files = sorted(Path("tests/golden/logs").rglob("*.jsonl"))
    run = verify(files, "--format-only")
    assert len(files) >= 3 * len(rulesets())
    assert {report.file: report.findings for report in run.reports if report.exit} == {}
    assert run.exit == 0


def _drawing(ruleset: Ruleset) -> dict[str, set[str]]:
    """The events of a ruleset that draw chance, with the names of their fields."""
    shapes = (get_origin(shape) or shape for shape in get_args(ruleset.projection.events))
    fields = {shape.__struct_config__.tag: {json_name(name) for name in shape.__struct_fields__} for shape in shapes}
    return {name: some for name, some in fields.items() if "rng" in some}


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=list(rulesets()))
def test_every_event_that_draws_is_listed_with_what_it_needs(ruleset: Ruleset) -> None:
    drawing = _drawing(ruleset)
    assert set(DRAWS[ruleset.name]) == set(drawing), "docs/verifier/draws.json"
    for name, how in DRAWS[ruleset.name].items():
        assert "needs" in how or how["outcome"] in drawing[name]


def test_any_changed_byte_is_noticed(tmp_path: Path) -> None:
    dice = Random(7)
    good = [FILE, RUNNING.export("seat:1"), running(next(iter(rulesets().values())), 1, 3, 9).export("auditor")]
    for number in range(240):
        file = good[number % len(good)]
        at, byte = dice.randrange(len(file)), dice.randrange(256)
        changed = file[:at] + bytes([byte]) + file[at + (number % 5 != 0) :]
        (tmp_path / f"{number:03}.jsonl").write_bytes(changed if changed != file else file[:at])
    reports = verify(sorted(tmp_path.iterdir())).reports
    assert len(reports) == 240
    assert {report.exit for report in reports} == {1, 64}


HEADER = damage.lines_of(FILE)[0]


@pytest.mark.parametrize(
    ("file", "verdict"),
    [
        (b"", "unusable"),
        (b"\n", "unusable"),
        (b"null\n", "unusable"),
        (b"\xef\xbb\xbf" + FILE, "unusable"),
        (b"[" * 100_000, "unusable"),
        (HEADER.replace(b"spectator", b"seat:100"), "unusable"),
        (HEADER, "broken"),
        (HEADER + b"{}\n" * 500, "broken"),
        (HEADER + b"[" * 50_000 + b"]" * 50_000 + b"\n", "broken"),
        (HEADER + b'{"kind":"constructor","seq":1}\n', "broken"),
        (HEADER + b'{"kind":' + b"[" * 5000, "broken"),
        (FILE.replace(b'"seats":3', b'"seats":0'), "broken"),
        (FILE.replace(b'"ruleset":"wildcat"', b'"ruleset":"constructor"'), "broken"),
    ],
    ids=range(13),
)
def test_no_file_makes_it_fail(file: bytes, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(file)
    (report,) = verify([tmp_path / "game.jsonl"]).reports
    assert report.verdict == verdict


def test_it_says_it_for_people_and_refuses_wrong_usage(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(damage.edited(FILE, 7, damage.envelope(at=1)))
    done = node(str(FOLDER / "verify.mjs"), str(file))
    assert done.returncode == 1
    said = done.stdout.decode().splitlines()
    assert said[:2] == [f"BROKEN {file}", "Differences"]
    assert "  [entry_changed] entry 7: the hash of entry 7 is not the `prev` of entry 8" in said
    assert node(str(FOLDER / "verify.mjs")).returncode == 64
    assert node(str(FOLDER / "verify.mjs"), "--no-such-option", str(file)).returncode == 64
    assert node(str(FOLDER / "verify.mjs"), str(tmp_path / "none.jsonl")).returncode == 64


VECTORS = msgspec.json.decode(Path("tests/vectors/log-format.json").read_bytes())


def test_it_reproduces_the_vectors() -> None:
    done = node(str(FOLDER / "vectors.mjs"), "tests/vectors/log-format.json")
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    draws = len(VECTORS["chance"]["draws"])
    assert f"{draws} draws" in done.stdout.decode()


def test_a_player_may_give_no_seed_and_leave_before_the_start(tmp_path: Path) -> None:
    from events.table import LeaveSeat, StartGame, TakeSeat

    player = Player(WILDCAT, 5, 2)
    player.create()
    player.send(TakeSeat(0, "aa"), "seat:0")
    player.send(TakeSeat(1, "bb"), "seat:1")
    player.send(LeaveSeat(0), "seat:0")
    player.send(TakeSeat(0), "seat:0")
    player.send(StartGame(), "host")
    (tmp_path / "game.jsonl").write_bytes(player.play().log().export())
    run = verify([tmp_path / "game.jsonl"], *OUR_DRAWS, "--format-only")
    assert (run.exit, run.reports[0].findings) == (0, [])
    assert finished(WILDCAT, 5, 2).game == player.game_id
