"""`gusher audit FILE`: check an exported log; the same program that an auditor runs without a service."""

from __future__ import annotations

import argparse

from audit.command import declare


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    declare(subparsers.add_parser("audit", help="check an exported log: chain, chance, every move, result"))
