"""The service's data folder on the command line, and the database that a command works on."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from service.embedded import running_database
from service.settings import InvalidSetting, Settings, read_settings


def declare_folder(parser: argparse.ArgumentParser) -> None:
    """`--data`."""
    told = "the service's folder, for keys and databases (default: GUSHER_DATA, else ./data)"
    parser.add_argument("--data", type=Path, help=told)


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings of the environment, with the folder that was named. Raises `InvalidSetting`."""
    settings = read_settings(os.environ)
    return settings if arguments.data is None else replace(settings, data=arguments.data)


@contextmanager
def database_of(arguments: argparse.Namespace, *, as_owner: bool = False) -> Iterator[str]:
    """The address of the database that is named, or of the one that a service runs in its folder.

    Raises `InvalidSetting` where there is neither.
    """
    settings = settings_of(arguments)
    named = (settings.owner_database_url if as_owner else None) or settings.database_url
    if named is not None:
        yield named
        return
    with running_database(settings.data) as url:
        if url is None:
            raise InvalidSetting(f"DATABASE_URL names no database, and no service runs one in {settings.data}")
        yield url
