"""`gusher keys`: which keys sign, and a new one from some moment on."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from service.http.entries import moment
from service.keys import KeyFile, Keyring, UnusableKey
from service.settings import InvalidSetting, read_settings

CANNOT = 1


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "keys",
        help="list the keys that sign heads and receipts, or add a new one",
        epilog="Old keys stay: they sign the answers of their time, should anybody ask again.",
    )
    parser.add_argument("--data", type=Path, help="the service's folder (default: GUSHER_DATA, else ./data)")
    parser.add_argument("--rotate", action="store_true", help="add a key that signs after the delay")
    parser.add_argument(
        "--delay", type=int, default=60, metavar="SECONDS", help="time for all workers to know it (default: 60)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List the keys, newest first, after adding one if that is wished."""
    try:
        settings = read_settings(os.environ)
        file = KeyFile(arguments.data or settings.data)
        if arguments.rotate:
            file.rotate(time.time_ns() // 1_000_000 + 1000 * arguments.delay)
        keys = file.read()
    except (InvalidSetting, UnusableKey, OSError) as error:
        print(f"gusher keys: {error}", file=sys.stderr)
        return CANNOT
    for key, vkey in zip(reversed(keys), Keyring(f"{settings.origin}/gusher/head", lambda: keys).vkeys, strict=True):
        print(f"{moment(key.since)}  {vkey}")
    return 0
