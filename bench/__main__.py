"""`make bench`: everything that is measured, in one go, with the targets; writes results.md and results.json here."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from bench import engine, http, peers, streams
from bench.figures import Figure, Target, at_least, at_most, figures_table, ratio, targets_table
from rules.catalogue import rulesets

HERE: Final = Path(__file__).parent
ENGINE_TARGETS: Final = {"oil-and-gas": 20_000, "petroleo": 20_000, "peak-oil": 12_000}


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute instead of ten; nothing is written")
    parser.add_argument("--no-peers", action="store_true", help="leave out boardgame.io and the eventsourcing package")
    arguments = parser.parse_args()
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {text}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="gusher-bench-") as name:
        folder = Path(name)
        rates = _engine(quick=arguments.quick, say=say)
        scales = [http.Scale(64, 4, 2)] if arguments.quick else [http.Scale(256, 12, 2), http.Scale(256, 6, 1)]
        measured = [http.measure(scale, folder / str(scale.workers), say) for scale in scales]
        watched = streams.measure(folder, say, streams.READERS[:2] if arguments.quick else streams.READERS)
        found = [] if arguments.quick or arguments.no_peers else peers.measure(folder, say)
    text = report(rates, measured, watched, found)
    print(text)
    if not arguments.quick:
        (HERE / "results.md").write_text(text)
        (HERE / "results.json").write_bytes(msgspec.json.format(_as_json(rates, measured, watched, found), indent=1))
        say(f"written to {HERE / 'results.md'}")
    return 0


def _engine(*, quick: bool, say: http.Say) -> dict[str, engine.Rates]:
    found = {}
    for name, ruleset in rulesets().items():
        say(f"deciding and folding: {name}")
        found[name] = engine.measure(ruleset, games=2 if quick else 8, rounds=3 if quick else 7)
    return found


def report(
    rates: dict[str, engine.Rates],
    measured: list[http.Measured],
    watched: list[streams.Streams],
    found: list[Figure],
) -> str:
    """The page: what it was made with, targets, ratios, everything measured."""
    lines = ["# Results", "", *_made_with(), "", "## Targets", "", *targets_table(targets(rates, measured, found))]
    for one in measured:
        lines += ["", f"## Over HTTP, {one.workers} worker{'s' * (one.workers > 1)}", ""]
        lines += [*figures_table(ratios(one)), "", *figures_table(list(one.figures.values()))]
    lines += ["", "## Streams", "", *streams.streams_table(watched)]
    lines += ["", "## Deciding and folding, one core", "", *figures_table(_engine_figures(rates))]
    if found:
        lines += ["", "## Peers, on the same machine in the same run", "", *figures_table(found)]
    return "\n".join([*lines, ""])


def ratios(one: http.Measured) -> list[Figure]:
    """The service beside the bare endpoints, round by round."""
    figures = one.figures
    return [
        ratio("moves : bare POST with one INSERT", figures["move"], figures["insert"]),
        ratio("moves : bare POST", figures["move"], figures["post"]),
        *(
            ratio(f"moves of {name} : bare POST with one INSERT", figures[f"move {name}"], figures["insert"])
            for name in rulesets()
        ),
        *(ratio(f"views of {name} : bare GET", figures[f"view {name}"], figures["get"]) for name in rulesets()),
    ]


def targets(rates: dict[str, engine.Rates], measured: list[http.Measured], found: list[Figure]) -> list[Target]:
    """What is wanted of the service, and what this run says of it."""
    main_run = measured[0]
    figures, moves = main_run.figures, main_run.figures["move"]
    beside = {figure.name: figure for figure in found}
    wanted = [
        at_least("moves : bare POST with one INSERT", 1.0, ratios(main_run)[0], "×"),
        at_most("p99 of a move, ms", 60, moves.quantiles[2] * 1000),
        *(
            at_least(f"warm view of {name} : bare GET", 0.6, ratio("", figures[f"view {name}"], figures["get"]), "×")
            for name in rulesets()
        ),
    ]
    for peer, least in peers.TARGETS.items():
        value = moves.middle / beside[peer].middle if peer in beside else None
        met = None if value is None else value >= least
        wanted.append(Target(what=f"moves : {peer}", wanted=f"≥ {least}×", value=value, met=met))
    for name, least in ENGINE_TARGETS.items():
        wanted.append(at_least(f"commands decided, {name}, /s", least, _rate("", rates[name].decided)))
        listed = _rate("", rates[name].decided_with_options)
        wanted.append(at_least(f"decided with options, {name}, /s", least / 2, listed))
    wanted += [
        at_most(f"cold load of {http.LOADED} entries, ms", 10, median(main_run.cold_ms)),
        at_most("memory of an open game, KiB", 30, main_run.hot_bytes / 1024),
        at_most("disk of an entry, KiB", 1, main_run.disk_bytes / 1024),
    ]
    if len(measured) > 1:
        scaling = moves.middle / measured[1].figures["move"].middle
        wanted.append(Target(what="moves, two workers : one", wanted="told", value=scaling, met=None))
    return wanted


def _engine_figures(rates: dict[str, engine.Rates]) -> list[Figure]:
    return [
        _rate(f"{what}, {name}", getattr(rate, field))
        for name, rate in rates.items()
        for what, field in (
            ("commands decided", "decided"),
            ("decided, with options", "decided_with_options"),
            ("events folded", "folded"),
        )
    ]


def _rate(name: str, rates: tuple[float, float, float]) -> Figure:
    return Figure(name=name, rounds=rates)


def _made_with() -> list[str]:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whichever git there is
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    shared = f"{os.cpu_count()} cores shared by service, database, client and whatever else ran"
    system = f"{platform.system()}, Python {platform.python_version()}"
    return [
        f"- commit {commit or 'unknown'}, `make bench`, {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}",
        f"- {_processor()}, {shared} (load at the end of the run: {os.getloadavg()[0]:.1f}); {system}",
        f"- {http.CONNECTIONS} connections; every seat has a connection of its own, so both workers serve every game",
        "- spread: the median round with the least and the most; quantiles over all rounds",
    ]


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _as_json(
    rates: dict[str, engine.Rates],
    measured: list[http.Measured],
    watched: list[streams.Streams],
    found: list[Figure],
) -> bytes:
    told: dict[str, Any] = {
        "made_with": _made_with(),
        "targets": targets(rates, measured, found),
        "engine": rates,
        "http": measured,
        "streams": watched,
        "peers": found,
    }
    return msgspec.json.encode(told)


if __name__ == "__main__":
    sys.exit(main())
