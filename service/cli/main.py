"""`gusher`: what a person or a script runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from service.cli import audit, demo, erase, export, feed, gate, join, keys, openapi, play, replay, rules, serve
from service.cli.stories import story_of

COMMANDS = (serve, demo, join, play, audit, export, replay, gate, rules, openapi, keys, erase, feed)

UNUSABLE = 64
"""Exit code for arguments and input that cannot be used (log format, section 6)."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose usage errors exit with 64, as everything unusable does here."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(UNUSABLE, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; its exit code."""
    parser = Parser(prog="gusher", description="A game service for three oil-industry games.")
    parser.set_defaults(stories=story_of)
    subparsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        command.add_to(subparsers)
    chosen = parser.parse_args(arguments)
    try:
        code: int = chosen.run(chosen)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; Python would complain again while flushing at exit.
        sys.stderr.close()
        return 0
    return code


if __name__ == "__main__":
    raise SystemExit(main())
