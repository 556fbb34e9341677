"""`gusher keys`: which keys sign, and a new one from some moment on."""

from __future__ import annotations

import argparse
import sys
import time

from service.cli.folder import declare_folder, settings_of
from service.http.entries import moment
from service.keys import FILE, KeyFile, Keyring, SigningKey, UnusableKey, read_keys
from service.settings import InvalidSetting, Settings

CANNOT = 1


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "keys",
        help="list the keys that sign heads and receipts, or add a new one",
        epilog="Old keys stay: they sign the answers of their time, should anybody ask again.",
    )
    declare_folder(parser)
    parser.add_argument("--rotate", action="store_true", help="add a key that signs after the delay")
    parser.add_argument(
        "--delay", type=int, default=60, metavar="SECONDS", help="time for all workers to know it (default: 60)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List the keys, newest first, after adding one if that is wished."""
    try:
        settings = settings_of(arguments)
        keys = _keys(settings, time.time_ns() // 1_000_000 + 1000 * arguments.delay if arguments.rotate else None)
    except (InvalidSetting, UnusableKey, OSError) as error:
        print(f"gusher keys: {error}", file=sys.stderr)
        return CANNOT
    for key, vkey in zip(reversed(keys), Keyring(f"{settings.origin}/gusher/head", lambda: keys).vkeys, strict=True):
        print(f"{moment(key.since) if key.since else 'from the beginning':24}  {vkey}")
    return 0


def _keys(settings: Settings, added: int | None) -> tuple[SigningKey, ...]:
    """The keys, oldest first, with one more that signs from the moment `added`, if there is one. Raises `UnusableKey`.

    Where no service has been started no key is made: it would be nobody's.
    """
    if settings.head_key is not None:
        if added is not None:
            raise UnusableKey("GUSHER_HEAD_KEY holds the keys: add the new one there, with @milliseconds")
        return read_keys(settings.head_key)
    if not (settings.data / FILE).exists():
        raise UnusableKey(f"no keys are in {settings.data}: the first start of a service makes one")
    file = KeyFile(settings.data)
    if added is not None:
        file.rotate(added)
    return file.read()
