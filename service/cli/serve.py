"""`gusher serve`: the service on this machine, with its own Postgres and Valkey unless the environment names others."""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from service.auth.accounts import first_admin
from service.cli.folder import declare_folder, settings_of
from service.embedded import EmbeddedFailure, EmbeddedServers
from service.settings import InvalidSetting, Settings
from service.store.connections import NotPermitted, UnsafeDatabase
from service.store.migrations import CannotDistribute, SchemaMismatch
from service.store.opening import open_postgres
from service.store.protocol import StoreUnavailable

CANNOT_START = 1
ADMIN_TOKEN = "admin.token"  # noqa: S105 - the name of a file


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "serve",
        help="run the service on this machine",
        epilog="DATABASE_URL and REDIS_URL name running servers; without them, a Postgres and a Valkey start here.",
    )
    declare_folder(parser)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on, 0 for any free one (default: 8000)")
    parser.add_argument("--workers", type=int, default=1, help="worker processes (default: 1)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM, then stop everything that was started."""
    try:
        settings = settings_of(arguments)
        port = _free_port(arguments.host, arguments.port)
        with ExitStack() as stack:
            settings = _with_servers(settings, stack)
            token = _kept(asyncio.run(_first_admin(settings)), settings.data)
            _export(settings)
            _announce(arguments.host, port, settings, token)
            _serve(arguments.host, port, arguments.workers)
    except (
        InvalidSetting,
        EmbeddedFailure,
        UnsafeDatabase,
        NotPermitted,
        SchemaMismatch,
        CannotDistribute,
        StoreUnavailable,
        OSError,
    ) as error:
        print(f"gusher cannot start: {error}", file=sys.stderr)
        return CANNOT_START
    return 0


def _with_servers(settings: Settings, stack: ExitStack) -> Settings:
    """The settings with both servers named; those that nobody named are started, in the data folder."""
    postgres, valkey = settings.database_url is None, settings.redis_url is None
    if not (postgres or valkey):
        return settings
    started = stack.enter_context(EmbeddedServers(settings.data, postgres=postgres, valkey=valkey).kept())
    return replace(
        settings,
        data=settings.data.resolve(),
        database_url=settings.database_url or started.database_url,
        redis_url=settings.redis_url or started.redis_url,
    )


async def _first_admin(settings: Settings) -> str | None:
    """The token of the first administrator, if this is the first start. The schema is up to date afterwards."""
    assert settings.database_url is not None, "named or started before"
    store = await open_postgres(
        settings.database_url, owner_url=settings.owner_database_url, unsafe_allowed=settings.unsafe_database
    )
    try:
        return await first_admin(store)
    finally:
        await store.close()


def _kept(made: str | None, data: Path) -> str | None:
    """The token made at this start, or the one kept from an earlier one. Its owner alone may read the file."""
    path = data / ADMIN_TOKEN
    if made is not None:
        data.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(made + "\n")
    return path.read_text().strip() if path.exists() else None


def _export(settings: Settings) -> None:
    """Workers are processes of their own: they read these settings from the environment."""
    os.environ["GUSHER_DATA"] = str(settings.data)
    os.environ["DATABASE_URL"] = settings.database_url or ""
    os.environ["REDIS_URL"] = settings.redis_url or ""


def _announce(host: str, port: int, settings: Settings, token: str | None) -> None:
    shown = f"[{host}]" if ":" in host else host
    known = token or f"made at the first start; it is not in {settings.data / ADMIN_TOKEN}"
    print(f"Gusher     http://{shown}:{port}")
    print(f"docs       http://{shown}:{port}/docs")
    print(f"admin      {known}")
    print("Ctrl-C stops it.", flush=True)


def _free_port(host: str, port: int) -> int:
    """The port, known to be free a moment ago; a free one for 0. Raises `OSError` where it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise OSError(f"cannot listen on {host} port {port}: {error.strerror}") from error
        free: int = probe.getsockname()[1]
        return free


def _serve(host: str, port: int, workers: int) -> None:
    from service.app import serve

    serve(host, port, workers)
