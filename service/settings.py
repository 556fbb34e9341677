"""What can be set from outside, each with its environment variable. A variable that is set to nothing is not set."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.keys import UnusableKey, read_keys
from service.store.breaker import PATIENCE
from service.store.budgets import Budget

TRUE: Final = frozenset({"1", "true", "yes", "on"})


class InvalidSetting(ValueError):
    """A variable whose value cannot be meant."""


class Limits(Struct, frozen=True, kw_only=True):
    """What a caller may take; None is without end.

    - `token`: requests with a token; `address`: requests without one, by where they come from;
    - `game`: requests of a player to the running game they sit at. They have this budget apart from the others;
    - `audits`: games that the service checks for a caller, beside the request;
    - `streams`: streams and long polls open at the same time, for a token, or for an address without one.
    """

    token: Budget | None = Budget(1200, 60)
    address: Budget | None = Budget(600, 60)
    game: Budget | None = Budget(1200, 60)
    audits: Budget | None = Budget(30, 60)
    streams: int | None = 64


NO_LIMITS: Final = Limits(token=None, address=None, game=None, audits=None, streams=None)


class Settings(Struct, frozen=True, kw_only=True):
    """The service's settings.

    - `data` holds what a service keeps beside the database: its signing key, and the embedded servers' files;
    - `database_url` and `redis_url` name running servers; `owner_database_url` migrates where the service may not;
    - `origin` is the name in signatures: a host name, as a key's name must be found by whoever checks it;
    - `head_key` holds the signing keys where workers on several machines share them: `service.keys.read_keys`;
    - `unsafe_database` allows settings by name with which Postgres may lose acknowledged moves;
    - `hot_games` are kept in memory, most recently used first; a snapshot is written every `snapshot_every` moves;
    - `open_accounts` lets anybody make an account;
    - `limits` are what a caller may take: `off`, or what differs from the defaults, as in `token=100/60 streams=8`;
    - `metrics` are the networks from which anybody may read `/metrics`; administrators may from everywhere;
    - `measures` is the folder in which the workers of this machine leave what `/metrics` tells; the server makes one;
    - `proxies` stand in front of the service, and each adds the address it saw to `X-Forwarded-For`;
    - `redis_patience` is how many milliseconds a request waits for Redis before it goes on without;
    - `stream_beat` is how many seconds a stream is silent at most, `stream_patience` how long a reader may take to
      read what it was sent;
    - `grace` is how many seconds requests under way have when the server is told to stop: less than Kubernetes gives.
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
    limits: Limits = Limits()
    metrics: tuple[str, ...] = ()
    measures: Path | None = None
    proxies: int = 0
    redis_patience: int = int(1000 * PATIENCE)
    stream_beat: int = 15
    stream_patience: int = 30
    grace: int = 10


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
        head_key=read.keys("GUSHER_HEAD_KEY"),
        unsafe_database=read.words("GUSHER_UNSAFE_DATABASE"),
        database_connections=read.number("GUSHER_DATABASE_CONNECTIONS", default.database_connections),
        hot_games=read.number("GUSHER_HOT_GAMES", default.hot_games),
        snapshot_every=read.number("GUSHER_SNAPSHOT_EVERY", default.snapshot_every),
        open_accounts=read.flag("GUSHER_OPEN_ACCOUNTS", default=default.open_accounts),
        limits=read.limits("GUSHER_LIMITS"),
        metrics=read.networks("GUSHER_METRICS"),
        measures=read.path("GUSHER_MEASURES"),
        proxies=read.number("GUSHER_PROXIES", default.proxies),
        redis_patience=read.number("GUSHER_REDIS_PATIENCE", default.redis_patience),
        stream_beat=read.number("GUSHER_STREAM_BEAT", default.stream_beat),
        stream_patience=read.number("GUSHER_STREAM_PATIENCE", default.stream_patience),
        grace=read.number("GUSHER_GRACE", default.grace),
    )


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str) -> str | None:
        return self._environment.get(name, "").strip() or None

    def path(self, name: str) -> Path | None:
        text = self.text(name)
        return None if text is None else Path(text)

    def words(self, name: str) -> tuple[str, ...]:
        return tuple((self.text(name) or "").replace(",", " ").split())

    def networks(self, name: str) -> tuple[str, ...]:
        for word in self.words(name):
            try:
                ip_network(word)
            except ValueError as error:
                raise InvalidSetting(f"{name}: {error}") from error
        return self.words(name)

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

    def limits(self, name: str) -> Limits:
        words = self.words(name)
        if words == ("off",):
            return NO_LIMITS
        found: dict[str, Budget | int | None] = {}
        for word in words:
            limit, _, value = word.partition("=")
            if limit not in Limits.__struct_fields__ or not value:
                raise InvalidSetting(f"{name} is `off` or words like token=1200/60 and streams=64, not {word!r}")
            found[limit] = None if value == "off" else self._limit(name, limit, value)
        return msgspec.convert(found, Limits)

    def _limit(self, name: str, limit: str, value: str) -> Budget | int:
        quota, slash, window = value.partition("/")
        numbers = [quota] if limit == "streams" else [quota, window]
        if bool(slash) != (limit != "streams") or not all(one.isdecimal() and int(one) > 0 for one in numbers):
            raise InvalidSetting(f"{name}: {limit} cannot be {value!r}")
        return Budget(int(quota), int(window)) if slash else int(quota)

    def keys(self, name: str) -> str | None:
        text = self.text(name)
        if text is not None:
            try:
                read_keys(text, name)
            except UnusableKey as error:
                raise InvalidSetting(str(error)) from error
        return None if text is None else text.lower()
