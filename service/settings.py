"""What can be set from outside, each with its environment variable. A variable that is set to nothing is not set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

TRUE: Final = frozenset({"1", "true", "yes", "on"})


class InvalidSetting(ValueError):
    """A variable whose value cannot be meant."""


class Settings(Struct, frozen=True, kw_only=True):
    """The service's settings.

    - `data` holds what a service keeps beside the database: its signing key, and the embedded servers' files;
    - `database_url` and `redis_url` name running servers; `owner_database_url` migrates where the service may not;
    - `origin` is the name in signatures: a host name, as a key's name must be found by whoever checks it;
    - `head_key` is the signing key's seed, 64 hex digits, where workers on several machines share one;
    - `unsafe_database` allows settings by name with which Postgres may lose acknowledged moves;
    - `hot_games` are kept in memory, most recently used first; a snapshot is written every `snapshot_every` moves;
    - `open_accounts` lets anybody make an account.
    """

    data: Path = Path("data")
    database_url: str | None = None
    owner_database_url: str | None = None
    redis_url: str | None = None
    origin: str = "localhost"
    head_key: str | None = None
    unsafe_database: tuple[str, ...] = ()
    database_connections: int = 10
    hot_games: int = 2048
    snapshot_every: int = 16
    open_accounts: bool = True


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings that these variables make. Raises `InvalidSetting`, naming the variable."""
    read = _Reader(environment)
    default = Settings()
    return Settings(
        data=Path(read.text("GUSHER_DATA") or default.data),
        database_url=read.text("DATABASE_URL"),
        owner_database_url=read.text("OWNER_DATABASE_URL"),
        redis_url=read.text("REDIS_URL"),
        origin=read.text("GUSHER_ORIGIN") or default.origin,
        head_key=read.hex32("GUSHER_HEAD_KEY"),
        unsafe_database=read.words("GUSHER_UNSAFE_DATABASE"),
        database_connections=read.number("GUSHER_DATABASE_CONNECTIONS", default.database_connections),
        hot_games=read.number("GUSHER_HOT_GAMES", default.hot_games),
        snapshot_every=read.number("GUSHER_SNAPSHOT_EVERY", default.snapshot_every),
        open_accounts=read.flag("GUSHER_OPEN_ACCOUNTS", default=default.open_accounts),
    )


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str) -> str | None:
        return self._environment.get(name, "").strip() or None

    def words(self, name: str) -> tuple[str, ...]:
        return tuple((self.text(name) or "").replace(",", " ").split())

    def number(self, name: str, default: int) -> int:
        text = self.text(name)
        if text is None:
            return default
        if not text.isdecimal() or int(text) < 1:
            raise InvalidSetting(f"{name} is a whole number of at least 1, not {text!r}")
        return int(text)

    def flag(self, name: str, *, default: bool) -> bool:
        text = self.text(name)
        return default if text is None else text.lower() in TRUE

    def hex32(self, name: str) -> str | None:
        text = self.text(name)
        if text is None:
            return None
        try:
            sound = len(bytes.fromhex(text)) == 32
        except ValueError:
            sound = False
        if not sound:
            raise InvalidSetting(f"{name} is 64 hex digits")
        return text.lower()
