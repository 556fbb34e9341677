"""How many events per second an audit takes, all eight checks, of a folder of whole games: by our program as it is
installed, and by the single file that auditors get.

Both are run as an auditor runs them, their start included. `core` is told per second of processor time, all processes
taken together, which others on the machine change little; `clock` by the clock on the wall, on all cores.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Final

from msgspec.structs import replace

from audit import audit_lines
from audit.many import cores
from bench.figures import Figure, Say, Section
from bench.page import show
from events import chain, export
from events.sealing import Written, write
from rules.catalogue import rulesets
from rules.playout import Deal, playout
from rules.ruleset import Ruleset

ROUNDS: Final = 3
GAMES: Final = 8
BYTES: Final = 32_000_000
"""So large is a folder: starting the processes does not count for much."""

SEED: Final = "5e" * 32
SIGNER: Final = chain.HeadSigner("bench.example/gusher/head", bytes(32))
ROOT: Final = Path(__file__).parents[1]


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Every ruleset, both programs."""
    size, rounds = (BYTES // 8, 1) if quick else (BYTES, ROUNDS)
    programs = {"gusher audit": [sys.executable, "-m", "audit"], "gusher-audit.pyz": [sys.executable, _zip(folder)]}
    figures: list[Figure] = []
    notes: list[str] = []
    for ruleset in rulesets().values():
        say(f"audit: {ruleset.name}")
        games = folder / ruleset.name
        games.mkdir()
        events, told = _fill(games, ruleset, size)
        notes.append(f"{ruleset.name}: {told}")
        for name, command in programs.items():
            figures += _figures(f"{name}, {ruleset.name}", [*command, str(games)], events, rounds)
    notes.append("the start of the program is in it: a quarter of a second of a core")
    notes.append(f"core: per second of one core; clock: on {cores()} cores, by the clock on the wall")
    return Section(title="Audit, all eight checks", figures=figures, notes=notes)


def _figures(name: str, command: Sequence[str], events: int, rounds: int) -> list[Figure]:
    taken = [_taken(command) for _ in range(rounds)]
    return [
        Figure(name=f"{name}, core", rounds=tuple(events / used for used, _ in taken), unit=" events/s"),
        Figure(name=f"{name}, clock", rounds=tuple(events / passed for _, passed in taken), unit=" events/s"),
    ]


def _taken(command: Sequence[str]) -> tuple[float, float]:
    """Seconds of a core and seconds of a clock that a program takes which finds nothing wrong."""
    before, began = _used(), time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return _used() - before, time.perf_counter() - began


def _used() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _zip(folder: Path) -> str:
    file = folder / "gusher-audit.pyz"
    build = [sys.executable, str(ROOT / "deploy" / "audit_zip" / "build.py"), "--here", "--out", str(file)]
    subprocess.run(build, check=True, capture_output=True)
    return str(file)


def _fill(folder: Path, ruleset: Ruleset, size: int) -> tuple[int, str]:
    """Write games played at random, again and again up to this size; their events, and what is there in words."""
    logs = [_exported(ruleset, number) for number in range(GAMES)]
    counts = [audit_lines([log]).counts for log in logs]
    copies = -(-size // sum(map(len, logs)))
    for copy in range(copies):
        for number, log in enumerate(logs):
            (folder / f"{copy}-{number}.jsonl").write_bytes(log)
    entries, events = (copies * sum(getattr(one, name) for one in counts) for name in ("entries", "events"))
    megabytes = copies * sum(map(len, logs)) / 1e6
    return events, f"{copies * GAMES} games, {entries:,} entries, {events:,} events, {megabytes:.0f} MB"


def _exported(ruleset: Ruleset, number: int) -> bytes:
    dice = random.Random(number)
    game = f"00000000-0000-7000-8000-{number:012x}"
    moves = playout(
        ruleset,
        Deal(game=game, seats=max(3, ruleset.least_seats), server_seed=SEED),
        lambda _game, _seat, options: options[dice.randrange(len(options))].pick(dice.randrange),
        lambda: f"00000000-0000-7000-8000-{dice.getrandbits(48):012x}",
        dice.choice,
    )
    rows: list[Written] = []
    first = next(moves)
    created = first.entry.events[0]
    for move in (first, *moves):
        prev = rows[-1].hash if rows else chain.GENESIS
        rows.append(write(move.entry, prev, lambda: dice.randbytes(16), move.shown))
    header = export.Header(game=game, vkeys=[SIGNER.vkey], viewer=export.SPECTATOR)
    named = {name: getattr(created, name) for name in ("ruleset", "edition", "options")}
    note = SIGNER.sign(game, len(rows), rows[-1].hash)
    stored = ((row.body, row.sealed) for row in rows)
    return b"".join(export.export_lines(replace(header, **named), stored, note, ended=True))


if __name__ == "__main__":
    show(measure)
