"""`gusher audit FILE`, also `python -m audit FILE`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from audit.report import EXIT_CODES
from audit.telling import tell
from audit.ways_in import audit_file

_ABOUT = "Check an exported game: chain, form, disclosures, signature, fold, chance, every move, result."
_EXITS = "Exit code: 0 good, 1 broken, 2 incomplete (nothing wrong, something uncheckable), 64 unusable input."


class _Parser(ArgumentParser):
    """Wrong usage is unusable input; 2 would say that a log could not be checked in full."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(EXIT_CODES["unusable"], f"{self.prog}: {message}\n")


def declare(parser: ArgumentParser) -> None:
    """Give a parser the arguments of the command, and `run`, which carries it out."""
    parser.description, parser.epilog = _ABOUT, _EXITS
    parser.add_argument("file", help="an export file (.jsonl)")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument(
        "--edition", action="append", default=[], metavar="FILE", help="an edition that is not built in"
    )
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help="trust this key, not the file's own")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE", help="a signed head you were given")
    parser.set_defaults(run=run)


def run(asked: Namespace) -> int:
    """Audit one file and say what was found; the exit code is the verdict."""
    report = audit_file(asked.file, editions=asked.edition, keys=asked.key, receipts=asked.receipt)
    out = report.to_json() if asked.json else tell(report).encode()
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    return report.exit


def main(arguments: Sequence[str] | None = None) -> int:
    """The command on its own."""
    parser = _Parser(prog="python -m audit")
    declare(parser)
    return run(parser.parse_args(arguments))
