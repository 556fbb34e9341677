"""`gusher erase GAME [SEQ…]`: what persons said in their own words is gone, and the log still verifies."""

from __future__ import annotations

import argparse
import asyncio
import sys
from uuid import UUID

from service.cli.folder import database_of, declare_folder
from service.settings import InvalidSetting
from service.store.erasure import erase_personal
from service.store.protocol import StoreUnavailable

CANNOT = 1


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "erase",
        help="erase personal fields of a game, for ever",
        epilog="OWNER_DATABASE_URL, else DATABASE_URL, names the database; without them it is that of a service that "
        "runs in the folder.",
    )
    parser.add_argument("game", type=UUID, help="the game's id")
    parser.add_argument("seq", type=int, nargs="*", help="the entries (default: all of the game)")
    declare_folder(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Erase, and say of which entries."""
    try:
        with database_of(arguments, as_owner=True) as url:
            erased = asyncio.run(erase_personal(url, str(arguments.game), arguments.seq or None))
    except (InvalidSetting, StoreUnavailable, OSError) as error:
        print(f"gusher erase: {error}", file=sys.stderr)
        return CANNOT
    print(f"erased in entries {', '.join(map(str, erased))}" if erased else "nothing personal was left")
    return 0
