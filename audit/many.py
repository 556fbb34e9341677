"""Many exports at once: files and folders, on as many processes as there are cores."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from audit.notes import read_head
from audit.progress import Heard
from audit.reading import header_of
from audit.report import Report, Unusable, Verdict
from audit.ways_in import audit_file

WORTH_PROCESSES: Final = 2 * 1024 * 1024
"""Below so many bytes one process has finished before others have started."""

MOST_AT_ONCE: Final = 16
"""So many files are handed to a process in one go, that the handing over costs little of small ones."""

SELDOM: Final = 100_000

_FROM_WORST: Final[tuple[Verdict, ...]] = ("broken", "unusable", "incomplete", "good")


class Means(Struct, frozen=True):
    """What an auditor brings along: edition files, trusted keys, files with receipts.

    `every`: moves are decided again after a difference too.
    """

    editions: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()
    every: bool = False


def files_in(places: Sequence[str]) -> list[str]:
    """The files, and the `.jsonl` files of the folders, in order; a folder without any stands for itself."""
    found: list[str] = []
    for place in places:
        inside = sorted(str(file) for file in Path(place).rglob("*.jsonl")) if Path(place).is_dir() else []
        found += inside or [place]
    return found


def audit_files(files: Sequence[str], means: Means, heard: Heard) -> Iterator[Report]:
    """The reports in the order of the files. A receipt is held against the files of its own game only."""
    audit_one = partial(_audit, means=means, games=[_game_of_receipt(receipt) for receipt in means.receipts])
    if sum(_size(file) for file in files) < WORTH_PROCESSES:
        yield from _heard(map(audit_one, files), len(files), heard)
        return
    with ProcessPoolExecutor(cores(), initializer=_look_seldom) as pool:
        at_once = max(1, min(MOST_AT_ONCE, len(files) // (8 * cores())))
        yield from _heard(pool.map(audit_one, files, chunksize=at_once), len(files), heard)


def _look_seldom() -> None:
    """Look for cycles seldom: an audit makes none, and the entries that it keeps are walked through in vain."""
    gc.freeze()
    gc.set_threshold(SELDOM, 50, 100)


@contextmanager
def looking_seldom() -> Iterator[None]:
    """The same for a while."""
    before = gc.get_threshold()
    _look_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worst(reports: Sequence[Report]) -> Report:
    """The report whose exit code speaks for all."""
    return min(reports, key=lambda report: _FROM_WORST.index(report.verdict))


def stray_receipts(means: Means, reports: Sequence[Report]) -> list[str]:
    """The receipts that are for none of these games: nothing was held against them."""
    games = {report.facts.game for report in reports}
    return [name for name in means.receipts if _game_of_receipt(name) not in {None, *games}]


def _audit(file: str, means: Means, games: Sequence[str | None]) -> Report:
    game = _game_of(file)
    receipts = [name for name, its in zip(means.receipts, games, strict=True) if its in {None, game}]
    return audit_file(file, editions=means.editions, keys=means.keys, receipts=receipts, every=means.every)


def _heard(reports: Iterator[Report], number: int, heard: Heard) -> Iterator[Report]:
    for done, report in enumerate(reports, 1):
        heard(f"{done} of {number} files", done, number)
        yield report


def _game_of_receipt(receipt: str) -> str | None:
    try:
        head = read_head(Path(receipt).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return head.game if head else None


def _game_of(file: str) -> str | None:
    try:
        with Path(file).open("rb") as lines:
            return header_of(lines.readline()).game
    except (OSError, Unusable):
        return None


def _size(file: str) -> int:
    try:
        return Path(file).stat().st_size
    except OSError:
        return 0
