"""`make bench`: everything that is measured, in one go, with what is wanted; writes results.md, results.json, plots."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from bench import audit, engine, growth, http, made, plots, streams, weight, workers
from bench.figures import Measure, Run, Section
from bench.page import Clock, page

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"

PARTS: Final[Mapping[str, Measure]] = {
    "http": http.measure,
    "workers": workers.measure,
    "weight": weight.measure,
    "engine": engine.measure,
    "audit": audit.measure,
    "streams": streams.measure,
}


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two minutes instead of fifteen; nothing is written")
    parser.add_argument(
        "--before", default="HEAD", help="the commit whose results stand beside (default: the last one)"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone; nothing is written")
    arguments = parser.parse_args()
    say = Clock()
    run = _run(arguments.only or list(PARTS), say, quick=arguments.quick)
    before = _committed(arguments.before)
    if arguments.quick or arguments.only:
        print(page(run, before, {}))
        return 0
    text = page(run, before, plots.draw(run, before, HERE / "plots"))
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1))
    (HERE / "results.md").write_text(text)
    print(text)
    say(f"written to {HERE / 'results.md'}")
    return 0


def _run(parts: list[str], say: Clock, *, quick: bool) -> Run:
    commit = made.commit()
    sections: list[Section] = []
    with tempfile.TemporaryDirectory(prefix="gusher-bench-") as name:
        for part in parts:
            folder = Path(name) / part
            folder.mkdir()
            sections.append(PARTS[part](quick=quick, folder=folder, say=say))
    if growth.KEPT.exists():
        sections.append(msgspec.json.decode(growth.KEPT.read_bytes(), type=Section))
    command = " ".join(["python -m bench", *sys.argv[1:]])
    return Run(commit=commit, command=command, at=made.now(), machine=made.machine(), sections=sections)


def _committed(revision: str) -> Run | None:
    """What a commit says, whatever was measured since."""
    text = made.git("show", f"{revision}:bench/results.json")
    return msgspec.json.decode(text, type=Run) if text else None


if __name__ == "__main__":
    sys.exit(main())
