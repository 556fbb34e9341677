"""`gusher export GAME`: fetch a game's log from a running service."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gusher_client import Gusher, GusherError

NOT_DONE = 1


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "export",
        help="fetch a game's log from a running service",
        epilog="GUSHER_TOKEN holds the token, if one is needed.",
    )
    parser.add_argument("game", help="the game's id")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the service (default: %(default)s)")
    parser.add_argument("--as", dest="viewer", metavar="WHO", help="spectator, seat:N or auditor (default: your seat)")
    parser.add_argument("--out", type=Path, help="where it goes (default: GAME.jsonl here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the file; nothing is written where the service refuses."""
    client = Gusher(arguments.url, os.environ.get("GUSHER_TOKEN") or None)
    out = arguments.out or Path(f"{arguments.game}.jsonl")
    try:
        out.write_bytes(client.table(arguments.game).export(viewer=arguments.viewer))
    except (GusherError, OSError) as error:
        print(f"cannot export {arguments.game}: {error}", file=sys.stderr)
        return NOT_DONE
    finally:
        client.close()
    print(out)
    return 0
