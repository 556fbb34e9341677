"""How many events per second an audit takes, all eight checks: one log after the other, and many logs on all cores.

One after the other is told per second of processor time, which others on the machine do not change; all cores by the
clock on the wall. `python -m bench.audit` measures every ruleset.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from audit import audit_lines
from audit.many import WORTH_PROCESSES, Means, audit_files
from audit.progress import unheard
from bench.figures import Figure, Say, Section
from bench.page import show
from events import chain, export
from events.entry import Written, write
from rules.catalogue import rulesets
from rules.playout import Deal, playout
from rules.ruleset import Ruleset

ROUNDS = 5
GAMES = 8
SEED = "5e" * 32
SIGNER = chain.HeadSigner("bench.example/gusher/head", bytes(32))


class AuditRates(Struct, frozen=True):
    """Medians over the rounds with the least and the most seen, in events per second; what was audited."""

    one_by_one: tuple[float, float, float]
    on_all_cores: tuple[float, float, float]
    logs: int
    entries: int
    events: int
    megabytes: float


def rates(ruleset: Ruleset, rounds: int = ROUNDS) -> AuditRates:
    """Play games at random, export them, and audit the exports, several rounds."""
    logs = [_exported(ruleset, number) for number in range(GAMES)]
    reports = [audit_lines([log]) for log in logs]
    assert all(report.verdict == "good" for report in reports), [report.first for report in reports]
    entries, events = (sum(getattr(one.counts, name) for one in reports) for name in ("entries", "events"))

    def one_by_one() -> None:
        for log in logs:
            audit_lines([log])

    with tempfile.TemporaryDirectory() as folder:
        # Many files, so that starting the processes does not count for much.
        copies = max(3, 4 * WORTH_PROCESSES // sum(map(len, logs)))
        files = list(_written(Path(folder), logs, copies))

        def on_all_cores() -> None:
            for report in audit_files(files, Means(), unheard):
                assert report.exit == 0

        one = _rate(one_by_one, events, rounds, time.process_time)
        every = _rate(on_all_cores, events * copies, rounds, time.perf_counter)
    return AuditRates(one, every, GAMES, entries, events, sum(map(len, logs)) / 1e6)


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


def _written(folder: Path, logs: list[bytes], copies: int) -> Iterator[str]:
    for copy in range(copies):
        for number, log in enumerate(logs):
            file = folder / f"{copy}-{number}.jsonl"
            file.write_bytes(log)
            yield str(file)


def _rate(work: Callable[[], None], count: int, rounds: int, clock: Callable[[], float]) -> tuple[float, float, float]:
    found = []
    for _ in range(rounds):
        began = clock()
        work()
        found.append(count / (clock() - began))
    return median(found), min(found), max(found)


def measure(*, quick: bool, folder: Path, say: Say) -> Section:
    """Every ruleset."""
    del folder
    figures, notes = [], []
    for ruleset in rulesets().values():
        say(f"audit: {ruleset.name}")
        found = rates(ruleset, 1 if quick else ROUNDS)
        for name, rounds in (("one by one, per second of a core", found.one_by_one), ("all cores", found.on_all_cores)):
            figures.append(Figure(name=f"{ruleset.name}, {name}", rounds=rounds, unit=" events/s"))
        size = f"{found.entries:,} entries, {found.events:,} events, {found.megabytes:.1f} MB"
        notes.append(f"{ruleset.name}: {found.logs} logs, {size}")
    return Section(title="Audit, all eight checks", figures=figures, notes=notes)


if __name__ == "__main__":
    show(measure)
