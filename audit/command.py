"""`gusher audit FILE`, also `python -m audit FILE`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from audit.telling import tell
from audit.ways_in import audit_file

_ABOUT = "Check an exported game: chain, form, disclosures, signature, fold, chance, every move, result."
_EXITS = "Exit code: 0 good, 1 broken, 2 incomplete (nothing wrong, something uncheckable), 64 unusable input."
USAGE = 64


class _Parser(ArgumentParser):
    """Wrong usage is unusable input; 2 would say that a log could not be checked in full."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def parser(prog: str = "gusher audit") -> ArgumentParser:
    """The options of the command."""
    found = _Parser(prog=prog, description=_ABOUT, epilog=_EXITS)
    found.add_argument("file", help="an export file (.jsonl)")
    found.add_argument("--json", action="store_true", help="the report as JSON")
    found.add_argument("--edition", action="append", default=[], metavar="FILE", help="an edition that is not built in")
    found.add_argument(
        "--key", action="append", default=[], metavar="VKEY", help="trust this verifier key, not the file's"
    )
    found.add_argument("--receipt", action="append", default=[], metavar="FILE", help="a signed head you were given")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit one file; the exit code is the verdict."""
    asked = parser().parse_args(arguments)
    report = audit_file(asked.file, editions=asked.edition, keys=asked.key, receipts=asked.receipt)
    out = report.to_json() if asked.json else tell(report).encode()
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
    return report.exit
