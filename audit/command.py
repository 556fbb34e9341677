"""`gusher audit FILE|FOLDER…`, also `python -m audit`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from audit.many import Means, audit_files, files_in, looking_seldom, stray_receipts, worst
from audit.progress import OnTerminal, listener, unheard
from audit.report import EXIT_CODES, Report
from audit.telling import tell, tell_line, tell_total
from audit.ways_in import audit_file

_ABOUT = "Check an exported game: chain, form, disclosures, signature, fold, chance, every move, result."
_EXITS = (
    "Exit code: 0 good, 1 broken, 2 incomplete (nothing wrong, something uncheckable), 64 unusable input. "
    "Of several files the worst: 1, then 64, then 2."
)


class _Parser(ArgumentParser):
    """Wrong usage is unusable input; 2 would say that a log could not be checked in full."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(EXIT_CODES["unusable"], f"{self.prog}: {message}\n")


def declare(parser: ArgumentParser) -> None:
    """Give a parser the arguments of the command, and `run`, which carries it out."""
    parser.description, parser.epilog = _ABOUT, _EXITS
    parser.add_argument("place", nargs="+", help="export files (.jsonl), folders of them")
    parser.add_argument("--json", action="store_true", help="the report as JSON; of several files, one on each line")
    parser.add_argument(
        "--edition", action="append", default=[], metavar="FILE", help="an edition that is not built in"
    )
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help="trust this key, not the file's own")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE", help="a signed head you were given")
    parser.set_defaults(run=run)


def run(asked: Namespace) -> int:
    """Audit what was named and say what was found; the exit code is the worst verdict."""
    with looking_seldom():
        return _run(asked)


def _run(asked: Namespace) -> int:
    files = files_in(asked.place)
    means = Means(tuple(asked.edition), tuple(asked.key), tuple(asked.receipt))
    terminal = listener()
    if len(files) > 1:
        return _several(files, means, terminal, as_json=asked.json)
    report = audit_file(
        files[0], editions=means.editions, keys=means.keys, receipts=means.receipts, heard=terminal or unheard
    )
    _say(report.to_json() if asked.json else tell(report).encode(), terminal)
    return report.exit


def _several(files: list[str], means: Means, terminal: OnTerminal | None, *, as_json: bool) -> int:
    reports: list[Report] = []
    for report in audit_files(files, means, terminal or unheard):
        _say(report.to_json_line() if as_json else tell_line(report).encode(), terminal)
        reports.append(report)
    if not as_json:
        _say(tell_total(reports).encode(), terminal)
    strays = stray_receipts(means, reports)
    for name in strays:
        sys.stderr.write(f"{name}: a receipt for none of these games, nothing was held against it\n")
    code = worst(reports).exit
    return EXIT_CODES["incomplete"] if strays and code == EXIT_CODES["good"] else code


def _say(out: bytes, terminal: OnTerminal | None) -> None:
    if terminal is not None:
        terminal.close()
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()


def main(arguments: Sequence[str] | None = None, prog: str = "python -m audit") -> int:
    """The command on its own."""
    parser = _Parser(prog=prog)
    declare(parser)
    return run(parser.parse_args(arguments))
