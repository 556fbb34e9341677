"""`gusher demo`: every game on offer, from an empty table to an audited log, over HTTP against a service of its own."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from pathlib import Path

from audit import Report, audit_file
from audit.damage import one_digit_changed
from audit.report import EXIT_CODES
from audit.telling import tell_line
from gusher_client import Gusher, GusherError, Header, Table
from rules.catalogue import rulesets
from rules.ruleset import Ruleset
from service.cli.child import NoService, Served, serving
from service.cli.outcome import result_lines

SEATS = 3
FAILED = 1
PROGRESS_EVERY = 100


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "demo", help="play every game over HTTP against a service of its own, audit the logs"
    )
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for data and logs (default: ./demo)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and audit; 0 if every log is good."""
    out: Path = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    try:
        with serving(out / "data") as served:
            print(f"The service runs at {served.url}, with a Postgres and a Valkey of its own.")
            good = [_play_and_audit(served, ruleset, out) for ruleset in rulesets().values()]
    except (GusherError, NoService) as error:
        print(f"the demo failed: {error}", file=sys.stderr)
        return FAILED
    print(f"\n{len(good)} games in {time.monotonic() - began:.0f} s; {sum(good)} with nothing but good logs.")
    return 0 if all(good) else FAILED


def _play_and_audit(served: Served, ruleset: Ruleset, out: Path) -> bool:
    print(f"\n{ruleset.title}: {SEATS} players, each a client of its own with an account, a token and a seed")
    players = [Gusher.sign_up(served.url, f"{ruleset.name}-{seat}-{secrets.token_hex(3)}") for seat in range(SEATS)]
    game = _play(players, ruleset)
    auditor = Gusher(served.url, served.admin)
    files = [
        _export(client.table(game), viewer, out / f"{ruleset.name}-{viewer.replace(':', '-')}.jsonl")
        for client, viewer in ((players[1], "spectator"), (players[0], "seat:0"), (auditor, "auditor"))
    ]
    reports = [audit_file(file) for file in files]
    _tell(players[0].table(game).header(), reports, files)
    for client in (*players, auditor):
        client.close()
    return all(report.exit == 0 for report in reports) and _damage_is_found(files[-1])


def _damage_is_found(file: Path) -> bool:
    """Whether the audit says of a copy with one digit changed that it is broken; what it says is printed."""
    damaged = file.with_name(f"{file.stem}-damaged.jsonl")
    damaged.write_bytes(one_digit_changed(file.read_bytes()))
    report = audit_file(damaged)
    print("  and with one digit changed in one event of a copy:")
    print(f"  audit: {tell_line(report)}", end="")
    return report.exit == EXIT_CODES["broken"]


def _play(players: list[Gusher], ruleset: Ruleset) -> str:
    """A game to its end: whoever is awaited asks for the options and sends one of them."""
    table = players[0].open_table(ruleset.name, SEATS)
    places = [client.table(table.game) for client in players]
    for seat, place in enumerate(places):
        place.sit(seat=seat, client_seed=secrets.token_hex(16))
    done = table.start()
    while done.awaits:
        _progress(done.game, done.version)
        place = places[done.awaits[0]]
        done = place.move(place.options().pick(secrets.randbelow))
    if sys.stdout.isatty():
        print("\r\033[K", end="")
    return table.game


def _export(table: Table, viewer: str, file: Path) -> Path:
    file.write_bytes(table.export(viewer=viewer))
    return file


def _tell(game: Header, reports: list[Report], files: list[Path]) -> None:
    counts = reports[-1].counts
    print(f"  game {game.game}: {counts.entries} entries, {counts.events} events")
    for line in result_lines(game):
        print(f"  {line}")
    for report, file in zip(reports, files, strict=True):
        print(f"  audit: {report.verdict:10} {file}")


def _progress(game: str, version: int) -> None:
    """On a terminal one line that moves, elsewhere a line now and then."""
    if sys.stdout.isatty():
        print(f"\r\033[K  {game}  entry {version}", end="", flush=True)
    elif version % PROGRESS_EVERY == 0:
        print(f"  {game}  entry {version}", flush=True)
