"""`gusher gate FILES…`: the present code plays the games of a corpus again, and tells where they would differ."""

from __future__ import annotations

import argparse
import sys

from audit.gate import gate, tell_gate
from audit.many import files_in


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    command = subparsers.add_parser(
        "gate",
        help="play a corpus of old games again with the present code and list every difference",
        description="Audits each export (folders: every .jsonl in them) and goes on after a difference, from what the "
        "log says, so that every entry that would be decided otherwise today is listed. Exit code: 0 all the same, "
        "1 a game differs, 2 something could not be decided again, 64 a file is no export.",
    )
    command.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="exports of games")
    command.add_argument("--edition", action="append", default=[], metavar="FILE", help="an edition of your own")
    command.add_argument("--json", action="store_true", help="one report a line, as JSON")
    command.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print what differs; the exit code."""
    reports = gate(files_in(chosen.files), chosen.edition)
    if chosen.json:
        sys.stdout.buffer.writelines(report.to_json_line() for report in reports)
    else:
        sys.stdout.write(tell_gate(reports))
    return max(reports, key=lambda report: (report.exit == 1, report.exit)).exit
