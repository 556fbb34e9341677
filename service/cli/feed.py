"""`gusher feed`: how far the feed and its readers are, what was parked; and to write a reader's rows anew."""

from __future__ import annotations

import argparse
import asyncio
import sys

from service.cli.folder import database_of, declare_folder
from service.reactors import HANDLERS
from service.settings import InvalidSetting
from service.store.connections import open_pool
from service.store.feed import Reader, standing
from service.store.protocol import StoreUnavailable

CANNOT = 1


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "feed",
        help="how far the feed across games and its readers are",
        epilog="DATABASE_URL names the database; without it it is that of a service that runs in the folder. "
        "Rebuilding needs no pause: others see the old rows until it is done.",
    )
    parser.add_argument("--rebuild", choices=sorted(HANDLERS), help="write this reader's rows anew, from the start")
    declare_folder(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Rebuild if that is wished, and say where everything stands."""
    try:
        with database_of(arguments) as url:
            print(asyncio.run(_feed(url, arguments.rebuild)))
    except (InvalidSetting, StoreUnavailable, OSError) as error:
        print(f"gusher feed: {error}", file=sys.stderr)
        return CANNOT
    return 0


async def _feed(url: str, rebuilt: str | None) -> str:
    pool = await open_pool(url, size=2, seconds=10)
    try:
        lines = []
        if rebuilt is not None:
            taken = await Reader(pool, HANDLERS[rebuilt]).rebuild()
            lines.append(f"{rebuilt}: {taken} entries read again")
        stands = await standing(pool)
        lines.append(f"feed: {stands.last} entries, {stands.pending} waiting for the sequencer")
        for name, handler in sorted(HANDLERS.items()):
            lines.append(f"{name}: at {stands.readers.get(name, 0)}")
            parked = await Reader(pool, handler).parked()
            lines.extend(f"  parked {one.pos}: entry {one.seq} of {one.game}: {one.error}" for one in parked)
        return "\n".join(lines)
    finally:
        await pool.close()
