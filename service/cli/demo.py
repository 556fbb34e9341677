"""`gusher demo`: every game on offer, from an empty table to an audited log, over HTTP against a service of its own."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from audit import Report, audit_file
from audit.damage import one_digit_changed
from audit.report import EXIT_CODES
from audit.telling import tell_line
from projections.game import Result
from rules.catalogue import Ruleset, rulesets
from service.cli.child import NoService, Served, serving
from service.cli.client import Client, Refused, sign_up
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
    except (Refused, httpx.HTTPError, NoService) as error:
        print(f"the demo failed: {error}", file=sys.stderr)
        return FAILED
    print(f"\n{len(good)} games in {time.monotonic() - began:.0f} s; {sum(good)} with nothing but good logs.")
    return 0 if all(good) else FAILED


def _play_and_audit(served: Served, ruleset: Ruleset, out: Path) -> bool:
    print(f"\n{ruleset.title}: {SEATS} players, each a client of its own with an account, a token and a seed")
    players = [sign_up(served.url, f"{ruleset.name}-{seat}-{secrets.token_hex(3)}") for seat in range(SEATS)]
    game = _play(players, ruleset)
    auditor = Client(served.url, served.admin)
    files = [
        _export(client, game, viewer, out / f"{ruleset.name}-{viewer.replace(':', '-')}.jsonl")
        for client, viewer in ((players[1], "spectator"), (players[0], "seat:0"), (auditor, "auditor"))
    ]
    reports = [audit_file(file) for file in files]
    _tell(game, players[0].get(f"/v1/games/{game}/view", **{"as": "spectator"}), reports, files)
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


def _play(players: list[Client], ruleset: Ruleset) -> str:
    """A game to its end: whoever is awaited asks for the options and sends one of them."""
    host = players[0]
    game: str = host.post("/v1/games", {"ruleset": ruleset.name, "seats": SEATS})["game"]
    for seat, client in enumerate(players):
        client.post(f"/v1/games/{game}/seats", {"seat": seat, "client_seed": secrets.token_hex(16)})
    answer = host.post(f"/v1/games/{game}/start")
    while (awaits := _awaited(answer)) is not None:
        _progress(game, answer["version"])
        client = players[awaits[0]]
        decision, options = client.options(game)
        command = options[secrets.randbelow(len(options))].pick(secrets.randbelow)
        answer = client.post(f"/v1/games/{game}/commands", {**command, "decision_id": decision})
    if sys.stdout.isatty():
        print("\r\033[K", end="")
    return game


def _awaited(answer: dict[str, Any]) -> list[int] | None:
    """The seats that the entry leaves awaited; None where the game has ended with it."""
    last = answer["events"][-1]
    if last["type"] != "awaiting":
        return None
    awaits: list[int] = last["steps"][0]["awaits"]
    return awaits


def _export(client: Client, game: str, viewer: str, file: Path) -> Path:
    file.write_bytes(b"".join(client.export(game, viewer)))
    return file


class _Ended(Struct):
    result: Result | None
    ended_because: str | None


def _tell(game: str, view: dict[str, Any], reports: list[Report], files: list[Path]) -> None:
    counts = reports[-1].counts
    print(f"  game {game}: {counts.entries} entries, {counts.events} events")
    for line in result_lines(msgspec.convert(view, _Ended)):
        print(f"  {line}")
    for report, file in zip(reports, files, strict=True):
        print(f"  audit: {report.verdict:10} {file}")


def _progress(game: str, version: int) -> None:
    """On a terminal one line that moves, elsewhere a line now and then."""
    if sys.stdout.isatty():
        print(f"\r\033[K  {game}  entry {version}", end="", flush=True)
    elif version % PROGRESS_EVERY == 0:
        print(f"  {game}  entry {version}", flush=True)
